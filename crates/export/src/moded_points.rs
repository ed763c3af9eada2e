//! In which modes, and at which states, is code compared with Anholon?
//!
//! The mode of the start, that with everything open, and that with everything closed, each at states around the start;
//! half of them with other parameters. Numbers come from the recipe of `evaluate` in that mode.

use dynamics::{Change, Recipe};
use engine::{Error, Loaded};
use expr::{At, Expr};
use mechanics::friction::{Grip, Slip};
use mechanics::ingredients::Ingredients;
use mechanics::rows::Rows;
use mechanics::standing::Standing;
use mechanics::{Mode, System};

use crate::board::Board;
use crate::maker::{EVERYWHERE, Maker};
use crate::points::{Point, Random, state_at};
use crate::shows::Shows;
use crate::unit::ModeAt;
use crate::{Export, Parameters};

/// The points, their modes, and the mode of the start.
pub fn points(
    loaded: &Loaded,
    wanted: &Export,
    board: &Board,
    maker: &Maker<'_>,
    shows: &Shows,
    numbers: &[Expr],
) -> Result<(Vec<Point>, Vec<ModeAt>, ModeAt), Error> {
    let system = &loaded.system;
    let inputs = system.inputs.iter().map(|one| one.symbol).filter(|_| wanted.parameters == Parameters::Arguments);
    let parameters: Vec<Expr> = system.parameters.iter().map(|one| one.symbol).chain(inputs).collect();
    let t = loaded.start.time.number.unwrap_or(0.0);
    let y: Vec<f64> = loaded.start.values().map(|one| one.number.unwrap_or(f64::NAN)).collect();
    let p = loaded.at.values(&parameters);
    let first = first(loaded)?;
    let look = Look { loaded, board, shows, numbers, q_ddot: maker.given.q_ddot.clone() };
    let start = look.mode_at(&first, &loaded.at);
    let mut random = Random(t.to_bits() ^ y.iter().fold(11, |word, y| word ^ y.to_bits().rotate_left(9)));
    let (mut points, mut modes) = (Vec::new(), Vec::new());
    if look.recipe(&first).is_none() {
        let why = "what each row carries at the start is not determined: exported code has no such mode";
        let shared = Error::new(why);
        return Err(shared.hint("`anholon simulate` runs such a model where its accelerations are determined"));
    }
    for mode in look.modes(&first) {
        let Some(recipe) = look.recipe(&mode) else { continue };
        for k in 0..wanted.points.max(1) {
            let reach = if k == 0 { 0.0 } else { 0.05 };
            let moved = |value: f64, random: &mut Random| value + reach * random.next() * (1.0 + 0.3 * value.abs());
            let y: Vec<f64> = y.iter().map(|&y| moved(y, &mut random)).collect();
            let is_other = k % 2 == 0 && wanted.parameters == Parameters::Arguments;
            let p: Vec<f64> = p.iter().map(|p| if is_other { p * (1.0 + reach * random.next()) } else { *p }).collect();
            let at = state_at(loaded, &parameters, (t, &y, &p));
            if let Some((answers, mode)) = look.answers(&mode, &recipe, &at) {
                points.push(Point { t, y, p, answers });
                modes.push(mode);
            }
        }
    }
    if points.is_empty() {
        let nothing = Error::new("the accelerations are not determined at the start in any mode");
        return Err(nothing.hint("`anholon evaluate` says more"));
    }
    Ok((points, modes, start))
}

/// What acts at the start.
fn first(loaded: &Loaded) -> Result<Mode, Error> {
    let going = loaded.dynamics().going_on(&loaded.mode, &loaded.at, Change::Nothing);
    let going = going.map_err(|error| engine::forms::no_rows(loaded, error))?;
    let found =
        going.map_err(|error| Error::new(format!("the motion cannot start: {}", crate::maker::reason(&error))))?;
    let mut mode = found.mode.settled(&loaded.system);
    // a direction that was found for one state is that of the slip elsewhere
    for held in mode.held.clone() {
        if let Grip::Slides(press, Slip::Toward(_) | Slip::Near(..)) = held.grip {
            let grip = Grip::Slides(press, Slip::Velocity);
            mode = mode.holding(&loaded.system, &held.rough, grip).map_err(Error::new)?;
        }
    }
    Ok(mode)
}

struct Look<'a> {
    loaded: &'a Loaded,
    board: &'a Board,
    shows: &'a Shows,
    /// Friction and restitution of the items, and rates of states.
    numbers: &'a [Expr],
    q_ddot: Vec<Expr>,
}

impl Look<'_> {
    fn system(&self) -> &System {
        &self.loaded.system
    }

    /// The modes that are looked at.
    fn modes(&self, first: &Mode) -> Vec<Mode> {
        let mut modes = vec![first.clone()];
        for closed in [false, true] {
            let mut mode = Mode { held: Vec::new(), ..first.clone() };
            for &place in &self.board.places {
                let one = &self.system().constraints[place];
                let sided = one.is_one_sided();
                if one.acts_always() {
                    continue;
                }
                mode.standing[place] = match (closed, sided) {
                    (true, true) => Standing::Closed,
                    (true, false) => Standing::Acts,
                    (false, true) => Standing::Open,
                    (false, false) => Standing::Later,
                };
                for with in mechanics::contact::slips_with(self.system(), place) {
                    if !self.system().constraints[with].is_rough {
                        mode.standing[with] = if closed { Standing::Acts } else { Standing::Open };
                    }
                }
            }
            for (item, rough) in &self.board.rough {
                if (closed || !self.board.items[*item].is_sided)
                    && let Ok(held) = mode.holding(self.system(), rough, Grip::Sticks)
                {
                    mode = held;
                }
            }
            if !modes.contains(&mode) {
                modes.push(mode);
            }
        }
        modes
    }

    fn recipe(&self, mode: &Mode) -> Option<Recipe> {
        let (system, at) = (self.system(), &self.loaded.at);
        let rows = Rows::of(system, mode, at).ok().filter(|rows| rows.left_out.is_empty() && rows.slack.is_empty())?;
        let form = mechanics::formalism::formalism(EVERYWHERE)?;
        Recipe::of(form, &Ingredients::of(system, mode, &rows, self.loaded.kind(), at)).ok()
    }

    /// A mode in numbers, at a state.
    fn mode_at(&self, mode: &Mode, at: &At) -> ModeAt {
        let mut made = ModeAt::default();
        for (item, (one, &place)) in self.board.items.iter().zip(&self.board.places).enumerate() {
            let is_on = !one.is_sided && one.switched == 0 || mode.standing[place].acts();
            let held = mode.held.iter().find(|held| one.slips > 0 && held.rough.gap == place);
            let (mut state, mut side, mut along) = (i32::from(is_on), 1, [1.0, 0.0]);
            if one.switched > 0 && mode.standing[place] == Standing::Over {
                state = -1;
            }
            if let Some(Grip::Slides(press, slip)) = held.map(|held| held.grip) {
                (state, side) = (2, i32::from(press));
                let slips = self.slips(item, at);
                let speed = slips.iter().map(|s| s * s).sum::<f64>().sqrt();
                let toward = match slip {
                    Slip::Toward(d) | Slip::Near(d, _) => d,
                    Slip::Sign(sign) => [f64::from(sign), 0.0],
                    Slip::Velocity => [1.0, 0.0],
                };
                let part = |k: usize| slips.get(k).map_or(0.0, |s| if speed > 0.0 { s / speed } else { toward[k] });
                along = [part(0), part(1)];
            }
            made.state.push(state);
            made.side.push(side);
            made.along.push(along);
        }
        made
    }

    fn slips(&self, item: usize, at: &At) -> Vec<f64> {
        let one = &self.board.items[item];
        let rows = &self.board.rows[one.slip..one.slip + one.slips];
        rows.iter().map(|row| row.velocity.map_or(0.0, |slip| at.value(slip))).collect()
    }

    /// What the routines answer at a state, and the mode there.
    fn answers(&self, mode: &Mode, recipe: &Recipe, at: &At) -> Option<(Vec<Vec<f64>>, ModeAt)> {
        let (system, board) = (self.system(), self.board);
        let found = recipe.numbers(at).ok()?;
        let here = self.mode_at(mode, at);
        // a slip that changed its sign on the way to this state is another mode
        let item = |held: &mechanics::Held| board.rough.iter().find(|one| one.1.gap == held.rough.gap).map(|one| one.0);
        let is_same = |held: &mechanics::Held| match (held.grip, item(held)) {
            (Grip::Slides(_, Slip::Sign(sign)), Some(item)) => here.along[item][0] * f64::from(sign) > 0.0,
            _ => true,
        };
        if !mode.held.iter().all(is_same) {
            return None;
        }
        let known = |symbol: Expr| found.multipliers.iter().find(|one| one.0 == symbol).map_or(0.0, |one| one.1);
        let mut lambda: Vec<f64> = board.rows.iter().map(|row| known(row.lambda)).collect();
        for (item, one) in board.items.iter().enumerate().filter(|(item, _)| here.state[*item] == 2) {
            let push = lambda[one.normal?] * at.value(self.numbers[item]) * f64::from(here.side[item]);
            (0..one.slips).for_each(|s| lambda[one.slip + s] = -push * here.along[item][s]);
        }
        let full = board.rows.iter().map(|row| row.lambda).zip(lambda.iter().copied());
        let full: Vec<(Expr, f64)> = found.accelerations.iter().chain(&found.speeds).copied().chain(full).collect();
        let there = at.with(&full);
        let laws: Vec<Expr> = system.states.iter().map(|state| state.rate).collect();
        let rhs = [there.values(&system.q_dot()), there.values(&self.q_ddot), there.values(&laws)].concat();
        let observed = there.values(&self.shows.observes.iter().map(|one| one.1).collect::<Vec<Expr>>());
        let events = self.events(&here, &there, &lambda)?;
        let acts = |k: usize| {
            let of = board.of[k];
            of.item.is_none_or(|item| match of.kind {
                2 => here.state[item] == 1,
                1 if !board.items[item].is_sided => true,
                _ => here.state[item] > 0,
            })
        };
        let values = |order: u32, value: &dyn Fn(&mechanics::rows::Row) -> Option<Expr>| -> Vec<f64> {
            let row = |(k, row): (usize, &mechanics::rows::Row)| match acts(k) && row.order <= order {
                true => value(row).map_or(0.0, |e| there.value(e)),
                false => 0.0,
            };
            board.rows.iter().enumerate().map(row).collect()
        };
        let residual = [values(0, &|row| Some(row.f)), values(1, &|row| row.velocity)].concat();
        let answers = vec![rhs, lambda, observed, events, residual];
        answers.iter().flatten().all(|value| value.is_finite()).then_some((answers, here))
    }

    fn events(&self, here: &ModeAt, there: &At, lambda: &[f64]) -> Option<Vec<f64>> {
        let mut g = there.values(&self.shows.events.iter().map(|one| one.1).collect::<Vec<Expr>>());
        let switches = there.values(&self.shows.switches);
        for (item, one) in self.board.items.iter().enumerate() {
            let state = here.state[item];
            if one.is_sided {
                let normal = one.normal?;
                g.push(if state == 0 { there.value(self.board.rows[normal].f) } else { lambda[normal] });
            }
            if one.slips > 0 {
                let force = &lambda[one.slip..one.slip + one.slips];
                let length = |list: &[f64]| list.iter().map(|x| x * x).sum::<f64>().sqrt();
                let slips = self.slips(item, there);
                let along: f64 = slips.iter().zip(here.along[item]).map(|(s, d)| s * d).sum();
                g.push(match state {
                    1 => there.value(self.numbers[item]) * lambda[one.normal?].abs() - length(force),
                    2 => along - 0.5 * length(&slips),
                    _ => 1.0,
                });
                if !one.is_sided {
                    g.push(if state == 2 { lambda[one.normal?] * f64::from(here.side[item]) } else { 1.0 });
                }
            }
            if one.switched > 0 {
                let has = |bit: u8| one.switched & bit > 0;
                g.push(match state {
                    ..0 if has(1) => switches[2 * item] + 1e-9,
                    0 if has(1) => -switches[2 * item],
                    1.. if has(2) => -switches[2 * item + 1],
                    _ => 1.0,
                });
            }
        }
        Some(g)
    }
}
