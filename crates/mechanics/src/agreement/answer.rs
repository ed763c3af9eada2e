//! What came of the comparison of forms: who agrees with whom, or a state at which they do not?

use expr::{At, Expr, Rational, Symbol};
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
    /// A state at which it differs.
    pub witness: Option<Vec<(Symbol, Rational)>>,
    /// Its accelerations q'' and those of the leading form at that state.
    pub accelerations: Option<[Vec<f64>; 2]>,
}

/// All answers.
#[derive(Clone, Debug)]
pub struct Answers {
    /// One for each form.
    pub forms: Vec<Answer>,
    /// The verdict of each pair of forms.
    pub pairs: Vec<(usize, usize, Agreement)>,
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
        let forms = own.into_iter().enumerate().map(|(place, answer)| {
            let accelerations = self.accelerations(place, &answer);
            Answer { agreement: against[place], accelerations, ..answer }
        });
        let agree = self.entries.iter().zip(&against).filter(|(_, agreement)| **agreement <= Agreement::Equivalent);
        let mut families: Vec<Family> = agree.map(|(entry, _)| entry.formalism.family).collect();
        families.sort_unstable();
        families.dedup();
        Answers { forms: forms.collect(), pairs, families, bits }
    }

    /// Each form against the one that its claim names: all by one question, or one by one.
    fn by_claims(&self, keep: &mut impl FnMut(ErrorBound), goes_on: &mut dyn FnMut(f64) -> bool) -> Vec<Answer> {
        let is_open = |claim: &Claim| claim.agreement == Agreement::Equivalent && claim.differences.is_empty();
        let all = self.question();
        let mut together = proof::decide(all, &self.assumptions);
        if let (Verdict::NonZero(_), Some(on_rows)) = (&together, &self.on_rows) {
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
                        answer = one(claim, on_rows, keep);
                    }
                    answers[claim.entry] = answer;
                }
            }
        }
        answers
    }

    /// What an entry that differs and the leading one say at the witness.
    fn accelerations(&self, place: usize, answer: &Answer) -> Option<[Vec<f64>; 2]> {
        let leader = &self.entries[self.leader()?];
        let state = answer.witness.as_ref()?.iter();
        let mut values: Vec<(Expr, f64)> =
            state.map(|(symbol, value)| (expr::symbol(symbol.clone()), value.to_f64())).collect();
        let (symbols, rates): (Vec<Expr>, Vec<Expr>) = self.rates.iter().copied().unzip();
        let numbers = at(&rates, &values);
        values.extend(symbols.into_iter().zip(numbers));
        Some([self.entries[place].accelerations_at(&values)?, leader.accelerations_at(&values)?])
    }
}

impl Entry {
    /// q'' at a state, if the form determines them there.
    fn accelerations_at(&self, values: &[(Expr, f64)]) -> Option<Vec<f64>> {
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
            // Which one, at a state without the symbols of the one question?
            let verdicts = proof::decide_all(&claim.differences, assumptions);
            let found = verdicts.into_iter().enumerate().find_map(|(place, verdict)| match verdict {
                Verdict::NonZero(witness) => Some((place, witness)),
                _ => None,
            });
            let Some((place, witness)) = found else {
                return unknown("no state was found where it differs".to_owned());
            };
            let why = format!("its equation {} is off by {}", place + 1, witness.value);
            Answer { witness: Some(witness.state), ..Answer::plain(Agreement::Different, Some(why)) }
        }
    }
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
