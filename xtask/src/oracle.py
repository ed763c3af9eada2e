"""Recomputes with SymPy and mpmath what the kernel claims, one JSON object a line on standard input.

    {"id": 1, "kind": "derivative", "expr": "x*sin(x)", "symbol": "x", "ours": "sin(x) + x*cos(x)"}
    {"id": 2, "kind": "equal", "expr": "sin(2*x)", "other": "2*sin(x)*cos(x)", "verdict": "zero"}
    {"id": 3, "kind": "equal", "expr": "x", "other": "y", "verdict": "nonzero", "point": {"x": "3/7", "y": "1"}}
    {"id": 4, "kind": "value", "expr": "sqrt(x)", "point": {"x": "2"}, "value": "1.4142135623731"}

`equal` is the verdict on `expr - other`; its line may add "assume": ["x > 0", ...]. A "value" may be
"undefined". Fields that a kind does not need are ignored.

derivative  SymPy differentiates `expr`; its answer and ours must agree at 5 random points.
equal       zero: both sides agree at 20 random points. nonzero: they differ at the given point.
value       agrees to 12 digits.

Values are real: the square root of a negative number is undefined, and a point where either side is
undefined says nothing. Two values are told apart only when their difference stays the same as the
precision doubles, so that rounding is never mistaken for a disagreement. A comparison that no point
settles is counted as skipped, with its reason. Exit code: 0, or 1 if anything disagrees.
"""

import argparse
import json
import math
import multiprocessing
import operator
import random
import re
import signal
import sys
from collections import Counter
from fractions import Fraction

import sympy
from mpmath import mp

PRECISIONS = (40, 80, 160, 320)  # decimal digits, tried in turn
SECONDS = 5  # CPU time for one comparison


class Undefined(Exception):
    """No real value at this point."""


class Unsettled(Undefined):
    """A value there may be, beyond what this program computes."""


class Skip(Exception):
    """This comparison cannot be made; says why."""


class Disagreement(Exception):
    """Ours is wrong; says where and by how much."""


class Unreadable(Exception):
    """The text is not in the grammar."""


# Text to tree. A tree is a tuple whose first entry names its kind:
# ("number", Fraction) ("symbol", name) ("pi",) ("+", [trees]) ("*", [trees]) ("^", tree, Fraction)
# ("call", function, [trees]) ("if", comparison, left, right, then, otherwise)

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*(?:\[\d+\])*'*)"
    r"|(?P<mark><=|>=|!=|[-+*/^(),<>=]))"
)
ARGUMENTS = {name: 1 for name in "sin cos tan asin acos atan sinh cosh tanh exp log abs sign cbrt".split()}
ARGUMENTS["atan2"] = 2
COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


def tokens_of(text):
    tokens, position, text = [], 0, text.rstrip()
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise Unreadable(f"`{text[position:position + 20]}` at column {position + 1} of `{text}`")
        tokens.append((match.lastgroup, match.group(match.lastgroup)))
        position = match.end()
    return tokens + [("end", "")]


class Parser:
    """The expression grammar: -x^2 is -(x^2), 2^3^2 is 2^9, exponents are rational numbers."""

    def __init__(self, text):
        self.text, self.tokens, self.next = text, tokens_of(text), 0

    def fail(self, wanted):
        raise Unreadable(f"expected {wanted}, found `{self.tokens[self.next][1]}` in `{self.text}`")

    def take(self, *marks):
        kind, text = self.tokens[self.next]
        if kind == "mark" and text in marks:
            self.next += 1
            return text
        return None

    def need(self, mark):
        if not self.take(mark):
            self.fail(f"`{mark}`")

    def end(self, result):
        if self.tokens[self.next][0] != "end":
            self.fail("the end")
        return result

    def relation(self):
        left = self.sum()
        comparison = self.take(*COMPARE)
        if not comparison:
            self.fail("a comparison")
        return comparison, left, self.sum()

    def sum(self):
        terms = [self.product()]
        while mark := self.take("+", "-"):
            term = self.product()
            terms.append(term if mark == "+" else product([MINUS_ONE, term]))
        return total(terms)

    def product(self):
        factors = [self.factor()]
        while mark := self.take("*", "/"):
            factor = self.factor()
            factors.append(factor if mark == "*" else raised(factor, Fraction(-1)))
        return product(factors)

    def factor(self):
        if mark := self.take("-", "+"):
            factor = self.factor()
            return product([MINUS_ONE, factor]) if mark == "-" else factor
        base = self.atom()
        if not self.take("^"):
            return base
        exponent = self.factor()
        if exponent[0] != "number":
            raise Unreadable(f"an exponent is not a rational number in `{self.text}`")
        return raised(base, exponent[1])

    def atom(self):
        kind, text = self.tokens[self.next]
        if self.take("("):
            inner = self.sum()
            self.need(")")
            return inner
        if kind not in ("number", "name"):
            self.fail("an expression")
        self.next += 1
        if kind == "number":
            return ("number", Fraction(text))
        if text == "pi":
            return ("pi",)
        if not self.take("("):
            return ("symbol", text)
        tree = self.call(text)
        self.need(")")
        return tree

    def call(self, name):
        if name == "if":
            comparison, left, right = self.relation()
            self.need(",")
            then = self.sum()
            self.need(",")
            return ("if", comparison, left, right, then, self.sum())
        arguments = [self.sum()]
        while self.take(","):
            arguments.append(self.sum())
        if name == "sqrt" and len(arguments) == 1:
            return raised(arguments[0], Fraction(1, 2))
        if name in ("min", "max"):
            return smallest_or_largest("<" if name == "min" else ">", arguments)
        if ARGUMENTS.get(name) != len(arguments):
            raise Unreadable(f"no function `{name}` of {len(arguments)} arguments, in `{self.text}`")
        return ("call", name, arguments)


MINUS_ONE = ("number", Fraction(-1))


def total(terms):
    if all(term[0] == "number" for term in terms):
        return ("number", sum(term[1] for term in terms))
    return terms[0] if len(terms) == 1 else ("+", terms)


def product(factors):
    if all(factor[0] == "number" for factor in factors):
        result = Fraction(1)
        for factor in factors:
            result *= factor[1]
        return ("number", result)
    return factors[0] if len(factors) == 1 else ("*", factors)


def raised(base, exponent):
    small = exponent.denominator == 1 and abs(exponent) < 1000
    if base[0] == "number" and small and (base[1] or exponent >= 0):
        return ("number", base[1] ** exponent.numerator)
    return ("^", base, exponent)


def smallest_or_largest(comparison, trees):
    best = trees[0]
    for tree in trees[1:]:
        best = ("if", comparison, tree, best, tree, best)
    return best


def parse(text):
    parser = Parser(text)
    return parser.end(parser.sum())


def parse_relation(text):
    parser = Parser(text)
    return parser.end(parser.relation())


def symbols_of(tree, found):
    if tree[0] == "symbol":
        found.add(tree[1])
    for part in tree[1:]:
        if isinstance(part, tuple):
            symbols_of(part, found)
        elif isinstance(part, list):
            for inner in part:
                symbols_of(inner, found)
    return found


# Tree to number, in real arithmetic.


def bounded(x, limit=10**5):
    if abs(x) > limit:
        raise Unsettled("too large to evaluate")
    return x


def power(base, exponent):
    if base == 0 and exponent < 0:
        raise Undefined("a division by zero")
    if exponent.denominator == 1:
        bounded(mp.mag(base) * exponent.numerator if base else 0, 10**6)
        return base**exponent.numerator
    if base < 0:
        raise Undefined("a root of a negative number")
    if exponent.denominator == 2:
        return mp.sqrt(base) ** exponent.numerator
    return mp.power(base, mp.mpf(exponent.numerator) / exponent.denominator)


def arc(function):
    def of(x):
        if abs(x) > 1:
            raise Undefined("outside [-1, 1]")
        return function(x)

    return of


def logarithm(x):
    if x <= 0:
        raise Undefined("the logarithm of a number that is not positive")
    return mp.log(x)


def angle(y, x):
    if x == 0 and y == 0:
        raise Undefined("atan2(0, 0)")
    return mp.atan2(y, x)


REAL = {
    "sin": lambda x: mp.sin(bounded(x, 10**30)),
    "cos": lambda x: mp.cos(bounded(x, 10**30)),
    "tan": lambda x: mp.tan(bounded(x, 10**30)),
    "asin": arc(mp.asin),
    "acos": arc(mp.acos),
    "atan": mp.atan,
    "atan2": angle,
    "sinh": lambda x: mp.sinh(bounded(x)),
    "cosh": lambda x: mp.cosh(bounded(x)),
    "tanh": lambda x: mp.tanh(bounded(x)),
    "exp": lambda x: mp.exp(bounded(x)),
    "log": logarithm,
    "abs": abs,
    "sign": mp.sign,
    "cbrt": lambda x: mp.cbrt(x) if x >= 0 else -mp.cbrt(-x),
}


def number(x):
    return mp.mpf(x.numerator) if x.denominator == 1 else mp.mpf(x.numerator) / x.denominator


def value(tree, at):
    kind = tree[0]
    if kind == "number":
        return number(tree[1])
    if kind == "symbol":
        return at[tree[1]]
    if kind == "+":
        return sum([value(part, at) for part in tree[1]])
    if kind == "*":
        return math.prod([value(part, at) for part in tree[1]])
    if kind == "^":
        return power(value(tree[1], at), tree[2])
    if kind == "call":
        return REAL[tree[1]](*[value(part, at) for part in tree[2]])
    if kind == "if":
        _, comparison, left, right, then, otherwise = tree
        holds = COMPARE[comparison](value(left, at), value(right, at))
        return value(then if holds else otherwise, at)
    return +mp.pi


# Tree to SymPy, and SymPy to number. `abs` is the root of the square: SymPy keeps it real without
# knowing which symbols are. `If` and `Sign` exist because SymPy's own rewrite themselves into
# derivatives of real and imaginary parts. A constant such as tan(2) + pi goes to SymPy as a name of
# its own, since SymPy spends seconds on the signs of such numbers.


class Sign(sympy.Function):
    nargs = 1

    def _eval_derivative(self, symbol):
        return sympy.S.Zero


class If(sympy.Function):
    nargs = 5

    def _eval_derivative(self, symbol):
        code, left, right, then, otherwise = self.args
        return If(code, left, right, then.diff(symbol), otherwise.diff(symbol))


CODES = list(COMPARE)
SYMPY = {
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "asin": sympy.asin,
    "acos": sympy.acos,
    "atan": sympy.atan,
    "atan2": sympy.atan2,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "tanh": sympy.tanh,
    "exp": sympy.exp,
    "log": sympy.log,
    "abs": lambda u: sympy.sqrt(u**2),
    "sign": Sign,
    "cbrt": lambda u: Sign(u) * (u**2) ** sympy.Rational(1, 6),
}


def to_sympy(tree, constants):
    """The SymPy expression; `constants` collects the names given to constants."""
    kind = tree[0]
    if kind == "number":
        return sympy.Rational(tree[1].numerator, tree[1].denominator)
    if kind == "symbol":
        return sympy.Symbol(tree[1])
    if not symbols_of(tree, set()):
        name = f"constant {len(constants)}"
        constants[name] = tree
        return sympy.Symbol(name)

    def of(parts):
        return [to_sympy(part, constants) for part in parts]

    if kind == "+":
        return sympy.Add(*of(tree[1]))
    if kind == "*":
        return sympy.Mul(*of(tree[1]))
    if kind == "^":
        return sympy.Pow(*of([tree[1], ("number", tree[2])]))
    if kind == "call":
        return SYMPY[tree[1]](*of(tree[2]))
    return If(sympy.Integer(CODES.index(tree[1])), *of(tree[2:]))


def sympy_value(e, at, known):
    """The complex value of a SymPy expression; `known` shares the work between equal parts."""
    if e in known:
        return known[e]
    result = known[e] = new_sympy_value(e, at, known)
    return result


def new_sympy_value(e, at, known):
    def of(part):
        return sympy_value(part, at, known)

    if e.is_Symbol:
        return at[e.name]
    if e.is_Rational:
        if not e.q:
            raise Undefined("a division by zero")
        return mp.mpf(e.p) / e.q
    if e.is_Add:
        return sum([of(part) for part in e.args])
    if e.is_Mul:
        return math.prod([of(part) for part in e.args])
    if e.is_Pow:
        return sympy_power(of(e.base), e.exp, of)
    if e is sympy.pi:
        return +mp.pi
    if e is sympy.E:
        return +mp.e
    if e is sympy.I:
        return mp.mpc(0, 1)
    if isinstance(e, If):
        code, left, right, then, otherwise = e.args
        holds = COMPARE[CODES[int(code)]](real(of(left)), real(of(right)))
        return of(then if holds else otherwise)
    if isinstance(e, Sign):
        return mp.sign(real(of(e.args[0])))
    if isinstance(e, sympy.Function):
        return sympy_function(e, [of(part) for part in e.args])
    if e.has(sympy.zoo, sympy.oo, -sympy.oo, sympy.nan):
        raise Undefined("an infinity")
    raise Skip(f"SymPy answers with {type(e).__name__}")


def sympy_power(base, exponent, of):
    if base == 0 and not exponent.is_positive:
        raise Undefined("a division by zero")
    if exponent.is_Integer:
        bounded(mp.mag(base) * int(exponent) if base else 0, 10**6)
        return base ** int(exponent)
    return mp.power(base, of(exponent))


def sympy_function(e, arguments):
    name = type(e).__name__
    function = getattr(mp, {"Abs": "fabs"}.get(name, name), None)
    if function is None:
        raise Skip(f"SymPy answers with {name}")
    if name == "atan2":
        arguments = [real(argument) for argument in arguments]
    for argument in arguments:
        bounded(argument, 10**5 if name in ("exp", "sinh", "cosh", "tanh") else 10**30)
    return function(*arguments)


def real(x):
    if isinstance(x, mp.mpc):
        if abs(x.imag) > mp.mpf(10) ** (15 - mp.dps) * (1 + abs(x.real)):
            raise Undefined("not real")
        return x.real
    return x


# Comparing.


def at_precision(digits, point, *sides):
    """The values of the sides at a point of exact numbers."""
    mp.dps = digits
    at = {name: number(x) for name, x in point.items()}
    try:
        return [side(at) for side in sides]
    except (ZeroDivisionError, OverflowError, ValueError, TypeError) as error:
        raise Undefined(str(error)) from error


def difference(point, left, right, exacting=False):
    """None if the two sides agree at the point, else their values there.

    They differ when their difference no longer changes with the precision. They agree to 30 digits,
    or to half the digits of a higher precision. An exacting reader goes to the highest one, and
    does not trust it on large numbers, where a small difference is lost.
    """
    before = None
    for digits in PRECISIONS:
        a, b = at_precision(digits, point, left, right)
        d = a - b
        if d and before is not None and abs(d - before) <= mp.mpf(10) ** -6 * abs(d):
            return a, b
        size = 1 + abs(a) + abs(b)
        near = abs(d) <= mp.mpf(10) ** -max(30, digits // 2) * size
        if near and not exacting:
            return None
        if near and digits == PRECISIONS[-1] and size < 10**30:
            return None
        before = d
    raise Unsettled("rounding hides the difference")


def random_point(names, draw):
    """Exact numbers of one of several sizes, since a square root wants positive ones."""
    low, high = draw.choice([(0.05, 1), (0.2, 3), (-1, 1), (-3, 3), (1, 4)])
    return {name: Fraction(round(draw.uniform(low, high) * 997), 997) for name in names}


def shown(point):
    return ", ".join(f"{name} = {x}" for name, x in sorted(point.items())) or "a constant"


def agree_at_random(wanted, names, draw, left, right, label, domain=None):
    """Raises unless the sides agree at the wanted number of points, or at those that could be found.

    Only points where `domain` holds and has a value count.
    """
    found, reason = 0, "no point tried"
    for _ in range(4 * wanted):
        point = random_point(names, draw)
        try:
            if domain and not at_precision(PRECISIONS[0], point, domain)[0]:
                reason = "the assumptions hold at none of the points"
                continue
            differ = difference(point, left, right)
        except Undefined as why:
            reason = f"undefined at every point ({why})"
            continue
        if differ:
            raise Disagreement(
                f"at {shown(point)}\n  {label[0]} {mp.nstr(differ[0], 25)}\n  {label[1]} {mp.nstr(differ[1], 25)}"
            )
        found += 1
        if found == wanted or not names:
            return
    if not found:
        raise Skip(reason)


def check_derivative(line, draw):
    tree, ours = parse(line["expr"]), parse(line["ours"])
    constants = {}
    theirs = to_sympy(tree, constants).diff(sympy.Symbol(line["symbol"]))
    names = sorted(symbols_of(tree, set()) | symbols_of(ours, set()))

    def inside(at):
        value(tree, at)
        return True

    def sympys(at):
        known = {name: value(constant, at) for name, constant in constants.items()}
        return real(sympy_value(theirs, {**at, **known}, {}))

    agree_at_random(
        5,
        names,
        draw,
        lambda at: value(ours, at),
        sympys,
        ("ours ", "SymPy"),
        domain=inside,
    )


def check_equal(line, draw):
    left, right = parse(line["expr"]), parse(line.get("other") or "0")
    sides = (lambda at: value(left, at), lambda at: value(right, at))
    if line["verdict"] == "unknown":
        raise Skip("our verdict is unknown")
    relations = [parse_relation(text) for text in line.get("assume", [])]

    def assumed(at):
        return all(COMPARE[c](value(a, at), value(b, at)) for c, a, b in relations)

    if line["verdict"] == "zero":
        names = symbols_of(left, set()) | symbols_of(right, set())
        for _, a, b in relations:
            names |= symbols_of(a, set()) | symbols_of(b, set())
        label = ("expr ", "other")
        agree_at_random(20, sorted(names), draw, *sides, label, domain=assumed)
    elif line["verdict"] == "nonzero":
        if line.get("point") is None:
            raise Disagreement("the verdict is nonzero, and no witness point is given")
        point = exact_point(line)
        try:
            if not at_precision(PRECISIONS[0], point, assumed)[0]:
                raise Disagreement(f"the witness {shown(point)} breaks an assumption")
            if difference(point, *sides, exacting=True) is None:
                raise Disagreement(f"both sides have the same value at the witness {shown(point)}")
        except Unsettled as why:
            raise Skip(f"{why} at the witness") from why
        except Undefined as why:
            raise Disagreement(f"the witness {shown(point)} shows nothing: {why}") from why
        except KeyError as missing:
            raise Disagreement(f"the witness {shown(point)} gives no value to {missing}") from missing
    else:
        raise Disagreement(f"no such verdict: {line['verdict']}")


def check_value(line, _draw):
    tree, point = parse(line["expr"]), exact_point(line)
    claimed = line["value"]
    try:
        true = settled(point, lambda at: value(tree, at))
    except Unsettled as why:
        raise Skip(str(why)) from why
    except Undefined as why:
        if claimed == "undefined":
            return
        raise Disagreement(f"ours is {claimed} at {shown(point)}, where there is no value: {why}") from why
    except KeyError as missing:
        raise Disagreement(f"the point {shown(point)} gives no value to {missing}") from missing
    if claimed == "undefined":
        raise Disagreement(f"ours is undefined at {shown(point)}\n  mpmath {mp.nstr(true, 25)}")
    if not abs(mp.mpf(claimed) - true) <= mp.mpf(10) ** -12 * (abs(true) or 1):
        raise Disagreement(f"at {shown(point)}\n  ours   {claimed}\n  mpmath {mp.nstr(true, 25)}")


def settled(point, side):
    """The value, once more digits no longer change it; 0 if every digit gained makes it smaller."""
    before = None
    for digits in PRECISIONS:
        (x,) = at_precision(digits, point, side)
        if before is not None:
            if abs(x - before) <= mp.mpf(10) ** -15 * abs(x):
                return x
            if abs(x) <= mp.mpf(10) ** (-digits // 3) and abs(x) < abs(before):
                return mp.mpf(0)
        before = x
    raise Unsettled("rounding hides the value")


def exact_point(line):
    return {name: Fraction(text) for name, text in line.get("point", {}).items()}


CHECKS = {"derivative": check_derivative, "equal": check_equal, "value": check_value}


def compare(job):
    """One line of input to ("agree" | "skip" | "disagree", text)."""
    seed, text = job
    try:
        line = json.loads(text)
        check = CHECKS[line["kind"]]
        draw = random.Random(f"{seed} {line.get('id')}")
    except (ValueError, KeyError, TypeError) as error:
        return "disagree", f"this line does not follow the protocol: {error!r}"
    try:
        limit(SECONDS)
        check(line, draw)
        return "agree", ""
    except Skip as why:
        return "skip", str(why)
    except Disagreement as why:
        return "disagree", str(why)
    except (KeyError, TypeError, AttributeError) as error:
        return "disagree", f"this line does not follow the protocol: {error!r}"
    except (Unreadable, ValueError, ZeroDivisionError) as why:
        return "disagree", f"cannot read our text: {why}"
    except (TimeoutError, RecursionError, MemoryError) as why:
        return "skip", f"gave up ({type(why).__name__})"
    finally:
        limit(0)


def limit(seconds):
    """After so much CPU time, TimeoutError; 0 takes the limit away."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGVTALRM, out_of_time)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


def out_of_time(_signal, _frame):
    raise TimeoutError


def set_up():
    sys.setrecursionlimit(50_000)


def planted_are_found(path):
    """Does this program still find the mistakes planted in its own test data, and only those?"""
    with open(path, encoding="utf-8") as file:
        lines = [text for text in file if text.strip()]
    sound = True
    for text in lines:
        found, why = compare((0, text))
        if found != json.loads(text)["found"]:
            print(f"planted line answered `{found}` {why}\n  {text.strip()}")
            sound = False
    return sound


def main():
    arguments = argparse.ArgumentParser(description="Compares the kernel's claims with SymPy and mpmath.")
    arguments.add_argument("--seed", type=int, default=1, help="of the random points")
    arguments.add_argument("--expect", type=int, help="how many lines must come")
    arguments.add_argument("--planted", help="test data of this program, tried first")
    given = arguments.parse_args()
    set_up()
    lines = [text for text in sys.stdin if text.strip()]
    if given.planted and not planted_are_found(given.planted):
        print("oracle: the comparison itself is broken: a planted mistake was not found, or a true line was refused")
        return 1

    answers, skips = Counter(), Counter()
    with multiprocessing.Pool(initializer=set_up) as pool:
        for text, (answer, why) in zip(lines, pool.imap(compare, ((given.seed, text) for text in lines), 25)):
            answers[answer] += 1
            if answer == "disagree":
                print(f"disagreement: {why}\n  {text.strip()}\n", flush=True)
            elif answer == "skip":
                skips[re.sub(r"\(.*", "", why).strip()] += 1
    for why, times in skips.most_common():
        print(f"skipped {times}: {why}")
    compared = answers["agree"] + answers["disagree"]
    print(f"oracle: {compared} compared, {answers['disagree']} disagreements, {answers['skip']} skipped")
    if given.expect is not None and given.expect != compared + answers["skip"]:
        print(f"oracle: {given.expect} lines were asked for, {compared + answers['skip']} came")
        return 1
    if lines and not compared:
        print("oracle: nothing could be compared")
        return 1
    return 1 if answers["disagree"] else 0


if __name__ == "__main__":
    sys.exit(main())
