//! What are the operators of a paper on a system? Energies, forces, and derivatives by what a motion is made of.
//!
//! ```text
//! kinetic()               T = Σ ½ m v·v + ½ ω·Iω                    in q, q', t, no constraint put in           (1)
//! acceleration_energy()   S = Σ ½ m a·a + ½ α·Iα + α·(ω × Iω) + ½ ω² ω·Iω                                       (2)
//! force(q), force(u)      Q_s of all loads, potentials included;  Σ_s Q_s ∂q'_s/∂u                              (3)
//! reduced(E)              q' = β(q, u, t) and its derivatives put in: u are the speeds, or independent rates    (4)
//! diff(E, u)              q' = β(q, u, c, t) put in, then ∂/∂u: c are the values of the rows                     (5)
//! ```
//!
//! (2) is complete: Σ ½ m a·a of all particles of a body has the last term, which no acceleration sees. What (4) and
//! (5) are written in stands as symbols; [`in_rates`] puts their definitions in at the end.

use expr::{Expr, Flow, Kind, Substitution};

use crate::balance::potential_energy;
use crate::chart::{Chart, ChartKind};
use crate::form::FormError;
use crate::ingredients::{Ingredients, acceleration_energy};
use crate::read::{Operator, Variable};

/// The value of an operator, or why there is none.
pub fn value(given: &Ingredients<'_>, asked: Operator) -> Result<Expr, String> {
    let told = |error: FormError| error.to_string();
    let thawed = |e: Expr| Ok(given.thawed(&[e]).map_err(|error| error.to_string())?[0]);
    match asked {
        Operator::Kinetic => thawed(given.T().map_err(told)?),
        Operator::Potential => potential_energy(given.system).map_err(|error| error.to_string()),
        Operator::Lagrangian => Ok(value(given, Operator::Kinetic)? - value(given, Operator::Potential)?),
        Operator::AccelerationEnergy => thawed(complete_acceleration_energy(given).map_err(told)?),
        Operator::Force(of) => thawed(force(given, of)?),
        Operator::Momentum(Variable::Symbol(q)) => {
            let place = given.q.iter().position(|one| *one == q);
            let place = place.ok_or("`generalized_momentum` takes a coordinate")?;
            thawed(given.p().map_err(told)?[place])
        }
        Operator::Momentum(Variable::Speed(..)) => Err("`generalized_momentum` takes a coordinate".to_owned()),
        Operator::Reduced(e) => reduced(given, e),
        Operator::Slope { of, by, is_reduced } => slope(given, of, by, is_reduced),
    }
}

/// An expression in which the definitions of speeds are put in.
pub fn in_rates(given: &Ingredients<'_>, e: Expr) -> Result<Expr, String> {
    if !e.symbols().iter().any(is_velocity) {
        return Ok(e);
    }
    with_chart(given, |chart| {
        let mut map = Substitution::new();
        let velocities = chart.u.iter().chain(&chart.c).copied().zip(chart.forward.iter().copied());
        for (mut symbol, mut definition) in velocities.filter(|(symbol, _)| is_velocity(symbol)) {
            for _ in 0..=highest(e) {
                map.insert(symbol, definition);
                symbol = expr::total_derivative(symbol).map_err(|error| error.to_string())?;
                definition = expr::total_derivative(definition).map_err(|error| error.to_string())?;
            }
        }
        map.apply_one(e).map_err(|error| error.to_string())
    })
}

fn is_velocity(symbol: &Expr) -> bool {
    symbol.as_symbol().is_some_and(|symbol| symbol.kind == Kind::QuasiVelocity)
}

/// The highest derivative in an expression.
fn highest(e: Expr) -> u32 {
    e.symbols().iter().filter_map(|symbol| Some(symbol.as_symbol()?.order)).max().unwrap_or(0)
}

/// Asks the chart of the speeds where the model declares some that make one, otherwise that of the rates.
fn with_chart<T>(given: &Ingredients<'_>, ask: impl FnOnce(&Chart) -> Result<T, String>) -> Result<T, String> {
    let kind = if given.system.speeds.is_empty() { ChartKind::Rates } else { ChartKind::Speeds };
    let own = given.chart().ok().filter(|chart| chart.kind == kind);
    match own {
        Some(chart) => ask(chart),
        None => ask(&Chart::of(given.system, given.rows, kind, given.at).map_err(|error| error.to_string())?),
    }
}

/// (2).
fn complete_acceleration_energy(given: &Ingredients<'_>) -> Result<Expr, FormError> {
    given.need_particles()?;
    let free = given.free()?;
    let half = expr::rational(1, 2);
    let turning = free.elements.iter().filter_map(|element| element.spin.as_ref()).map(|spin| {
        let omega = spin.omega.components;
        half * omega.dot(omega) * omega.dot(spin.times(omega))
    });
    Ok(acceleration_energy(free, &expr::total_derivative)? + turning.sum::<Expr>())
}

/// (3).
fn force(given: &Ingredients<'_>, of: Variable) -> Result<Expr, String> {
    let Q = given.Q().map_err(|error| error.to_string())?;
    match of {
        Variable::Symbol(q) => {
            let place = given.q.iter().position(|one| *one == q);
            Ok(Q[place.ok_or("`force` takes a coordinate or a speed")?])
        }
        Variable::Speed(_, order) if order > 0 => Err("`force` takes a coordinate or a speed".to_owned()),
        Variable::Speed(place, _) => with_chart(given, |chart| {
            let rates = full(given, chart, place)?;
            let symbol = given.system.speeds[place].symbol;
            let partials = rates.iter().map(|&rate| expr::derivative(rate, symbol)).collect::<Result<Vec<_>, _>>();
            Ok(crate::ingredients::dot(Q, &partials.map_err(|error| error.to_string())?))
        }),
    }
}

/// The rates in terms of all velocities (5).
fn full<'c>(given: &Ingredients<'_>, chart: &'c Chart, place: usize) -> Result<&'c [Expr], String> {
    let speed = &given.system.speeds[place];
    if chart.is_full {
        return Ok(&chart.full_rates);
    }
    match chart.u.contains(&speed.symbol) {
        true => Ok(&chart.rates),
        false => Err(format!("the inverse of the speed `{}` is not known off the constraints", speed.name)),
    }
}

/// (4).
fn reduced(given: &Ingredients<'_>, e: Expr) -> Result<Expr, String> {
    if given.rows.list.is_empty() && given.system.speeds.is_empty() {
        return Ok(e);
    }
    with_chart(given, |chart| {
        let first = chart.rates.clone();
        let second_order = given.rows.list.iter().find(|row| row.order == 2);
        let Some(row) = second_order else { return put(given, e, first, &chart.u) };
        if highest(e) > 2 {
            return Err(format!("`{}` limits accelerations: third derivatives are not reduced", row.name));
        }
        chart.on_shell(&[e], given.system).map(|put| put[0]).map_err(|error| error.to_string())
    })
}

/// The expression with these rates and their derivatives put in, while the velocities `u` move on to u', u'' ….
fn put(given: &Ingredients<'_>, e: Expr, rates: Vec<Expr>, u: &[Expr]) -> Result<Expr, String> {
    let failed = |error: expr::MathError| error.to_string();
    let order = highest(e);
    let mut pairs: Vec<(Expr, Expr)> = given.q.iter().copied().zip(rates.iter().copied()).collect();
    pairs.push((given.system.time, Expr::one()));
    let mut moving = u.to_vec();
    for _ in 0..=order {
        let next = moving.iter().map(|&u| expr::total_derivative(u)).collect::<Result<Vec<_>, _>>().map_err(failed)?;
        pairs.extend(moving.iter().copied().zip(next.iter().copied()));
        moving = next;
    }
    let flow = Flow::new(&pairs);
    let (mut symbols, mut values) = (given.q_dot.clone(), rates);
    let mut map = Substitution::new();
    for _ in 1..=order {
        map.extend(symbols.iter().copied().zip(values.iter().copied()).filter(|(symbol, value)| symbol != value));
        symbols = symbols.iter().map(|&s| expr::total_derivative(s)).collect::<Result<_, _>>().map_err(failed)?;
        values = values.iter().map(|&value| flow.rate(value)).collect::<Result<_, _>>().map_err(failed)?;
    }
    map.apply_one(e).map_err(failed)
}

/// ∂E/∂x, and (5).
fn slope(given: &Ingredients<'_>, of: Expr, by: Variable, is_reduced: bool) -> Result<Expr, String> {
    let failed = |error: expr::MathError| error.to_string();
    let symbol = match by {
        Variable::Symbol(symbol) => symbol,
        Variable::Speed(place, order) => {
            return with_chart(given, |chart| {
                let rates = full(given, chart, place)?.to_vec();
                let velocities: Vec<Expr> = chart.u.iter().chain(&chart.c).copied().collect();
                let put = put(given, of, rates, &velocities)?;
                let mut symbol = given.system.speeds[place].symbol;
                for _ in 0..order {
                    symbol = expr::total_derivative(symbol).map_err(failed)?;
                }
                expr::derivative(put, symbol).map_err(failed)
            });
        }
    };
    let place = |list: &[Expr]| list.iter().position(|one| *one == symbol);
    let order = symbol.as_symbol().map_or(0, |symbol| symbol.order);
    if order > 0 && is_reduced {
        with_chart(given, |chart| {
            let independent: Vec<String> = chart.u.iter().map(Expr::to_string).collect();
            let name = symbol.as_symbol().map(|symbol| symbol.name).unwrap_or_default();
            let base = given.system.coordinates.iter().find(|one| one.name == name);
            match base.is_some_and(|base| chart.u.contains(&base.q_dot)) {
                true => Ok(()),
                false => Err(format!(
                    "with the constraints put in this is written in {}, and `{symbol}` is none of them; `free(E)'` is \
                     the rate without the constraints",
                    independent.join(", ")
                )),
            }
        })?;
    }
    let known = place(&given.q).is_some() || order > 0 || symbol == given.system.time;
    match known {
        true => expr::derivative(of, symbol).map_err(failed),
        false => Err(format!("`diff` takes a coordinate, a derivative of one, a speed or `t`, not `{symbol}`")),
    }
}
