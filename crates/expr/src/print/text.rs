//! Text in the language of models; parsed again it gives the same node.
//!
//! Save one thing: products that `*` has left inside products are one product when read.

use super::{
    Binding, Factor, Pending, Term, difference, function_name, in_order, is_half, named, numeral, take_apart, write,
};
use rustc_hash::FxHashMap;

use crate::graph::{Id, Op, Store};
use crate::integral::shown;

/// An expression as text. What is shared is written out each time, so a large graph may be very
/// long: messages use [`brief`].
pub(crate) fn text(store: &Store, id: Id) -> String {
    write(id, usize::MAX, |id, binding, out| node(store, id, binding, out))
}

/// With how many letters nodes are written, and how tightly what is around one may bind before it needs brackets.
pub(crate) type Letters = FxHashMap<Id, (usize, Binding)>;

/// How many letters the text of an expression has. What is known of its parts is not written again.
pub(crate) fn letters(store: &Store, root: Id, known: &mut Letters) -> usize {
    let mut waiting = vec![(root, Vec::new())];
    while let Some((id, mut parts)) = waiting.pop() {
        if known.contains_key(&id) {
            continue;
        }
        if parts.is_empty() {
            node(store, id, Binding::Sum, &mut parts);
        }
        let nodes = parts.iter().filter_map(|part| if let Pending::Node(id, _) = part { Some(*id) } else { None });
        let open: Vec<Id> = nodes.filter(|part| !known.contains_key(part)).collect();
        if !open.is_empty() {
            waiting.push((id, parts));
            waiting.extend(open.into_iter().map(|part| (part, Vec::new())));
            continue;
        }
        let count = |part: &Pending| match part {
            Pending::Node(id, binding) => known[id].0.saturating_add(if *binding > known[id].1 { 2 } else { 0 }),
            written => written.text().chars().count(),
        };
        let total = parts.iter().map(count).fold(0, usize::saturating_add);
        known.insert(id, (total, loosest(store, id)));
    }
    known[&root].0
}

/// The tightest binding in which a node needs no brackets.
fn loosest(store: &Store, id: Id) -> Binding {
    match store.op(id) {
        Op::Sum => Binding::Sum,
        Op::Number | Op::Scale | Op::Product | Op::Power => term_binding(&take_apart(store, id)),
        Op::Unspecified if is_plain_derivative(&named(store, id).1, store) => Binding::Sum,
        _ => Binding::Power,
    }
}

/// Is it a derivative of an unspecified function all arguments of which are symbols? It is written without them.
fn is_plain_derivative(parts: &[(usize, Id)], store: &Store) -> bool {
    parts.iter().any(|part| part.0 > 0) && parts.iter().all(|part| store.op(part.1) == Op::Symbol)
}

/// An expression as text for a message: the rest of a long one is left out.
pub(crate) fn brief(store: &Store, id: Id) -> String {
    let mut line = write(id, 160, |id, binding, out| node(store, id, binding, out));
    if line.len() > 160 {
        line.truncate(line.floor_char_boundary(150));
        line.push('…');
    }
    line
}

fn node(store: &Store, id: Id, binding: Binding, out: &mut Vec<Pending>) {
    match store.op(id) {
        Op::Symbol => {
            let text = store.symbol(id).map(|own| shown(own).as_ref().unwrap_or(own).to_string());
            out.push(Pending::Owned(text.unwrap_or_default()));
        }
        Op::Pi => out.push(Pending::Literal("pi")),
        Op::Sum => bracketed(binding > Binding::Sum, out, |out| sum(store, id, out)),
        Op::Number | Op::Scale | Op::Product | Op::Power => {
            let term = take_apart(store, id);
            bracketed(binding > term_binding(&term), out, |out| {
                if term.negative {
                    out.push(Pending::Literal("-"));
                }
                fraction(&term, out);
            });
        }
        Op::IfNegative | Op::IfZero => switch(store, id, out),
        Op::Unspecified => unspecified(store, id, binding, out),
        Op::Integral => {
            let &[bound, integrand, from, to, ..] = store.children(id) else { unreachable!("an integral has limits") };
            call("integral", &[integrand, bound, from, to], out);
        }
        op => call(function_name(op), store.children(id), out),
    }
}

fn switch(store: &Store, id: Id, out: &mut Vec<Pending>) {
    let &[d, p, q] = store.children(id) else { unreachable!("a switch has three arguments") };
    let relation = if store.op(id) == Op::IfNegative { " < " } else { " = " };
    out.push(Pending::Literal("if("));
    match difference(store, d) {
        Some((larger, smaller)) => {
            out.extend([Pending::Node(larger, Binding::Sum), Pending::Literal(relation)]);
            match (&*smaller.above, &*smaller.below) {
                (&[Factor::Power(id, ref e)], []) if e.is_one() => out.push(Pending::Node(id, Binding::Sum)),
                _ => fraction(&smaller, out),
            }
        }
        None => out.extend([Pending::Node(d, Binding::Sum), Pending::Literal(relation), Pending::Literal("0")]),
    }
    for branch in [p, q] {
        out.extend([Pending::Literal(", "), Pending::Node(branch, Binding::Sum)]);
    }
    out.push(Pending::Literal(")"));
}

/// `b(x, t)`, and `∂²b/∂x∂t` for a derivative where all arguments are symbols.
fn unspecified(store: &Store, id: Id, binding: Binding, out: &mut Vec<Pending>) {
    let (name, parts) = named(store, id);
    let total: usize = parts.iter().map(|part| part.0).sum();
    let plain = parts.iter().all(|part| store.op(part.1) == Op::Symbol);
    if total > 0 {
        let mut text = format!("∂{}{name}/", raised(total));
        for (place, (times, argument)) in parts.iter().enumerate().filter(|(_, part)| part.0 > 0) {
            let by = match store.symbol(*argument).filter(|_| plain) {
                Some(symbol) => symbol.to_string(),
                None => (place + 1).to_string(),
            };
            text += &format!("∂{by}{}", raised(*times));
        }
        let alone = binding > Binding::Sum && plain;
        bracketed(alone, out, |out| out.push(Pending::Owned(text)));
    } else {
        out.push(Pending::Owned(name));
    }
    if total == 0 || !plain {
        let arguments: Vec<Id> = parts.iter().map(|part| part.1).collect();
        call("", &arguments, out);
    }
}

/// A small exponent, as one writes it behind ∂.
fn raised(times: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match times {
        1 => String::new(),
        _ => times.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect(),
    }
}

fn call(name: &'static str, arguments: &[Id], out: &mut Vec<Pending>) {
    out.push(Pending::Literal(name));
    out.push(Pending::Literal("("));
    for (k, &argument) in arguments.iter().enumerate() {
        if k > 0 {
            out.push(Pending::Literal(", "));
        }
        out.push(Pending::Node(argument, Binding::Sum));
    }
    out.push(Pending::Literal(")"));
}

fn bracketed(needed: bool, out: &mut Vec<Pending>, inside: impl FnOnce(&mut Vec<Pending>)) {
    if needed {
        out.push(Pending::Literal("("));
    }
    inside(out);
    if needed {
        out.push(Pending::Literal(")"));
    }
}

/// A sum inside a sum keeps its brackets, as any factor does: it is a node of its own.
fn sum(store: &Store, id: Id, out: &mut Vec<Pending>) {
    for (k, term) in in_order(store, store.children(id).to_vec()).into_iter().enumerate() {
        let parts = take_apart(store, term);
        out.push(Pending::Literal(match (k, parts.negative) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        }));
        fraction(&parts, out);
    }
}

fn fraction(term: &Term, out: &mut Vec<Pending>) {
    factors(&term.above, Binding::Product, out);
    match &*term.below {
        [] => {}
        [factor] => {
            out.push(Pending::Literal("/"));
            write_factor(factor, Binding::Power, out);
        }
        several => {
            out.push(Pending::Literal("/("));
            factors(several, Binding::Product, out);
            out.push(Pending::Literal(")"));
        }
    }
}

fn factors(list: &[Factor], binding: Binding, out: &mut Vec<Pending>) {
    for (k, factor) in list.iter().enumerate() {
        if k > 0 {
            out.push(Pending::Literal("*"));
        }
        write_factor(factor, binding, out);
    }
}

fn term_binding(term: &Term) -> Binding {
    match &*term.above {
        _ if term.negative => Binding::Sum,
        [Factor::Power(_, e)] if !e.is_one() && !is_half(e) => Binding::Product,
        [_] if term.below.is_empty() => Binding::Power,
        _ => Binding::Product,
    }
}

fn write_factor(factor: &Factor, binding: Binding, out: &mut Vec<Pending>) {
    match factor {
        Factor::Number(number) => out.push(Pending::Owned(numeral(number))),
        Factor::Radical(number) => out.push(Pending::Owned(format!("sqrt({number})"))),
        &Factor::Power(id, ref e) if e.is_one() => out.push(Pending::Node(id, binding)),
        &Factor::Power(id, ref e) if is_half(e) => call("sqrt", &[id], out),
        &Factor::Power(id, ref e) => {
            out.push(Pending::Node(id, Binding::Power));
            let exponent = if e.is_integer() { format!("^{e}") } else { format!("^({e})") };
            out.push(Pending::Owned(exponent));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Expr, Scope, coordinate, parameter, parse};

    #[test]
    fn a_person_would_write_it_so_and_it_reads_back() {
        // what was built, and how it is written
        let table = [
            (
                "k*x + x''*(m + M) - m*l*sin(theta)*theta'^2 + theta''*m*l*cos(theta)",
                "(m + M)*x'' + m*l*cos(theta)*theta'' - m*l*theta'^2*sin(theta) + k*x",
            ),
            ("1/2*m*v^2", "m*v^2/2"),
            // what was measured keeps its point, what was computed its line
            ("-981/100*m*sin(x)", "-9.81*m*sin(x)"),
            ("x/(981/100)", "100*x/981"),
            ("x + 981/100", "x + 9.81"),
            ("981*x/(100*y)", "9.81*x/y"),
            ("3*m*h^2/80", "3*m*h^2/80"),
            ("17*x/75", "17*x/75"),
            ("x/800", "x/800"),
            ("c + b*x + a*x^2 + 0*x'", "a*x^2 + b*x + c"),
            ("x*y + y^2 + x^2", "x^2 + x*y + y^2"),
            ("-cos(x) + 1", "1 - cos(x)"),
            ("-x1 + x2", "x2 - x1"),
            ("-x - y", "-x - y"),
            ("a + (b + c)", "a + (b + c)"),
            ("a - (b - c)", "a - (b - c)"),
            ("-(x + y)/2", "-(x + y)/2"),
            ("-x^2", "-x^2"),
            ("(-x)^(1/3)", "(-x)^(1/3)"),
            ("x^(2/3)/y^(3/2)", "x^(2/3)/y^(3/2)"),
            ("a/b*c", "a*c/b"),
            ("a/(b*c)", "a/(b*c)"),
            ("1/(x + y)^2", "1/(x + y)^2"),
            ("3/4*sqrt(2)*sqrt(3)", "3*sqrt(6)/4"),
            ("1/sqrt(x)", "1/sqrt(x)"),
            ("-3/7", "-3/7"),
            ("cos(x)*sin(x)*exp(y)*pi*sqrt(z)*7", "7*pi*exp(y)*sqrt(z)*sin(x)*cos(x)"),
            ("a[3]'*a[3]", "a[3]*a[3]'"),
            ("if(x > y + 1, x, 2*y)", "if(y + 1 < x, x, 2*y)"),
            ("if(x + y = 0, x, y)", "if(x + y = 0, x, y)"),
            ("atan2(x, y) + max(x, y)^2", "max(x, y)^2 + atan2(x, y)"),
        ];
        for (from, to) in table {
            let _scope = Scope::with_seed(1);
            let e = parse(from).unwrap();
            assert_eq!(e.to_string(), to);
            assert_eq!(parse(to).unwrap(), e, "{to}");
        }
    }

    #[test]
    fn letters_are_counted_without_writing_what_is_known() {
        let _scope = Scope::with_seed(1);
        let list = "-(x + y)/2; x*(y - (a - b))^2/(c*(x + 1)); (-x)^(1/3)/(-x^2 + sin(-x*y)); 3/4*sqrt(2)*x/(7*y)";
        let more = "; if(x > y + 1, x, -2*y)^2; a[3]''*cos(2*(x + y)); (x*y)^(2/3) - (1/2)^(1/3); -(a - b)*(c - 7/3)";
        let mut sum = coordinate("x");
        for e in [list, more].concat().split(';').filter(|text| !text.trim().is_empty()) {
            let e = parse(e).unwrap();
            sum = sum * (e - sum) + e / (sum + e).sin();
            for e in [e, -e, sum] {
                assert_eq!(e.letters(), e.to_string().chars().count(), "{e}");
            }
        }
    }

    #[test]
    fn products_in_products_are_one_product() {
        let _scope = Scope::with_seed(1);
        let list: Vec<Expr> = ["a", "b", "c", "d", "e", "f", "g", "h"].map(parameter).to_vec();
        let nested = list.iter().copied().reduce(|product, factor| product * factor).unwrap() * list[0];
        assert_eq!(nested.to_string(), "g*a^2*b*c*d*e*f*h");
        assert!(parse(&nested.to_string()).unwrap().is_same(nested));
    }

    #[test]
    fn depth_and_sharing_cost_nothing() {
        let _scope = Scope::with_seed(1);
        let x = coordinate("x");
        let deep = (0..100_000).fold(x, |e, _| e.sin() + x);
        assert_eq!(deep.to_string().len(), 1 + 100_000 * "sin() + x".len());
        let shared = (0..200).fold(x, |e, _| e.sin() * e.cos() + e);
        assert!(shared.brief().len() < 170);
    }
}
