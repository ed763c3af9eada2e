//! Which works are compared, with whom, and which ratio is wanted?

/// A work that we and somebody else do.
pub struct Row {
    /// The name for `--only`, and the work of both programs.
    pub name: &'static str,
    pub work: &'static str,
    /// The size of it.
    pub n: usize,
    /// The peer, by the name of its script and by its own.
    pub tool: &'static str,
    pub peer: &'static str,
    /// What is done, for the table.
    pub title: &'static str,
    /// Ours over theirs, at most.
    pub target: f64,
    /// Why it is not reached, as far as that is known; shown where it is not.
    pub why: &'static str,
}

const fn row(
    name: &'static str,
    (work, n): (&'static str, usize),
    (tool, peer): (&'static str, &'static str),
    title: &'static str,
    target: f64,
    why: &'static str,
) -> Row {
    Row { name, work, n, tool, peer, title, target, why }
}

const CASADI: (&str, &str) = ("casadi", "CasADi SX");
const CASADI_C: (&str, &str) = ("casadi", "CasADi, C by gcc -O3");
const HEYOKA: (&str, &str) = ("heyoka", "heyoka");
const LANES: (&str, &str) = ("heyoka", "heyoka, in lanes");

const SCALAR: &str = "a call of the public function has a fixed cost, which small models feel";
const MOTION: &str = "preparation is in our time and not in theirs, and theirs is a compiled Taylor method";
const PREPARED: &str = "preparation is in our time and not in theirs";
const STIFF: &str = "the implicit method takes 23,435 steps and refuses 14,005 more; why is not known";
const MANY: &str = "each motion is stepped by itself, by a method without lanes";

/// All works, in the order of the table.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row("derive-10", ("derive", 10), CASADI, "M and f of a cart with 10 links, in letters", 0.08, ""),
    row("derive-100", ("derive", 100), CASADI, "the same with 100 links", 0.1, ""),
    row("derive-300", ("derive", 300), CASADI, "the same with 300 links", 0.1, ""),
    row("bicycle", ("bicycle", 0), ("sympy", "SymPy"), "the bicycle: one form (Kane), from the text to written equations", 0.03, ""),
    row("qdd-1", ("qdd", 1), CASADI_C, "q'' of a cart with 1 link, one state", 1.0, SCALAR),
    row("qdd-2", ("qdd", 2), CASADI_C, "q'', 2 links, one state", 1.0, SCALAR),
    row("qdd-5", ("qdd", 5), CASADI_C, "q'', 5 links, one state", 1.0, SCALAR),
    row("qdd-10", ("qdd", 10), CASADI_C, "q'', 10 links, one state", 1.0, SCALAR),
    row("qdd-20", ("qdd", 20), CASADI_C, "q'', 20 links, one state", 1.0, SCALAR),
    row("qdd-50", ("qdd", 50), ("mujoco", "MuJoCo"), "q'', 50 links, one state", 0.5, ""),
    row("qdd-100", ("qdd", 100), ("pinocchio", "Pinocchio, from Python"), "q'', 100 links, one state", 0.5, ""),
    row("lanes-1", ("lanes", 1), LANES, "q'', 1 link, 512 states, each", 1.0, ""),
    row("lanes-2", ("lanes", 2), LANES, "q'', 2 links, 512 states, each", 1.0, ""),
    row("lanes-5", ("lanes", 5), LANES, "q'', 5 links, 512 states, each", 1.0, ""),
    row("lanes-10", ("lanes", 10), LANES, "q'', 10 links, 512 states, each", 1.0, ""),
    row("lanes-20", ("lanes", 20), LANES, "q'', 20 links, 512 states, each", 1.0, ""),
    row("double-9", ("double-9", 0), HEYOKA, "a double pendulum, 10 s, tolerance 1e-9", 1.0, MOTION),
    row("double-15", ("double-15", 0), HEYOKA, "a double pendulum, 10 s, machine precision", 1.0, MOTION),
    row("five-15", ("five-15", 0), HEYOKA, "five links, 10 s, machine precision", 1.0, MOTION),
    row("disc-11", ("disc-11", 0), ("numba", "DOP853 in numba"), "a rolling disc, 10 s, to 1e-11; ours keeps constraints and has reactions", 1.0, PREPARED),
    row("sleigh-9", ("sleigh-9", 0), HEYOKA, "Chaplygin's sleigh, 10 s, tolerance 1e-9", 2.0, MOTION),
    row("disc-long", ("disc-long", 0), HEYOKA, "a rolling disc, 1,000 s: energy and constraints", 1.0, MOTION),
    row("ensemble", ("ensemble", 1000), LANES, "double pendulums, 10 s, tolerance 1e-9, one of 1,000", 1.0, MANY),
    row("stiff-cvodes", ("stiff", 0), ("cvodes", "CasADi CVODES"), "a pendulum on a spring with k/m = 1e10 and a damper of 1e7, 10 s, 1e-8", 1.0, STIFF),
    row("stiff-lsoda", ("stiff", 0), ("lsoda", "SciPy LSODA"), "the same", 1.0, STIFF),
    row("stiff-andrews", ("andrews", 0), ("cvodes", "CasADi CVODES"), "Andrews' squeezing mechanism, 0.03 s, 1e-9; theirs is differentiated twice, ours keeps constraints", 1.0, PREPARED),
    row("stiff-andrews-lsoda", ("andrews", 0), ("lsoda", "SciPy LSODA"), "the same", 1.0, PREPARED),
    row("stiff-car", ("car", 0), ("cvodes", "CasADi CVODES"), "the car axis, 3 s, 1e-9; the same is said of it", 1.0, PREPARED),
    row("stiff-car-lsoda", ("car", 0), ("lsoda", "SciPy LSODA"), "the same", 1.0, PREPARED),
];

/// What is not compared, and why.
pub const MISSING: &[(&str, &str)] = &[
    ("CasADi's IDAS, and SciPy's Radau on the mechanisms", "their scripts are not written"),
    ("SciPy's Radau on the stiff pendulum", "it takes a hundred times as long as CVODES"),
    ("the kernel: nodes a second", "there is no peer; `cargo xtask bench kernel` measures it"),
];
