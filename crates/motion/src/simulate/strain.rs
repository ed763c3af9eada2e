//! How near are contacts that share a load to the end of what they can carry?
//!
//! ```text
//! λ = λ₀ + Σ c n,  R n = 0        all multipliers that balance: determined.rs                           (1)
//! t = max over c of the smallest margin: N ≥ 0, μ N − |T| ≥ 0                                           (2)
//! ```
//!
//! The contacts go on as they do while t is positive: then some division of the load is possible, and the motion does not
//! depend on which. Where t comes to zero another way on is looked for.

use std::rc::Rc;

use expr::Expr;
use linear::Matrix;
use mechanics::determined::Carriers;
use mechanics::friction::Grip;
use mechanics::ingredients::Ingredients;
use mechanics::reaction::Acts;
use mechanics::rows::Rows;
use numeric::Judged;
use numeric::cones::{Cone, share};

use crate::simulate::bridge::NoPhase;
use crate::simulate::rough::tangential;

/// Contacts that share a load.
#[derive(Default)]
pub struct Strain {
    /// The constraints whose rows share one.
    shared: Vec<usize>,
    /// (2); nothing if none of them can let go or slip.
    pub margin: Option<Judged>,
}

impl Strain {
    /// For these rows, and all that act, at the state of the ingredients.
    pub fn of(full: &Ingredients<'_>, rows: &Rows, all: &Rows) -> Result<Strain, NoPhase> {
        if rows.left_out.is_empty() && rows.pressed.is_empty() {
            return Ok(Strain::default());
        }
        let carriers = Carriers::of(&Acts::from(full))?;
        let sharing = carriers.at(full.at);
        let shared: Vec<usize> = sharing.constraints().concat();
        let place = |lambda: Expr| carriers.lambdas().iter().position(|&own| own == lambda);
        let (mut cones, mut factors) = (Vec::new(), vec![Expr::one(); carriers.lambdas().len()]);
        let touched = |gap: usize| {
            let own = mechanics::contact::slips_of(full.system, gap);
            std::iter::once(gap).chain(own).any(|place| shared.contains(&place))
        };
        for row in all.list.iter().filter(|row| !row.slips && touched(row.constraint)) {
            let held = full.mode.held.iter().find(|held| held.rough.gap == row.constraint);
            let is_bound = row.is_one_sided(full.system) || held.is_some();
            let Some(normal) = place(row.lambda).filter(|_| is_bound) else { continue };
            let (mut slips, mut mu, mut press) = (Vec::new(), 0.0, 1.0);
            if let Some(held) = held {
                factors[normal] = held.rough.scale;
                (mu, press) = match held.grip {
                    Grip::Sticks => (full.at.value(held.rough.mu), 1.0),
                    Grip::Slides(press, _) => (0.0, f64::from(press)),
                };
                if held.grip == Grip::Sticks {
                    slips = tangential(full, all, held).into_iter().filter_map(place).collect();
                }
            }
            cones.push(Cone { normal, slips, mu, press, size: carriers.size(normal, full.at, held.is_none()) });
        }
        let margin = (!cones.is_empty()).then(|| judged(&carriers, cones, factors));
        Ok(Strain { shared, margin })
    }

    /// Whether a constraint shares a load that is watched as a whole.
    pub fn has(&self, system: &mechanics::System, gap: usize) -> bool {
        let own = mechanics::contact::slips_of(system, gap);
        self.margin.is_some() && std::iter::once(gap).chain(own).any(|place| self.shared.contains(&place))
    }
}

/// (2) from the reactions, the multipliers, and the forces for a multiplier of one.
fn judged(carriers: &Carriers, cones: Vec<Cone>, factors: Vec<Expr>) -> Judged {
    let n = factors.len();
    let reactions = carriers.reactions();
    let rows = reactions.len();
    let inputs = reactions.iter().flatten().chain(carriers.lambdas()).chain(&factors).copied().collect();
    let judge = move |values: &[f64]| {
        let (R, rest) = values.split_at(rows * n);
        let (lambda, factors) = rest.split_at(n);
        let scaled = |x: &[f64]| x.iter().zip(factors).map(|(x, factor)| x * factor).collect::<Vec<f64>>();
        let null = Carriers::null_vectors(&Matrix::new(rows, n, R.to_vec()));
        let Some(null) = null else { return f64::NAN };
        let null = Matrix::of_width(n, null.iter().map(|x| scaled(x)));
        share(&cones, &scaled(lambda), &null).map_or(f64::NAN, |share| share.margin)
    };
    Judged { inputs, judge: Rc::new(judge) }
}
