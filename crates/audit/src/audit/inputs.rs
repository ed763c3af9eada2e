//! How do inputs change along a motion? One that acts as a load has a rate like any other function of time.
//!
//! ```text
//! e(s, F)' = Σ ∂e/∂s s' + Σ ∂e/∂F F'                                                       (1)
//! F' = the derivative of what the model says of F, or a symbol of its own                  (2)
//! ```
//!
//! In the equations of motion such an input is a number at every instant, and its symbol a constant; F' is made here. Inputs
//! that move something have rates that are inputs too.

use expr::{Expr, Kind, MathError, Substitution, Symbol};
use mechanics::{Input, System};

use super::Auditor;

/// Rates of inputs that are looked for.
pub const MOST_RATES: usize = 4;

/// The rate of an expression, in which inputs change (1).
pub fn rate(system: &System, e: Expr) -> Result<Expr, MathError> {
    let symbols = e.symbols();
    let changing = loads(system).filter(|input| symbols.contains(&input.symbol));
    let mut rate = system.time_derivative(e)?;
    for input in changing {
        rate += expr::derivative(e, input.symbol)? * rate_of(input, 1);
    }
    Ok(rate)
}

/// The inputs that act as loads only.
pub fn loads(system: &System) -> impl Iterator<Item = &Input> {
    let is_constant = |input: &&Input| input.symbol.as_symbol().is_some_and(|symbol| symbol.kind == Kind::Parameter);
    system.inputs.iter().filter(is_constant)
}

/// A derivative of an input, as a symbol. That of a load, which is a constant elsewhere, has a name of its own.
pub fn rate_of(input: &Input, order: usize) -> Expr {
    let next = |e: Expr| expr::total_derivative(e).unwrap_or(e);
    let first = match input.symbol.as_symbol().is_some_and(|symbol| symbol.kind == Kind::Parameter) {
        true => expr::symbol(Symbol::new(&format!("{}'", input.name), Kind::Input)),
        false => next(input.symbol),
    };
    (1..order).fold(first, |rate, _| next(rate))
}

impl Auditor<'_> {
    /// Rates of inputs that occur here, as they follow from what the model says of these inputs (2).
    pub fn said_rates(&self, list: &[Expr]) -> Substitution {
        let symbols: Vec<Expr> = list.iter().flat_map(|e| e.symbols()).collect();
        let (mut said, system) = (Substitution::new(), &self.loaded.system);
        for input in system.inputs.iter().filter(|input| !input.is_rate()) {
            let rates: Vec<Expr> = (1..=MOST_RATES).map(|order| rate_of(input, order)).collect();
            let own = |rate: &Expr| system.inputs.iter().any(|one| one.symbol == *rate);
            let Some(last) = rates.iter().rposition(|rate| symbols.contains(rate) && !own(rate)) else { continue };
            let mut value = input.value;
            for &rate in &rates[..=last] {
                let next = value.and_then(|value| self.rates_under_inputs(&[value]));
                value = next.and_then(|next| self.inputs().apply_one(next[0]).ok());
                if let Some(value) = value.filter(|_| !own(&rate)) {
                    said.insert(rate, value);
                }
            }
        }
        said
    }

    /// What the model says of inputs, and of their rates as far as they occur here.
    pub fn said(&self, list: &[Expr]) -> Substitution {
        let mut said = self.inputs();
        said.extend(self.said_rates(list));
        said
    }
}
