//! Python with JAX: functions that can be compiled and differentiated. Double precision is switched on.

use crate::File;
use crate::target::python::{self, Flavour};
use crate::unit::Unit;

const JAX: Flavour = Flavour {
    suffix: "_jax",
    library: "jnp.",
    imports: "import jax\nimport numpy as np\n\njax.config.update(\"jax_enable_x64\", True)\n\nimport jax.numpy as jnp",
    function: python::numpy_function,
    switch: |condition, then, other| format!("jnp.where({condition}, {then}, {other})"),
    power: |base, exponent| format!("jnp.power({base}, {exponent})"),
    array: |list| format!("jnp.array([{list}])"),
    reshaped: |array, rows, columns| format!("{array}.reshape({rows}, {columns})"),
    matrix: |rows| format!("jnp.array([\n        [{}],\n    ])", rows.join("],\n        [")),
    columns: |of, count, by_state, sizes| {
        let along =
            if by_state { format!("a, jnp.zeros({})", sizes[1]) } else { format!("jnp.zeros({}), a", sizes[0]) };
        format!("    return jax.vmap(lambda a: {of}(t, y, p, {along}))(jnp.eye({count})).T\n")
    },
    // compiled code orders sums anew, which residuals near zero would show
    tested: "model.jax.jit(getattr(model, name)) if name == \"rhs\" else getattr(model, name)",
    solve: "jnp.linalg.solve",
    numbers: python::FLOATS,
    list: |answer| format!("np.array({answer}).ravel()"),
};

/// The files.
pub fn files(unit: &Unit) -> Vec<File> {
    python::files(unit, &JAX)
}
