//! What does a random model look like? Lines of the language with random expressions in them.

use expr::field::Random;

/// A source of random text.
pub struct Grammar<'a> {
    random: &'a mut Random,
}

const FUNCTIONS: &[&str] =
    &["sin", "cos", "tan", "sqrt", "exp", "log", "abs", "atan", "asin", "acos", "sinh", "cosh", "tanh", "sign", "cbrt"];
const NAMES: &[&str] =
    &["x", "y", "z", "phi", "x'", "y'", "phi'", "x''", "a", "b", "l", "t", "pi", "q[1]", "q[2]'", "u"];
const PLACES: &[&str] = &["x", "y", "z", "phi", "q[1]", "x*y", "a", "l", "t", "P.x", "Q.y", "sin(phi)", "cos(phi)"];
const RATES: &[&str] = &["x'", "y'", "z'", "phi'", "q[1]'", "q[2]'", "velocity(Q).x", "velocity(P).y", "omega(A).z"];
const VECTORS: &[&str] =
    &["P", "Q", "(x, y)", "(x, y, z)", "(l, 0)", "0", "P - Q", "2*Q", "A*(l, 0, 0)", "A.x", "velocity(P)"];

impl<'a> Grammar<'a> {
    pub fn new(random: &'a mut Random) -> Grammar<'a> {
        Grammar { random }
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.below(count as u64) as usize
    }

    fn one(&mut self, list: &[&str]) -> String {
        list[self.below(list.len())].to_owned()
    }

    fn number(&mut self) -> String {
        match self.below(8) {
            0 => self.random.next().to_string(),
            1 => format!("{}.{}", self.below(100), self.below(1000)),
            2 => format!("{}e{}", self.below(10), self.below(60)),
            3 => format!("{}/{}", self.below(20), 1 + self.below(20)),
            _ => self.below(5).to_string(),
        }
    }

    /// An expression of at most this depth.
    pub fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(5) == 0 {
            return if self.below(3) == 0 { self.number() } else { self.one(NAMES) };
        }
        let mut part = || self.expression(depth - 1);
        let (left, right) = (part(), part());
        match self.below(12) {
            0..3 => format!("{left} + {right}"),
            3 => format!("({left}) - ({right})"),
            4..6 => format!("({left})*({right})"),
            6 => format!("({left})/({right})"),
            7 => format!("({left})^{}", self.below(5)),
            8 => format!("({left})^({}/{})", self.below(7), 1 + self.below(4)),
            9 => format!("-({left})"),
            10 => format!("{}({left}, {right})", self.one(&["atan2", "min", "max", "dot", "cross"])),
            _ => format!("{}({left})", self.one(FUNCTIONS)),
        }
    }

    /// A sum of rates with coefficients that depend on the place: Σ a(q) q'.
    fn rates(&mut self) -> String {
        let mut term = || format!("{}*{}", self.one(PLACES), self.one(RATES));
        let terms: Vec<String> = (0..3).map(|_| term()).collect();
        terms[..1 + self.below(3)].join(if self.below(2) == 0 { " + " } else { " - " })
    }

    /// An expression of places alone.
    fn place(&mut self) -> String {
        let (a, b, c) = (self.one(PLACES), self.one(PLACES), self.one(PLACES));
        match self.below(6) {
            0 => format!("{a}^2 + {b}^2"),
            1 => format!("sqrt({a}^2 + {b}^2) - {c}"),
            2 => format!("{a}*{b} - {c}"),
            3 => format!("{}({a})*{b}", self.one(FUNCTIONS)),
            4 => format!("norm(P - Q) - {a}"),
            _ => format!("{a} - {b}"),
        }
    }

    /// A model without units, most of whose lines make sense.
    pub fn model(&mut self) -> String {
        let mut text = "param a = 2, b = 1/3, l = 3/2, m = 1, n = 3\ncoord x, y, z, phi\ncoord q[1..n]\n".to_owned();
        text += "frame A = N rotated z by phi\npoint P = (x, y, z) mass m\npoint Q = P + l*A.x mass 2*m\n";
        text += "body D mass m at P frame A inertia (a, b, 1)\nspeed u = x'*cos(phi) + y'*sin(phi)\n";
        for count in 0..1 + self.below(9) {
            let line = self.line(count);
            text += &line;
            text += "\n";
        }
        text
    }

    fn line(&mut self, count: usize) -> String {
        let depth = 1 + self.below(3);
        let (e, f) = (self.expression(depth), self.expression(1));
        let (v, w) = (self.one(VECTORS), self.one(VECTORS));
        match self.below(26) {
            0 => format!("constraint c{count}: {e} = {f}"),
            1..4 => format!("constraint c{count}: {} = {}", self.place(), self.one(PLACES)),
            4..8 => format!("constraint c{count}: {} = {}", self.rates(), self.one(&["0", "0", "a", "t", "x"])),
            8 => format!("constraint c{count}: {v} = {w}"),
            9 => format!("constraint r{count}[i]: q[i]' = {} for i in 1..n", self.place()),
            10 => format!("constraint c{count}: {} = {f} from t >= {}", self.rates(), self.one(&["0", "1", "a"])),
            11 => format!("force ({e}, {f}) on P"),
            12 => format!("potential {}", self.place()),
            13 => format!("start {} = {f}", self.one(NAMES)),
            14 => format!("start {} = {}", self.place(), self.one(PLACES)),
            15 => format!("guess {} = {f}", self.one(NAMES)),
            16 => format!("let f{count} = {e}"),
            17 => format!("observe o{count} = {e}"),
            18 => format!("speed u{count} = {}", self.rates()),
            19 => format!("input F{count} : N = {e}"),
            20 => format!("spring {} rest {f} between P and Q", self.place()),
            21 => format!("expect e{count}: {e} = {f} at start within 1e-9"),
            22 => format!("param p{count} = {f}"),
            23 => format!("frame B{count} = A rotated {} by {}", self.one(&["x", "y", "z"]), self.place()),
            24 => format!(
                "contact k{count}: {} on plane({}, 0)",
                self.one(&["D rolls as sphere(l)", "D rolls as disc(l, A.x)", "P slides", "D skates along A.x"]),
                self.one(&["N.z", "N.y", "A.x"])
            ),
            _ => format!("assume {e} > {f}"),
        }
    }
}
