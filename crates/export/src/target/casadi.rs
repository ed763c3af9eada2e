//! Python with CasADi: functions of numbers and of CasADi's own symbols.

use expr::Op;

use crate::File;
use crate::target::python::{self, Flavour};
use crate::unit::Unit;

const CASADI: Flavour = Flavour {
    suffix: "_casadi",
    library: "ca.",
    imports: IMPORTS,
    function,
    switch: |condition, then, other| format!("ca.if_else({condition}, {then}, {other})"),
    power: |base, exponent| format!("({base})**{exponent}"),
    array: |list| format!("ca.vertcat({list})"),
    reshaped: |array, rows, columns| format!("ca.reshape({array}, {columns}, {rows}).T"),
    matrix: |rows| format!("ca.vertcat(\n        ca.horzcat({}),\n    )", rows.join("),\n        ca.horzcat(")),
    columns: |of, count, by_state, sizes| python::columns(of, count, by_state, sizes, "ca.horzcat(*columns)"),
    tested: "getattr(model, name)",
    solve: "_solve",
    numbers: python::FLOATS,
    list: |answer| format!("np.array({answer}).ravel()"),
};

/// CasADi eliminates without pivots where it solves for symbols: what is left is solved for once more.
const IMPORTS: &str = "import casadi as ca
import numpy as np


def _solve(a, b):
    # Solves a x = b, and twice more for what is left.
    x = ca.solve(a, b)
    x = x + ca.solve(a, b - ca.mtimes(a, x))
    return x + ca.solve(a, b - ca.mtimes(a, x))
";

fn function(op: Op) -> &'static str {
    match op {
        Op::Asin => "asin",
        Op::Acos => "acos",
        Op::Atan => "atan",
        Op::Abs => "fabs",
        Op::Atan2 => "atan2",
        Op::Min => "fmin",
        Op::Max => "fmax",
        same => python::numpy_function(same),
    }
}

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    python::files(unit, &CASADI)
}
