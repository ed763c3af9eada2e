//! Which branches come out of the cases, and is each of them right?
//!
//! A branch is put back into the equations as they were asked, and every one must be proved zero under the
//! branch's conditions. Conditions are written with factors of known sign left out.

use expr::{Comparison, Expr, Op, Rational, Substitution, sign};
use proof::{Verdict, decide_all};

use crate::angle::angle_of;
use crate::case::Case;
use crate::facts::{Contradiction, Facts};
use crate::fraction::{self, Fraction};
use crate::solution::{Arc, Branch, Condition, Obstacle, Threshold};
use crate::square::without_abs;
use crate::translate::{Angle, Root, depends};

/// What was asked.
pub(crate) struct Question<'a> {
    pub equations: &'a [Fraction],
    pub unknowns: &'a [Expr],
    pub angles: &'a [Angle],
    pub roots: &'a [Root],
    pub assumed: &'a Facts,
}

impl Question<'_> {
    /// The branch of a solved case, proved; none if its conditions cannot hold.
    pub fn branch(&self, case: &Case) -> Result<Vec<Branch>, Obstacle> {
        Ok(self.proved(case)?.map_or_else(Contradiction::no_case, |branch| vec![branch]))
    }

    /// Settles the conditions of a case, proves its values, and writes them as a branch.
    fn proved(&self, case: &Case) -> Result<Result<Branch, Contradiction>, Obstacle> {
        let free = self.names(case)?;
        let given = self.given(case, &free)?;
        let put = |e: Expr| given.apply_one(e);
        let mut conditions = Vec::new();
        for condition in &case.conditions {
            let value = put(condition.value).map_err(|error| undecided(condition.value, &error.to_string()))?;
            conditions.push(self.written(&Condition { value, ..*condition }));
        }
        let conditions = match self.assumed.settle(&strict(conditions)) {
            Ok(conditions) => conditions,
            Err(contradiction) => return Ok(Err(contradiction)),
        };
        self.prove(&given, &conditions)?;
        let mut branch = Branch {
            values: Substitution::new(),
            free: Vec::new(),
            conditions,
            multiplicity: case.multiplicity,
            roots: self.roots.iter().filter_map(|root| Some((root.node, given.value_of(root.variable)?))).collect(),
            arcs: Vec::new(),
        };
        self.assign(case, &given, &mut branch)?;
        // what is asked of an angle itself, such as phi > 0
        let angles: Substitution = branch
            .values
            .iter()
            .copied()
            .filter(|(unknown, _)| branch.arcs.iter().any(|arc| arc.unknown == *unknown))
            .collect();
        for condition in &mut branch.conditions {
            let value = angles.apply_one(condition.value);
            condition.value = value.map_err(|error| undecided(condition.value, &error.to_string()))?;
        }
        Ok(self.assumed.settle(&branch.conditions).map(|conditions| {
            branch.conditions = conditions;
            self.relax(&mut branch);
            branch
        }))
    }

    /// Assigns the unknowns their values on a branch, or leaves them free.
    fn assign(&self, case: &Case, given: &Substitution, branch: &mut Branch) -> Result<(), Obstacle> {
        let facts = self.assumed.and(&branch.conditions);
        for &unknown in self.unknowns {
            match self.angles.iter().find(|angle| angle.unknown == unknown) {
                Some(angle) if case.is_open(angle) => branch.free.push(unknown),
                Some(angle) => {
                    let [cosine, sine] =
                        [angle.cosine, angle.sine].map(|variable| given.value_of(variable).unwrap_or(variable));
                    let written = case.written.iter().find(|(of, _)| *of == unknown);
                    let written = written.map(|(_, angle)| given.apply_one(*angle));
                    let made = match written {
                        Some(Ok(written)) => Some(written),
                        _ => angle_of(cosine, sine, &facts),
                    };
                    let Some(made) = made else { return Err(undecided(sine, "it has no angle")) };
                    branch.values.insert(unknown, self.assumed.simplify(angle.part * made));
                    branch.arcs.push(Arc { unknown, part: angle.part, cosine, sine });
                }
                None => match given.value_of(unknown) {
                    Some(value) => branch.values.insert(unknown, without_abs(value, &facts)),
                    None => branch.free.push(unknown),
                },
            }
        }
        Ok(())
    }

    /// What variables without a value stand for: cosine and sine of a free angle, roots of free unknowns.
    fn names(&self, case: &Case) -> Result<Substitution, Obstacle> {
        let mut names = Substitution::new();
        for angle in self.angles {
            if case.is_open(angle) {
                let part = angle.unknown / Expr::from(angle.part);
                names.extend([(angle.cosine, part.cos()), (angle.sine, part.sin())]);
            } else if [angle.cosine, angle.sine].iter().any(|v| case.variables.contains(v)) {
                return Err(Obstacle::Dependent { equation: angle.unknown.to_string() });
            }
        }
        let open = self.roots.iter().filter(|root| case.variables.contains(&root.variable));
        names.extend(open.map(|root| (root.variable, root.node)));
        Ok(names)
    }

    /// All variables that stand for something else, with what they stand for.
    fn given(&self, case: &Case, names: &Substitution) -> Result<Substitution, Obstacle> {
        let mut given = names.clone();
        for &(variable, value) in &case.values {
            // a root of a free unknown may hold another unknown that has a value
            let mut value = value;
            for _ in 0..=self.roots.len() {
                value = names.apply_one(value).map_err(|error| undecided(value, &error.to_string()))?;
            }
            given.insert(variable, self.assumed.simplify(value));
        }
        Ok(given)
    }

    /// Puts the values into the equations, the definitions of roots and c² + s² = 1, and proves them.
    fn prove(&self, given: &Substitution, conditions: &[Condition]) -> Result<(), Obstacle> {
        let circles = self.angles.iter().map(Angle::circle);
        let rows = self.equations.iter().map(|fraction| fraction.above);
        let all: Vec<Expr> = rows.chain(self.roots.iter().map(|root| root.definition)).chain(circles).collect();
        let put = given.apply(&all).map_err(|error| undecided(all[0], &error.to_string()))?;
        let facts = self.assumed.and(conditions);
        facts.check()?;
        for (verdict, e) in decide_all(&put, &facts.assumptions()).into_iter().zip(put) {
            match verdict {
                Verdict::Zero(_) => {}
                Verdict::NonZero(_) => return Err(undecided(e, "it is not zero on a branch that was found")),
                Verdict::Unknown(why) => return Err(undecided(e, &why.to_string())),
            }
        }
        Ok(())
    }

    /// Leaves out conditions `p ≠ 0` that only the way to the branch needed.
    fn relax(&self, branch: &mut Branch) {
        let parts = branch.values.iter().map(|value| value.1);
        let parts = parts.chain(branch.arcs.iter().flat_map(|arc| [arc.cosine, arc.sine]));
        let below: Vec<Expr> = parts.flat_map(denominators).collect();
        let kept = branch.conditions.clone();
        branch.conditions.retain(|condition| {
            let others: Vec<Condition> = kept.iter().copied().filter(|other| other != condition).collect();
            let facts = self.assumed.and(&others);
            condition.comparison != Comparison::NotEqual
                || depends(condition.value, self.unknowns)
                || below.iter().any(|&e| !facts.is_nonzero(e))
        });
    }

    /// The condition with factors of known sign left out, over one denominator.
    pub fn written(&self, condition: &Condition) -> Condition {
        let short = self.assumed.simplify(without_abs(condition.value, self.assumed));
        let parts = fraction::of(short);
        let mut turned = false;
        let mut kept: Vec<Expr> = Vec::new();
        let same = matches!(condition.comparison, Comparison::Equal | Comparison::NotEqual);
        // a quotient vanishes with its numerator
        let below = if same { Expr::one() } else { parts.below };
        let both = [parts.above, below].map(|part| fraction::factors(self.assumed.simplify(part)));
        for (factor, n) in both.into_iter().flatten() {
            if same && let Some(inside) = radicand(factor) {
                kept.push(self.written(&Condition { value: inside, ..*condition }).value);
                continue;
            }
            let known = self.assumed.sign(factor);
            let odd = n % 2 != 0;
            match known & (sign::NONNEGATIVE | sign::NONPOSITIVE) {
                sign::NONNEGATIVE if known & sign::NONZERO != 0 => {}
                sign::NONPOSITIVE if known & sign::NONZERO != 0 => turned ^= odd,
                _ if odd || same => kept.push(factor),
                _ => kept.push(factor.pow(2)),
            }
        }
        let value = Expr::product(&kept);
        if let ([root], Comparison::Greater, false) = (&kept[..], condition.comparison, turned)
            && root.op() == Op::Power
            && let Some(inside) = radicand(*root)
        {
            // a root is positive where what stands under it is, a square wherever it is not zero
            let is_square = root.arguments()[1].as_number().is_some_and(|power| power.to_i64().is_some());
            let comparison = if is_square { Comparison::NotEqual } else { condition.comparison };
            return self.written(&Condition { value: inside, comparison });
        }
        let value = primitive(if turned { -value } else { value });
        let value = if same { with_positive_lead(value) } else { value };
        Condition { value: self.assumed.simplify(value), comparison: condition.comparison }
    }

    /// Where the set of solutions changes: where a condition of a branch begins to hold, and where two isolated
    /// branches that differ in one number meet.
    pub fn thresholds(&self, branches: &[Branch]) -> Vec<Threshold> {
        let mut found: Vec<Expr> = Vec::new();
        let mut add = |e: Expr| {
            for (mut factor, _) in fraction::factors(e) {
                for &old in &found {
                    let rest = fraction::of(self.assumed.simplify(factor / old));
                    if self.assumed.is_nonzero(rest.below) {
                        factor = rest.above; // where the rest vanishes is still to be told
                    }
                }
                if !self.assumed.is_nonzero(factor) && !depends(factor, self.unknowns) && !factor.is_constant() {
                    found.push(with_positive_lead(factor));
                }
            }
        };
        for condition in branches.iter().flat_map(|branch| &branch.conditions) {
            add(self.written(&Condition { comparison: Comparison::Equal, ..*condition }).value);
        }
        let isolated: Vec<&Branch> = branches.iter().filter(|branch| branch.free.is_empty()).collect();
        for (place, first) in isolated.iter().enumerate() {
            for second in &isolated[place + 1..] {
                let gaps = first.numbers().into_iter().zip(second.numbers()).map(|(a, b)| a - b);
                let gaps: Vec<Expr> = gaps.filter(|gap| !gap.is_zero()).collect();
                let [gap] = gaps[..] else { continue };
                let equal = Condition { value: gap, comparison: Comparison::Equal };
                if self.assumed.judge(&equal).is_none() {
                    add(self.written(&equal).value);
                }
            }
        }
        found.into_iter().map(|value| Threshold { value }).collect()
    }
}

/// Leaves out branches that another one contains: its values, or a member of its family, under no more conditions.
pub(crate) fn merged(branches: Vec<Branch>, assumed: &Facts) -> Vec<Branch> {
    let mut kept: Vec<Branch> = Vec::new();
    for branch in branches {
        if let Some(other) = kept.iter_mut().find(|other| contains(other, &branch, assumed)) {
            other.multiplicity = other.multiplicity.max(branch.multiplicity);
            continue;
        }
        kept.retain(|other| !contains(&branch, other, assumed));
        kept.push(branch);
    }
    kept
}

/// Is everything on `small` on `large` too?
fn contains(large: &Branch, small: &Branch, assumed: &Facts) -> bool {
    if large.free.len() < small.free.len() || small.free.iter().any(|unknown| !large.free.contains(unknown)) {
        return false;
    }
    let facts = assumed.and(&small.conditions);
    let same = |a: Expr, b: Expr| small.put(a).is_ok_and(|a| facts.vanishes(a - b));
    let arc_of = |unknown: Expr| small.arcs.iter().find(|arc| arc.unknown == unknown);
    let values = large.values.iter().all(|&(unknown, value)| {
        match (large.arcs.iter().find(|arc| arc.unknown == unknown), arc_of(unknown)) {
            (Some(a), Some(b)) => same(a.cosine, b.cosine) && same(a.sine, b.sine),
            _ => small.values.value_of(unknown).is_some_and(|other| same(value, other)),
        }
    });
    let holds = |condition: &Condition| {
        let value = small.put(condition.value);
        value.is_ok_and(|value| matches!(facts.judge(&Condition { value, ..*condition }), Some(Ok(()))))
    };
    values && large.conditions.iter().all(|condition| small.conditions.contains(condition) || holds(condition))
}

/// `u != 0` and `u >= 0` together are `u > 0`.
fn strict(conditions: Vec<Condition>) -> Vec<Condition> {
    let excluded = |value: Expr| {
        conditions
            .iter()
            .any(|c| c.comparison == Comparison::NotEqual && (c.value.is_same(value) || c.value.is_same(-value)))
    };
    let sharpened = |c: &Condition| match c.comparison {
        Comparison::AtLeast if excluded(c.value) => Condition { comparison: Comparison::Greater, ..*c },
        _ => *c,
    };
    conditions.iter().map(sharpened).collect()
}

/// What stands under a root: the two vanish together.
fn radicand(e: Expr) -> Option<Expr> {
    match e.op() {
        Op::Power | Op::Cbrt | Op::Abs => e.arguments().first().copied(),
        _ => None,
    }
}

fn undecided(what: Expr, why: &str) -> Obstacle {
    Obstacle::Undecided { what: crate::solution::shortened(what), why: why.to_owned() }
}

/// Everything that an expression divides by.
fn denominators(e: Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut waiting = vec![e];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(node) = waiting.pop() {
        if !seen.insert(node) {
            continue;
        }
        let arguments = node.arguments();
        if node.op() == Op::Power && arguments[1].as_number().is_some_and(|exponent| exponent.is_negative()) {
            found.push(arguments[0]);
        }
        waiting.extend(arguments);
    }
    found
}

/// A sum over the positive number that all its terms are multiples of.
fn primitive(e: Expr) -> Expr {
    let Ok(flat) = expr::expand(e) else { return e };
    let terms = if flat.op() == Op::Sum { flat.arguments() } else { vec![flat] };
    let number = |term: &Expr| match term.op() {
        Op::Number => term.as_number(),
        Op::Scale => term.arguments()[0].as_number(),
        _ => None,
    };
    let numbers = terms.iter().map(|term| number(term).unwrap_or(Rational::ONE).abs());
    let Some(content) = numbers.reduce(|a, b| a.gcd(&b)).filter(|content| !content.is_zero()) else { return e };
    if content.is_one() { e } else { expr::expand(flat / Expr::number(content)).unwrap_or(e) }
}

/// The expression or its opposite, whichever begins without a minus sign.
fn with_positive_lead(e: Expr) -> Expr {
    if e.to_string().starts_with('-') { expr::simplify(-e, &[]) } else { e }
}
