//! The verbs as tests ask them: a model by its settings, and nobody follows.
#![allow(dead_code, reason = "each test uses some of them")]

use anholon::{
    Alone, Audit, Check, Claims, Derivation, Derive, Equilibria, EquilibriumSet, Error, Evaluate, Evaluated, Inspect,
    Integrals, Integrate, Linearize, Linearized, Model, Settings, Show, open,
};

pub fn check(settings: &Settings, show: Option<Show>) -> Result<Check, Error> {
    anholon::check(&open(settings)?, &Inspect { show }, &mut Alone)
}

pub fn derive(loaded: &Model, wanted: &Derive) -> Result<Vec<Derivation>, Error> {
    anholon::derive(loaded, wanted, &mut Alone)
}

pub fn evaluate(loaded: &Model, form: Option<&str>) -> Result<Evaluated, Error> {
    anholon::evaluate(loaded, &Evaluate { form: form.map(str::to_owned) }, &mut Alone)
}

pub fn audit(loaded: &Model) -> Result<Audit, Error> {
    anholon::audit(loaded, &Claims::default(), &mut Alone)
}

pub fn integrals(settings: &Settings, candidates: &[String]) -> Result<Integrals, Error> {
    anholon::integrals(&open(settings)?, &Integrate { candidates: candidates.to_vec() }, &mut Alone)
}

pub fn linearize(settings: &Settings, wanted: &Linearize) -> Result<Linearized, Error> {
    anholon::linearize(&open(settings)?, wanted, &mut Alone)
}

pub fn equilibria(settings: &Settings, wanted: &Equilibria) -> Result<EquilibriumSet, Error> {
    anholon::equilibria(&open(settings)?, wanted, &mut Alone)
}
