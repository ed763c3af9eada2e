"""SymPy, both ways: formulas of the engine as SymPy, expressions of SymPy as text of the language, methods as models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Functions of one argument: the engine's word and SymPy's.
_FUNCTIONS = {
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "exp": "exp",
    "log": "log",
    "abs": "Abs",
    "sign": "sign",
    "cbrt": "real_root",
}
_RELATIONS = {"equal": "Eq", "at_least": "Ge", "at_most": "Le", "greater": "Gt", "less": "Lt", "not_equal": "Ne"}


def from_tree(tree: Mapping[str, Any], **assumptions: Any) -> Any:
    """The tree of a formula in SymPy. Coordinates, speeds and multipliers are `dynamicsymbols`; parameters are symbols, with
    what the model assumes of their signs, and with these assumptions (`positive=True`)."""
    import sympy as sm

    made: list[Any] = []
    for step in tree["steps"]:
        arguments = [made[k] for k in step.get("args", [])]
        made.append(_made(sm, step, arguments, assumptions))
    return made[-1]


def _made(sm: Any, step: Mapping[str, Any], a: list[Any], assumptions: Mapping[str, Any]) -> Any:
    from sympy.physics.mechanics import dynamicsymbols

    op = step["op"]
    if op == "number":
        return sm.Rational(step["value"])
    if op == "symbol":
        order = step.get("order", 0)
        if step["kind"] == "time":
            return dynamicsymbols._t
        if step["kind"] == "parameter" and order == 0:
            return sm.Symbol(step["name"], **{**getattr(step, "_assumed", {}), **assumptions})
        return dynamicsymbols(step["name"], order)
    if op == "pi":
        return sm.pi
    if op == "sum":
        return sm.Add(*a)
    if op in ("scale", "product"):
        return sm.Mul(*a)
    if op == "power":
        return sm.Pow(a[0], a[1])
    if op == "cbrt":
        return sm.real_root(a[0], 3)
    if op in _FUNCTIONS:
        return getattr(sm, _FUNCTIONS[op])(a[0])
    if op == "atan2":
        return sm.atan2(a[0], a[1])
    if op in ("min", "max"):
        return (sm.Min if op == "min" else sm.Max)(*a)
    if op == "if_negative":
        return sm.Piecewise((a[1], a[0] < 0), (a[2], True))
    if op == "if_zero":
        return sm.Piecewise((a[1], sm.Eq(a[0], 0)), (a[2], True))
    if op in _RELATIONS:
        return getattr(sm, _RELATIONS[op])(a[0], a[1], evaluate=False)
    raise ValueError(f"SymPy has no {op!r}")


def to_text(expression: Any, names: Mapping[Any, str] | None = None) -> str:
    """An expression or an equation of SymPy in the language of models; an expression alone stays one.

    `x(t)` is a coordinate x, its derivatives are x', x''. `names` says what symbols and functions are called in the model.
    """
    import sympy as sm

    if isinstance(expression, sm.Equality):
        return f"{_text(sm, expression.lhs, names)} = {_text(sm, expression.rhs, names)}"
    if isinstance(expression, sm.logic.boolalg.BooleanAtom):
        raise ValueError("SymPy has made this equation True or False: write sympy.Eq(left, right, evaluate=False)")
    return _text(sm, expression, names)


def _name(sm: Any, thing: Any, names: Mapping[Any, str] | None) -> str:
    if names and thing in names:
        return names[thing]
    word = thing.func.__name__ if isinstance(thing, sm.core.function.AppliedUndef) else thing.name
    if names and word in names:
        return names[word]
    if not (word.isascii() and word.isidentifier()):
        raise ValueError(f"{word!r} is no name of the language: say what it is called with names={{{word!r}: …}}")
    return str(word)


def _text(sm: Any, e: Any, names: Mapping[Any, str] | None) -> str:
    """An expression whose every part stands in brackets where it must."""

    def inner(one: Any) -> str:
        return _text(sm, one, names)

    if isinstance(e, sm.Integer):
        return str(e) if e >= 0 else f"({e})"
    if isinstance(e, sm.Rational):
        return f"({e.p}/{e.q})"
    if isinstance(e, sm.Float):
        # what was written, not what a double makes of it
        return f"({sm.Rational(str(e))})"
    if e is sm.pi:
        return "pi"
    if e is sm.E:
        return "exp(1)"
    if isinstance(e, sm.Derivative):
        base, order = e.expr, sum(count for _, count in e.variable_count)
        if not isinstance(base, sm.core.function.AppliedUndef) or len({one for one, _ in e.variable_count}) != 1:
            raise ValueError(f"only time derivatives of coordinates can be claimed, not {e}")
        return _name(sm, base, names) + "'" * int(order)
    if isinstance(e, sm.core.function.AppliedUndef):
        if len(e.args) != 1:
            raise ValueError(f"{e} is a function of several things; coordinates depend on the time alone")
        return _name(sm, e, names)
    if isinstance(e, sm.Symbol):
        return _name(sm, e, names)
    if isinstance(e, sm.Add):
        return "(" + " + ".join(inner(one) for one in e.args) + ")"
    if isinstance(e, sm.Mul):
        return "(" + "*".join(inner(one) for one in e.args) + ")"
    if isinstance(e, sm.Pow):
        if e.base is sm.E:
            return f"exp({inner(e.exp)})"
        if e.exp == sm.Rational(1, 2):
            return f"sqrt({inner(e.base)})"
        if not e.exp.is_Rational:
            raise ValueError(f"an exponent is a rational number, not {e.exp}")
        return f"({inner(e.base)})^({e.exp})"
    word = type(e).__name__
    if word in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sign", "atan2"):
        return f"{word}({', '.join(inner(one) for one in e.args)})"
    if word in ("cot", "sec", "csc"):
        return inner({"cot": lambda x: 1 / sm.tan(x), "sec": lambda x: 1 / sm.cos(x), "csc": lambda x: 1 / sm.sin(x)}[word](e.args[0]))
    if word in ("Abs", "Min", "Max"):
        return f"{word.lower()}({', '.join(inner(one) for one in e.args)})"
    raise ValueError(f"the language of models has no {word}: {e}")


def from_sympy(method: Any, **given: Any) -> Any:
    """The model behind a `KanesMethod` or a `LagrangesMethod`, and SymPy's equations as claims about it, audited.

    What the method does not hold may be given: `bodies`, `loads`, `frame`, `origin`. The answer has `model`, `claims`, `audit`
    and `notes`; what is missing is said by a `ValueError`.
    """
    from ._method import read_method

    return read_method(method, **given)
