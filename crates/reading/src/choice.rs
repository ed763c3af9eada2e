//! Which of two ways to write the same is better?
//!
//! The shorter one. A tangent gives way to what is as long and fails at fewer places: (a sin x + b cos x)/c stands before
//! (a tan x + b) cos(x)/c, which says nothing where cos x = 0.

use expr::{Expr, Op};
use rustc_hash::FxHashSet;

/// Expressions with more operations are compared by their length alone.
const LARGEST: usize = 300;

/// Is the first way better than the second?
///
/// ```
/// let _scope = expr::Scope::enter();
/// let [plain, with_tan] = ["(a*sin(x) + b*cos(x))/c", "(a*tan(x) + b)*cos(x)/c"].map(|text| expr::parse(text).unwrap());
/// assert_eq!(plain.letters(), with_tan.letters());
/// assert!(reading::is_better(plain, with_tan) && !reading::is_better(with_tan, plain));
/// ```
pub fn is_better(one: Expr, other: Expr) -> bool {
    let is_short = |e: Expr| e.operations() <= LARGEST;
    match one.letters().cmp(&other.letters()) {
        std::cmp::Ordering::Equal if is_short(one) && is_short(other) => {
            let ([own, _], [others, tangents]) = (poles(one), poles(other));
            tangents > 0 && own < others
        }
        order => order.is_lt(),
    }
}

/// How many parts of an expression have places where they say nothing, what is divided by and tangents; and how many of these are
/// tangents.
fn poles(e: Expr) -> [usize; 2] {
    let (mut seen, mut waiting) = (FxHashSet::default(), vec![e]);
    let mut found: FxHashSet<(Op, Expr)> = FxHashSet::default();
    let mut tangents = 0;
    while let Some(part) = waiting.pop() {
        if !seen.insert(part) {
            continue;
        }
        let arguments = part.arguments();
        match part.op() {
            Op::Tan => {
                tangents += 1;
                found.insert((Op::Cos, arguments[0]));
            }
            Op::Power if arguments[1].as_number().is_some_and(|n| n.is_negative()) => {
                let base = arguments[0];
                match base.op() {
                    Op::Cos => drop(found.insert((Op::Cos, base.arguments()[0]))),
                    op => drop(found.insert((op, base))),
                }
            }
            _ => {}
        }
        waiting.extend(arguments);
    }
    [found.len(), tangents]
}
