//! C that evaluates expressions: what is shared is computed once.
//!
//! The graph is walked in topological order. A node that is used more than once, or whose text
//! has become long, gets a name; the others are written into the one place that uses them. So
//! the text is as long as the graph is large, and depth costs neither recursion nor brackets.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::graph::{Id, Op, Store};
use crate::number::Rational;
use crate::print::function_name;
use crate::scope::{Expr, with_graph};
use crate::symbol::Symbol;

/// A C function as text, and how to call it.
#[derive(Clone, Debug)]
pub struct Code {
    /// What `in` holds, in order: symbols as the language writes them, such as `theta'`.
    pub inputs: Vec<String>,
    /// How many intermediate results have a name of their own.
    pub temporaries: usize,
    /// The C99 source.
    pub text: String,
}

/// Expressions as one C function, `void NAME(const double *in, double *out)`. The names of the
/// outputs appear in its opening comment.
///
/// ```
/// let _scope = expr::Scope::enter();
/// let (g, l, theta) = (expr::parameter("g"), expr::parameter("l"), expr::coordinate("theta"));
/// let code = expr::code(&[("theta''", -g / l * theta.sin())], "pendulum");
/// assert_eq!(code.inputs, ["g", "l", "theta"]);
/// assert!(code.text.contains("out[0] = -g*sin(theta)/l;"));
/// ```
pub fn code(outputs: &[(&str, Expr)], function: &str) -> Code {
    let roots: Vec<Id> = outputs.iter().map(|(_, e)| e.id()).collect();
    let names: Vec<&str> = outputs.iter().map(|&(name, _)| name).collect();
    with_graph(|graph| Writer::new(&graph.store, &roots, function).finish(&roots, &names))
}

/// A text longer than this gets a name even if it is used once, and a longer sum is broken.
const LONG: usize = 100;

/// Integer powers up to this are written as products.
const CHAIN: i64 = 4;

/// The text of a node that has no name yet.
#[derive(Clone)]
enum Piece {
    Sum(String),
    /// A sign and factors above and below the line, each of which needs no brackets.
    Term {
        negative: bool,
        above: Vec<String>,
        below: Vec<String>,
    },
}

impl Piece {
    fn atom(text: impl Into<String>) -> Piece {
        Piece::Term { negative: false, above: vec![text.into()], below: Vec::new() }
    }

    fn number(value: &Rational) -> Piece {
        Piece::Term { negative: value.is_negative(), above: vec![literal(&value.abs())], below: Vec::new() }
    }

    /// A name, or minus a name: nothing is gained by naming it again.
    fn is_trivial(&self) -> bool {
        let is_word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c));
        matches!(self, Piece::Term { above, below, .. } if below.is_empty() && above.len() == 1 && is_word(&above[0]))
    }

    /// The sign, and the text without it.
    fn split(self) -> (bool, String) {
        match self {
            Piece::Sum(text) => (false, text),
            Piece::Term { negative, above, below } => {
                let mut text = if above.is_empty() { "1.0".to_owned() } else { above.join("*") };
                match &*below {
                    [] => {}
                    [one] => text = format!("{text}/{one}"),
                    _ => text = format!("{text}/({})", below.join("*")),
                }
                (negative, text)
            }
        }
    }

    fn text(self) -> String {
        let (negative, text) = self.split();
        if negative { format!("-{text}") } else { text }
    }

    /// The text as a factor.
    fn factor(self) -> String {
        match self {
            Piece::Term { negative: false, mut above, below } if above.len() == 1 && below.is_empty() => {
                above.swap_remove(0)
            }
            _ => format!("({})", self.text()),
        }
    }
}

struct Writer<'a> {
    store: &'a Store,
    function: String,
    /// The nodes to be computed, rising.
    nodes: Vec<Id>,
    /// How often the text of each node will be needed.
    uses: Vec<u32>,
    /// Is the node an output and nothing else? Then it need not be short.
    final_only: Vec<bool>,
    pieces: Vec<Option<Piece>>,
    names: BTreeSet<String>,
    inputs: Vec<String>,
    temporaries: usize,
    body: String,
}

impl<'a> Writer<'a> {
    fn new(store: &'a Store, roots: &[Id], function: &str) -> Writer<'a> {
        let nodes = store.reachable(roots);
        let mut names: BTreeSet<String> = RESERVED.split_whitespace().map(str::to_owned).collect();
        let function = unused(identifier(function), &mut names);
        let mut writer = Writer {
            store,
            function,
            uses: vec![0; nodes.len()],
            final_only: Vec::new(),
            pieces: vec![None; nodes.len()],
            nodes,
            names,
            inputs: Vec::new(),
            temporaries: 0,
            body: String::new(),
        };
        writer.count_uses(roots);
        writer.declare_inputs();
        (0..writer.nodes.len()).for_each(|place| writer.compute(place));
        writer
    }

    fn place(&self, id: Id) -> usize {
        self.nodes.binary_search(&id).expect("a reachable node")
    }

    fn count_uses(&mut self, roots: &[Id]) {
        for &id in &self.nodes.clone() {
            let copies = match self.store.op(id) {
                Op::Power => copies_of_base(self.store.factor(id).1),
                Op::Sign => 2,
                _ => 1,
            };
            for &child in self.store.children(id) {
                let place = self.place(child);
                self.uses[place] += copies;
            }
        }
        self.final_only = self.uses.iter().map(|&uses| uses == 0).collect();
        for &root in roots {
            let place = self.place(root);
            self.uses[place] += 1;
        }
    }

    fn declare_inputs(&mut self) {
        for place in 0..self.nodes.len() {
            let Some(symbol) = self.store.symbol(self.nodes[place]) else { continue };
            let name = unused(symbol_identifier(symbol), &mut self.names);
            let _ = writeln!(self.body, "    const double {name} = in[{}];", self.inputs.len());
            self.inputs.push(symbol.to_string());
            self.pieces[place] = Some(Piece::atom(name));
        }
    }

    /// Finds the text of a node, and names it where that pays.
    fn compute(&mut self, place: usize) {
        if self.pieces[place].is_some() {
            return;
        }
        let mut piece = self.piece(self.nodes[place]);
        let is_leaf = self.store.children(self.nodes[place]).is_empty();
        if !is_leaf && !piece.is_trivial() && (self.uses[place] > 1 || !self.final_only[place] && length(&piece) > LONG)
        {
            piece = self.named(piece);
        }
        self.pieces[place] = Some(piece);
    }

    fn named(&mut self, piece: Piece) -> Piece {
        self.temporaries += 1;
        let name = unused(format!("t{}", self.temporaries), &mut self.names);
        let _ = writeln!(self.body, "    const double {name} = {};", piece.text());
        Piece::atom(name)
    }

    /// The text of a node's argument; the last use takes it away.
    fn take(&mut self, id: Id) -> Piece {
        let place = self.place(id);
        self.uses[place] = self.uses[place].saturating_sub(1);
        let piece = if self.uses[place] == 0 { self.pieces[place].take() } else { self.pieces[place].clone() };
        piece.expect("arguments come before the nodes that use them")
    }

    fn piece(&mut self, id: Id) -> Piece {
        let store = self.store;
        let children = store.children(id);
        match store.op(id) {
            Op::Number => Piece::number(store.number(id).unwrap_or(&Rational::ZERO)),
            Op::Symbol => unreachable!("symbols are inputs"),
            Op::Pi => Piece::atom("3.1415926535897931"),
            Op::Sum => self.sum(children),
            Op::Scale | Op::Product => self.product(children),
            Op::Power => self.power(id),
            Op::Sign => {
                let [above, below] = [0, 1].map(|_| self.take(children[0]).text());
                Piece::atom(format!("(double)(({above} > 0.0) - ({below} < 0.0))"))
            }
            Op::IfNegative | Op::IfZero => {
                let relation = if store.op(id) == Op::IfNegative { "<" } else { "==" };
                let [d, p, q] = [0, 1, 2].map(|k| self.take(children[k]).text());
                Piece::atom(format!("({d} {relation} 0.0 ? {p} : {q})"))
            }
            op => {
                let arguments: Vec<String> = children.iter().map(|&child| self.take(child).text()).collect();
                Piece::atom(format!("{}({})", c_function(op), arguments.join(", ")))
            }
        }
    }

    fn sum(&mut self, terms: &[Id]) -> Piece {
        let mut out = String::new();
        let mut line = 0;
        for (k, term) in super::in_order(self.store, terms.to_vec()).into_iter().enumerate() {
            let piece = self.take(term);
            let bracketed = matches!(piece, Piece::Sum(_));
            let (negative, text) = piece.split();
            if line + text.len() > LONG && k > 0 {
                out.push_str("\n       ");
                line = 0;
            }
            out.push_str(match (k, negative) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            });
            line += text.len() + 3;
            if bracketed { out.extend(["(", &text, ")"]) } else { out.push_str(&text) }
        }
        Piece::Sum(out)
    }

    fn product(&mut self, factors: &[Id]) -> Piece {
        let mut sign = false;
        let (mut over, mut under) = (Vec::new(), Vec::new());
        for &factor in factors {
            match self.take(factor) {
                Piece::Term { negative, above, below } => {
                    sign ^= negative;
                    over.extend(above);
                    under.extend(below);
                }
                sum => over.push(sum.factor()),
            }
        }
        over.retain(|factor| factor != "1.0");
        Piece::Term { negative: sign, above: over, below: under }
    }

    fn power(&mut self, id: Id) -> Piece {
        let (base, exponent) = self.store.factor(id);
        let size = exponent.abs();
        let copies = copies_of_base(&size) as usize;
        let mut list = match size.to_small() {
            Some((n, 1)) if n <= CHAIN => (0..copies).map(|_| self.take(base).factor()).collect(),
            Some((n, 2)) if n <= CHAIN => {
                let mut list: Vec<String> = (1..copies).map(|_| self.take(base).factor()).collect();
                list.push(format!("sqrt({})", self.take(base).text()));
                list
            }
            _ => vec![format!("pow({}, {})", self.take(base).text(), Piece::number(&size).text())],
        };
        let above = if exponent.is_negative() { Vec::new() } else { std::mem::take(&mut list) };
        Piece::Term { negative: false, above, below: list }
    }

    fn finish(mut self, roots: &[Id], names: &[&str]) -> Code {
        for (k, &root) in roots.iter().enumerate() {
            let text = self.take(root).text();
            let _ = writeln!(self.body, "    out[{k}] = {text};");
        }
        for (unused, list) in [("in", self.inputs.is_empty()), ("out", roots.is_empty())] {
            if list {
                let _ = writeln!(self.body, "    (void){unused};");
            }
        }
        let mut text = String::from("#include <math.h>\n\n/*\n");
        for (array, list) in [("in", self.inputs.iter().map(String::as_str).collect()), ("out", names.to_vec())] {
            for (k, name) in list.into_iter().enumerate() {
                let _ = writeln!(text, " * {array}[{k}] = {}", comment(name));
            }
        }
        let _ = write!(text, " */\nvoid {}(const double *in, double *out)\n{{\n{}}}\n", self.function, self.body);
        Code { inputs: self.inputs, temporaries: self.temporaries, text }
    }
}

fn length(piece: &Piece) -> usize {
    match piece {
        Piece::Sum(text) => text.len(),
        Piece::Term { above, below, .. } => above.iter().chain(below).map(|factor| factor.len() + 1).sum(),
    }
}

/// How often the base appears where a power is written out: x·x·x, x·√x.
fn copies_of_base(exponent: &Rational) -> u32 {
    match exponent.abs().to_small() {
        Some((n, 1)) if n <= CHAIN => n as u32,
        Some((n, 2)) if n <= CHAIN => (n as u32).div_ceil(2),
        _ => 1,
    }
}

fn c_function(op: Op) -> &'static str {
    match op {
        Op::Abs => "fabs",
        Op::Min => "fmin",
        Op::Max => "fmax",
        _ => function_name(op),
    }
}

/// A positive number: a decimal where that is the number or its nearest double, else a quotient
/// that the compiler rounds once, else 17 digits.
fn literal(value: &Rational) -> String {
    const EXACT: i64 = 1 << f64::MANTISSA_DIGITS;
    let float = value.to_f64();
    if float.is_infinite() {
        return "HUGE_VAL".to_owned();
    }
    match value.to_small() {
        Some((n, d)) if n <= EXACT && d <= EXACT && !is_decimal(d) => format!("({n}.0/{d}.0)"),
        Some((n, d)) if n <= EXACT && d <= EXACT => format!("{float:?}"),
        _ => format!("{float:.16e}"),
    }
}

fn is_decimal(mut denominator: i64) -> bool {
    for prime in [2, 5] {
        while denominator % prime == 0 {
            denominator /= prime;
        }
    }
    denominator == 1
}

// ---- names

/// Words that may not name a variable: C's and C++'s keywords, what the code calls, and macros.
const RESERVED: &str = "
    alignas alignof and asm auto bool break case catch char class const constexpr continue default delete do double
    else enum explicit export extern false float for friend goto if inline int long mutable namespace new not nullptr
    operator or private protected public register restrict return short signed sizeof static static_assert struct
    switch template this thread_local throw true try typedef typename typeof typeof_unqual union unsigned using
    virtual void volatile wchar_t while xor bitand bitor compl and_eq or_eq not_eq xor_eq
    in out main sin cos tan asin acos atan sinh cosh tanh exp log fabs cbrt atan2 fmin fmax sqrt pow
    HUGE_VAL HUGE_VALF HUGE_VALL HUGE INFINITY NAN OVERFLOW UNDERFLOW DOMAIN SING TLOSS PLOSS MAXFLOAT SNAN
    M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
    MATH_ERRNO MATH_ERREXCEPT math_errhandling FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL FP_ILOGB0
    FP_ILOGBNAN FP_FAST_FMA linux unix i386";

/// `q''` is `q_d2`, `a[3]'` is `a_3_d1`.
fn symbol_identifier(symbol: &Symbol) -> String {
    let name = identifier(&symbol.name);
    if symbol.order == 0 { name } else { format!("{name}_d{}", symbol.order) }
}

fn identifier(name: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let word: String = name.trim_end_matches(']').chars().map(allowed).collect();
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) { word } else { format!("v{word}") }
}

/// The name, lengthened until nothing else has it.
fn unused(mut name: String, names: &mut BTreeSet<String>) -> String {
    while !names.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// A name as it may stand in a comment.
fn comment(name: &str) -> String {
    name.replace(char::is_control, " ").replace("*/", "* /").replace("/*", "/ *")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;
    use crate::{Scope, coordinate, parse_all};

    fn body(texts: &[&str]) -> String {
        let outputs: Vec<(&str, Expr)> = texts.iter().copied().zip(parse_all(texts).unwrap()).collect();
        let text = code(&outputs, "f").text;
        let lines = text.lines().filter(|line| line.starts_with("    ") && !line.contains("= in["));
        lines.map(str::trim).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn expressions_become_statements() {
        let table = [
            ("x^2 - x^3/y^2", "out[0] = x*x - x*x*x/(y*y);"),
            ("x^9 + 1/x", "out[0] = pow(x, 9.0) + 1.0/x;"),
            ("x/3 + 0.1 + x^(1/3)", "out[0] = (1.0/3.0)*x + pow(x, (1.0/3.0)) + 0.1;"),
            ("m/(x*x + 1)^(3/2)", "const double t1 = x*x + 1.0; out[0] = m/(t1*sqrt(t1));"),
            ("-(x + y)*sin(-x)", "out[0] = (x + y)*sin(x);"),
            ("x - (y - 2)", "out[0] = x - (y - 2.0);"),
            ("sign(x)*abs(y)", "out[0] = (double)((x > 0.0) - (x < 0.0))*fabs(y);"),
            ("if(x < y, x, -y)", "out[0] = (x - y < 0.0 ? x : -y);"),
            ("a[3]'' + int + t1*sin(x)^2", "const double t1_ = sin(x); out[0] = a_3_d2 + t1*t1_*t1_ + int_;"),
            ("2", "out[0] = 2.0; (void)in;"),
        ];
        for (from, to) in table {
            let _scope = Scope::with_seed(1);
            assert_eq!(body(&[from]), to);
        }
    }

    #[test]
    fn deep_graphs_stay_linear() {
        let _scope = Scope::with_seed(1);
        let x = coordinate("x");
        let deep = (0..100_000).fold(x, |e, _| e.sin() + x);
        let shared = (0..100_000).fold(x, |e, _| e.sin() * e);
        let code = code(&[("deep", deep), ("shared", shared)], "f");
        assert!(code.text.len() < 10_000_000, "{}", code.text.len());
        assert!(code.text.lines().all(|line| line.len() < 300));
    }

    /// A directory that goes when the test does.
    struct Folder(PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_compiler_agrees_with_the_kernel() {
        let texts = [
            "m*l*theta'^2*sin(theta) - (m + M)*x''/(M + m*sin(theta)^2)^2 + g*cos(theta)*sin(theta)",
            "exp(-x)*log(x + 2) + sqrt(x^2 + 1)/(x^2 + 1)^(3/2) + (x^2 + 1)^(2/3) + cbrt(x - 1)",
            "atan2(x'', theta) + tan(x) + asin(x/4) + acos(x/4) + atan(x) + sinh(x) + cosh(x) + tanh(x)",
            "sign(x - 1)*abs(x'') + min(x, theta)*max(x, theta) + if(x < theta, x, 1/3) + if(x = theta, 1, 2/7)",
            "pi*x^7/(x^5 + 3) + 981/100 + 0.1*x + 123456789012345678901234567890*x/10^30 + x^(-4)",
            "cos(pi/7)*sqrt(6)*double + y1 + linux + out + theta_d1 - theta'",
            "x",
        ];
        let _scope = Scope::with_seed(1);
        let values = parse_all(&texts).unwrap();
        let outputs: Vec<(&str, Expr)> = texts.iter().copied().zip(values.iter().copied()).collect();
        let mut symbols: Vec<Expr> = values.iter().flat_map(|e| e.symbols()).collect();
        symbols.sort_by_key(|symbol| symbol.id());
        symbols.dedup();
        let generated = code(&outputs, "while");
        let names: Vec<String> = symbols.iter().map(Expr::to_string).collect();
        assert_eq!(generated.inputs, names);
        let state = |k: usize| -> Vec<(Expr, f64)> {
            let value = |j: usize| 0.3 + ((7 * k + 3 * j) % 11) as f64 * 0.13;
            symbols.iter().enumerate().map(|(j, &symbol)| (symbol, value(j))).collect()
        };
        let printed = run(&generated.text, &(0..5).map(state).collect::<Vec<_>>(), outputs.len());
        for (k, found) in printed.chunks(outputs.len()).enumerate() {
            let at = crate::At::new(&state(k));
            for (e, &found) in values.iter().zip(found) {
                let expected = at.value(*e);
                let close = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
                assert!(close, "state {k}: {e} is {expected}, C says {found}");
            }
        }
    }

    /// Compiles `while_` and prints its outputs at every state.
    fn run(function: &str, states: &[Vec<(Expr, f64)>], outputs: usize) -> Vec<f64> {
        let folder = Folder(std::env::temp_dir().join(format!("anholon-code-{}", std::process::id())));
        std::fs::create_dir_all(&folder.0).unwrap();
        let [source, program] = ["code.c", "code"].map(|name| folder.0.join(name));
        let rows: Vec<String> = states
            .iter()
            .map(|state| state.iter().map(|(_, value)| format!("{value:?}")).collect::<Vec<_>>().join(", "))
            .collect();
        let main = format!(
            "#include <stdio.h>\nint main(void) {{ static const double in[][{}] = {{ {{ {} }} }}; double out[{outputs}];
            for (int k = 0; k < {}; k++) {{ while_(in[k], out); for (int j = 0; j < {outputs}; j++) printf(\"%.17g\\n\", out[j]); }}
            return 0; }}\n",
            states[0].len(),
            rows.join(" }, { "),
            states.len(),
        );
        std::fs::write(&source, function.to_owned() + &main).unwrap();
        let options = ["-std=c99", "-pedantic", "-O1", "-Wall", "-Wextra", "-Werror"];
        let built = Command::new("cc").args(options).arg(&source).arg("-o").arg(&program).arg("-lm").output();
        let built = built.expect("this test needs a C compiler that is called `cc`");
        assert!(built.status.success(), "{}\n{function}", String::from_utf8_lossy(&built.stderr));
        let ran = Command::new(&program).output().unwrap();
        String::from_utf8(ran.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
    }
}
