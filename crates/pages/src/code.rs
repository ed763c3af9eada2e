//! With which code does a verb end? 0 yes, 1 no, 3 no answer; bad input, 2, is an error before that.

use anholon::answer::{Outcome, StoppedBy};
use anholon::expression::{Same, Verdict};
use anholon::{
    Agreement, Check, Derivation, EquilibriumSet, Evaluated, Linearized, Proved, Simulation, Swept, Verified,
};

/// Are they the same?
pub fn same(answer: &Same) -> u8 {
    match answer.verdict {
        Verdict::Same => 0,
        Verdict::Different => 1,
        Verdict::Unknown => 3,
    }
}

/// Is the model sound?
pub fn checked(answer: &Check) -> u8 {
    u8::from(!answer.fine)
}

/// Does a form apply?
pub fn derived(answer: &[Derivation]) -> u8 {
    if answer.iter().any(|one| one.applicable) { 0 } else { 3 }
}

/// Do the forms agree?
pub fn proved(answer: &Proved) -> u8 {
    match answer.verdict {
        Agreement::Identical | Agreement::Equivalent => 0,
        Agreement::Different => 1,
        Agreement::Unknown => 3,
    }
}

/// Are two models one system?
pub fn same_system(answer: &anholon::Sameness) -> u8 {
    match answer.verdict {
        Agreement::Identical | Agreement::Equivalent => 0,
        Agreement::Different => 1,
        Agreement::Unknown => 3,
    }
}

/// Was a motion found?
pub fn solved(answer: &anholon::Solved) -> u8 {
    if answer.solutions.is_empty() { 3 } else { 0 }
}

/// Does the certificate hold?
pub fn verified(answer: &Verified) -> u8 {
    u8::from(!answer.accepted)
}

/// Was every point of a sweep tried, and has one an answer?
pub fn sweep(answer: &Swept) -> u8 {
    if answer.stopped || answer.failed == answer.points { 3 } else { 0 }
}

/// Do claims or candidates hold?
pub fn judged(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Proved => 0,
        Outcome::Refuted => 1,
        Outcome::Undecided => 3,
    }
}

/// Are there accelerations?
pub fn evaluated(answer: &Evaluated) -> u8 {
    match answer {
        Evaluated::Found(_) => 0,
        Evaluated::NoAnswer { .. } => 3,
    }
}

/// Did the motion reach its end, and do its facts hold?
pub fn simulated(answer: &Simulation) -> u8 {
    match answer {
        _ if matches!(answer.stopped_by, StoppedBy::Failure(_) | StoppedBy::Interrupted) => 3,
        _ if answer.expects.iter().any(|one| one.holds == Some(false)) => 1,
        _ => 0,
    }
}

/// Are there linear equations?
pub fn linearized(answer: &Linearized) -> u8 {
    match answer {
        Linearized::Found(_) => 0,
        Linearized::NoAnswer { .. } => 3,
    }
}

/// Is the set known?
pub fn equilibria(answer: &EquilibriumSet) -> u8 {
    if answer.decided { 0 } else { 3 }
}
