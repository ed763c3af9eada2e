//! Can the rate constraints be integrated? The derived flag.
//!
//! ```text
//! ω_i = Σ A_ij dq_j + k_i dt               in the space of q and t; df = Σ ∂f/∂q_j dq_j + ∂f/∂t dt  (1)
//! I⁰ = span ω,   Iᵏ⁺¹ = {θ ∈ Iᵏ : dθ ≡ 0 modulo Iᵏ}                                                (2)
//! θ_i = dy_i − Σ B_ia dx_a,   X_a = ∂/∂x_a + Σ B_ia ∂/∂y_i,   dθ_i(X_a, X_b) = X_b B_ia − X_a B_ib  (3)
//! D⁰ = {X : θ(X) = 0 for θ ∈ I⁰},   Dᵏ⁺¹ = Dᵏ + [Dᵏ, Dᵏ],   dim Iᵏ = dim z − dim Dᵏ                 (4)
//! ```
//!
//! The flag (2) ends at the largest subsystem that is integrable by Frobenius' theorem. In the
//! solved form (3) a step is a null space: Σ c_i dθ_i(X_a, X_b) = 0 for all a, b. A geometric row
//! that can be solved for a coordinate is used up first, so that the flag is that on the
//! constraint; the differentials of the others belong to I⁰. The time is left out where no
//! row mentions it, and coordinates fall apart into groups that no row connects.
//!
//! Source: R. L. Bryant et al., Exterior Differential Systems, Springer 1991, chapter II.

use expr::field::{Element, Field, Random};
use expr::{At, Expr, MathError, Substitution};
use proof::linear::{Matrix, rank};
use rustc_hash::FxHashMap;

use super::algebra::{Effort, SolvedForm, moves, solved_form, tidy};
use super::class::{Class, Sorted};
use super::integral;
use super::points::{Echelon, points};
use super::rank::{Finding, Found};
use super::{Integrability, Space};

/// A group with more coordinates than this is not taken beyond the first step by expressions.
pub(super) const LARGE: usize = 40;

/// Whether the rate rows can be integrated, and whether each row can.
pub(super) fn integrability(
    rows: &[Sorted],
    space: &Space,
    found: &Found,
    one_sided: &[usize],
    at: &At,
) -> Result<(Integrability, Vec<Option<bool>>), MathError> {
    let mut contradicting: Vec<usize> = found.findings.iter().filter_map(contradicting_row).collect();
    contradicting.extend(one_sided);
    let mut each: Vec<Option<bool>> = rows.iter().map(|row| by_class(row.class)).collect();
    one_sided.iter().for_each(|&row| each[row] = None);
    let is_left_out = |row: &usize| !rows[*row].class.is_linear() || rows[*row].order() == 2 || one_sided.contains(row);
    let mut all = Integrability { left_out: (0..rows.len()).filter(is_left_out).collect(), ..Integrability::default() };
    let mut flags = Vec::new();
    for group in groups(rows, &contradicting, space.q.len()) {
        let system = Pfaffian::new(&group, rows, space, &found.independent)?;
        let flag = system.flag()?;
        let geometric = system.known.len();
        let Some(last) = flag.last else {
            all.undecided.extend(system.rate_forms.iter().map(|row| row.0));
            flags.push(flag.dimensions.iter().map(|d| d.saturating_sub(geometric)).collect());
            continue;
        };
        let mut members = Vec::new();
        for ((row, form), is_member) in system.rate_forms.iter().zip(members_of(&last, &system.rate_forms)) {
            each[*row] = Some(is_member);
            if is_member {
                members.push((*row, form.clone()));
            }
        }
        let dimensions: Vec<usize> = flag.dimensions.iter().map(|d| d.saturating_sub(geometric)).collect();
        let dimension = dimensions.last().copied().unwrap_or(0);
        let integrals = integral::find(&system.z, &last, dimension, &members, &system.known, at)?;
        all.missing += dimension.saturating_sub(integrals.len());
        all.integrals.extend(integrals);
        flags.push(dimensions);
    }
    all.flag = added(&flags);
    all.dimension = all.flag.last().copied().unwrap_or(0);
    all.nonholonomic = all.flag.first().copied().unwrap_or(0) - all.dimension;
    Ok((all, each))
}

fn contradicting_row(finding: &Finding) -> Option<usize> {
    match *finding {
        Finding::Conflict { row, .. } | Finding::Implies { row, .. } | Finding::Undecided { row, .. } => Some(row),
        _ => None,
    }
}

fn by_class(class: Class) -> Option<bool> {
    matches!(class, Class::Geometric | Class::Vacuous).then_some(true)
}

/// The sum of flags, each of which keeps its last dimension.
fn added(flags: &[Vec<usize>]) -> Vec<usize> {
    let length = flags.iter().map(Vec::len).max().unwrap_or(0);
    let at = |k: usize| flags.iter().map(|flag| flag[k.min(flag.len() - 1)]).sum();
    (0..length).map(at).collect()
}

/// The rows of geometric and linear rate constraints, in groups that share no coordinate; groups
/// without rate constraints are left out.
fn groups(rows: &[Sorted], contradicting: &[usize], n: usize) -> Vec<Vec<usize>> {
    let takes_part = |row: &usize| {
        let class = rows[*row].class;
        (class == Class::Geometric || class.is_linear_rate()) && !contradicting.contains(row)
    };
    let parts: Vec<usize> = (0..rows.len()).filter(takes_part).collect();
    if !parts.iter().any(|&row| rows[row].class.is_linear_rate()) {
        return Vec::new();
    }
    let mut leader: Vec<usize> = (0..n).collect();
    for &row in &parts {
        let (Some(&first), touches) = (rows[row].touches.first(), &rows[row].touches) else { continue };
        for &other in touches {
            let (a, b) = (led_by(&mut leader, first), led_by(&mut leader, other));
            leader[b] = a;
        }
    }
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for &row in &parts {
        let Some(&first) = rows[row].touches.first() else { continue };
        let key = led_by(&mut leader, first);
        match groups.iter_mut().find(|group| group.0 == key) {
            Some(group) => group.1.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    let has_rates = |group: &Vec<usize>| group.iter().any(|&row| rows[row].class.is_linear_rate());
    groups.into_iter().map(|group| group.1).filter(has_rates).collect()
}

fn led_by(leader: &mut [usize], mut k: usize) -> usize {
    while leader[k] != k {
        leader[k] = leader[leader[k]];
        k = leader[k];
    }
    k
}

// ---------------------------------------------------------------------------------------------
// The forms (1)

/// A Pfaffian system in the coordinates that geometric rows leave.
struct Pfaffian {
    /// The coordinates, and the time if a row mentions it.
    z: Vec<Expr>,
    /// The forms of the independent rows, each with one coefficient for each of z.
    forms: Vec<Vec<Expr>>,
    /// The forms of all rate rows.
    rate_forms: Vec<(usize, Vec<Expr>)>,
    /// The geometric rows that could not be solved for a coordinate: what vanishes.
    known: Vec<Expr>,
}

impl Pfaffian {
    fn new(group: &[usize], rows: &[Sorted], space: &Space, independent: &[usize]) -> Result<Pfaffian, MathError> {
        let mut touched: Vec<usize> = group.iter().flat_map(|&row| rows[row].touches.iter().copied()).collect();
        touched.sort_unstable();
        touched.dedup();
        let with_time = group.iter().any(|&row| rows[row].rheonomic || !rows[row].free.is_zero());
        let is_geometric = |row: &&usize| rows[**row].class == Class::Geometric;
        let geometric = group.iter().filter(is_geometric).filter(|row| independent.contains(row));
        let chart = Chart::new(geometric.map(|&row| rows[row].f), touched.iter().map(|&k| space.q[k]).collect());
        let mut z: Vec<Expr> = chart.left.clone();
        z.extend(with_time.then_some(space.t));
        let mut forms = expr::jacobian(&chart.known, &z)?;
        let mut rate_forms = Vec::new();
        for &row in group.iter().filter(|&&row| rows[row].class.is_linear_rate()) {
            let entries = rows[row].slope.iter().map(|&(k, a)| (space.q[k], a)).chain([(space.t, rows[row].free)]);
            let form = chart.form(entries.collect(), &z)?;
            if independent.contains(&row) {
                forms.push(form.clone());
            }
            rate_forms.push((row, form));
        }
        Ok(Pfaffian { z, forms, rate_forms, known: chart.known })
    }
}

/// Coordinates solved for by geometric rows.
struct Chart {
    /// Coordinates, each as an expression of those that are left.
    solved: Substitution,
    left: Vec<Expr>,
    /// What vanishes besides.
    known: Vec<Expr>,
}

impl Chart {
    fn new(geometric: impl Iterator<Item = Expr>, q: Vec<Expr>) -> Chart {
        let mut chart = Chart { solved: Substitution::new(), left: q, known: Vec::new() };
        for f in geometric {
            let f = chart.put(f);
            let symbols = f.symbols();
            let here = chart.left.iter().filter(|y| symbols.contains(y));
            match here.copied().find_map(|y| Some((y, solution(f, y)?))) {
                Some((y, solution)) => chart.add(y, solution),
                None => chart.known.push(f),
            }
        }
        chart
    }

    fn put(&self, e: Expr) -> Expr {
        self.solved.apply_one(e).unwrap_or(e)
    }

    fn add(&mut self, y: Expr, solution: Expr) {
        let fixed = Substitution::from([(y, solution)]);
        let put = |e: Expr| fixed.apply_one(e).unwrap_or(e);
        self.solved = std::mem::take(&mut self.solved).map_values(put);
        self.known.iter_mut().for_each(|f| *f = put(*f));
        self.solved.insert(y, solution);
        self.left.retain(|&other| other != y);
    }

    /// A form on the chart: Σ a dy with y and dy put in.
    fn form(&self, entries: Vec<(Expr, Expr)>, z: &[Expr]) -> Result<Vec<Expr>, MathError> {
        let mut form = vec![Vec::new(); z.len()];
        for (symbol, a) in entries.into_iter().filter(|entry| !entry.1.is_zero()) {
            let a = self.put(a);
            match z.iter().position(|&other| other == symbol) {
                Some(place) => form[place].push(a),
                None => {
                    let slopes = expr::gradient(self.put(symbol), z)?;
                    form.iter_mut().zip(slopes).for_each(|(terms, slope)| terms.push(a * slope));
                }
            }
        }
        let neat = |e: Expr| if z.len() <= LARGE { tidy(e) } else { e };
        Ok(form.iter().map(|terms| neat(Expr::sum(terms))).collect())
    }
}

/// y from f = 0, if f = a y + b with a ≠ 0 that does not move.
fn solution(f: Expr, y: Expr) -> Option<Expr> {
    let (a, b) = expr::linear_coefficients(&[f], &[y]).ok()?;
    let a = a[0][0];
    if a.is_zero() || moves(a) { None } else { (-b[0]).try_div(a).ok() }
}

// ---------------------------------------------------------------------------------------------
// The flag (2)

/// The dimensions of the derived flag, and forms that span its end if that was reached.
struct Flag {
    dimensions: Vec<usize>,
    last: Option<Vec<Vec<Expr>>>,
}

/// Is the form a combination of the others?
pub(super) fn spans(forms: &[Vec<Expr>], form: &[Expr]) -> bool {
    if form.iter().all(|entry| entry.is_zero()) {
        return true;
    }
    let mut all = forms.to_vec();
    let before = if all.is_empty() { 0 } else { rank(&Matrix::from_rows(&all)).rank };
    all.push(form.to_vec());
    rank(&Matrix::from_rows(&all)).rank == before
}

/// For each row, is its form a combination of the others? All at once, at random points.
fn members_of(forms: &[Vec<Expr>], rows: &[(usize, Vec<Expr>)]) -> Vec<bool> {
    let lists = || forms.iter().chain(rows.iter().map(|row| &row.1));
    let entries: Vec<Expr> = lists().flatten().copied().filter(|entry| !entry.is_zero()).collect();
    let found = match entries.iter().any(|entry| entry.has_branches()) {
        true => Vec::new(), // each point is on a branch of its own: ranks are compared
        false => points(&entries),
    };
    if found.is_empty() {
        return rows.iter().map(|row| spans(forms, &row.1)).collect();
    }
    let mut members = vec![true; rows.len()];
    for (field, values) in found {
        let mut values = values.into_iter();
        let mut value =
            |entry: &Expr| if entry.is_zero() { Element::ZERO } else { values.next().unwrap_or(Element::ZERO) };
        let mut echelon = Echelon::new(&field);
        for form in forms {
            let _ = echelon.add(form.iter().map(&mut value).collect(), form.len());
        }
        for (member, row) in members.iter_mut().zip(rows) {
            *member &= echelon.spans(row.1.iter().map(&mut value).collect());
        }
    }
    members
}

impl Pfaffian {
    /// The derived flag. Its first step is taken at random points: with all rate rows integrable
    /// or none of their combinations, which is the rule, no expression is made.
    fn flag(&self) -> Result<Flag, MathError> {
        let geometric = self.known.len();
        let Some((all, torsion)) = self.first_step()? else { return derived_flag(&self.z, self.forms.clone()) };
        let left = all - torsion;
        Ok(match left {
            _ if torsion == 0 => Flag { dimensions: vec![all], last: Some(self.forms.clone()) },
            _ if left == geometric => {
                Flag { dimensions: vec![all, left], last: Some(self.forms[..geometric].to_vec()) }
            }
            _ if self.z.len() > LARGE => Flag { dimensions: vec![all, left], last: None },
            _ => match self.grown()?.filter(|dimensions| dimensions.last() == Some(&geometric)) {
                Some(dimensions) => Flag { dimensions, last: Some(self.forms[..geometric].to_vec()) },
                None => {
                    let flag = derived_flag(&self.z, self.forms.clone())?;
                    let is_less = flag.last.is_none() && flag.dimensions.len() < 2;
                    if is_less { Flag { dimensions: vec![all, left], last: None } } else { flag }
                }
            },
        })
    }

    /// The dimensions of the flag from the vector fields that the forms send to zero (4), of which only ranks at random
    /// points are asked; `None` if that is too much work.
    fn grown(&self) -> Result<Option<Vec<usize>>, MathError> {
        const MOST: usize = 60_000;
        let columns = self.z.len();
        let Some(mut fields) = kernel(&self.forms, columns) else { return Ok(None) };
        let mut dimensions = vec![columns - fields.len()];
        let mut bracketed = 0;
        loop {
            let known = fields.len();
            let mut all = fields.clone();
            for b in 0..known {
                let direction = |x: &Vec<Expr>| self.z.iter().copied().zip(x.iter().copied()).collect::<Vec<_>>();
                for a in (0..b).filter(|_| b >= bracketed) {
                    let (x, y) = (&fields[a], &fields[b]);
                    let forth = expr::directional(y, &direction(x))?;
                    let back = expr::directional(x, &direction(y))?;
                    all.push(forth.into_iter().zip(back).map(|(forth, back)| forth - back).collect());
                }
            }
            let entries: Vec<Expr> = all.iter().flatten().copied().collect();
            if Expr::sum(&entries).operations() > MOST {
                return Ok(None);
            }
            let independent = |(field, values): (Field, Vec<Element>)| {
                let mut echelon = Echelon::new(&field);
                let lines = values.chunks(columns).enumerate();
                lines.filter(|(_, line)| echelon.add(line.to_vec(), columns).is_ok()).map(|(place, _)| place).collect()
            };
            let found: Option<Vec<usize>> = points(&entries).into_iter().map(independent).max_by_key(Vec::len);
            let Some(found) = found.filter(|found| !found.is_empty() && found.len() >= known) else { return Ok(None) };
            if found.len() == known {
                return Ok(Some(dimensions));
            }
            dimensions.push(columns - found.len());
            bracketed = known;
            fields = found.into_iter().map(|place| all[place].clone()).collect();
        }
    }

    /// The dimension of I⁰ and how much smaller I¹ is. `None` if entries have no value in a field.
    fn first_step(&self) -> Result<Option<(usize, usize)>, MathError> {
        let curls = self.forms[self.known.len()..].iter().map(|form| curl(form, &self.z));
        let curls = curls.collect::<Result<Vec<_>, _>>()?;
        let mut touched: Vec<usize> = curls.iter().flatten().flat_map(|&(k, l, _)| [k, l]).collect();
        touched.sort_unstable();
        touched.dedup();
        let flat: Vec<Expr> = self.forms.iter().flatten().copied().filter(|entry| !entry.is_zero()).collect();
        let entries: Vec<Expr> = flat.iter().copied().chain(curls.iter().flatten().map(|curl| curl.2)).collect();
        let at_point = |(field, values): (Field, Vec<Element>)| {
            let mut values = values.into_iter();
            let mut echelon = Echelon::new(&field);
            for form in &self.forms {
                let value = |entry: &Expr| if entry.is_zero() { None } else { values.next() };
                let line = form.iter().map(value).map(|value| value.unwrap_or(Element::ZERO)).collect();
                let _ = echelon.add(line, self.z.len());
            }
            let rank = echelon.rank();
            let values: Vec<Element> = values.collect();
            (rank, torsion_rank(&field, echelon.kernel(self.z.len(), &touched), &curls, &touched, &values))
        };
        Ok(points(&entries).into_iter().map(at_point).max())
    }
}

/// A basis of the vectors that all forms send to zero, as it comes: nothing is simplified.
fn kernel(forms: &[Vec<Expr>], columns: usize) -> Option<Vec<Vec<Expr>>> {
    let mut rows: Vec<Vec<Expr>> = forms.to_vec();
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for row in 0..rows.len() {
        let size = |&column: &usize| rows[row][column].operations();
        let column = (0..columns).filter(|&column| !rows[row][column].is_zero()).min_by_key(size)?;
        let pivot = rows[row][column];
        let normal: Vec<Expr> = rows[row].iter().map(|entry| entry.try_div(pivot).ok()).collect::<Option<_>>()?;
        for (_, other) in rows.iter_mut().enumerate().filter(|(place, _)| *place != row) {
            let factor = other[column];
            if !factor.is_zero() {
                other.iter_mut().zip(&normal).for_each(|(entry, &above)| *entry -= factor * above);
                other[column] = Expr::zero();
            }
        }
        rows[row] = normal;
        pivots.push((row, column));
    }
    let is_pivot = |column: usize| pivots.iter().any(|pivot| pivot.1 == column);
    let vector = |free: usize| {
        let mut vector = vec![Expr::zero(); columns];
        vector[free] = Expr::one();
        pivots.iter().for_each(|&(row, column)| vector[column] = -rows[row][free]);
        vector
    };
    Some((0..columns).filter(|&column| !is_pivot(column)).map(vector).collect())
}

/// ∂_k θ_l − ∂_l θ_k where it is not zero, with k < l.
fn curl(form: &[Expr], z: &[Expr]) -> Result<Vec<(usize, usize, Expr)>, MathError> {
    let places: FxHashMap<Expr, usize> = z.iter().copied().zip(0..).collect();
    let mut list = Vec::new();
    for (l, &entry) in form.iter().enumerate().filter(|(_, entry)| !entry.is_zero()) {
        let symbols: Vec<Expr> = entry.symbols().into_iter().filter(|symbol| places.contains_key(symbol)).collect();
        for (symbol, slope) in symbols.iter().zip(expr::gradient(entry, &symbols)?) {
            match places[symbol] {
                k if k < l => list.push((k, l, slope)),
                k if k > l => list.push((l, k, -slope)),
                _ => {}
            }
        }
    }
    list.sort_by_key(|&(k, l, _)| (k, l));
    let mut sums: Vec<(usize, usize, Expr)> = Vec::new();
    for (k, l, slope) in list {
        match sums.last_mut() {
            Some(last) if (last.0, last.1) == (k, l) => last.2 += slope,
            _ => sums.push((k, l, slope)),
        }
    }
    sums.retain(|sum| !sum.2.is_zero());
    Ok(sums)
}

/// The rank of the rows dθ_i(X, Y), where the vectors X are given by their entries in the columns
/// that curls touch, and the values of the curls come one after another. A few random
/// combinations X, Y are enough.
fn torsion_rank(
    field: &Field,
    vectors: Vec<Vec<Element>>,
    curls: &[Vec<(usize, usize, Expr)>],
    touched: &[usize],
    values: &[Element],
) -> usize {
    let mut random = Random::new(field.prime());
    let mut combination = || {
        let mut sum = vec![Element::ZERO; touched.len()];
        for vector in &vectors {
            let share = field.random(&mut random);
            sum.iter_mut().zip(vector).for_each(|(sum, &entry)| *sum = field.add(*sum, field.mul(share, entry)));
        }
        sum
    };
    let place = |column: usize| touched.binary_search(&column).unwrap_or(0);
    let mut torsion = Echelon::new(field);
    for _ in 0..curls.len() + 2 {
        let (x, y) = (combination(), combination());
        let mut values = values.iter();
        let form = |curl: &Vec<(usize, usize, Expr)>| {
            curl.iter().zip(&mut values).fold(Element::ZERO, |sum, (&(k, l, _), &value)| {
                let (k, l) = (place(k), place(l));
                let area = field.sub(field.mul(x[k], y[l]), field.mul(x[l], y[k]));
                field.add(sum, field.mul(area, value))
            })
        };
        let row = curls.iter().map(form).collect();
        let _ = torsion.add(row, curls.len());
    }
    torsion.rank()
}

/// The derived flag of forms in the variables z.
fn derived_flag(z: &[Expr], forms: Vec<Vec<Expr>>) -> Result<Flag, MathError> {
    let mut dimensions = Vec::new();
    let effort = Effort::new();
    let undecided = |dimensions: Vec<usize>| Ok(Flag { dimensions, last: None });
    let mut solved = solved_form(forms.clone(), &[], &effort);
    loop {
        if effort.is_spent() {
            return undecided(if dimensions.is_empty() { vec![forms.len()] } else { dimensions });
        }
        dimensions.push(solved.rows.len());
        let torsion = torsion(z, &solved, &effort)?;
        if effort.is_spent() {
            return undecided(dimensions);
        }
        if torsion.is_empty() {
            return Ok(Flag { dimensions, last: Some(solved.rows) });
        }
        let combinations = solved_form(torsion, &[], &effort).kernel(solved.rows.len());
        let combined = |c: &Vec<Expr>| {
            let entry = |k: usize| solved.rows.iter().zip(c).map(|(row, &c)| c * row[k]).sum::<Expr>();
            (0..z.len()).map(|k| effort.tidy(entry(k))).collect()
        };
        solved = solved_form(combinations.iter().map(combined).collect(), &[], &effort);
    }
}

/// The independent ones among the rows dθ_i(X_a, X_b), one entry for each form: (3).
fn torsion(z: &[Expr], solved: &SolvedForm, effort: &Effort) -> Result<Vec<Vec<Expr>>, MathError> {
    let free = solved.independent(z.len());
    let entries: Vec<Expr> = solved.rows.iter().flat_map(|row| free.iter().map(|&a| -row[a])).collect();
    let mut along = Vec::new(); // X_a B for each a
    for vector in solved.kernel(z.len()) {
        let direction: Vec<(Expr, Expr)> = z.iter().copied().zip(vector).filter(|pair| !pair.1.is_zero()).collect();
        along.push(expr::directional(&entries, &direction)?);
    }
    let mut rows = Vec::new();
    for a in 0..free.len() {
        for b in a + 1..free.len() {
            let at = |i: usize| along[b][i * free.len() + a] - along[a][i * free.len() + b];
            let row: Vec<Expr> = (0..solved.rows.len()).map(at).collect();
            if row.iter().any(|entry| !entry.is_zero()) {
                rows.push(row);
            }
        }
    }
    if rows.is_empty() {
        return Ok(rows);
    }
    let independent = rank(&Matrix::from_rows(&rows)).independent_rows;
    Ok(independent.iter().map(|&row| rows[row].iter().map(|&entry| effort.tidy(entry)).collect()).collect())
}
