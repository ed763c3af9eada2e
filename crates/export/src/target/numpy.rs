//! Python with NumPy.

use crate::File;
use crate::target::python::{self, Flavour};
use crate::unit::Unit;

const NUMPY: Flavour = Flavour {
    suffix: "",
    library: "np.",
    imports: "import numpy as np",
    function: python::numpy_function,
    switch: |condition, then, other| format!("({then} if {condition} else {other})"),
    power: |base, exponent| format!("np.power({base}, {exponent})"),
    array: |list| format!("np.array([{list}])"),
    reshaped: |array, rows, columns| format!("{array}.reshape({rows}, {columns})"),
    matrix: |rows| format!("np.array([\n        [{}],\n    ])", rows.join("],\n        [")),
    columns: |of, count, by_state, sizes| {
        let join = format!("np.array([[column[i] for column in columns] for i in range({})])", sizes[0]);
        python::columns(of, count, by_state, sizes, &join)
    },
    tested: "getattr(model, name)",
    solve: "np.linalg.solve",
    numbers: "",
    list: |answer| format!("{answer}.ravel()"),
};

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    python::files(unit, &NUMPY)
}
