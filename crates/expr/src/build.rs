//! How is an expression made? By constructors that bring it into canonical form.
//!
//! Canonical means: like terms and equal bases are merged and ordered by handle, numbers are
//! gathered in front, functions know their parity and their exact values. Sums inside sums stay
//! as they are: flattening would copy what is shared. So equal expressions may be different
//! nodes; their signatures tell.

use crate::error::MathError;
use crate::graph::{BRANCHY, Graph, Id, OPAQUE, Op, Store, VARIABLE};
use crate::number::{NumberError, Rational};
use crate::print::brief;
use crate::sign;

/// `a * b` flattens products up to this many factors; an explicit `product` flattens them all.
pub(crate) const FLAT: usize = 6;

impl Store {
    /// What is known of a node's sign.
    pub(crate) fn signs(&self, id: Id) -> u8 {
        self.flags(id) & sign::ALL
    }

    /// The flags a new node adds to those of its arguments.
    #[inline]
    pub(crate) fn own_flags(&self, op: Op, arguments: &[Id]) -> u8 {
        let kind = match op {
            Op::Power => {
                let [base, exponent] = [0, 1].map(|k| self.number(arguments[k]));
                let denominator = exponent.map_or(1, |e| e.denominator().to_i64().unwrap_or(0));
                let plain = denominator == 1 || denominator == 2 && base.is_some();
                if plain { 0 } else { BRANCHY }
            }
            Op::Abs | Op::Sign | Op::Cbrt | Op::Min | Op::Max | Op::IfNegative => BRANCHY,
            Op::IfZero | Op::Asin | Op::Acos | Op::Atan | Op::Atan2 | Op::Log => BRANCHY | OPAQUE,
            Op::Symbol => VARIABLE,
            Op::Unspecified | Op::Integral => OPAQUE,
            _ => 0,
        };
        kind | self.sign_facts(op, arguments, &|id| self.signs(id))
    }

    /// Would a person write this with a minus sign in front? Functions use it for their parity.
    fn is_lead_negative(&self, id: Id) -> bool {
        match self.op(id) {
            Op::Number => self.number(id).is_some_and(Rational::is_negative),
            Op::Scale => {
                let (coefficient, core) = self.term(id);
                coefficient.is_negative() != (self.op(core) == Op::Sum && self.is_lead_negative(core))
            }
            Op::Sum => {
                let terms = self.children(id);
                let lead = terms[usize::from(self.number(terms[0]).is_some())];
                self.term(lead).0.is_negative()
            }
            _ => false,
        }
    }

    /// The canonical form as one predicate; every new node is held against it in debug builds.
    pub(crate) fn is_canonical(&self, id: Id) -> bool {
        let children = self.children(id);
        let ascending = |key: &dyn Fn(Id) -> Id| children.windows(2).all(|pair| key(pair[0]) < key(pair[1]));
        let is_number = |id| self.number(id).is_some();
        match self.op(id) {
            Op::Number | Op::Symbol | Op::Pi => true,
            Op::Scale => {
                let core = children[1];
                !matches!(children[0], Graph::ZERO | Graph::ONE) && !is_number(core) && self.op(core) != Op::Scale
            }
            Op::Sum => children.len() >= 2 && children[0] != Graph::ZERO && ascending(&|id| self.term(id).1),
            Op::Product => {
                let fits = |&id: &Id| match self.op(id) {
                    Op::Number | Op::Scale => false,
                    Op::Product => self.children(id).len() >= FLAT / 2,
                    _ => true,
                };
                children.len() >= 2 && children.iter().all(fits) && ascending(&|id| self.factor(id).0)
            }
            Op::Power => self.is_canonical_power(children[0], self.factor(id).1),
            Op::Sin
            | Op::Cos
            | Op::Tan
            | Op::Asin
            | Op::Atan
            | Op::Sinh
            | Op::Cosh
            | Op::Tanh
            | Op::Abs
            | Op::Sign
            | Op::Cbrt => children[0] != Graph::ZERO && !self.is_lead_negative(children[0]),
            Op::Acos | Op::Exp | Op::Log | Op::Atan2 | Op::Unspecified | Op::Integral => true,
            Op::Min | Op::Max => children[0] < children[1],
            Op::IfNegative | Op::IfZero => !is_number(children[0]) && children[1] != children[2],
        }
    }

    fn is_canonical_power(&self, base: Id, exponent: &Rational) -> bool {
        let plain = !exponent.is_zero() && !exponent.is_one();
        plain
            && match (self.op(base), exponent.is_integer()) {
                (Op::Power | Op::Exp, _) | (Op::Scale | Op::Product, true) => false,
                (Op::Scale, false) => self.term(base).0 == &Rational::MINUS_ONE,
                (Op::Number, _) => exponent.is_positive() && exponent < &Rational::ONE,
                _ => true,
            }
    }
}

impl Graph {
    // ---- sums

    pub fn add(&mut self, a: Id, b: Id) -> Id {
        let plain = |id| !matches!(self.store.op(id), Op::Number | Op::Scale);
        if a != b && plain(a) && plain(b) {
            return self.intern(Op::Sum, &[a.min(b), a.max(b)]);
        }
        if a == Graph::ZERO {
            return b;
        }
        if b == Graph::ZERO {
            return a;
        }
        let ((c, x), (d, y)) = (self.store.term(a), self.store.term(b));
        if x == y {
            let c = c + d;
            return self.scale(&c, x);
        }
        self.intern(Op::Sum, &if x < y { [a, b] } else { [b, a] })
    }

    /// The sum of all terms as one node; a term that is a sum stays one term.
    pub fn sum(&mut self, terms: &[Id]) -> Id {
        match *terms {
            [] => return Graph::ZERO,
            [one] => return one,
            [a, b] => return self.add(a, b),
            _ => {}
        }
        let mut list: Vec<(Id, Id)> = terms.iter().map(|&term| (self.store.term(term).1, term)).collect();
        list.sort_unstable();
        let mut merged: Vec<Id> = Vec::with_capacity(list.len());
        let mut rest = list.as_slice();
        while let [(core, first), ..] = *rest {
            let run = rest.iter().take_while(|term| term.0 == core).count();
            let term = if run == 1 { first } else { self.like_terms(core, &rest[..run]) };
            if term != Graph::ZERO {
                merged.push(term);
            }
            rest = &rest[run..];
        }
        match *merged.as_slice() {
            [] => Graph::ZERO,
            [one] => one,
            _ => self.intern(Op::Sum, &merged),
        }
    }

    fn like_terms(&mut self, core: Id, terms: &[(Id, Id)]) -> Id {
        let total = terms.iter().fold(Rational::ZERO, |total, &(_, term)| &total + self.store.term(term).0);
        self.scale(&total, core)
    }

    pub fn scale(&mut self, c: &Rational, e: Id) -> Id {
        if c.is_one() {
            return e;
        }
        if c.is_zero() {
            return Graph::ZERO;
        }
        let (own, core) = self.store.term(e);
        let c = c * own;
        if core == Graph::ONE {
            return self.number(c);
        }
        if c.is_one() {
            return core;
        }
        let c = self.number(c);
        self.intern(Op::Scale, &[c, core])
    }

    pub fn negate(&mut self, e: Id) -> Id {
        match self.store.op(e) {
            Op::Number | Op::Scale => self.scale(&Rational::MINUS_ONE, e),
            _ => self.intern(Op::Scale, &[Graph::MINUS_ONE, e]),
        }
    }

    pub fn sub(&mut self, a: Id, b: Id) -> Id {
        let minus = self.negate(b);
        self.add(a, minus)
    }

    /// Minus e with the sign drawn into a sum: −(x − y) is y − x.
    fn reversed(&mut self, e: Id) -> Id {
        if self.store.op(e) != Op::Sum {
            return self.negate(e);
        }
        let terms: Vec<Id> = self.store.children(e).to_vec();
        let terms: Vec<Id> = terms.into_iter().map(|term| self.negate(term)).collect();
        self.sum(&terms)
    }

    // ---- products

    pub fn mul(&mut self, a: Id, b: Id) -> Id {
        let plain = |id| !matches!(self.store.op(id), Op::Number | Op::Scale | Op::Product | Op::Power);
        if a != b && plain(a) && plain(b) {
            return self.intern(Op::Product, &[a.min(b), a.max(b)]);
        }
        let ((c, x), (d, y)) = (self.store.term(a), self.store.term(b));
        if c.is_one() && d.is_one() {
            return self.mul_cores(x, y);
        }
        let c = c * d;
        if c.is_zero() {
            return Graph::ZERO;
        }
        let core = self.mul_cores(x, y);
        self.scale(&c, core)
    }

    /// The product of all factors as one node: products among them are taken apart.
    pub fn product(&mut self, factors: &[Id]) -> Id {
        if let &[a, b] = factors
            && self.factors_of(a) + self.factors_of(b) <= FLAT
        {
            return self.mul(a, b);
        }
        let mut coefficient = Rational::ONE;
        let mut list: Vec<(Id, Id)> = Vec::with_capacity(factors.len());
        let mut waiting: Vec<Id> = factors.to_vec();
        while let Some(factor) = waiting.pop() {
            let (c, core) = self.store.term(factor);
            if !c.is_one() {
                coefficient = &coefficient * c;
            }
            match self.store.op(core) {
                Op::Product => waiting.extend(self.store.children(core)),
                _ if core == Graph::ONE => {}
                _ => list.push((self.store.factor(core).0, core)),
            }
        }
        list.sort_unstable();
        let core = self.merge_factors(&list);
        self.scale(&coefficient, core)
    }

    fn mul_cores(&mut self, x: Id, y: Id) -> Id {
        if x == Graph::ONE {
            return y;
        }
        if y == Graph::ONE {
            return x;
        }
        let (left, right) = (self.factors_of(x), self.factors_of(y));
        if left + right > FLAT {
            return self.mul_long(x, y, left, right);
        }
        let ((a, m), (b, n)) = (self.store.factor(x), self.store.factor(y));
        if left == 1 && right == 1 {
            if a == b {
                let exponent = m + n;
                return self.raised(a, &exponent);
            }
            return self.intern(Op::Product, &if a < b { [x, y] } else { [y, x] });
        }
        self.mul_short(x, y)
    }

    fn factors_of(&self, id: Id) -> usize {
        let core = self.store.term(id).1;
        if self.store.op(core) == Op::Product { self.store.children(core).len() } else { 1 }
    }

    /// Two products with few factors, both in order of their bases: no allocation on this path.
    fn mul_short(&mut self, x: Id, y: Id) -> Id {
        let mut merged = [(0, 0); FLAT];
        let mut count = 0;
        for id in [x, y] {
            let product = self.store.op(id) == Op::Product;
            for &factor in if product { self.store.children(id) } else { std::slice::from_ref(&id) } {
                let base = self.store.factor(factor).0;
                let place = merged[..count].partition_point(|&(other, _)| other < base);
                merged.copy_within(place..count, place + 1);
                merged[place] = (base, factor);
                count += 1;
            }
        }
        if merged[..count].windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return self.merge_factors(&merged[..count]);
        }
        let factors = merged.map(|(_, factor)| factor);
        self.intern(Op::Product, &factors[..count])
    }

    /// A long product stays one factor of the new one: copying it would cost more than finding
    /// equal bases brings.
    fn mul_long(&mut self, x: Id, y: Id, left: usize, right: usize) -> Id {
        let (long, short) = if left >= right { (x, y) } else { (y, x) };
        let both_long = left.min(right) > FLAT / 2;
        let product = self.store.op(short) == Op::Product && !both_long;
        let mut list: Vec<(Id, Id)> = match product {
            true => self.store.children(short).iter().map(|&factor| (self.store.factor(factor).0, factor)).collect(),
            false => vec![(self.store.factor(short).0, short)],
        };
        let place = list.partition_point(|&(base, _)| base < long);
        list.insert(place, (long, long));
        self.merge_factors(&list)
    }

    fn intern_factors(&mut self, factors: &[Id]) -> Id {
        match *factors {
            [] => Graph::ONE,
            [one] => one,
            _ => self.intern(Op::Product, factors),
        }
    }

    /// The product of factors that are in order of their bases: equal bases are merged.
    fn merge_factors(&mut self, list: &[(Id, Id)]) -> Id {
        let mut merged = Vec::with_capacity(list.len());
        let mut apart = Vec::new();
        for run in list.chunk_by(|a, b| a.0 == b.0) {
            let (base, first) = run[0];
            if run.len() == 1 {
                merged.push(first);
                continue;
            }
            let exponent = run.iter().fold(Rational::ZERO, |sum, &(_, factor)| &sum + self.store.factor(factor).1);
            let power = self.raised(base, &exponent);
            // √(x y) twice is x y, whose factors belong among the others.
            let whole = matches!(self.store.op(power), Op::Number | Op::Scale | Op::Product);
            let same = self.store.factor(power).0 == base && !whole;
            if same { merged.push(power) } else { apart.push(power) }
        }
        let product = self.intern_factors(&merged);
        apart.into_iter().fold(product, |product, factor| self.mul(product, factor))
    }

    /// A power of a base that is in a product already, so that nothing can be wrong with it.
    fn raised(&mut self, base: Id, exponent: &Rational) -> Id {
        if exponent.is_zero() {
            return Graph::ONE;
        }
        self.power(base, exponent).unwrap_or_else(|_| self.intern_power(base, exponent))
    }

    pub fn div(&mut self, a: Id, b: Id) -> Result<Id, MathError> {
        let inverse = self.power(b, &Rational::MINUS_ONE)?;
        Ok(self.mul(a, inverse))
    }

    // ---- powers

    pub fn power(&mut self, base: Id, e: &Rational) -> Result<Id, MathError> {
        if e.is_one() {
            return Ok(base);
        }
        if let Some(number) = self.store.number(base) {
            let number = number.clone();
            return self.number_power(&number, e);
        }
        if !e.is_positive() && self.is_zero(base) {
            return Err(MathError::DivisionByZero { divisor: brief(&self.store, base) });
        }
        if e.is_zero() {
            return Ok(Graph::ONE);
        }
        if e.is_integer() {
            return self.integer_power(base, e);
        }
        if self.store.signs(base) & sign::NEGATIVE == sign::NEGATIVE {
            return Err(MathError::RootOfNegative { radicand: brief(&self.store, base) });
        }
        self.root_power(base, e)
    }

    pub fn sqrt(&mut self, base: Id) -> Result<Id, MathError> {
        self.power(base, &half())
    }

    fn intern_power(&mut self, base: Id, e: &Rational) -> Id {
        if e.is_one() {
            return base;
        }
        let exponent = self.number(e.clone());
        self.intern(Op::Power, &[base, exponent])
    }

    fn integer_power(&mut self, base: Id, e: &Rational) -> Result<Id, MathError> {
        match self.store.op(base) {
            Op::Scale => {
                let (c, core) = self.store.term(base);
                let c = c.clone();
                let c = self.number_power(&c, e)?;
                let core = self.power(core, e)?;
                Ok(self.mul(c, core))
            }
            Op::Product => {
                let factors = self.store.children(base).to_vec();
                let factors = factors.into_iter().map(|factor| self.power(factor, e)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.product(&factors))
            }
            Op::Power => {
                let (inner, k) = self.store.factor(base);
                let exponent = k * e;
                self.power(inner, &exponent)
            }
            Op::Abs if (e * &half()).is_integer() => self.power(self.store.child(base), e),
            Op::Cbrt => self.cbrt_power(base, e),
            Op::Exp => {
                let argument = self.scale(e, self.store.child(base));
                self.exp(argument)
            }
            _ => Ok(self.intern_power(base, e)),
        }
    }

    /// cbrt(u)^(3k + r) = u^k cbrt(u)^r with r = 0, 1 or 2.
    fn cbrt_power(&mut self, root: Id, e: &Rational) -> Result<Id, MathError> {
        let three = Rational::from(3);
        let whole = (e * &third()).floor();
        let rest = e - &(&three * &whole);
        let outside = if whole.is_zero() { Graph::ONE } else { self.power(self.store.child(root), &whole)? };
        let inside = if rest.is_zero() { Graph::ONE } else { self.intern_power(root, &rest) };
        Ok(self.mul(outside, inside))
    }

    /// A power that is not an integer: the base is not negative where it is defined.
    fn root_power(&mut self, base: Id, e: &Rational) -> Result<Id, MathError> {
        match self.store.op(base) {
            Op::Scale => {
                let (c, core) = self.store.term(base);
                let (negative, c) = (c.is_negative(), c.abs());
                let c = self.number_power(&c, e)?;
                let rest = match negative {
                    false => self.power(core, e)?,
                    true if self.store.op(core) == Op::Sum => {
                        let core = self.reversed(core);
                        self.power(core, e)?
                    }
                    true => {
                        let minus = self.negate(core);
                        self.intern_power(minus, e)
                    }
                };
                Ok(self.mul(c, rest))
            }
            Op::Product => self.root_of_product(base, e),
            Op::Power => {
                let (inner, k) = self.store.factor(base);
                let even = (k * &half()).is_integer();
                let exponent = k * e;
                let inner = if even { self.abs(inner) } else { inner };
                self.power(inner, &exponent)
            }
            Op::Exp => {
                let argument = self.scale(e, self.store.child(base));
                self.exp(argument)
            }
            Op::Cbrt => {
                let exponent = e * &third();
                self.power(self.store.child(base), &exponent)
            }
            Op::Sum => self.root_of_sum(base, e),
            _ => Ok(self.intern_power(base, e)),
        }
    }

    /// Factors that are not negative come out of the root; an even power comes out as |f|.
    fn root_of_product(&mut self, base: Id, e: &Rational) -> Result<Id, MathError> {
        let factors = self.store.children(base).to_vec();
        let (out, inside): (Vec<Id>, Vec<Id>) =
            factors.into_iter().partition(|&factor| self.store.signs(factor) & sign::NONNEGATIVE != 0);
        if out.is_empty() {
            return Ok(self.intern_power(base, e));
        }
        let inside = self.product(&inside);
        let mut result = if inside == Graph::ONE { inside } else { self.power(inside, e)? };
        for factor in out {
            let root = self.power(factor, e)?;
            result = self.mul(result, root);
        }
        Ok(result)
    }

    /// The common factor of the coefficients comes out; sqrt(a + b sqrt(c)) is denested.
    fn root_of_sum(&mut self, base: Id, e: &Rational) -> Result<Id, MathError> {
        let terms = self.store.children(base).to_vec();
        let content = terms.iter().fold(Rational::ZERO, |gcd, &term| gcd.gcd(self.store.term(term).0));
        if content.is_one() {
            return match self.denested(&terms)? {
                Some(root) => self.power(root, &(e * &Rational::from(2))),
                None => Ok(self.intern_power(base, e)),
            };
        }
        let Some(inverse) = content.recip() else { return Ok(self.intern_power(base, e)) };
        let terms: Vec<Id> = terms.into_iter().map(|term| self.scale(&inverse, term)).collect();
        let primitive = self.sum(&terms);
        let outside = self.number_power(&content, e)?;
        let inside = self.power(primitive, e)?;
        Ok(self.mul(outside, inside))
    }

    /// sqrt(a + b√c) = sqrt((a + s)/2) ± sqrt((a − s)/2) where s² = a² − b²c is a square.
    fn denested(&mut self, terms: &[Id]) -> Result<Option<Id>, MathError> {
        let &[first, second] = terms else { return Ok(None) };
        let Some(a) = self.store.number(first).filter(|a| a.is_positive()).cloned() else { return Ok(None) };
        if self.store.has(second, VARIABLE | BRANCHY) {
            return Ok(None);
        }
        let square = self.power(second, &Rational::from(2))?;
        let Some(square) = self.store.number(square) else { return Ok(None) };
        let gap = &(&a * &a) - square;
        if gap.is_negative() {
            return Ok(None);
        }
        let root = self.number_power(&gap, &half())?;
        let Some(s) = self.store.number(root).cloned() else { return Ok(None) };
        let large = self.number_power(&(&(&a + &s) * &half()), &half())?;
        let small = self.number_power(&(&(&a - &s) * &half()), &half())?;
        let negative = self.store.term(second).0.is_negative();
        Ok(Some(if negative { self.sub(large, small) } else { self.add(large, small) }))
    }

    /// c^e for a number c: what is rational comes out, primes stay under their roots.
    fn number_power(&mut self, c: &Rational, e: &Rational) -> Result<Id, MathError> {
        let too_large = || {
            let base = if c.is_integer() && !c.is_negative() { shortened(c) } else { format!("({})", shortened(c)) };
            MathError::TooLarge { what: format!("{base}^({})", shortened(e)) }
        };
        if c.is_zero() {
            return match e.signum() {
                1 => Ok(Graph::ZERO),
                0 => Err(MathError::Undefined { what: "0^0".to_owned() }),
                _ => Err(MathError::DivisionByZero { divisor: "0".to_owned() }),
            };
        }
        if c.is_one() || e.is_zero() {
            return Ok(Graph::ONE);
        }
        let (n, d) = e.to_small().ok_or_else(too_large)?;
        let power = |n: i64| {
            c.pow(n).map_err(|error| match error {
                NumberError::DivisionByZero => MathError::DivisionByZero { divisor: "0".to_owned() },
                _ => too_large(),
            })
        };
        if d == 1 {
            let value = power(n)?;
            return Ok(self.number(value));
        }
        if c.is_negative() {
            return Err(MathError::RootOfNegative { radicand: shortened(c) });
        }
        let order = u32::try_from(d).ok().filter(|&d| d <= 1 << 16).ok_or_else(too_large)?;
        let outside = power(n.div_euclid(d))?;
        let radicand = power(n.rem_euclid(d))?;
        match radicand.root_split(order) {
            Some((root, primes)) => {
                let mut result = self.number(&outside * &root);
                for (prime, exponent) in primes {
                    let prime = i64::try_from(prime).map_err(|_| too_large())?;
                    let base = self.integer(prime);
                    let exponent = Rational::new(i64::from(exponent), d).unwrap_or(Rational::ONE);
                    let factor = self.intern_power(base, &exponent);
                    result = self.mul(result, factor);
                }
                Ok(result)
            }
            None => {
                let base = self.number(radicand);
                let root = self.intern_power(base, &Rational::new(1, d).unwrap_or(Rational::ONE));
                let outside = self.number(outside);
                Ok(self.mul(outside, root))
            }
        }
    }

    // ---- functions

    /// A function of its arguments, in canonical form.
    pub fn apply(&mut self, op: Op, arguments: &[Id]) -> Result<Id, MathError> {
        match (op, arguments) {
            (Op::Sin, &[x]) => self.sin(x),
            (Op::Cos, &[x]) => self.cos(x),
            (Op::Tan, &[x]) => self.tan(x),
            (Op::Asin, &[x]) => self.asin(x),
            (Op::Acos, &[x]) => self.acos(x),
            (Op::Atan, &[x]) => self.atan(x),
            (Op::Sinh | Op::Tanh, &[x]) => Ok(self.odd(op, x)),
            (Op::Cosh, &[Graph::ZERO]) => Ok(Graph::ONE),
            (Op::Cosh, &[x]) => Ok(self.even(op, x)),
            (Op::Exp, &[x]) => self.exp(x),
            (Op::Log, &[x]) => self.log(x),
            (Op::Abs, &[x]) => Ok(self.abs(x)),
            (Op::Sign, &[x]) => Ok(self.sign(x)),
            (Op::Cbrt, &[x]) => self.cbrt(x),
            (Op::Atan2, &[y, x]) => self.atan2(y, x),
            (Op::Min | Op::Max, &[a, b]) => Ok(self.extremum(op, a, b)),
            (Op::IfNegative | Op::IfZero, &[d, p, q]) => Ok(self.switch(op, d, p, q)),
            (Op::Power, &[base, exponent]) => {
                let exponent = self.store.number(exponent).cloned();
                let exponent = exponent.ok_or_else(|| MathError::Undefined {
                    what: "a power whose exponent is not a number".to_owned(),
                })?;
                self.power(base, &exponent)
            }
            (Op::Sum, _) => Ok(self.sum(arguments)),
            (Op::Product | Op::Scale, _) => Ok(self.product(arguments)),
            (Op::Pi, _) => Ok(self.pi()),
            (Op::Unspecified, [_, rest @ ..]) if rest.len().is_multiple_of(2) => Ok(self.intern(op, arguments)),
            (Op::Integral, [_, _, _, _, rest @ ..]) if rest.len().is_multiple_of(2) => self.integral_of(arguments),
            _ => unreachable!("{op:?} does not take {} arguments", arguments.len()),
        }
    }

    pub fn pi(&mut self) -> Id {
        self.intern(Op::Pi, &[])
    }

    /// c where the node is c·π.
    fn multiple_of_pi(&self, id: Id) -> Option<Rational> {
        let (c, core) = self.store.term(id);
        (self.store.op(core) == Op::Pi).then(|| c.clone())
    }

    /// Splits a quarter-turn multiple off a sum: x + 3π/2 is (x, 3).
    fn without_quarter_turns(&mut self, x: Id) -> Option<(Id, i64)> {
        if self.store.op(x) != Op::Sum {
            return None;
        }
        let terms = self.store.children(x);
        let (place, quarters) = terms.iter().enumerate().find_map(|(place, &term)| {
            let quarters = (&self.multiple_of_pi(term)? * &Rational::from(2)).to_i64()?;
            Some((place, quarters))
        })?;
        let mut terms = terms.to_vec();
        terms.remove(place);
        Some((self.sum(&terms), quarters.rem_euclid(4)))
    }

    pub fn sin(&mut self, x: Id) -> Result<Id, MathError> {
        if x == Graph::ZERO {
            return Ok(x);
        }
        if let Some(c) = self.multiple_of_pi(x) {
            return self.sin_of_pi(&c);
        }
        if let Some((rest, quarters)) = self.without_quarter_turns(x) {
            let value = if quarters % 2 == 0 { self.sin(rest)? } else { self.cos(rest)? };
            return Ok(if quarters >= 2 { self.negate(value) } else { value });
        }
        if self.store.is_lead_negative(x) {
            let x = self.reversed(x);
            let value = self.sin(x)?;
            return Ok(self.negate(value));
        }
        match self.store.op(x) {
            Op::Asin => Ok(self.store.child(x)),
            Op::Acos => self.beside(self.store.child(x)),
            Op::Atan => {
                let u = self.store.child(x);
                let cosine = self.cos_of_atan(u)?;
                Ok(self.mul(u, cosine))
            }
            _ => Ok(self.intern(Op::Sin, &[x])),
        }
    }

    pub fn cos(&mut self, x: Id) -> Result<Id, MathError> {
        if x == Graph::ZERO {
            return Ok(Graph::ONE);
        }
        if let Some(c) = self.multiple_of_pi(x) {
            return self.sin_of_pi(&(&half() - &c));
        }
        if let Some((rest, quarters)) = self.without_quarter_turns(x) {
            let value = if quarters % 2 == 0 { self.cos(rest)? } else { self.sin(rest)? };
            return Ok(if quarters == 1 || quarters == 2 { self.negate(value) } else { value });
        }
        let x = if self.store.is_lead_negative(x) { self.reversed(x) } else { x };
        match self.store.op(x) {
            Op::Acos => Ok(self.store.child(x)),
            Op::Asin => self.beside(self.store.child(x)),
            Op::Atan => self.cos_of_atan(self.store.child(x)),
            _ => Ok(self.intern(Op::Cos, &[x])),
        }
    }

    /// sqrt(1 − u²).
    fn beside(&mut self, u: Id) -> Result<Id, MathError> {
        let square = self.power(u, &Rational::from(2))?;
        let rest = self.sub(Graph::ONE, square);
        self.sqrt(rest)
    }

    fn cos_of_atan(&mut self, u: Id) -> Result<Id, MathError> {
        let square = self.power(u, &Rational::from(2))?;
        let norm = self.add(Graph::ONE, square);
        self.power(norm, &-half())
    }

    /// sin(cπ), exactly where a square root of one number does it, else in the first quarter.
    fn sin_of_pi(&mut self, c: &Rational) -> Result<Id, MathError> {
        let two = Rational::from(2);
        let turns = (c * &half()).floor();
        let mut c = c - &(&two * &turns);
        let negative = c >= Rational::ONE;
        if negative {
            c = &c - &Rational::ONE;
        }
        if c > half() {
            c = &Rational::ONE - &c;
        }
        let value = match c.to_small() {
            Some((0, _)) => Graph::ZERO,
            Some((1, 6)) => self.number(half()),
            Some((1, 4)) => self.half_root(2)?,
            Some((1, 3)) => self.half_root(3)?,
            Some((1, 2)) => Graph::ONE,
            _ => {
                let pi = self.pi();
                let angle = self.scale(&c, pi);
                self.intern(Op::Sin, &[angle])
            }
        };
        Ok(if negative { self.negate(value) } else { value })
    }

    /// √n/2.
    fn half_root(&mut self, n: i64) -> Result<Id, MathError> {
        let root = self.number_power(&Rational::from(n), &half())?;
        Ok(self.scale(&half(), root))
    }

    pub fn tan(&mut self, x: Id) -> Result<Id, MathError> {
        if x == Graph::ZERO {
            return Ok(x);
        }
        if self.multiple_of_pi(x).is_some() || self.store.op(x) == Op::Asin || self.store.op(x) == Op::Acos {
            let (sine, cosine) = (self.sin(x)?, self.cos(x)?);
            return self.div(sine, cosine).map_err(|_| self.undefined(Op::Tan, &[x]));
        }
        if let Some((rest, quarters)) = self.without_quarter_turns(x) {
            let tangent = self.tan(rest)?;
            return match quarters % 2 {
                0 => Ok(tangent),
                _ => {
                    let inverse = self.power(tangent, &Rational::MINUS_ONE)?;
                    Ok(self.negate(inverse))
                }
            };
        }
        if self.store.is_lead_negative(x) {
            let x = self.reversed(x);
            let value = self.tan(x)?;
            return Ok(self.negate(value));
        }
        match self.store.op(x) {
            Op::Atan => Ok(self.store.child(x)),
            _ => Ok(self.intern(Op::Tan, &[x])),
        }
    }

    fn odd(&mut self, op: Op, x: Id) -> Id {
        if x == Graph::ZERO {
            return Graph::ZERO;
        }
        if self.store.is_lead_negative(x) {
            let x = self.reversed(x);
            let value = self.intern(op, &[x]);
            return self.negate(value);
        }
        self.intern(op, &[x])
    }

    fn even(&mut self, op: Op, x: Id) -> Id {
        let x = if self.store.is_lead_negative(x) { self.reversed(x) } else { x };
        self.intern(op, &[x])
    }

    /// The angle in [0, π/2] whose sine is x, where it is a simple fraction of π.
    fn known_arc(&mut self, x: Id) -> Result<Option<Rational>, MathError> {
        for (n, d) in [(0, 1), (1, 6), (1, 4), (1, 3), (1, 2)] {
            let c = Rational::new(n, d).unwrap_or(Rational::ZERO);
            if self.sin_of_pi(&c)? == x {
                return Ok(Some(c));
            }
        }
        Ok(None)
    }

    fn times_pi(&mut self, c: &Rational) -> Id {
        let pi = self.pi();
        self.scale(c, pi)
    }

    fn outside_unit(&self, x: Id) -> bool {
        self.store.number(x).is_some_and(|number| number.abs() > Rational::ONE)
    }

    pub fn asin(&mut self, x: Id) -> Result<Id, MathError> {
        if self.outside_unit(x) {
            return Err(self.undefined(Op::Asin, &[x]));
        }
        if self.store.is_lead_negative(x) {
            let x = self.reversed(x);
            let value = self.asin(x)?;
            return Ok(self.negate(value));
        }
        match self.known_arc(x)? {
            Some(c) => Ok(self.times_pi(&c)),
            None => Ok(self.intern(Op::Asin, &[x])),
        }
    }

    pub fn acos(&mut self, x: Id) -> Result<Id, MathError> {
        if self.outside_unit(x) {
            return Err(self.undefined(Op::Acos, &[x]));
        }
        let negative = self.store.is_lead_negative(x);
        let magnitude = if negative { self.reversed(x) } else { x };
        match self.known_arc(magnitude)? {
            Some(c) => {
                let arc = if negative { &half() + &c } else { &half() - &c };
                Ok(self.times_pi(&arc))
            }
            None => Ok(self.intern(Op::Acos, &[x])),
        }
    }

    pub fn atan(&mut self, x: Id) -> Result<Id, MathError> {
        if self.store.is_lead_negative(x) {
            let x = self.reversed(x);
            let value = self.atan(x)?;
            return Ok(self.negate(value));
        }
        for (n, d) in [(0, 1), (1, 6), (1, 4), (1, 3)] {
            let c = Rational::new(n, d).unwrap_or(Rational::ZERO);
            let angle = self.times_pi(&c);
            if self.tan(angle)? == x {
                return Ok(angle);
            }
        }
        Ok(self.intern(Op::Atan, &[x]))
    }

    pub fn atan2(&mut self, y: Id, x: Id) -> Result<Id, MathError> {
        if x == Graph::ZERO && y == Graph::ZERO {
            return Err(self.undefined(Op::Atan2, &[y, x]));
        }
        let (Some(v), Some(u)) = (self.store.number(y), self.store.number(x)) else {
            return Ok(self.intern(Op::Atan2, &[y, x]));
        };
        let (up, right) = (v.signum(), u.signum());
        if right == 0 {
            return Ok(self.times_pi(&if up > 0 { half() } else { -half() }));
        }
        let ratio = self.div(y, x)?;
        let angle = self.atan(ratio)?;
        let turn = match (right > 0, up < 0) {
            (true, _) => return Ok(angle),
            (false, false) => self.times_pi(&Rational::ONE),
            (false, true) => self.times_pi(&Rational::MINUS_ONE),
        };
        Ok(self.add(angle, turn))
    }

    /// exp(c·log u) = u^c, and exp(log u) = u.
    pub fn exp(&mut self, x: Id) -> Result<Id, MathError> {
        if x == Graph::ZERO {
            return Ok(Graph::ONE);
        }
        let (c, core) = self.store.term(x);
        if self.store.op(core) == Op::Log {
            let c = c.clone();
            return self.power(self.store.child(core), &c);
        }
        Ok(self.intern(Op::Exp, &[x]))
    }

    /// Positive factors, powers and the primes of numbers come out of a logarithm.
    pub fn log(&mut self, x: Id) -> Result<Id, MathError> {
        if x == Graph::ONE {
            return Ok(Graph::ZERO);
        }
        if x == Graph::ZERO || self.store.signs(x) & sign::NEGATIVE == sign::NEGATIVE {
            return Err(self.undefined(Op::Log, &[x]));
        }
        match self.store.op(x) {
            Op::Number => self.log_of_number(x),
            Op::Exp => Ok(self.store.child(x)),
            Op::Scale => {
                let (c, core) = self.store.term(x);
                let (negative, c) = (c.is_negative(), c.abs());
                if c.is_one() {
                    return Ok(self.intern(Op::Log, &[x]));
                }
                let c = self.number(c);
                let number = self.log(c)?;
                let core = if negative { self.reversed(core) } else { core };
                let rest = self.log(core)?;
                Ok(self.add(number, rest))
            }
            Op::Power => {
                let (base, exponent) = self.store.factor(x);
                let exponent = exponent.clone();
                let even = (&exponent * &half()).is_integer();
                let base = if even { self.abs(base) } else { base };
                let log = self.log(base)?;
                Ok(self.scale(&exponent, log))
            }
            Op::Product => {
                let factors = self.store.children(x).to_vec();
                let (out, inside): (Vec<Id>, Vec<Id>) =
                    factors.into_iter().partition(|&factor| self.store.signs(factor) & sign::NONNEGATIVE != 0);
                if out.is_empty() {
                    return Ok(self.intern(Op::Log, &[x]));
                }
                let inside = self.product(&inside);
                let mut logs = vec![self.log(inside)?];
                for factor in out {
                    logs.push(self.log(factor)?);
                }
                Ok(self.sum(&logs))
            }
            _ => Ok(self.intern(Op::Log, &[x])),
        }
    }

    fn log_of_number(&mut self, x: Id) -> Result<Id, MathError> {
        let factors = self.store.number(x).and_then(Rational::factor_small);
        let Some(factors) = factors else { return Ok(self.intern(Op::Log, &[x])) };
        let mut terms = Vec::new();
        for (prime, times) in factors {
            let Ok(prime) = i64::try_from(prime) else { return Ok(self.intern(Op::Log, &[x])) };
            let prime = self.integer(prime);
            let log = self.intern(Op::Log, &[prime]);
            terms.push(self.scale(&Rational::from(times), log));
        }
        Ok(self.sum(&terms))
    }

    pub fn abs(&mut self, x: Id) -> Id {
        if self.store.signs(x) & sign::NONNEGATIVE != 0 {
            return x;
        }
        match self.store.op(x) {
            Op::Number | Op::Scale => {
                let (c, core) = self.store.term(x);
                let c = c.abs();
                let core = self.abs(core);
                self.scale(&c, core)
            }
            Op::Product => {
                let factors = self.store.children(x).to_vec();
                let factors: Vec<Id> = factors.into_iter().map(|factor| self.abs(factor)).collect();
                self.product(&factors)
            }
            Op::Power => {
                let (base, exponent) = self.store.factor(x);
                let exponent = exponent.clone();
                let base = self.abs(base);
                self.raised(base, &exponent)
            }
            _ if self.store.signs(x) & sign::NONPOSITIVE != 0 => self.reversed(x),
            _ => self.even(Op::Abs, x),
        }
    }

    pub fn sign(&mut self, x: Id) -> Id {
        if let Some(number) = self.store.number(x) {
            let signum = i64::from(number.signum());
            return self.integer(signum);
        }
        let known = self.store.signs(x);
        if known & sign::POSITIVE == sign::POSITIVE {
            return Graph::ONE;
        }
        if known & sign::NEGATIVE == sign::NEGATIVE {
            return Graph::MINUS_ONE;
        }
        match self.store.op(x) {
            Op::Scale => {
                let (c, core) = self.store.term(x);
                let negative = c.is_negative();
                let sign = self.sign(core);
                if negative { self.negate(sign) } else { sign }
            }
            Op::Product => {
                let factors = self.store.children(x).to_vec();
                let factors: Vec<Id> = factors.into_iter().map(|factor| self.sign(factor)).collect();
                self.product(&factors)
            }
            _ => self.odd(Op::Sign, x),
        }
    }

    /// The real cube root: odd, and multiplicative.
    pub fn cbrt(&mut self, x: Id) -> Result<Id, MathError> {
        match self.store.op(x) {
            Op::Number => {
                let number = self.store.number(x).cloned().unwrap_or(Rational::ZERO);
                let root = if number.is_zero() { Graph::ZERO } else { self.number_power(&number.abs(), &third())? };
                Ok(if number.is_negative() { self.negate(root) } else { root })
            }
            Op::Scale => {
                let (c, core) = self.store.term(x);
                let c = self.number(c.clone());
                let (c, core) = (self.cbrt(c)?, self.cbrt(core)?);
                Ok(self.mul(c, core))
            }
            Op::Product => {
                let factors = self.store.children(x).to_vec();
                let roots = factors.into_iter().map(|factor| self.cbrt(factor)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.product(&roots))
            }
            Op::Power => {
                let (base, exponent) = self.store.factor(x);
                let exponent = exponent.clone();
                if !exponent.is_integer() {
                    let exponent = &exponent * &third();
                    return self.power(base, &exponent);
                }
                let root = self.cbrt(base)?;
                self.power(root, &exponent)
            }
            _ => Ok(self.odd(Op::Cbrt, x)),
        }
    }

    fn extremum(&mut self, op: Op, a: Id, b: Id) -> Id {
        if a == b {
            return a;
        }
        if let (Some(x), Some(y)) = (self.store.number(a), self.store.number(b)) {
            return if (x < y) == (op == Op::Min) { a } else { b };
        }
        self.intern(op, &[a.min(b), a.max(b)])
    }

    fn switch(&mut self, op: Op, d: Id, p: Id, q: Id) -> Id {
        if p == q {
            return p;
        }
        let Some(number) = self.store.number(d) else { return self.intern(op, &[d, p, q]) };
        let holds = if op == Op::IfNegative { number.is_negative() } else { number.is_zero() };
        if holds { p } else { q }
    }

    fn undefined(&self, op: Op, arguments: &[Id]) -> MathError {
        let arguments: Vec<String> = arguments.iter().map(|&id| brief(&self.store, id)).collect();
        MathError::Undefined { what: format!("{}({})", crate::print::function_name(op), arguments.join(", ")) }
    }
}

fn half() -> Rational {
    Rational::new(1, 2).unwrap_or(Rational::ONE)
}

fn third() -> Rational {
    Rational::new(1, 3).unwrap_or(Rational::ONE)
}

/// A number for a message: its digits, or their count where nobody would read them.
fn shortened(number: &Rational) -> String {
    if number.bits() > 400 { format!("(a number of {} bits)", number.bits()) } else { number.to_string() }
}
