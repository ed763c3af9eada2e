//! From slopes to the linear equations in independent coordinates and velocities.
//!
//! ```text
//! δq   = N δq_I + N_s δs                           [f_q; e_I] (N, N_s) = [0, −f_s; 1, 0]               (1)
//! δq'  = V δq_I + W δu + V_s δs                    [h_q'; g_q'] (V, W) = (−[h_q; g_q] N, [0; 1])       (2)
//! δq'' = Z_q δq_I + Z_u δu + W δu' + Z_s δs        the same matrix, with G and g'                      (3)
//! M δu' + C δu + K δq_I = F δs                     Wᵀ δR: Wᵀ Aᵀ = 0 takes δλ away, λ itself stays      (4)
//! δx'  = A δx + B δs                               x = (q_I, u, a)                                     (5)
//! ```
//!
//! s are the inputs. One that stands in a constraint is there with its rate and its acceleration, three inputs: N_s, V_s, Z_s.
//! First-order states a act through loads, as inputs do; what their laws say of a' stands below the rest of (5).
//!
//! Rows of second order stay beside (4) with their multipliers. Numbers and expressions go the same way.

use linear::arithmetic::{Arithmetic, Rows, part, transposed};

use super::choice::Choice;
use super::equations::{By, Equations, Of, Slopes};

/// The linear equations at a state.
#[derive(Clone, Debug)]
pub struct Reduced<T> {
    /// M (4), for the independent velocities.
    pub M: Rows<T>,
    /// C (4).
    pub C: Rows<T>,
    /// K (4): a column for each independent coordinate.
    pub K: Rows<T>,
    /// F (4): a column for each input.
    pub F: Rows<T>,
    /// A (5).
    pub A: Rows<T>,
    /// B (5).
    pub B: Rows<T>,
    /// ∂q/∂q_I (1).
    pub N: Rows<T>,
    /// ∂q'/∂x (2).
    pub rates: Rows<T>,
    /// ∂q/∂(inputs) (1) and ∂q'/∂(inputs) (2).
    pub driven: (Rows<T>, Rows<T>),
    /// ∂q''/∂x and ∂q''/∂(inputs), along the motion (3), (5).
    pub accelerations: (Rows<T>, Rows<T>),
}

/// (1) to (5); the reason if a matrix is singular at the state.
pub fn reduce<T: Copy>(
    with: &impl Arithmetic<Number = T>,
    equations: &Equations,
    slopes: &Slopes<T>,
    choice: &Choice,
    needs_states: bool,
) -> Result<Reduced<T>, String> {
    let (n_I, p) = (choice.coordinates.len(), choice.velocities.len());
    let reduction = Reduction { with, equations, slopes, choice, n_I, p };
    let motion = reduction.solve_motion(reduction.solve_positions()?)?;
    let forces = reduction.project_forces(&motion);
    let (A, B, accelerations, rates) = match needs_states || equations.orders.contains(&2) {
        true => reduction.with_laws(&motion, reduction.solve_states(&motion, &forces)?),
        false => (Vec::new(), Vec::new(), (Vec::new(), Vec::new()), motion.VW.clone()),
    };
    let all: Vec<usize> = (0..p).collect();
    let columns = |from: usize, to: usize| (from..to).collect::<Vec<usize>>();
    let (K, C) = (part(&forces.KC, &all, &columns(0, n_I)), part(&forces.KC, &all, &columns(n_I, n_I + p)));
    let inputs = equations.inputs.len();
    let F = part(&forces.F, &all, &columns(0, inputs));
    let of_inputs = |rows: &Rows<T>| rows.iter().map(|row| row[..inputs].to_vec()).collect::<Rows<T>>();
    let driven = (of_inputs(&motion.N_s), of_inputs(&motion.V_s));
    Ok(Reduced { M: forces.M, C, K, F, A, B, N: motion.N, rates, driven, accelerations })
}

/// Slopes at a state, what is independent there, and the arithmetic.
struct Reduction<'a, T, Ops> {
    with: &'a Ops,
    equations: &'a Equations,
    slopes: &'a Slopes<T>,
    choice: &'a Choice,
    /// How many coordinates are independent.
    n_I: usize,
    /// How many velocities are.
    p: usize,
}

/// How all coordinates, rates and accelerations change with x and u': (1) to (3).
struct FreeMotion<T> {
    N: Rows<T>,
    VW: Rows<T>,
    V: Rows<T>,
    W: Rows<T>,
    /// (Z_q, Z_u).
    Z: Rows<T>,
    /// How they change with inputs and first-order states: N_s, V_s, Z_s.
    N_s: Rows<T>,
    V_s: Rows<T>,
    Z_s: Rows<T>,
}

/// (4), with K and C side by side.
struct FreeForces<T> {
    M: Rows<T>,
    KC: Rows<T>,
    F: Rows<T>,
}

/// A, B, and the accelerations by x and by the inputs.
type States<T> = (Rows<T>, Rows<T>, (Rows<T>, Rows<T>));

impl<T: Copy, Ops: Arithmetic<Number = T>> Reduction<'_, T, Ops> {
    fn block(&self, of: Of, by: By) -> Rows<T> {
        self.equations.block(self.slopes, of, by)
    }

    /// A block of the velocities that are chosen.
    fn chosen(&self, of: Of, by: By) -> Rows<T> {
        some(&self.block(of, by), &self.choice.velocities)
    }

    /// Rows with a one at these places.
    fn unit(&self, width: usize, places: &[usize]) -> Rows<T> {
        let (one, zero) = (self.with.one(), self.with.zero());
        places.iter().map(|&place| (0..width).map(|k| if k == place { one } else { zero }).collect()).collect()
    }

    /// The rows of order 2, and the others.
    fn rows_by_order(&self) -> (Vec<usize>, Vec<usize>) {
        (0..self.equations.rows.len()).partition(|&row| self.equations.orders[row] == 2)
    }

    /// By (q_I, u), what changes by q and q' like this.
    fn change(&self, motion: (&Rows<T>, &Rows<T>, &Rows<T>), by_q: &Rows<T>, by_rate: &Rows<T>) -> Rows<T> {
        let ((N, V, W), with) = (motion, self.with);
        let q = with.sum(&with.product(by_q, N, self.n_I), &with.product(by_rate, V, self.n_I));
        beside(&q, &with.product(by_rate, W, self.p))
    }

    fn drivers(&self) -> usize {
        self.equations.by(By::Driver).len()
    }

    /// What changes by q, q' and the drivers like this, where the drivers alone move.
    fn driven(&self, (N_s, V_s): (&Rows<T>, &Rows<T>), by_q: &Rows<T>, by_rate: &Rows<T>, own: &Rows<T>) -> Rows<T> {
        let (with, drivers) = (self.with, self.drivers());
        let through = with.sum(&with.product(by_q, N_s, drivers), &with.product(by_rate, V_s, drivers));
        with.sum(&through, own)
    }

    /// Solves (1) for N and N_s.
    fn solve_positions(&self) -> Result<(Rows<T>, Rows<T>), String> {
        let (with, n, n_I) = (self.with, self.equations.n(), self.n_I);
        let below: Vec<usize> = (0..n_I).collect();
        let right = stacked(with.zeros(n - n_I, n_I), self.unit(n_I, &below));
        let left = stacked(self.block(Of::Position, By::Q), self.unit(n, &self.choice.coordinates));
        let singular = "the geometric constraints cannot be solved for the dependent coordinates";
        let of_drivers = stacked(with.negative(&self.block(Of::Position, By::Driver)), with.zeros(n_I, self.drivers()));
        let solved = with.solve(left, beside(&right, &of_drivers)).ok_or(singular)?;
        Ok(solved.iter().map(|row| (row[..n_I].to_vec(), row[n_I..].to_vec())).unzip())
    }

    /// Solves (2) for V and W, and (3) for Z: rows of order 0 and 1 fix accelerations, those of order 2 stay.
    fn solve_motion(&self, (N, N_s): (Rows<T>, Rows<T>)) -> Result<FreeMotion<T>, String> {
        let (with, n, n_I, p) = (self.with, self.equations.n(), self.n_I, self.p);
        let P = stacked(self.block(Of::Velocity, By::Rate), self.chosen(Of::Chosen, By::Rate));
        let below: Vec<usize> = (0..p).collect();
        let of_u = stacked(with.zeros(n - p, p), self.unit(p, &below));
        let by_q = stacked(self.block(Of::Velocity, By::Q), self.chosen(Of::Chosen, By::Q));
        let of_q = with.negative(&with.product(&by_q, &N, n_I));
        let singular = "the constraints cannot be solved for the dependent rates";
        let own = stacked(self.block(Of::Velocity, By::Driver), self.chosen(Of::Chosen, By::Driver));
        let of_drivers = with.negative(&with.sum(&with.product(&by_q, &N_s, self.drivers()), &own));
        let solved = with.solve(P.clone(), beside(&beside(&of_q, &of_u), &of_drivers)).ok_or(singular)?;
        let (VW, V_s): (Rows<T>, Rows<T>) =
            solved.iter().map(|row| (row[..n_I + p].to_vec(), row[n_I + p..].to_vec())).unzip();
        let W: Rows<T> = VW.iter().map(|row| row[n_I..].to_vec()).collect();
        let V: Rows<T> = VW.iter().map(|row| row[..n_I].to_vec()).collect();
        let (_, first) = self.rows_by_order();
        let G = |by: By| stacked(some(&self.block(Of::Acceleration, by), &first), self.chosen(Of::ChosenRate, by));
        let (G_q, G_rate) = (G(By::Q), G(By::Rate));
        let free = self.change((&N, &V, &W), &G_q, &G_rate);
        let driven = self.driven((&N_s, &V_s), &G_q, &G_rate, &G(By::Driver));
        let solved = with.solve(P, with.negative(&beside(&free, &driven))).ok_or(singular)?;
        let (Z, Z_s) = solved.iter().map(|row| (row[..n_I + p].to_vec(), row[n_I + p..].to_vec())).unzip();
        Ok(FreeMotion { N, VW, V, W, Z, N_s, V_s, Z_s })
    }

    /// Projects the equations of motion onto what is free (4).
    fn project_forces(&self, motion: &FreeMotion<T>) -> FreeForces<T> {
        let (with, n_I, p) = (self.with, self.n_I, self.p);
        let FreeMotion { N, V, W, Z, N_s, V_s, Z_s, .. } = motion;
        let Wt = transposed(W, p);
        let R_acceleration = self.block(Of::Motion, By::Acceleration);
        let (R_q, R_rate) = (self.block(Of::Motion, By::Q), self.block(Of::Motion, By::Rate));
        let force = with.sum(&self.change((N, V, W), &R_q, &R_rate), &with.product(&R_acceleration, Z, n_I + p));
        let M = with.product(&Wt, &with.product(&R_acceleration, W, p), p);
        let KC = with.product(&Wt, &force, n_I + p);
        let drivers = self.drivers();
        let of_drivers = with.sum(
            &self.driven((N_s, V_s), &R_q, &R_rate, &self.block(Of::Motion, By::Driver)),
            &with.product(&R_acceleration, Z_s, drivers),
        );
        let F = with.negative(&with.product(&Wt, &of_drivers, drivers));
        FreeForces { M, KC, F }
    }

    /// Solves (4) for u', beside the rows of order 2 with their multipliers: (5), and the accelerations along it.
    fn solve_states(&self, motion: &FreeMotion<T>, forces: &FreeForces<T>) -> Result<States<T>, String> {
        let (with, n_I, p) = (self.with, self.n_I, self.p);
        let FreeMotion { N, VW, V, W, Z, N_s, V_s, Z_s } = motion;
        let (second, _) = self.rows_by_order();
        let G = |by: By| some(&self.block(Of::Acceleration, by), &second);
        let A2 = G(By::Acceleration);
        let A2W = with.product(&A2, W, p);
        let G2 = with.sum(&self.change((N, V, W), &G(By::Q), &G(By::Rate)), &with.product(&A2, Z, n_I + p));
        let saddle = stacked(
            beside(&forces.M, &with.negative(&transposed(&A2W, p))),
            A2W.iter().map(|row| row.iter().copied().chain(second.iter().map(|_| with.zero())).collect()).collect(),
        );
        let drivers = self.drivers();
        let driven = self.driven((N_s, V_s), &G(By::Q), &G(By::Rate), &G(By::Driver));
        let driven = with.sum(&driven, &with.product(&A2, Z_s, drivers));
        let of_inputs = stacked(forces.F.clone(), with.negative(&driven));
        let right = beside(&with.negative(&stacked(forces.KC.clone(), G2)), &of_inputs);
        let solved = with
            .solve(saddle, right)
            .ok_or("the mass matrix is singular at this state: some motion that the constraints allow moves no mass")?;
        let u_dot: Rows<T> = solved.iter().take(p).map(|row| row[..n_I + p].to_vec()).collect();
        let u_in: Rows<T> = solved.iter().take(p).map(|row| row[n_I + p..].to_vec()).collect();
        let A = self.choice.coordinates.iter().map(|&s| VW[s].clone()).chain(u_dot.iter().cloned()).collect();
        let B = self.choice.coordinates.iter().map(|&s| V_s[s].clone()).chain(u_in.iter().cloned()).collect();
        let by_inputs = with.sum(Z_s, &with.product(W, &u_in, drivers));
        Ok((A, B, (with.sum(Z, &with.product(W, &u_dot, n_I + p)), by_inputs)))
    }

    /// Takes first-order states out of the drivers and into x, with their laws: A, B, accelerations and rates.
    fn with_laws(&self, motion: &FreeMotion<T>, (A, B, accelerations): States<T>) -> Lawful<T> {
        let (with, inputs, states) = (self.with, self.equations.inputs.len(), self.equations.states.len());
        if states == 0 {
            return (A, B, accelerations, motion.VW.clone());
        }
        let FreeMotion { N, V, W, VW, .. } = motion;
        let inward = |rows: &Rows<T>| -> Rows<T> { rows.iter().map(|row| row[..inputs].to_vec()).collect() };
        let of_states = |rows: &Rows<T>| -> Rows<T> { rows.iter().map(|row| row[inputs..].to_vec()).collect() };
        let law = self.change((N, V, W), &self.block(Of::Law, By::Q), &self.block(Of::Law, By::Rate));
        let drivers = self.block(Of::Law, By::Driver);
        (
            stacked(beside(&A, &of_states(&B)), beside(&law, &of_states(&drivers))),
            stacked(inward(&B), inward(&drivers)),
            (beside(&accelerations.0, &of_states(&accelerations.1)), inward(&accelerations.1)),
            beside(VW, &with.zeros(VW.len(), states)),
        )
    }
}

/// A, B, the accelerations by x and by the inputs, and the rates by x.
type Lawful<T> = (Rows<T>, Rows<T>, (Rows<T>, Rows<T>), Rows<T>);

/// Some rows of a matrix.
fn some<T: Copy>(rows: &[Vec<T>], places: &[usize]) -> Rows<T> {
    places.iter().map(|&i| rows[i].clone()).collect()
}

/// One matrix above another.
fn stacked<T>(a: Rows<T>, b: Rows<T>) -> Rows<T> {
    a.into_iter().chain(b).collect()
}

/// Two matrices side by side.
fn beside<T: Copy>(a: &[Vec<T>], b: &[Vec<T>]) -> Rows<T> {
    a.iter().zip(b).map(|(x, y)| x.iter().chain(y).copied().collect()).collect()
}

/// The places among the coordinates of x that nothing else changes with, and that themselves are not asked for: their
/// columns of A vanish once the others are left out.
pub fn ignorable<T: Copy>(
    with: &impl Arithmetic<Number = T>,
    A: &[Vec<T>],
    coordinates: usize,
    kept: &[usize],
) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::new();
    loop {
        let is_free = |j: &usize| {
            let others = (0..A.len()).filter(|i| !out.contains(i));
            !kept.contains(j) && !out.contains(j) && others.into_iter().all(|i| with.is_nothing(A[i][*j]))
        };
        let Some(next) = (0..coordinates).find(is_free) else { break };
        out.push(next);
    }
    out.sort_unstable();
    out
}

/// M q'' + C q' + K q = F δ(inputs) in some coordinates, and what the other velocities are then.
#[derive(Clone, Debug)]
pub struct Second<T> {
    /// M.
    pub M: Rows<T>,
    /// C.
    pub C: Rows<T>,
    /// K.
    pub K: Rows<T>,
    /// F; nothing if an input changes a momentum that was integrated.
    pub F: Option<Rows<T>>,
    /// The velocities that were eliminated by their momenta: u = S_q q + S_u q', as (place, S_q, S_u).
    pub eliminated: Vec<(usize, Vec<T>, Vec<T>)>,
}

/// Why there is no second-order form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSecond {
    /// This coordinate, as a place in q_I, stands in the equations.
    Coordinate(usize),
    /// The equation of this velocity cannot be integrated.
    Velocity(usize),
    /// A matrix is singular.
    Singular,
}

/// The equations in the coordinates at `named` of q_I, whose rates stand at `rates` of u.
///
/// ```text
/// M_oo u_o' + M_on q'' + C_on q' = 0   →   u_o = −M_oo⁻¹ (M_on q' + C_on q) + constant      (6)
/// ```
pub fn second_order<T: Copy>(
    with: &impl Arithmetic<Number = T>,
    reduced: &Reduced<T>,
    named: &[usize],
    rates: &[usize],
) -> Result<Second<T>, NoSecond> {
    let Reduced { M, C, K, F, .. } = reduced;
    let p = M.len();
    // the velocities that the named equations feel, directly or through others
    let mut others: Vec<usize> = Vec::new();
    loop {
        let asking: Vec<usize> = rates.iter().chain(&others).copied().collect();
        let felt = |j: &usize| {
            !asking.contains(j) && asking.iter().any(|&i| !with.is_nothing(M[i][*j]) || !with.is_nothing(C[i][*j]))
        };
        match (0..p).find(felt) {
            Some(next) => others.push(next),
            None => break,
        }
    }
    let asking: Vec<usize> = rates.iter().chain(&others).copied().collect();
    let coordinates = reduced.K.first().map_or(0, Vec::len);
    let strange = |j: &usize| !named.contains(j) && asking.iter().any(|&i| !with.is_nothing(K[i][*j]));
    if let Some(j) = (0..coordinates).find(strange) {
        return Err(NoSecond::Coordinate(j));
    }
    let cannot = |&i: &usize| {
        let of_others = others.iter().any(|&j| !with.is_nothing(C[i][j]));
        of_others || named.iter().any(|&j| !with.is_nothing(K[i][j]))
    };
    if let Some(&i) = others.iter().find(|i| cannot(i)) {
        return Err(NoSecond::Velocity(i));
    }
    let count = named.len();
    let inputs: Vec<usize> = (0..F.first().map_or(0, Vec::len)).collect();
    let (M_nn, C_nn) = (part(M, rates, rates), part(C, rates, rates));
    let (M_no, C_no) = (part(M, rates, &others), part(C, rates, &others));
    // S = −M_oo⁻¹ (M_on, C_on, F_o)
    let right =
        beside(&beside(&part(M, &others, rates), &part(C, &others, rates)), &with.negative(&part(F, &others, &inputs)));
    let S = with.negative(&with.solve(part(M, &others, &others), right).ok_or(NoSecond::Singular)?);
    let columns = |from: usize, to: usize| -> Rows<T> { S.iter().map(|row| row[from..to].to_vec()).collect() };
    let (S_M, S_C, S_F) = (columns(0, count), columns(count, 2 * count), columns(2 * count, 2 * count + inputs.len()));
    let is_driven = with.product(&C_no, &S_F, inputs.len()).iter().flatten().any(|&x| !with.is_nothing(x));
    let of_inputs = with.sum(&part(F, rates, &inputs), &with.negative(&with.product(&M_no, &S_F, inputs.len())));
    Ok(Second {
        M: with.sum(&M_nn, &with.product(&M_no, &S_M, count)),
        C: with.sum(&C_nn, &with.sum(&with.product(&M_no, &S_C, count), &with.product(&C_no, &S_M, count))),
        K: with.sum(&part(K, rates, named), &with.product(&C_no, &S_C, count)),
        F: (!is_driven).then_some(of_inputs),
        eliminated: others.into_iter().zip(S_C.into_iter().zip(S_M)).map(|(place, (q, u))| (place, q, u)).collect(),
    })
}

/// A and B of x = (q, q') for a second-order form.
pub fn states_of<T: Copy>(with: &impl Arithmetic<Number = T>, second: &Second<T>) -> Option<(Rows<T>, Rows<T>)> {
    let count = second.M.len();
    let right = with.negative(&beside(&second.K, &second.C));
    let inputs = second.F.as_ref().map_or(0, |F| F.first().map_or(0, Vec::len));
    let right = match &second.F {
        Some(F) => beside(&right, F),
        None => right,
    };
    let motion = with.solve(second.M.clone(), right)?;
    let unit = |i: usize| (0..2 * count).map(|j| if j == count + i { with.one() } else { with.zero() }).collect();
    let upper = (0..count).map(unit);
    let A = upper.chain(motion.iter().map(|row| row[..2 * count].to_vec())).collect();
    let lower = motion.iter().map(|row| row[2 * count..].to_vec());
    Some((A, with.zeros(count, inputs).into_iter().chain(lower).collect()))
}
