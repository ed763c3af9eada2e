//! The verbs as tests ask them: a model by its settings, and nobody follows.
#![allow(dead_code, reason = "each test uses some of them")]

use engine::{
    Alone, Audit, Check, Claims, Derivation, Derive, Equilibria, EquilibriumSet, Error, Evaluate, Evaluated, Inspect,
    Integrals, Integrate, Linearize, Linearized, Loaded, Settings, Show, load,
};

pub fn check(settings: &Settings, show: Option<Show>) -> Result<Check, Error> {
    engine::check(&load(settings)?, &Inspect { show }, &mut Alone)
}

pub fn derive(loaded: &Loaded, wanted: &Derive) -> Result<Vec<Derivation>, Error> {
    engine::derive(loaded, wanted, &mut Alone)
}

pub fn evaluate(loaded: &Loaded, form: Option<&str>) -> Result<Evaluated, Error> {
    engine::evaluate(loaded, &Evaluate { form: form.map(str::to_owned) }, &mut Alone)
}

pub fn audit(loaded: &Loaded) -> Result<Audit, Error> {
    engine::audit(loaded, &Claims::default(), &mut Alone)
}

pub fn integrals(settings: &Settings, candidates: &[String]) -> Result<Integrals, Error> {
    engine::integrals(&load(settings)?, &Integrate { candidates: candidates.to_vec() }, &mut Alone)
}

pub fn linearize(settings: &Settings, wanted: &Linearize) -> Result<Linearized, Error> {
    engine::linearize(&load(settings)?, wanted, &mut Alone)
}

pub fn equilibria(settings: &Settings, wanted: &Equilibria) -> Result<EquilibriumSet, Error> {
    engine::equilibria(&load(settings)?, wanted, &mut Alone)
}
