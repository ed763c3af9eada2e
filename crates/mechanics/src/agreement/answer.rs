//! What came of the comparison of forms: who agrees with whom, or a state at which they do not?

use expr::{At, Expr, Kind, Substitution, Symbol};
use proof::{Assumptions, ErrorBound, Verdict};

use super::{Agreement, Claim, Entry, Questions, joined};
use crate::formalism::Family;

/// How one form stands to the leading one.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub agreement: Agreement,
    /// What stopped a proof, or where it differs.
    pub why: Option<String>,
    /// A state at which it differs, in exact numbers.
    pub witness: Option<Vec<(Symbol, Expr)>>,
    /// Its accelerations q'' and those of the leading form at that state.
    pub accelerations: Option<[Vec<f64>; 2]>,
}

/// Two forms at the witness of one of them.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Whose witness it is.
    pub of: usize,
    /// The accelerations q'' by the first form of the pair.
    pub a: Option<Vec<f64>>,
    /// By the second.
    pub b: Option<Vec<f64>>,
}

/// All answers.
#[derive(Clone, Debug)]
pub struct Answers {
    /// One for each form.
    pub forms: Vec<Answer>,
    /// The verdict of each pair of forms.
    pub pairs: Vec<(usize, usize, Agreement)>,
    /// Where pairs differ, by their places: the form whose witness shows it, and the accelerations of both there.
    pub witnesses: Vec<(usize, usize, Shown)>,
    /// Which families agree.
    pub families: Vec<Family>,
    /// An agreement is wrong with a probability of at most 2^-bits; `None` if there is no doubt.
    pub bits: Option<u32>,
}

impl Answer {
    fn plain(agreement: Agreement, why: Option<String>) -> Answer {
        Answer { agreement, why, witness: None, accelerations: None }
    }
}

impl Questions {
    /// Answers all questions; `goes_on` is told how much is done, and whether to go on is what it says.
    pub fn answers(&self, goes_on: &mut dyn FnMut(f64) -> bool) -> Answers {
        let mut bits: Option<u32> = None;
        let mut keep = |error: ErrorBound| {
            if let Some(found) = error.bits() {
                bits = Some(bits.map_or(found, |bits| bits.min(found)));
            }
        };
        let own = self.by_claims(&mut keep, goes_on);
        // Against the leading form: what is identical with the first of its kind stands as that one does.
        let leads = |place: usize| !self.claims.iter().any(|claim| claim.entry == place);
        let against = |place: usize| match (own[place].agreement, self.entries[place].first) {
            (Agreement::Identical, first) if leads(first) => Agreement::Identical,
            (Agreement::Identical, first) => own[first].agreement.max(Agreement::Equivalent),
            (other, _) => other,
        };
        let against: Vec<Agreement> = (0..own.len()).map(against).collect();
        let pairs = pairs(&self.entries, &own, &against);
        // What is identical with one that differs, differs where that does.
        let shown = |place: usize| match against[place] {
            Agreement::Different if own[place].witness.is_none() => {
                self.completed(own[self.entries[place].first].clone())
            }
            _ => self.completed(own[place].clone()),
        };
        let forms = (0..own.len()).map(|place| (place, shown(place))).map(|(place, answer)| {
            let accelerations = self.accelerations(place, &answer);
            Answer { agreement: against[place], accelerations, ..answer }
        });
        let forms: Vec<Answer> = forms.collect();
        let witnesses = pairs.iter().filter_map(|&(a, b, verdict)| Some((a, b, self.shown(a, b, verdict, &forms)?)));
        let witnesses = witnesses.collect();
        let agree = self.entries.iter().zip(&against).filter(|(_, agreement)| **agreement <= Agreement::Equivalent);
        let mut families: Vec<Family> = agree.map(|(entry, _)| entry.formalism.family).collect();
        families.sort_unstable();
        families.dedup();
        Answers { forms, pairs, witnesses, families, bits }
    }

    /// The answer with a value for every parameter: those that do not matter for the difference are 1.
    fn completed(&self, mut answer: Answer) -> Answer {
        let Some(state) = &mut answer.witness else { return answer };
        for symbol in self.entries.iter().flat_map(|entry| Expr::sum(&entry.form.residuals()).symbols()) {
            let Some(named) = symbol.as_symbol().filter(|one| one.kind == Kind::Parameter) else { continue };
            if !state.iter().any(|(known, _)| *known == named) {
                state.push((named, Expr::one()));
            }
        }
        answer
    }

    /// What two forms that differ say at the state that shows it.
    fn shown(&self, a: usize, b: usize, verdict: Agreement, forms: &[Answer]) -> Option<Shown> {
        if verdict != Agreement::Different {
            return None;
        }
        let of = [a, b].into_iter().find(|&place| forms[place].witness.is_some())?;
        let values = self.state_of(&forms[of]);
        let said = |place: usize| self.entries[place].accelerations_at(&values);
        Some(Shown { of, a: said(a), b: said(b) })
    }

    /// The witness of an answer in floats, with the rates that go with it.
    fn state_of(&self, answer: &Answer) -> Vec<(Expr, f64)> {
        let state = answer.witness.iter().flatten();
        let mut values: Vec<(Expr, f64)> =
            state.map(|(symbol, value)| (expr::symbol(symbol.clone()), At::generic().value(*value))).collect();
        let (symbols, rates): (Vec<Expr>, Vec<Expr>) = self.rates.iter().copied().unzip();
        let numbers = at(&rates, &values);
        values.extend(symbols.into_iter().zip(numbers));
        values
    }

    /// Each form against the one that its claim names: all by one question, or one by one.
    fn by_claims(&self, keep: &mut impl FnMut(ErrorBound), goes_on: &mut dyn FnMut(f64) -> bool) -> Vec<Answer> {
        let is_open = |claim: &Claim| claim.agreement == Agreement::Equivalent && claim.differences.is_empty();
        let all = self.question();
        let mut together = proof::decide(all, &self.assumptions);
        let solved = self.solved_rows().unwrap_or_default();
        if let (Verdict::NonZero(_), Some(on_rows)) = (&together, &self.on_rows)
            && !self.is_refuted(all, &solved)
        {
            together = proof::decide(all, on_rows);
        }
        let mut answers = vec![Answer::plain(Agreement::Identical, None); self.entries.len()];
        match &together {
            Verdict::Zero(proof) if !self.claims.iter().any(is_open) => {
                keep(proof.error);
                self.claims.iter().for_each(|claim| answers[claim.entry].agreement = claim.agreement);
            }
            _ => {
                for (done, claim) in self.claims.iter().enumerate() {
                    if !goes_on(done as f64 / self.claims.len() as f64) {
                        let stopped = Answer::plain(Agreement::Unknown, Some("it was stopped before".to_owned()));
                        self.claims[done..].iter().for_each(|claim| answers[claim.entry] = stopped.clone());
                        break;
                    }
                    let mut answer = one(claim, &self.assumptions, keep);
                    if let (Agreement::Different, Some(on_rows)) = (answer.agreement, &self.on_rows) {
                        answer = self.on_solved_rows(claim, &solved).unwrap_or_else(|| one(claim, on_rows, keep));
                    }
                    answers[claim.entry] = answer;
                }
            }
        }
        answers
    }

    /// The geometric rows solved, each for a symbol; `None` if one cannot be.
    fn solved_rows(&self) -> Option<Substitution> {
        let named = self.assumptions.texts().join(" ");
        let mut solved = Substitution::new();
        for &row in &self.geometric {
            let f = solved.apply_one(row).ok()?;
            if f.is_zero() {
                continue;
            }
            solved = solved.then(&Substitution::from([solved_for(f, &named)?])).ok()?;
        }
        Some(solved)
    }

    /// Is it certain that an expression does not vanish where the rows hold?
    fn is_refuted(&self, e: Expr, solved: &Substitution) -> bool {
        let put = solved.apply_one(e).ok().filter(|_| !solved.is_empty());
        put.is_some_and(|put| matches!(proof::decide(put, &self.assumptions), Verdict::NonZero(_)))
    }

    /// A state on the geometric rows at which a claim fails, where each row is solved for a symbol.
    fn on_solved_rows(&self, claim: &Claim, solved: &Substitution) -> Option<Answer> {
        if solved.is_empty() {
            return None;
        }
        let differences = solved.apply(&claim.differences).ok()?;
        let (why, mut state) = shown_apart(&differences, &self.assumptions)?;
        let mut numbers: Substitution =
            state.iter().map(|(symbol, value)| (expr::symbol(symbol.clone()), *value)).collect();
        for &(symbol, value) in solved {
            let missing = value.symbols().into_iter().filter(|one| !numbers.iter().any(|known| known.0 == *one));
            for one in missing.collect::<Vec<Expr>>() {
                numbers.insert(one, Expr::one());
                state.push((one.as_symbol()?, Expr::one()));
            }
            let value = numbers.apply_one(value).ok()?;
            if !At::generic().value(value).is_finite() {
                return None;
            }
            state.push((symbol.as_symbol()?, value));
        }
        Some(Answer { witness: Some(state), ..Answer::plain(Agreement::Different, Some(why)) })
    }

    /// What an entry that differs and the leading one say at the witness.
    fn accelerations(&self, place: usize, answer: &Answer) -> Option<[Vec<f64>; 2]> {
        let leader = &self.entries[self.leader()?];
        answer.witness.as_ref()?;
        let values = self.state_of(answer);
        Some([self.entries[place].accelerations_at(&values)?, leader.accelerations_at(&values)?])
    }
}

impl Entry {
    /// q'' at a state, if the form determines them there.
    pub(super) fn accelerations_at(&self, values: &[(Expr, f64)]) -> Option<Vec<f64>> {
        let unknowns = self.form.all_unknowns();
        let (matrix, constants) = expr::linear_coefficients(&self.form.residuals(), &unknowns).ok()?;
        let right: Vec<f64> = at(&constants, values).into_iter().map(|constant| -constant).collect();
        let matrix: Vec<Vec<f64>> = matrix.iter().map(|row| at(row, values)).collect();
        let found = linear::solve::evaluated(matrix, &right).ok()?;
        Some(at(&self.q_ddot, &[values, &unknowns.into_iter().zip(found).collect::<Vec<_>>()].concat()))
    }
}

/// What expressions are worth at these values; a symbol without a value is 0.
fn at(list: &[Expr], values: &[(Expr, f64)]) -> Vec<f64> {
    let nothing: Vec<(Expr, f64)> = list.iter().flat_map(|e| e.symbols()).map(|symbol| (symbol, 0.0)).collect();
    At::new(&[&nothing, values].concat()).values(list)
}

/// One claim by itself.
fn one(claim: &Claim, assumptions: &Assumptions, keep: &mut impl FnMut(ErrorBound)) -> Answer {
    let unknown = |why: String| Answer::plain(Agreement::Unknown, Some(why));
    if claim.agreement == Agreement::Equivalent && claim.differences.is_empty() {
        return unknown(
            "it does not determine the accelerations, or the leading form was not solved for them".to_owned(),
        );
    }
    match proof::decide(joined(claim.differences.iter().copied()), assumptions) {
        Verdict::Zero(proof) => {
            keep(proof.error);
            Answer::plain(claim.agreement, None)
        }
        Verdict::Unknown(obstacle) => unknown(obstacle.to_string()),
        Verdict::NonZero(_) => {
            let Some((why, state)) = shown_apart(&claim.differences, assumptions) else {
                return unknown("no state was found where it differs".to_owned());
            };
            Answer { witness: Some(state), ..Answer::plain(Agreement::Different, Some(why)) }
        }
    }
}

/// Which of these does not vanish, at a state without the symbols of the one question?
fn shown_apart(differences: &[Expr], assumptions: &Assumptions) -> Option<(String, Vec<(Symbol, Expr)>)> {
    let verdicts = proof::decide_all(differences, assumptions);
    let found = verdicts.into_iter().enumerate().find_map(|(place, verdict)| match verdict {
        Verdict::NonZero(witness) => Some((place, witness)),
        _ => None,
    });
    let (place, witness) = found?;
    let state = witness.state.into_iter().map(|(symbol, value)| (symbol, Expr::number(value)));
    Some((format!("its equation {} is off by {}", place + 1, witness.value), state.collect()))
}

/// A symbol that a geometric row gives by the others: it is linear in it, or in its square. Those that are named are not
/// looked at.
fn solved_for(f: Expr, named: &str) -> Option<(Expr, Expr)> {
    let mut symbols: Vec<Expr> =
        f.symbols().into_iter().filter(|symbol| !named.contains(&symbol.to_string())).collect();
    // coordinates last: a length that fits is the shortest way to a state
    symbols.sort_by_key(|symbol| symbol.as_symbol().is_none_or(|symbol| symbol.kind != Kind::Parameter));
    symbols.into_iter().find_map(|symbol| {
        let slope = expr::derivative(f, symbol).ok()?;
        let bend = expr::derivative(slope, symbol).ok()?;
        let at_zero = |e: Expr| Substitution::from([(symbol, Expr::zero())]).apply_one(e).ok();
        let rest = at_zero(f)?;
        if bend.is_zero() && !slope.is_zero() {
            return Some((symbol, (-rest).try_div(slope).ok()?));
        }
        let is_square = expr::derivative(bend, symbol).ok()?.is_zero() && at_zero(slope)?.is_zero();
        // a negative square has no root: the constraint contradicts itself
        let root = || (-2 * rest).try_div(bend).ok()?.try_pow(&expr::Rational::new(1, 2)?).ok();
        is_square.then(|| Some((symbol, root()?)))?
    })
}

/// Every pair: what holds of both against the leading form, or the first of their kind, holds between them.
fn pairs(entries: &[Entry], answers: &[Answer], against: &[Agreement]) -> Vec<(usize, usize, Agreement)> {
    let mut pairs = Vec::new();
    for (i, a) in entries.iter().enumerate() {
        for (j, b) in entries.iter().enumerate().skip(i + 1) {
            let is_first = |place: usize| entries[place].first == place;
            let same = |place: usize| is_first(place) || answers[place].agreement == Agreement::Identical;
            let verdict = match (against[i], against[j]) {
                _ if a.first == b.first && same(i) && same(j) => Agreement::Identical,
                (x, y) if x <= Agreement::Equivalent && y <= Agreement::Equivalent => Agreement::Equivalent,
                (Agreement::Different, other) | (other, Agreement::Different) if other <= Agreement::Equivalent => {
                    Agreement::Different
                }
                _ => Agreement::Unknown,
            };
            pairs.push((i, j, verdict));
        }
    }
    pairs
}
