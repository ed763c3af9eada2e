//! What does the kernel say of random expressions? `oracle N SEED` prints N lines of JSON for
//! `cargo xtask oracle`, which asks SymPy for a second opinion.
//!
//! The protocol stands at the top of `xtask/src/oracle.py`. Three kinds of lines take turns:
//! derivatives, equality verdicts with their witnesses, values. The same seed gives the same lines.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the lines are what this program is for")]

mod draw;
mod pair;
mod value;

use std::process::ExitCode;

use expr::Expr;
use expr::field::mix;
use proof::{Assumptions, Verdict, decide};
use serde_json::{Value, json};

use draw::Draw;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let [count, seed] = *numbers else {
        eprintln!("usage: oracle N SEED");
        return ExitCode::FAILURE;
    };
    (1..=count).for_each(|id| println!("{}", line(id, seed)));
    ExitCode::SUCCESS
}

/// The line with that number: draws until something comes out that can be asked about.
fn line(id: u64, seed: u64) -> Value {
    let kind: fn(&mut Draw) -> Option<Value> = [derivative, equal, value::line][(id % 3) as usize];
    for attempt in 0.. {
        let seed = mix(mix(seed, id), attempt);
        if let Some(mut line) = kind(&mut Draw::new(seed)) {
            line["id"] = json!(id);
            return line;
        }
    }
    unreachable!("attempts do not end")
}

/// Longer texts make SymPy slow and nobody wiser.
const LONGEST: usize = 600;

/// The expression as text, unless it is too long to ask about.
fn text(e: Expr) -> Option<String> {
    let text = e.to_string();
    (text.len() <= LONGEST).then_some(text)
}

fn derivative(draw: &mut Draw) -> Option<Value> {
    let e = draw.expression(3)?;
    let symbols = e.symbols();
    let &symbol = symbols.get(draw.below(symbols.len().max(1)))?;
    let ours = match draw.below(2) {
        0 => expr::derivative(e, symbol),
        _ => expr::gradient(e, &[symbol]).map(|slopes| slopes[0]),
    };
    let ours = ours.ok()?;
    Some(json!({"kind": "derivative", "expr": text(e)?, "symbol": text(symbol)?, "ours": text(ours)?}))
}

fn equal(draw: &mut Draw) -> Option<Value> {
    let pair::Pair { left, right, assumed } = pair::draw(draw)?;
    let mut assumptions = Assumptions::none();
    for relation in &assumed {
        let (a, comparison, b) = expr::parse_relation(relation).ok()?;
        assumptions = assumptions.and(a, comparison, b);
    }
    let verdict = decide(left - right, &assumptions);
    let mut line = json!({"kind": "equal", "expr": text(left)?, "other": text(right)?, "assume": assumed});
    match verdict {
        Verdict::Zero(_) => line["verdict"] = json!("zero"),
        Verdict::Unknown(obstacle) => {
            line["verdict"] = json!("unknown");
            line["why"] = json!(obstacle.to_string());
        }
        Verdict::NonZero(witness) => {
            let state = witness.state.iter();
            line["verdict"] = json!("nonzero");
            line["point"] = state.map(|(symbol, value)| (symbol.to_string(), json!(value.to_string()))).collect();
            // A symbol that the difference no longer holds has no value: ask about the difference.
            let known = |e: Expr| e.symbols().into_iter().all(|symbol| line["point"].get(symbol.to_string()).is_some());
            if !known(left) || !known(right) {
                line["expr"] = json!(text(left - right)?);
                line["other"] = json!("0");
            }
        }
    }
    Some(line)
}
