//! Which brackets make a flat sum shorter?
//!
//! ```text
//! A q s − B q s + A r c − B r c   →   (A − B) q s + (A − B) r c   →   (A − B) (q s + r c)
//! ```
//!
//! As long as it saves characters: of all factors that two terms or more share the best, with everything else that
//! these terms share. A bracket has coprime numbers and a first sign that is fixed, so that equal ones meet.

use expr::{Expr, Op, Rational};

/// Longer sums are left as they are.
const LONGEST: usize = 120;
/// What a pair of brackets costs.
const BRACKET: i64 = 3;

/// Factors by their place in a table, in order, with exponents.
type Monomial = Vec<(usize, i64)>;

/// Terms over a table of factors.
struct Table {
    atoms: Vec<Expr>,
    lengths: Vec<i64>,
}

/// A sum with brackets where they make it shorter; it is the same sum by the kernel's signatures.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let e = expr::parse("A*q*s - B*q*s + A*r*c - B*r*c")?;
/// assert_eq!(reading::bracketed(e).to_string(), "(A - B)*(q*s + r*c)");
/// # Ok::<(), expr::ParseError>(())
/// ```
pub fn bracketed(sum: Expr) -> Expr {
    if sum.op() != Op::Sum || sum.arguments().len() > LONGEST {
        return sum;
    }
    let mut table = Table { atoms: Vec::new(), lengths: Vec::new() };
    let terms = sum.arguments().into_iter().map(|term| table.term(term)).collect();
    table.written(terms, 0).filter(|made| made.is_same(sum)).unwrap_or(sum)
}

impl Table {
    fn atom(&mut self, e: Expr) -> usize {
        let known = self.atoms.iter().position(|&own| own == e);
        known.unwrap_or_else(|| {
            let around = if e.op() == Op::Sum { 2 } else { 0 };
            self.lengths.push(e.letters() as i64 + around);
            self.atoms.push(e);
            self.atoms.len() - 1
        })
    }

    fn term(&mut self, term: Expr) -> (Rational, Monomial) {
        let (mut number, mut monomial, mut waiting) = (Rational::ONE, Monomial::new(), vec![term]);
        while let Some(e) = waiting.pop() {
            let arguments = e.arguments();
            let (base, n) = match e.op() {
                Op::Number => {
                    number = &number * &e.as_number().unwrap_or(Rational::ONE);
                    continue;
                }
                Op::Scale | Op::Product => {
                    waiting.extend(arguments);
                    continue;
                }
                Op::Power => match arguments[1].as_number().and_then(|n| n.to_i64()) {
                    Some(n) => (arguments[0], n),
                    None => (e, 1),
                },
                _ => (e, 1),
            };
            monomial = times(&monomial, &[(self.atom(base), n)]);
        }
        (number, monomial)
    }

    fn length(&self, monomial: &Monomial) -> i64 {
        monomial.iter().map(|&(atom, n)| self.lengths[atom] + if n.abs() > 1 { 3 } else { 1 }).sum()
    }

    /// The sum of some terms, in brackets where that saves something.
    fn written(&mut self, mut terms: Vec<(Rational, Monomial)>, depth: u32) -> Option<Expr> {
        while depth < 8
            && let Some(common) = self.best(&terms)
        {
            let (members, others): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(_, m)| divides(&common, m));
            let content = members.iter().fold(Rational::ZERO, |gcd, (c, _)| gcd.gcd(c)).abs();
            let first = members.iter().min_by(|a, b| a.1.cmp(&b.1)).is_some_and(|(c, _)| c.is_negative());
            let content = if first { -content } else { content };
            let inverse = content.recip()?;
            let inner = members.iter().map(|(c, m)| (c * &inverse, over(m, &common))).collect();
            let bracket = self.written(inner, depth + 1)?;
            let (number, product) = self.term(bracket);
            let product = times(&product, &common);
            terms = others;
            let number = number * content;
            match terms.iter_mut().find(|(_, m)| *m == product) {
                Some((c, _)) => *c = &*c + &number,
                None => terms.push((number, product)),
            }
            terms.retain(|(c, _)| !c.is_zero());
        }
        let mut made = Vec::with_capacity(terms.len());
        for (number, monomial) in &terms {
            made.push(self.product(number, monomial)?);
        }
        Some(Expr::sum(&made))
    }

    fn product(&self, number: &Rational, monomial: &Monomial) -> Option<Expr> {
        let mut factors = vec![Expr::number(number.clone())];
        for &(atom, n) in monomial {
            factors.push(self.atoms[atom].try_pow(&Rational::from(n)).ok()?);
        }
        Some(Expr::product(&factors))
    }

    /// The common factor of some terms that saves most.
    fn best(&self, terms: &[(Rational, Monomial)]) -> Option<Monomial> {
        let mut seeds: Vec<(usize, bool)> = Vec::new();
        for (_, monomial) in terms {
            seeds.extend(monomial.iter().map(|&(atom, n)| (atom, n > 0)));
        }
        seeds.sort_unstable();
        let mut best: Option<(i64, Monomial)> = None;
        for run in seeds.chunk_by(|a, b| a == b).filter(|run| run.len() > 1) {
            let (atom, above) = run[0];
            let has = |m: &Monomial| m.iter().any(|&(own, n)| own == atom && (n > 0) == above);
            let mut members = terms.iter().filter(|(_, m)| has(m));
            let first = members.next()?.1.clone();
            let common = members.fold(first, |common, (_, m)| shared(&common, m));
            let saving = (run.len() as i64 - 1) * self.length(&common) - BRACKET;
            if saving > 0 && best.as_ref().is_none_or(|known| saving > known.0) {
                best = Some((saving, common));
            }
        }
        best.map(|(_, common)| common)
    }
}

/// The exponents of two terms side by side, put together.
fn merged(a: &[(usize, i64)], b: &[(usize, i64)], both: impl Fn(i64, i64) -> i64) -> Monomial {
    let (mut j, mut k, mut made) = (0, 0, Monomial::with_capacity(a.len()));
    while j < a.len() || k < b.len() {
        let next = a[j..].first().map_or(usize::MAX, |f| f.0).min(b[k..].first().map_or(usize::MAX, |f| f.0));
        let (mut x, mut y) = (0, 0);
        if j < a.len() && a[j].0 == next {
            (x, j) = (a[j].1, j + 1);
        }
        if k < b.len() && b[k].0 == next {
            (y, k) = (b[k].1, k + 1);
        }
        let n = both(x, y);
        if n != 0 {
            made.push((next, n));
        }
    }
    made
}

fn times(a: &[(usize, i64)], b: &[(usize, i64)]) -> Monomial {
    merged(a, b, |x, y| x + y)
}

fn over(m: &[(usize, i64)], common: &[(usize, i64)]) -> Monomial {
    merged(m, common, |x, y| x - y)
}

fn shared(a: &[(usize, i64)], b: &[(usize, i64)]) -> Monomial {
    merged(a, b, |x, y| match x.signum() * y.signum() {
        1 if x > 0 => x.min(y),
        1 => x.max(y),
        _ => 0,
    })
}

fn divides(common: &Monomial, m: &Monomial) -> bool {
    shared(common, m) == *common
}
