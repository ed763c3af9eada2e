//! How do sines and cosines get fewer?
//!
//! ```text
//! c² + ε s² = 1                 ε = 1 for sin and cos, −1 for sinh and cosh
//! c c' + ε s s' = cos(u − v)    c c' − ε s s' = cos(u + v)
//! s c' + c s' = sin(u + v)      s c' − c s' = sin(u − v)
//! c² − ε s² = cos 2u            2 s c = sin 2u
//! ```
//!
//! A polynomial is sorted by what is not trigonometric; each of the parts is rewritten on its
//! own, in several ways, and the shortest is kept.

use rustc_hash::FxHashMap;

use super::Simplifier;
use crate::graph::{Id, Op, Store};
use crate::number::Rational;
use crate::polynomial::sparse::{Exceeded, Monomial, Sparse};

/// An angle with its sine and cosine, circular or hyperbolic.
#[derive(Clone, Copy)]
struct Angle {
    argument: Id,
    sine: Id,
    cosine: Id,
    hyperbolic: bool,
}

impl Angle {
    fn epsilon(&self) -> Rational {
        if self.hyperbolic { Rational::MINUS_ONE } else { Rational::ONE }
    }

    fn sine_power(&self, k: i32) -> Monomial {
        Monomial::of(self.sine, k)
    }

    fn cosine_power(&self, k: i32) -> Monomial {
        Monomial::of(self.cosine, k)
    }
}

fn is_trigonometric(store: &Store, atom: Id) -> bool {
    matches!(store.op(atom), Op::Sin | Op::Cos | Op::Sinh | Op::Cosh | Op::Tan | Op::Tanh)
}

/// Terms by monomial, to look up partners in.
type Table = FxHashMap<Monomial, Rational>;

impl Simplifier<'_> {
    /// The polynomial as it is and with fewer sines and cosines, those of them that are short.
    pub(super) fn trigonometric_forms(&mut self, p: &Sparse) -> Result<Vec<Sparse>, Exceeded> {
        let mut forms = vec![p.clone()];
        if !p.atoms().iter().any(|&atom| is_trigonometric(&self.graph.store, atom)) {
            return Ok(forms);
        }
        let plain = self.without_tangents(p)?;
        forms.push(self.contracted(&plain)?);
        if let Some(expanded) = self.angles_expanded(&plain)? {
            forms.push(self.contracted(&expanded)?);
        }
        forms.dedup();
        let lengths: Vec<u64> = forms.iter().map(|form| self.costs.of_sparse(&self.graph.store, form)).collect();
        let least = lengths.iter().copied().min().unwrap_or(0);
        let mut lengths = lengths.into_iter();
        forms.retain(|_| lengths.next().is_some_and(|length| length <= least.saturating_add(least / 4)));
        Ok(forms)
    }

    /// Tangents as quotients where a sine or cosine of the same angle is there too.
    fn without_tangents(&mut self, p: &Sparse) -> Result<Sparse, Exceeded> {
        let atoms = p.atoms();
        let mut quotients = FxHashMap::default();
        for &atom in &atoms {
            if matches!(self.graph.store.op(atom), Op::Tan | Op::Tanh)
                && let Some(angle) = self.angle(atom)
                && (atoms.contains(&angle.sine) || atoms.contains(&angle.cosine))
            {
                quotients.insert(atom, angle.sine_power(1).times(&angle.cosine_power(-1)));
            }
        }
        if quotients.is_empty() {
            return Ok(p.clone());
        }
        self.budget.spend(p.len())?;
        let terms = p.terms().iter().map(|(m, c)| {
            let rest = m.filtered(|atom| !quotients.contains_key(&atom));
            let factors = m.factors().iter().filter_map(|&(atom, k)| Some(quotients.get(&atom)?.power(k)));
            (factors.fold(rest, |m, factor| m.times(&factor)), c.clone())
        });
        Ok(Sparse::new(terms.collect()))
    }

    /// Quotients s/c as tangents.
    pub(super) fn with_tangents(&mut self, p: &Sparse) -> Sparse {
        let angles = self.angles(&p.atoms());
        let mut terms = p.terms().to_vec();
        for angle in angles {
            for term in &mut terms {
                let (s, c) = (term.0.exponent(angle.sine), term.0.exponent(angle.cosine));
                if s <= 0 || c >= 0 {
                    continue;
                }
                let op = if angle.hyperbolic { Op::Tanh } else { Op::Tan };
                let Ok(tangent) = self.graph.apply(op, &[angle.argument]) else { continue };
                if self.graph.store.op(tangent) == op {
                    let k = s.min(-c);
                    let moved = Monomial::of(tangent, k).times(&angle.sine_power(-k)).times(&angle.cosine_power(k));
                    term.0 = term.0.times(&moved);
                }
            }
        }
        Sparse::new(terms)
    }

    /// The angle that a sine, a cosine or a tangent belongs to.
    fn angle(&mut self, atom: Id) -> Option<Angle> {
        let (sine, cosine, hyperbolic) = match self.graph.store.op(atom) {
            Op::Sin | Op::Cos | Op::Tan => (Op::Sin, Op::Cos, false),
            Op::Sinh | Op::Cosh | Op::Tanh => (Op::Sinh, Op::Cosh, true),
            _ => return None,
        };
        let argument = self.graph.store.child(atom);
        let [s, c] = [sine, cosine].map(|op| self.graph.apply(op, &[argument]).ok());
        let (s, c) = (s?, c?);
        let as_expected = self.graph.store.op(s) == sine && self.graph.store.op(c) == cosine;
        as_expected.then_some(Angle { argument, sine: s, cosine: c, hyperbolic })
    }

    fn angles(&mut self, atoms: &[Id]) -> Vec<Angle> {
        let mut angles: Vec<Angle> = Vec::new();
        for &atom in atoms {
            if let Some(angle) = self.angle(atom)
                && !angles.iter().any(|other| other.sine == angle.sine)
            {
                angles.push(angle);
            }
        }
        angles
    }

    /// Every part with the same rest, in its shortest form.
    fn contracted(&mut self, p: &Sparse) -> Result<Sparse, Exceeded> {
        self.budget.spend(p.len())?;
        let store = &self.graph.store;
        let mut split: Vec<(Monomial, Monomial, Rational)> = p
            .terms()
            .iter()
            .map(|(m, c)| {
                let rest = m.filtered(|atom| !is_trigonometric(store, atom));
                (rest.clone(), m.over(&rest), c.clone())
            })
            .collect();
        split.sort_by(|a, b| a.0.cmp(&b.0));
        let mut terms = Vec::new();
        for part in split.chunk_by(|a, b| a.0 == b.0) {
            let rest = &part[0].0;
            let own = Sparse::new(part.iter().map(|(_, m, c)| (m.clone(), c.clone())).collect());
            let short = self.shortest_form(&own)?;
            terms.extend(short.times_term(rest, &Rational::ONE).into_terms());
        }
        Ok(Sparse::new(terms))
    }

    fn shortest_form(&mut self, p: &Sparse) -> Result<Sparse, Exceeded> {
        if p.as_number().is_some() {
            return Ok(p.clone());
        }
        // parts that differ by their sign are worked out once
        let scale = Rational::from(i64::from(p.content().signum()));
        let p = p.times_term(&Monomial::one(), &scale);
        if let Some(known) = self.trigonometric.get(&p) {
            return Ok(known.times_term(&Monomial::one(), &scale));
        }
        let angles = self.angles(&p.atoms());
        let mut forms = vec![self.paired(&p, &angles)?];
        if let Some(eliminated) = self.eliminated(&p, &angles)? {
            forms.push(self.paired(&eliminated, &angles)?);
        }
        let best = forms.into_iter().map(|form| self.doubled(form, &angles));
        let best: Vec<Sparse> = best.collect();
        let costs = &mut self.costs;
        let store = &self.graph.store;
        let best = best.into_iter().min_by_key(|form| costs.of_sparse(store, form)).unwrap_or_else(|| p.clone());
        let best = if costs.of_sparse(store, &best) <= costs.of_sparse(store, &p) { best } else { p.clone() };
        let result = best.times_term(&Monomial::one(), &scale);
        self.trigonometric.insert(p, best);
        Ok(result)
    }

    /// For each angle s² = ε(1 − c²), or c² = 1 − ε s², where that makes the polynomial shorter.
    fn eliminated(&mut self, p: &Sparse, angles: &[Angle]) -> Result<Option<Sparse>, Exceeded> {
        let mut best = p.clone();
        for angle in angles {
            let epsilon = angle.epsilon();
            let of_cosine = Sparse::new(vec![(Monomial::one(), epsilon.clone()), (angle.cosine_power(2), -&epsilon)]);
            let of_sine = Sparse::new(vec![(Monomial::one(), Rational::ONE), (angle.sine_power(2), -&epsilon)]);
            for (atom, square) in [(angle.sine, of_cosine), (angle.cosine, of_sine)] {
                let other = self.squares_replaced(&best, atom, &square)?;
                if self.costs.of_sparse(&self.graph.store, &other) < self.costs.of_sparse(&self.graph.store, &best) {
                    best = other;
                }
            }
        }
        Ok((best != *p).then_some(best))
    }

    fn squares_replaced(&mut self, p: &Sparse, atom: Id, square: &Sparse) -> Result<Sparse, Exceeded> {
        let mut terms = Vec::new();
        for (m, c) in p.terms() {
            let k = m.exponent(atom) / 2;
            if k <= 0 {
                terms.push((m.clone(), c.clone()));
                continue;
            }
            let rest = m.times(&Monomial::of(atom, -2 * k));
            let power = square.power(k as u32, &self.graph.store, &mut self.budget)?;
            terms.extend(power.times_term(&rest, c).into_terms());
        }
        self.budget.spend(terms.len())?;
        Ok(Sparse::new(terms))
    }

    /// Pairs of terms that make one, until there are none.
    fn paired(&mut self, p: &Sparse, angles: &[Angle]) -> Result<Sparse, Exceeded> {
        let mut p = p.clone();
        loop {
            self.budget.spend(p.len() * angles.len().max(1))?;
            let table: Table = p.terms().iter().cloned().collect();
            let found = p.terms().iter().find_map(|term| self.squares_paired(term, &table, angles));
            let found = match found {
                Some(pair) => Some(pair),
                None => p.terms().iter().find_map(|term| self.angles_paired(term, &table, angles)),
            };
            let Some((gone, made)) = found else { return Ok(p) };
            let mut terms = p.into_terms();
            terms.retain(|(m, _)| !gone.contains(m));
            terms.push(made);
            p = Sparse::new(terms);
        }
    }

    /// Two terms that differ by squares of one angle.
    fn squares_paired(
        &mut self,
        (m, a): &(Monomial, Rational),
        table: &Table,
        angles: &[Angle],
    ) -> Option<([Monomial; 2], (Monomial, Rational))> {
        let two = Rational::from(2);
        for angle in angles {
            let epsilon = angle.epsilon();
            if m.exponent(angle.sine) >= 2 {
                let rest = m.times(&angle.sine_power(-2));
                let partner = rest.times(&angle.cosine_power(2));
                match table.get(&partner) {
                    Some(b) if *a == &epsilon * b => return Some(([m.clone(), partner], (rest, b.clone()))),
                    Some(b) if *a == -&(&epsilon * b) => {
                        let made = self.with_double_angle(&rest, b, angle)?;
                        return Some(([m.clone(), partner], made));
                    }
                    _ => {}
                }
                match table.get(&rest) {
                    Some(b) if *a == -&(&epsilon * b) => return Some(([m.clone(), rest], (partner, b.clone()))),
                    Some(b) if *a == -&(&(&two * &epsilon) * b) => {
                        let made = self.with_double_angle(&rest, b, angle)?;
                        return Some(([m.clone(), rest], made));
                    }
                    _ => {}
                }
            }
            if m.exponent(angle.cosine) >= 2 {
                let rest = m.times(&angle.cosine_power(-2));
                match table.get(&rest) {
                    Some(b) if *a == -b => {
                        let made = (rest.times(&angle.sine_power(2)), b * &epsilon);
                        return Some(([m.clone(), rest], made));
                    }
                    Some(b) if *a == -&(&two * b) => {
                        let made = self.with_double_angle(&rest, &-b, angle)?;
                        return Some(([m.clone(), rest], made));
                    }
                    _ => {}
                }
            }
        }
        None
    }

    fn with_double_angle(&mut self, m: &Monomial, c: &Rational, angle: &Angle) -> Option<(Monomial, Rational)> {
        self.with_function(m, c, angle, Op::Cos, angle, true)
    }

    /// Two terms that make the sine or cosine of a sum or a difference.
    fn angles_paired(
        &mut self,
        (m, a): &(Monomial, Rational),
        table: &Table,
        angles: &[Angle],
    ) -> Option<([Monomial; 2], (Monomial, Rational))> {
        for (k, u) in angles.iter().enumerate() {
            for v in angles[k + 1..].iter().filter(|v| v.hyperbolic == u.hyperbolic) {
                let epsilon = u.epsilon();
                let pairs =
                    [(Op::Cos, u.cosine, v.cosine, u.sine, v.sine), (Op::Sin, u.sine, v.cosine, u.cosine, v.sine)];
                for (op, first, second, third, fourth) in pairs {
                    if m.exponent(first) < 1 || m.exponent(second) < 1 {
                        continue;
                    }
                    let rest = m.times(&Monomial::of(first, -1)).times(&Monomial::of(second, -1));
                    let partner = rest.times(&Monomial::of(third, 1)).times(&Monomial::of(fourth, 1));
                    let Some(b) = table.get(&partner) else { continue };
                    let same = if op == Op::Cos { *b == -&(&epsilon * a) } else { b == a };
                    let opposite = if op == Op::Cos { *b == &epsilon * a } else { *b == -a };
                    if !same && !opposite {
                        continue;
                    }
                    let made = self.with_function(&rest, a, u, op, v, same)?;
                    return Some(([m.clone(), partner], made));
                }
            }
        }
        None
    }

    /// c·m times the function of u + v or u − v.
    fn with_function(
        &mut self,
        m: &Monomial,
        c: &Rational,
        u: &Angle,
        op: Op,
        v: &Angle,
        plus: bool,
    ) -> Option<(Monomial, Rational)> {
        let argument = self.combined(u.argument, v.argument, plus);
        let op = match (op, u.hyperbolic) {
            (Op::Sin, true) => Op::Sinh,
            (Op::Cos, true) => Op::Cosh,
            _ => op,
        };
        let function = self.graph.apply(op, &[argument]).ok()?;
        let (d, core) = self.graph.store.term(function);
        Some((m.times(&Monomial::of(core, i32::from(core != crate::graph::Graph::ONE))), c * d))
    }

    /// u + v or u − v with like terms merged.
    fn combined(&mut self, u: Id, v: Id, plus: bool) -> Id {
        let mut terms = self.graph.store.flat_terms(u);
        let sign = if plus { Rational::ONE } else { Rational::MINUS_ONE };
        terms.extend(self.graph.store.flat_terms(v).into_iter().map(|(c, core)| (&c * &sign, core)));
        let terms: Vec<Id> = terms.into_iter().map(|(c, core)| self.graph.scale(&c, core)).collect();
        self.graph.sum(&terms)
    }

    /// 2 s c = sin 2u.
    fn doubled(&mut self, p: Sparse, angles: &[Angle]) -> Sparse {
        let mut terms = p.terms().to_vec();
        for (m, c) in &mut terms {
            for angle in angles {
                let half = &*c * &Rational::new(1, 2).unwrap_or(Rational::ONE);
                if m.exponent(angle.sine) == 1 && m.exponent(angle.cosine) == 1 && half.denominator() == c.denominator()
                {
                    let rest = m.times(&angle.sine_power(-1)).times(&angle.cosine_power(-1));
                    if let Some(made) = self.with_function(&rest, &half, angle, Op::Sin, angle, true) {
                        (*m, *c) = made;
                    }
                }
            }
        }
        Sparse::new(terms)
    }

    /// Sines and cosines of sums and multiples by those of their parts, where a part occurs on
    /// its own as well.
    fn angles_expanded(&mut self, p: &Sparse) -> Result<Option<Sparse>, Exceeded> {
        let atoms = p.atoms();
        let mut result: Option<Sparse> = None;
        for angle in self.angles(&atoms) {
            let Some(parts) = self.parts_of_angle(angle.argument) else { continue };
            let mut known = Vec::new();
            for &(n, part) in &parts {
                let [s, c] = if angle.hyperbolic { [Op::Sinh, Op::Cosh] } else { [Op::Sin, Op::Cos] };
                let pair = [s, c].map(|op| self.graph.apply(op, &[part]).ok());
                if let [Some(s), Some(c)] = pair {
                    known.push((n, Angle { argument: part, sine: s, cosine: c, ..angle }));
                }
            }
            let occurs = known.iter().any(|(_, part)| atoms.contains(&part.sine) || atoms.contains(&part.cosine));
            if !occurs || known.len() < parts.len() {
                continue;
            }
            let (sine, cosine) = self.addition(&known, &angle)?;
            let before = result.take().unwrap_or_else(|| p.clone());
            let without = before.replaced(angle.sine, &sine, &self.graph.store, &mut self.budget)?;
            result = Some(without.replaced(angle.cosine, &cosine, &self.graph.store, &mut self.budget)?);
        }
        Ok(result)
    }

    /// The parts u of an angle Σ n u with small integers n; `None` if it has one part, once.
    fn parts_of_angle(&mut self, argument: Id) -> Option<Vec<(i64, Id)>> {
        let mut parts = Vec::new();
        for (c, core) in self.graph.store.flat_terms(argument) {
            let (n, d) = c.to_small().filter(|(n, _)| n.abs() <= 4)?;
            let part = self.graph.scale(&Rational::new(1, d)?, core);
            parts.push((n, part));
        }
        let total: i64 = parts.iter().map(|(n, _)| n.abs()).sum();
        (2..=4).contains(&total).then_some(parts)
    }

    /// Sine and cosine of Σ n u, one u after another.
    fn addition(&mut self, parts: &[(i64, Angle)], whole: &Angle) -> Result<(Sparse, Sparse), Exceeded> {
        let epsilon = whole.epsilon();
        let (mut sine, mut cosine) = (Sparse::zero(), Sparse::number(Rational::ONE));
        for (n, part) in parts {
            for _ in 0..n.abs() {
                let s = Sparse::term(part.sine_power(1), Rational::from(n.signum()));
                let c = Sparse::term(part.cosine_power(1), Rational::ONE);
                let store = &self.graph.store;
                let mut product = |a: &Sparse, b: &Sparse| a.times(b, store, &mut self.budget);
                let next_sine = product(&sine, &c)?.plus(&product(&cosine, &s)?);
                let both = product(&sine, &s)?.times_term(&Monomial::one(), &epsilon);
                cosine = product(&cosine, &c)?.minus(&both);
                sine = next_sine;
            }
        }
        Ok((sine, cosine))
    }
}

impl Store {
    /// The terms of a sum as coefficient and core, sums inside sums taken apart unless they are
    /// many.
    pub(crate) fn flat_terms(&self, root: Id) -> Vec<(Rational, Id)> {
        const MANY: usize = 256;
        let mut list = Vec::new();
        let mut waiting = vec![(Rational::ONE, root)];
        while let Some((c, id)) = waiting.pop() {
            if list.len() + waiting.len() > MANY {
                let (c, core) = self.term(root);
                return vec![(c.clone(), core)];
            }
            let (d, core) = self.term(id);
            let c = &c * d;
            match self.op(core) {
                Op::Sum => waiting.extend(self.children(core).iter().rev().map(|&term| (c.clone(), term))),
                _ => list.push((c, core)),
            }
        }
        list
    }
}
