//! What must hold of every text?
//!
//! ```text
//! parse, render             end
//! format ∘ format           = format, and says the same
//! print → parse             the same lines
//! JSON → JSON               the same lines
//! elaborate, lower, start, analyse      end, if the model is small
//! ```

use expr::Scope;
use mechanics::constraint::{Row, Space, analyse};
use model::{Line, Model};
use syntax::Diagnostic;

use crate::case::{Case, Kind};

/// Models with more lines than this, element by element, are not taken beyond that.
const LINES: usize = 120;
/// Nor with more coordinates or constraints than this.
const COORDINATES: usize = 16;

/// Runs all stages, and says whether the last of them was reached; panics if a law does not hold.
pub fn run(case: &Case) -> bool {
    match case.kind {
        Kind::Model => model(&case.text).is_some(),
        Kind::Expression => expression(&case.text),
        Kind::Json => json(&case.text).is_some(),
    }
}

fn said(model: &Model) -> Vec<Line> {
    model.lines.iter().map(Line::without_places).collect()
}

fn parsed(text: &str, what: &str) -> Model {
    let parsed = model::parse("again.mech", text);
    let complaint = parsed.render();
    parsed.model.unwrap_or_else(|| panic!("{what} cannot be read:\n{complaint}\n{text}"))
}

fn model(text: &str) -> Option<()> {
    let parsed_first = model::parse("case.mech", text);
    parsed_first.render();
    let pretty = model::format(text);
    if let Ok(pretty) = &pretty {
        assert_eq!(model::format(pretty).as_ref(), Ok(pretty), "formatted twice");
    }
    let first = parsed_first.model?;
    let lines = said(&first);
    let pretty = pretty.expect("a model that can be read can be formatted");
    assert_eq!(said(&parsed(&pretty, "what was formatted")), lines, "formatted");
    assert_eq!(said(&parsed(&model::print(&first), "what was printed")), lines, "printed");
    let json = model::to_json(&first).to_string();
    let again = serde_json::from_str(&json).expect("JSON is JSON");
    let again = model::from_json(&again).expect("what was written can be read");
    let complaint = again.render();
    let again = again.model.unwrap_or_else(|| panic!("JSON cannot be read:\n{complaint}\n{json}"));
    assert_eq!(said(&again), lines, "as JSON");
    mechanics_of(&first)
}

/// The stages of `check`, for a model that is small.
fn mechanics_of(first: &Model) -> Option<()> {
    let told = |errors: Vec<Diagnostic>| drop(first.sources.render_all(&errors));
    let elements = first.elaborate().map_err(told).ok()?;
    if elements.lines.len() > LINES {
        return None;
    }
    let _scope = Scope::with_seed(1);
    let system = mechanics::lower(first).map_err(told).ok()?;
    let count: usize = system.constraints.iter().map(|constraint| constraint.rows.len()).sum();
    if system.coordinates.len() > COORDINATES || count > COORDINATES {
        return None;
    }
    let at = mechanics::start(&system).at(&system);
    let space = Space { q: system.q(), rates: system.q_dot(), accelerations: system.q_ddot(), t: system.time };
    let rows = system.constraints.iter().filter(|constraint| constraint.is_bilateral());
    let rows = rows.flat_map(|constraint| constraint.rows.iter().map(|&f| Row { name: constraint.name.clone(), f }));
    let rows: Vec<Row> = rows.collect();
    let report = analyse(&rows, &space, &at).ok()?;
    assert!(report.rank <= count && report.degrees_of_freedom <= report.coordinates);
    Some(())
}

fn expression(text: &str) -> bool {
    if let Ok(tree) = syntax::parse_expression(text) {
        let written = syntax::format(&tree);
        let again = syntax::parse_expression(&written);
        let again = again.unwrap_or_else(|_| panic!("what was formatted cannot be read: {written}"));
        assert_eq!(syntax::format(&again), written, "formatted twice");
    }
    let _scope = Scope::with_seed(1);
    if let Err(error) = expr::parse_relation(text) {
        drop(error.to_string());
    }
    match expr::parse(text) {
        Err(error) => error.to_string().is_empty(),
        Ok(e) => {
            let written = e.to_string();
            let again = expr::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
            assert!(again == e || again.is_same(e) || e.has_branches(), "`{written}` is another expression");
            true
        }
    }
}

fn json(text: &str) -> Option<()> {
    let value = serde_json::from_str(text).ok()?;
    let first = model::from_json(&value).ok()?;
    first.render();
    let first = first.model?;
    let again = model::from_json(&model::to_json(&first)).expect("what was written can be read");
    assert_eq!(said(&again.model.expect("what was written can be read")), said(&first), "as JSON");
    Some(())
}
