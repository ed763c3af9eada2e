//! What is an integral with a bound variable?
//!
//! ```text
//! ∫ₐᵇ f(s; p, q, …) ds     a node of: s, f, a, b, then a symbol of f for each of p, q, … and what it stands for
//! d/db = f(b),  d/da = −f(a),  d/dp = ∫ₐᵇ ∂f/∂p ds                                                      (1)
//! in a field               F(b) − F(a), F an independent value keyed by f and the limit                 (2)
//! in numbers               Gauss and Kronrod's rule with 15 points, halves where it is not exact enough (3)
//! ```
//!
//! The symbols of f are its own (`#1.s`, `#1.p`): nothing that is put in for p touches f, and the chain rule holds as it does
//! for any function of a, b, p, q, …. What is free of s stands before the integral, and terms that are finite
//! everywhere are integrated each for itself, so that equal integrals are one node more often. By (2), ∫ₐᵇ + ∫ᵇᶜ = ∫ₐᶜ.
//!
//! Source of the nodes and weights of (3): R. Piessens et al., QUADPACK, Springer 1983, routine QK15.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::MathError;
use crate::float::applied;
use crate::graph::{Graph, Id, Op, Store};
use crate::number::Rational;
use crate::scope::{Expr, with_graph};
use crate::substitute::Table;
use crate::symbol::{Kind, Symbol};

/// Places of the children of an integral: the bound symbol, the integrand, the limits, pairs of symbol and value.
const BOUND: usize = 0;
const INTEGRAND: usize = 1;
pub(crate) const FROM: usize = 2;
pub(crate) const TO: usize = 3;
const PAIRS: usize = 4;

/// The integral of `e` over a symbol, which is bound in it, between two limits.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let [x, k, b] = ["x", "k", "b"].map(expr::parameter);
/// let whole = expr::integral((k * x * x).exp(), x, Expr::zero(), b)?;
/// assert_eq!(expr::derivative(whole, b)?.to_string(), "exp(k*b^2)");
/// assert_eq!(whole.to_string(), "integral(exp(k*s^2), s, 0, b)");
/// let parts = expr::integral((k * x * x).exp(), x, Expr::zero(), k)? + expr::integral((k * x * x).exp(), x, k, b)?;
/// assert!((whole - parts).is_zero());
/// # use expr::Expr;
/// # Ok::<(), expr::MathError>(())
/// ```
pub fn integral(e: Expr, variable: Expr, from: Expr, to: Expr) -> Result<Expr, MathError> {
    let ids = [e, variable, from, to].map(|e| e.id());
    with_graph(|graph| graph.integral(ids[0], ids[1], ids[2], ids[3])).map(Expr::of)
}

/// Whether a child of an integral is of its own: its bound symbol, its integrand, or a symbol of that.
pub(crate) fn is_own(place: usize) -> bool {
    place < FROM || place >= PAIRS && place.is_multiple_of(2)
}

/// The name under which a symbol of an integrand is shown, and how often it is differentiated.
pub(crate) fn shown(symbol: &Symbol) -> Option<Symbol> {
    let name = symbol.name.strip_prefix('#')?.split_once('.')?.1;
    let inner = Symbol::new(name, symbol.kind);
    if let Some(inner) = shown(&inner) {
        return Some(inner);
    }
    let plain = name.trim_end_matches('\'');
    Some(Symbol { name: plain.to_owned(), kind: Kind::Coordinate, order: (name.len() - plain.len()) as u32 })
}

impl Store {
    /// The integrand's own children are left out: the symbols on which a node depends.
    pub(crate) fn free_symbols(&self, id: Id) -> Vec<Id> {
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![id]);
        while let Some(id) = waiting.pop() {
            if seen.insert(id) {
                let is_integral = self.op(id) == Op::Integral;
                let below = self.children(id).iter().enumerate();
                waiting.extend(below.filter(|(place, _)| !is_integral || !is_own(*place)).map(|(_, &child)| child));
            }
        }
        let mut symbols: Vec<Id> = seen.into_iter().filter(|&id| self.op(id) == Op::Symbol).collect();
        symbols.sort_by_key(|&id| self.symbol(id).cloned());
        symbols
    }

    /// How deep integrals stand in each other below a node.
    fn depth_of_integrals(&self, id: Id) -> usize {
        let inner = self.reachable(&[id]).into_iter().filter(|&id| self.op(id) == Op::Integral);
        let depth = |id: Id| {
            let name = self.symbol(self.children(id)[BOUND]).map(|symbol| symbol.name.as_str());
            name.and_then(|name| name.strip_prefix('#')?.split_once('.')?.0.parse::<usize>().ok()).unwrap_or(0)
        };
        inner.map(depth).max().unwrap_or(0)
    }

    /// Whether a function has a value wherever its variables have one.
    fn is_finite_everywhere(&self, id: Id) -> bool {
        self.reachable(&[id]).into_iter().all(|id| match self.op(id) {
            Op::Power => self.factor(id).1.is_integer() && !self.factor(id).1.is_negative(),
            op => {
                matches!(
                    op,
                    Op::Number | Op::Symbol | Op::Pi | Op::Sum | Op::Product | Op::Scale | Op::Sin | Op::Cos | Op::Exp
                ) || matches!(op, Op::Sinh | Op::Cosh | Op::Tanh | Op::Atan | Op::Abs | Op::Unspecified)
            }
        })
    }
}

impl Graph {
    /// The integral of a node over a symbol.
    pub(crate) fn integral(&mut self, e: Id, variable: Id, from: Id, to: Id) -> Result<Id, MathError> {
        if from == to || e == Graph::ZERO {
            return Ok(Graph::ZERO);
        }
        if !self.store.free_symbols(e).contains(&variable) {
            let length = self.sub(to, from);
            return Ok(self.mul(e, length));
        }
        let depends = |graph: &Graph, id: Id| graph.store.free_symbols(id).contains(&variable);
        match self.store.op(e) {
            Op::Product | Op::Scale => {
                let factors = self.store.children(e).to_vec();
                let (moving, fixed): (Vec<Id>, Vec<Id>) = factors.into_iter().partition(|&id| depends(self, id));
                if !fixed.is_empty() {
                    let (moving, fixed) = (self.product(&moving), self.product(&fixed));
                    let rest = self.integral(moving, variable, from, to)?;
                    return Ok(self.mul(fixed, rest));
                }
            }
            Op::Sum if self.store.children(e).iter().all(|&term| self.store.is_finite_everywhere(term)) => {
                let terms = self.store.children(e).to_vec();
                let parts: Result<Vec<Id>, _> =
                    terms.into_iter().map(|term| self.integral(term, variable, from, to)).collect();
                return Ok(self.sum(&parts?));
            }
            _ => {}
        }
        if let Some((degree, coefficient)) = self.monomial(e, variable) {
            let up = Rational::from(degree + 1);
            let [above, below] = [to, from].map(|limit| self.power(limit, &up));
            let (above, below) = (above?, below?);
            let length = self.sub(above, below);
            let share = Rational::new(1, degree + 1).unwrap_or(Rational::ONE);
            let length = self.scale(&share, length);
            return Ok(self.mul(coefficient, length));
        }
        self.closed(e, variable, from, to)
    }

    /// n and 1 for the n-th power of the variable, n natural.
    fn monomial(&self, e: Id, variable: Id) -> Option<(i64, Id)> {
        let (base, exponent) = self.store.factor(e);
        let degree = exponent.to_i64().filter(|&n| (1..64).contains(&n))?;
        (base == variable).then_some((degree, Graph::ONE))
    }

    /// The node of an integral, its integrand in symbols of its own.
    fn closed(&mut self, e: Id, variable: Id, from: Id, to: Id) -> Result<Id, MathError> {
        let depth = self.store.depth_of_integrals(e) + 1;
        let symbols: Vec<Id> = self.store.free_symbols(e).into_iter().filter(|&id| id != variable).collect();
        let texts: Vec<String> =
            symbols.iter().map(|&id| self.store.symbol(id).map(ToString::to_string).unwrap_or_default()).collect();
        let is_free = |name: &&str| !texts.iter().any(|text| text == name || text.ends_with(&format!(".{name}")));
        let letter = ["s", "r", "w", "z", "xi", "eta", "zeta"].into_iter().find(is_free);
        let letter = letter.map_or_else(|| format!("s_{}", texts.len()), str::to_owned);
        let mut own = |name: &str| self.symbol(Symbol::new(&format!("#{depth}.{name}"), Kind::Parameter));
        // constants are written before the variable: they are older
        let holders: Vec<Id> = texts.iter().map(|text| own(text)).collect();
        let bound = own(&letter);
        let mut table = Table::default();
        table.put(variable, bound);
        symbols.iter().zip(&holders).for_each(|(&symbol, &holder)| table.put(symbol, holder));
        let integrand = self.substitute(&[e], &table)?[0];
        let pairs = holders.into_iter().zip(symbols).flat_map(|(holder, symbol)| [holder, symbol]);
        let all: Vec<Id> = [bound, integrand, from, to].into_iter().chain(pairs).collect();
        Ok(self.intern(Op::Integral, &all))
    }

    /// An integral from its children, whatever has been put in for them.
    pub(crate) fn integral_of(&mut self, children: &[Id]) -> Result<Id, MathError> {
        let depth =
            self.store.symbol(children[BOUND]).and_then(|symbol| symbol.name.split('.').next().map(str::to_owned));
        let free = self.symbol(Symbol::new(&depth.unwrap_or_default(), Kind::Parameter));
        let e = self.integrand_at(children, free)?;
        self.integral(e, free, children[FROM], children[TO])
    }

    /// The integrand where the bound symbol is `place`.
    fn integrand_at(&mut self, children: &[Id], place: Id) -> Result<Id, MathError> {
        let mut table = Table::default();
        children[PAIRS..].chunks(2).for_each(|pair| table.put(pair[0], pair[1]));
        table.put(children[BOUND], place);
        Ok(self.substitute(&[children[INTEGRAND]], &table)?[0])
    }

    /// (1): the derivative by the child in that place, which is a limit or a value.
    pub(crate) fn slope_of_integral(&mut self, id: Id, place: usize) -> Result<Id, MathError> {
        let mut children = self.store.children(id).to_vec();
        match place {
            TO => self.integrand_at(&children, children[TO]),
            FROM => {
                let slope = self.integrand_at(&children, children[FROM])?;
                Ok(self.negate(slope))
            }
            _ => {
                children[INTEGRAND] = self.slope_by(children[INTEGRAND], children[place - 1])?;
                self.integral_of(&children)
            }
        }
    }
}

/// A step of something that can be evaluated: a number, a symbol, or an operation on others.
pub(crate) enum Part<'a> {
    Number(f64),
    Symbol,
    Of(Op, &'a [u32]),
}

/// What the children of an integral look like, and what is below them, in floats.
pub(crate) struct Parts<'a, F: Fn(u32) -> Part<'a>> {
    pub children: &'a [u32],
    pub part: &'a F,
}

impl<'a, F: Fn(u32) -> Part<'a>> Parts<'a, F> {
    /// (3), where the values of limits and pairs are these; NaN where it does not settle.
    pub fn value(&self, outer: &dyn Fn(u32) -> f64) -> f64 {
        let [from, to] = [FROM, TO].map(|place| outer(self.children[place]));
        quadrature(&self.integrand(outer), from, to)
    }

    /// The integrand as a function of the bound symbol.
    fn integrand(&self, outer: &dyn Fn(u32) -> f64) -> impl Fn(f64) -> f64 {
        let (list, index) = self.below();
        let mut start = vec![f64::NAN; list.len()];
        for pair in self.children[PAIRS..].chunks(2) {
            if let Some(&place) = index.get(&pair[0]) {
                start[place] = outer(pair[1]);
            }
        }
        let bound = index.get(&self.children[BOUND]).copied();
        move |s: f64| {
            let mut values = start.clone();
            if let Some(place) = bound {
                values[place] = s;
            }
            for (place, &step) in list.iter().enumerate() {
                let value = match (self.part)(step) {
                    Part::Symbol => continue,
                    Part::Number(number) => number,
                    Part::Of(Op::Integral, children) => {
                        Parts { children, part: self.part }.value(&|step| values[index[&step]])
                    }
                    Part::Of(op, arguments) => applied(op, arguments, &|step| values[index[&step]]),
                };
                values[place] = value;
            }
            values.last().copied().unwrap_or(f64::NAN)
        }
    }

    /// The steps below the integrand, in order, which it ends, and the place of each in the list.
    fn below(&self) -> (Vec<u32>, FxHashMap<u32, usize>) {
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![self.children[INTEGRAND]]);
        while let Some(step) = waiting.pop() {
            if seen.insert(step)
                && let Part::Of(_, arguments) = (self.part)(step)
            {
                waiting.extend(arguments);
            }
        }
        // arguments stand before what is made of them; nested integrands are computed by their integrals
        let mut list: Vec<u32> = seen.into_iter().collect();
        list.sort_unstable();
        let index = list.iter().copied().zip(0..).collect();
        (list, index)
    }

    /// The slopes by limits and by values, each with its child; those by values are differences.
    pub fn slopes(&self, outer: &dyn Fn(u32) -> f64) -> Vec<(usize, f64)> {
        let f = self.integrand(outer);
        let [from, to] = [FROM, TO].map(|place| outer(self.children[place]));
        let mut slopes = vec![(FROM, -f(from)), (TO, f(to))];
        for place in (PAIRS + 1..self.children.len()).step_by(2) {
            let child = self.children[place];
            let h = 1e-5 * outer(child).abs().max(1.0);
            let at = |h: f64| self.value(&|step| if step == child { outer(step) + h } else { outer(step) });
            slopes.push((place, (at(h) - at(-h)) / (2.0 * h)));
        }
        slopes
    }
}

/// Nodes above zero and weights of Kronrod's rule, and Gauss's weights at every second node.
const NODES: [f64; 8] = [
    0.991_455_371_120_812_6,
    0.949_107_912_342_758_5,
    0.864_864_423_359_769_1,
    0.741_531_185_599_394_4,
    0.586_087_235_467_691_1,
    0.405_845_151_377_397_2,
    0.207_784_955_007_898_47,
    0.0,
];
const KRONROD: [f64; 8] = [
    0.022_935_322_010_529_224,
    0.063_092_092_629_978_56,
    0.104_790_010_322_250_18,
    0.140_653_259_715_525_92,
    0.169_004_726_639_267_9,
    0.190_350_578_064_785_4,
    0.204_432_940_075_298_9,
    0.209_482_141_084_727_82,
];
const GAUSS: [f64; 4] =
    [0.129_484_966_168_869_7, 0.279_705_391_489_276_64, 0.381_830_050_505_118_9, 0.417_959_183_673_469_4];

/// At most so many pieces.
const MOST_PIECES: usize = 400;

/// (3) by halves of the piece with the largest error; NaN if the error that is left is more than 1e-9 of the size.
pub(crate) fn quadrature(f: &impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    if from == to {
        return 0.0;
    }
    let mut pieces = vec![piece(f, from, to)];
    loop {
        let sum = |part: fn(&Piece) -> f64| pieces.iter().map(part).sum::<f64>();
        let (value, error, size) = (sum(|p| p.value), sum(|p| p.error), sum(|p| p.size));
        if !value.is_finite() || !error.is_finite() {
            return f64::NAN;
        }
        let is_done = error <= 1e-13 * value.abs() || error <= 1e-14 * size;
        if is_done || pieces.len() >= MOST_PIECES {
            return if error <= 1e-9 * size { value } else { f64::NAN };
        }
        let worst = (0..pieces.len()).max_by(|&a, &b| pieces[a].error.total_cmp(&pieces[b].error)).unwrap_or(0);
        let Piece { from, to, .. } = pieces.swap_remove(worst);
        let middle = 0.5 * (from + to);
        pieces.extend([piece(f, from, middle), piece(f, middle, to)]);
    }
}

struct Piece {
    from: f64,
    to: f64,
    value: f64,
    /// ∫|f|.
    size: f64,
    error: f64,
}

fn piece(f: &impl Fn(f64) -> f64, from: f64, to: f64) -> Piece {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let (mut kronrod, mut gauss, mut size) = (0.0, 0.0, 0.0);
    for k in 0..8 {
        let signs: &[f64] = if k == 7 { &[1.0] } else { &[-1.0, 1.0] };
        for sign in signs {
            let value = f(middle + sign * half * NODES[k]);
            kronrod += KRONROD[k] * value;
            size += KRONROD[k] * value.abs();
            if k % 2 == 1 {
                gauss += GAUSS[k / 2] * value;
            }
        }
    }
    // what rounding does is no reason to halve
    let (error, size) = (((kronrod - gauss) * half).abs(), size * half.abs());
    Piece {
        from,
        to,
        value: kronrod * half,
        size,
        error: if error <= 50.0 * f64::EPSILON * size { 0.0 } else { error },
    }
}

#[cfg(test)]
mod tests {
    use super::quadrature;
    use crate::{At, Expr, Scope, Substitution, coordinate, derivative, integral, parameter, time, total_derivative};

    #[test]
    fn numbers_are_those_of_known_integrals() {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
        assert!(close(quadrature(&|x: f64| (-x * x).exp(), 0.0, 8.0), std::f64::consts::PI.sqrt() / 2.0));
        assert!((quadrature(&|x: f64| x.sqrt().recip(), 0.0, 1.0) - 2.0).abs() < 1e-9, "a root at an end");
        assert!(close(quadrature(&|x: f64| (40.0 * x).sin().powi(2), 1.0, 0.0), -0.5 + 80f64.sin() / 160.0));
        assert!(quadrature(&|x: f64| 1.0 / x, -1.0, 1.0).is_nan() || quadrature(&|x: f64| 1.0 / x, -1.0, 2.0).is_nan());
        assert!(quadrature(&|x: f64| 1.0 / x, 0.0, 1.0).is_nan(), "it diverges");
    }

    #[test]
    fn derivatives_by_limits_and_by_what_stands_inside() {
        let _scope = Scope::with_seed(1);
        let (x, t, w, s) = (coordinate("x"), time(), parameter("w"), parameter("s"));
        let force = crate::unspecified("F", &[s]);
        let duhamel = integral((w * (t - s)).sin() * force, s, Expr::zero(), t).unwrap();
        let twice = total_derivative(total_derivative(duhamel).unwrap()).unwrap();
        let here = w * crate::unspecified("F", &[t]);
        assert!((twice + w * w * duhamel - here).is_zero(), "an oscillator by Duhamel's integral: {twice}");
        // the bound variable is none of those outside
        let e = integral((x * s).cos(), s, Expr::zero(), x).unwrap();
        assert_eq!(e.symbols(), [x]);
        let by = derivative(e, x).unwrap();
        assert!((by - (x * x).cos() - integral(-s * (x * s).sin(), s, Expr::zero(), x).unwrap()).is_zero());
        let at = At::new(&[(x, 0.7)]);
        let (h, value) = (1e-5, |x0: f64| At::new(&[(x, x0)]).value(e));
        assert!((at.value(by) - (value(0.7 + h) - value(0.7 - h)) / (2.0 * h)).abs() < 1e-8);
    }

    #[test]
    fn what_is_put_in_is_not_caught() {
        let _scope = Scope::with_seed(1);
        let [s, a, b, k] = ["s", "a", "b", "k"].map(parameter);
        let inner = integral((k * s).exp(), s, Expr::zero(), a).unwrap();
        // another integral in place of k, and the bound name in place of a
        let nested = Substitution::from([(k, inner)]).apply_one(inner).unwrap();
        let at = At::new(&[(k, 0.4), (a, 0.8)]);
        let k_value = at.value(inner);
        assert!((at.value(nested) - (f64::exp(k_value * 0.8) - 1.0) / k_value).abs() < 1e-12, "{nested}");
        let renamed = Substitution::from([(a, s)]).apply_one(inner).unwrap();
        assert!((At::new(&[(k, 0.4), (s, 0.8)]).value(renamed) - k_value).abs() < 1e-12);
        // the same however it is named and put together
        let other = integral((2 * b * s).exp(), s, Expr::zero(), a).unwrap();
        assert_eq!(Substitution::from([(k, 2 * b)]).apply_one(inner).unwrap(), other);
        let swapped = integral((k * s).exp(), s, a, Expr::zero()).unwrap();
        assert!((inner + swapped).is_zero() && !(inner - swapped).is_zero());
        let double = integral(integral((s * b).exp() * b, b, Expr::zero(), s).unwrap(), s, Expr::zero(), a).unwrap();
        let by_hand = |n: usize| (0..n).map(|i| (i as f64 + 0.5) / n as f64).collect::<Vec<f64>>();
        let midpoint: f64 = by_hand(400)
            .iter()
            .map(|u| {
                let s0 = 0.8 * u;
                by_hand(100).iter().map(|w| (s0 * s0 * w).exp() * s0 * w).sum::<f64>() * s0 / 100.0
            })
            .sum::<f64>()
            * 0.8
            / 400.0;
        assert!((At::new(&[(a, 0.8)]).value(double) - midpoint).abs() < 1e-5, "{double}");
    }

    #[test]
    fn closed_forms_and_constants() {
        let _scope = Scope::with_seed(1);
        let [s, a, k] = ["s", "a", "k"].map(parameter);
        let whole = integral(k * s.pow(2) + 3 * k, s, Expr::zero(), a).unwrap();
        assert!((whole - k * a.pow(3) / 3 - 3 * k * a).is_zero(), "{whole}");
        assert_eq!(
            crate::latex(integral((k * s).exp(), s, Expr::zero(), a).unwrap()),
            r"\int_{0}^{a} \mathrm{e}^{k s} \, ds"
        );
    }
}
