//! Which function do the values of a table make? A cubic between neighbours, with slopes that keep it monotone.
//!
//! ```text
//! u = (x − xₖ)/hₖ,   Δₖ = yₖ₊₁ − yₖ
//! y = yₖ + u (aₖ + u (3 Δₖ − 2 aₖ − bₖ + u (aₖ + bₖ − 2 Δₖ))),    aₖ = hₖ mₖ,  bₖ = hₖ mₖ₊₁          (1)
//! mₖ = (w₁ + w₂)/(w₁/dₖ₋₁ + w₂/dₖ),  w₁ = 2 hₖ + hₖ₋₁,  w₂ = hₖ + 2 hₖ₋₁,  d = Δ/h                  (2)
//! ```
//!
//! The slope (2) is zero where the table turns, and that of the chord at its ends. So the function is once differentiable, rises
//! where its values rise, and never leaves the values of neighbours. All numbers are exact. Outside the table it is the root of a negative
//! number: no number, which the verbs refuse.
//!
//! Source: F. N. Fritsch, J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300–304.

use expr::Rational;
use syntax::{Arguments, Comparison, Node, NodeKind, Relation, Scale, Sign, Span, Unit};

use crate::declaration::{Let, Table};

/// More rows than this are refused.
const MOST_ROWS: usize = 1000;

/// The rows of a table, and the units of its columns.
struct Rows {
    x: Vec<Rational>,
    y: Vec<Rational>,
    units: [Option<Unit>; 2],
}

/// The function that a table means, from the text of its file; or what is wrong with that.
pub(crate) fn function(table: &Table, text: &str) -> Result<Let, String> {
    let rows = read(table, text)?;
    let slopes = slopes(&rows);
    let make = Make { table, rows: &rows, slopes: &slopes, span: table.place };
    let value = make.inside();
    Ok(Let { name: table.name.clone(), arguments: vec![table.argument.clone()], value })
}

fn read(table: &Table, text: &str) -> Result<Rows, String> {
    let mut rows = Rows { x: Vec::new(), y: Vec::new(), units: [None, None] };
    let mut has_head = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |message: String| format!("{}, line {number}: {message}", table.file);
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let [first, second] = cells[..] else {
            return Err(wrong(format!("two columns are expected, found {}", cells.len())));
        };
        if !has_head {
            rows.units = [unit(first).map_err(wrong)?, unit(second).map_err(wrong)?];
            has_head = true;
            continue;
        }
        let value = |cell: &str| signed(cell).ok_or_else(|| wrong(format!("`{cell}` is not a number")));
        let (x, y) = (value(first)?, value(second)?);
        if rows.x.last().is_some_and(|last| (&x - last).signum() <= 0) {
            return Err(wrong(format!("`{first}` does not follow the value before it: the first column must rise")));
        }
        if rows.x.len() >= MOST_ROWS {
            return Err(wrong(format!("a table has at most {MOST_ROWS} rows")));
        }
        rows.x.push(x);
        rows.y.push(y);
    }
    match rows.x.len() {
        0 | 1 => Err(format!(
            "{}: a table has a line of names with units, as in `v [m/s], mu [1]`, and two rows or more",
            table.file
        )),
        _ => Ok(rows),
    }
}

/// The unit in the head of a column, `v [m/s]`.
fn unit(head: &str) -> Result<Option<Unit>, String> {
    let (_, rest) = head
        .split_once('[')
        .ok_or_else(|| format!("`{head}` has no unit; write `{head} [m]`, or `[1]` for a number"))?;
    let text = rest.strip_suffix(']').unwrap_or(rest).trim();
    let unit = syntax::parse_unit(text).map_err(|_| format!("`{text}` is not a unit"))?;
    Ok((!unit.factors.is_empty()).then_some(unit))
}

fn signed(text: &str) -> Option<Rational> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = if digits.starts_with('.') { format!("0{digits}") } else { digits.to_owned() };
    let value = Rational::parse_decimal(&digits).ok()?;
    Some(if negative { &Rational::ZERO - &value } else { value })
}

/// The slopes (2).
fn slopes(rows: &Rows) -> Vec<Rational> {
    let n = rows.x.len();
    let h: Vec<Rational> = (1..n).map(|k| &rows.x[k] - &rows.x[k - 1]).collect();
    let d: Vec<Rational> = (1..n).map(|k| over(&(&rows.y[k] - &rows.y[k - 1]), &h[k - 1])).collect();
    let inner = |k: usize| {
        let (before, after) = (&d[k - 1], &d[k]);
        if before.signum() * after.signum() <= 0 {
            return Rational::ZERO;
        }
        let (two, first, second): (Rational, _, _) = (2.into(), &h[k - 1], &h[k]);
        let w1 = &(&two * second) + first;
        let w2 = second + &(&two * first);
        over(&(&w1 + &w2), &(&over(&w1, before) + &over(&w2, after)))
    };
    (0..n)
        .map(|k| match k {
            0 => d[0].clone(),
            k if k == n - 1 => d[n - 2].clone(),
            k => inner(k),
        })
        .collect()
}

/// A quotient; what is divided by is never zero here.
fn over(a: &Rational, b: &Rational) -> Rational {
    b.recip().map_or(Rational::ZERO, |inverse| a * &inverse)
}

struct Make<'a> {
    table: &'a Table,
    rows: &'a Rows,
    slopes: &'a [Rational],
    span: Span,
}

impl Make<'_> {
    fn node(&self, kind: NodeKind) -> Node {
        Node::new(kind, self.span)
    }

    /// An exact number of a column.
    fn number(&self, value: &Rational, column: usize) -> Node {
        let (above, below) = (value.numerator(), value.denominator());
        let digits = |text: String, unit: Option<Unit>| self.node(NodeKind::Number { text, unit });
        let unit = self.rows.units[column].clone();
        let whole = above.to_string();
        let (negative, above) = match whole.strip_prefix('-') {
            Some(rest) => (true, rest.to_owned()),
            None => (false, whole),
        };
        let mut node = digits(above, unit);
        if below.to_string() != "1" {
            node = self
                .node(NodeKind::Product(vec![(Scale::Times, node), (Scale::Over, digits(below.to_string(), None))]));
        }
        match negative {
            true => self.node(NodeKind::Signed { sign: Sign::Minus, of: Box::new(node) }),
            false => node,
        }
    }

    fn argument(&self) -> Node {
        self.node(NodeKind::Name { name: self.table.argument.name.clone(), index: None })
    }

    /// (a − b)/h
    fn share(&self, a: Node, b: Node, h: &Rational) -> Node {
        let difference = self.node(NodeKind::Sum(vec![(Sign::Plus, a), (Sign::Minus, b)]));
        self.node(NodeKind::Product(vec![(Scale::Times, difference), (Scale::Over, self.number(h, 0))]))
    }

    fn choose(&self, below: Node, then: Node, otherwise: Node) -> Node {
        let (left, right, span) = (self.argument(), below, self.span);
        let when = Box::new(Relation { left, comparison: Comparison::Less, right, span });
        let arguments = Arguments::Choice { when, then: Box::new(then), otherwise: Box::new(otherwise) };
        self.node(NodeKind::Call { name: "if".to_owned(), arguments })
    }

    /// The function: within the table, and no number outside it.
    fn inside(&self) -> Node {
        let (n, rows) = (self.rows.x.len(), self.rows);
        let (first, last) = (self.number(&rows.x[0], 0), self.number(&rows.x[n - 1], 0));
        let h = &rows.x[n - 1] - &rows.x[0];
        let low = self.outside(self.share(self.argument(), first.clone(), &h));
        let high = self.outside(self.share(last.clone(), self.argument(), &h));
        let above = {
            let (left, right, span) = (self.argument(), last, self.span);
            let when = Box::new(Relation { left, comparison: Comparison::Greater, right, span });
            let arguments =
                Arguments::Choice { when, then: Box::new(high), otherwise: Box::new(self.between(0, n - 1)) };
            self.node(NodeKind::Call { name: "if".to_owned(), arguments })
        };
        self.choose(first, low, above)
    }

    /// The root of a share that is negative where this is asked, in the unit of the values.
    fn outside(&self, share: Node) -> Node {
        let root = NodeKind::Call { name: "sqrt".to_owned(), arguments: Arguments::List(vec![share]) };
        let one = self.number(&Rational::ONE, 1);
        self.node(NodeKind::Product(vec![(Scale::Times, one), (Scale::Times, self.node(root))]))
    }

    /// The pieces from one row to another, halved again and again.
    fn between(&self, from: usize, to: usize) -> Node {
        if to - from == 1 {
            return self.piece(from);
        }
        let middle = from.midpoint(to);
        self.choose(self.number(&self.rows.x[middle], 0), self.between(from, middle), self.between(middle, to))
    }

    /// (1)
    fn piece(&self, k: usize) -> Node {
        let Rows { x, y, .. } = self.rows;
        let h = &x[k + 1] - &x[k];
        let (a, b) = (&h * &self.slopes[k], &h * &self.slopes[k + 1]);
        let rise = &y[k + 1] - &y[k];
        let (two, three): (Rational, Rational) = (2.into(), 3.into());
        let square = &(&(&three * &rise) - &(&two * &a)) - &b;
        let cube = &(&a + &b) - &(&two * &rise);
        let u = self.share(self.argument(), self.number(&x[k], 0), &h);
        let mut value = self.number(&cube, 1);
        for coefficient in [&square, &a, &y[k]] {
            let scaled = self.node(NodeKind::Product(vec![(Scale::Times, u.clone()), (Scale::Times, value)]));
            value = self.node(NodeKind::Sum(vec![(Sign::Plus, self.number(coefficient, 1)), (Sign::Plus, scaled)]));
        }
        value
    }
}
