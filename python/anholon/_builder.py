"""Models assembled in code: a builder writes the language of models, and the same reader checks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ._model import Model, Value


class Term:
    """An expression in the language of models: names and numbers with operators, `x.rate` for the time derivative."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def rate(self) -> Term:
        """The time derivative."""
        return Term(f"{_factor(self)}'")

    @property
    def x(self) -> Term:
        """The first component, or the first axis of a frame."""
        return Term(f"{_factor(self)}.x")

    @property
    def y(self) -> Term:
        """The second component."""
        return Term(f"{_factor(self)}.y")

    @property
    def z(self) -> Term:
        """The third component."""
        return Term(f"{_factor(self)}.z")

    def __add__(self, other: Any) -> Term:
        return Term(f"({self.text} + {_written(other)})")

    def __radd__(self, other: Any) -> Term:
        return Term(f"({_written(other)} + {self.text})")

    def __sub__(self, other: Any) -> Term:
        return Term(f"({self.text} - {_factor(other)})")

    def __rsub__(self, other: Any) -> Term:
        return Term(f"({_written(other)} - {_factor(self)})")

    def __mul__(self, other: Any) -> Term:
        return Term(f"{_factor(self)}*{_factor(other)}")

    def __rmul__(self, other: Any) -> Term:
        return Term(f"{_factor(other)}*{_factor(self)}")

    def __truediv__(self, other: Any) -> Term:
        return Term(f"{_factor(self)}/{_base(other)}")

    def __rtruediv__(self, other: Any) -> Term:
        return Term(f"{_factor(other)}/{_base(self)}")

    def __pow__(self, other: int | Fraction) -> Term:
        return Term(f"{_base(self)}^{_base(other)}")

    def __neg__(self) -> Term:
        return Term(f"(-{_factor(self)})")

    def __repr__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        raise TypeError("a term is neither true nor false: relations are written with `constraint` and `assume`")


def _written(value: Any) -> str:
    """A term, a number, a text as it stands, or a vector of these."""
    if isinstance(value, Term):
        return value.text
    if isinstance(value, str):
        return value
    if isinstance(value, Fraction):
        return f"({value.numerator}/{value.denominator})"
    if isinstance(value, bool) or value is None:
        raise TypeError(f"{value!r} is no expression")
    if isinstance(value, int):
        return str(value) if value >= 0 else f"({value})"
    if isinstance(value, float):
        from decimal import Decimal

        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError(f"{value} is no finite number")
        text = format(Decimal(repr(float(value))), "f")
        return text if value >= 0 else f"({text})"
    if hasattr(value, "tolist"):
        return _written(value.tolist())
    if isinstance(value, Sequence):
        return "(" + ", ".join(_written(one) for one in value) + ")"
    raise TypeError(f"a {type(value).__name__} is no expression: {value!r}")


def _is_whole(text: str) -> bool:
    """Whether a text stands in brackets, or needs none."""
    if all(letter.isalnum() or letter in "_.'[]" for letter in text):
        return True
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and letter in " +-*/^":
            return False
    return depth == 0


def _base(value: Any) -> str:
    text = _written(value)
    return text if _is_whole(text) else f"({text})"


def _factor(value: Any) -> str:
    text = _written(value)
    depth = 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and letter in " +-":
            return f"({text})"
    return text


def _function(name: str) -> Any:
    def applied(*arguments: Any) -> Term:
        return Term(f"{name}({', '.join(_written(one) for one in arguments)})")

    applied.__name__ = name
    applied.__doc__ = f"`{name}` of the language of models."
    return applied


class Builder:
    """Writes a model line by line. Every name is a `Term`, which Python's operators join; `model()` reads what was written.

    `builder.sin(x)`, `builder.cos(x)` and the other functions of the language make terms; `line` takes any line as it stands.
    """

    def __init__(self, title: str = "") -> None:
        self.lines: list[str] = [f'system "{title}"'] if title else []

    sin, cos, tan = (staticmethod(_function(name)) for name in ("sin", "cos", "tan"))
    asin, acos, atan, atan2 = (staticmethod(_function(name)) for name in ("asin", "acos", "atan", "atan2"))
    sqrt, exp, log, abs = (staticmethod(_function(name)) for name in ("sqrt", "exp", "log", "abs"))
    velocity, omega, dot, cross, unit = (staticmethod(_function(name)) for name in ("velocity", "omega", "dot", "cross", "unit"))
    #: The inertial frame and the time.
    N, t = Term("N"), Term("t")

    def line(self, text: str) -> Builder:
        """Adds a line as it stands."""
        self.lines.append(text)
        return self

    def param(self, name: str, value: Any = None, unit: str = "") -> Term:
        """A parameter with a value, or with only a unit."""
        if value is None:
            return self._named("param", name, f" : {unit}")
        return self._named("param", name, f" = {_written(value)}{' ' + unit if unit else ''}")

    def coord(self, name: str, unit: str = "", *, n: int | None = None) -> Any:
        """A coordinate; with `n`, so many, as a list: q[1] … q[n]."""
        of = f" : {unit}" if unit else ""
        if n is None:
            return self._named("coord", name, of)
        self.lines.append(f"coord {name}[1..{n}]{of}")
        return [Term(f"{name}[{k}]") for k in range(1, n + 1)]

    def input(self, name: str, value: Any = None, unit: str = "") -> Term:
        """A load that a controller may set."""
        of, told = f" : {unit}" if unit else "", f"{' ' + unit if unit else ''}"
        return self._named("input", name, of if value is None else f"{of} = {_written(value)}{told}")

    def let(self, name: str, value: Any) -> Term:
        """An abbreviation."""
        return self._named("let", name, f" = {_written(value)}")

    def speed(self, name: str, value: Any) -> Term:
        """A speed, in the rates of the coordinates."""
        return self._named("speed", name, f" = {_written(value)}")

    def observe(self, name: str, value: Any) -> Term:
        """What is to be seen."""
        return self._named("observe", name, f" = {_written(value)}")

    def frame(self, name: str, turned: Any, *turns: tuple[Any, Any]) -> Term:
        """A frame turned from another one: `frame("B", b.N, ("z", phi), ("x", theta))`."""
        steps = ", ".join(f"{_written(axis)} by {_written(angle)}" for axis, angle in turns)
        return self._named("frame", name, f" = {_written(turned)} rotated {steps}")

    def point(self, name: str, at: Any, *, mass: Any = None) -> Term:
        """A point, with a mass if it is a particle."""
        return self._named("point", name, f" = {_written(at)}" + ("" if mass is None else f" mass {_written(mass)}"))

    def body(self, name: str, *, mass: Any, at: Any, frame: Any, inertia: Any, about: Any = None) -> Term:
        """A rigid body."""
        more = "" if about is None else f" about {_written(about)}"
        what = f" mass {_written(mass)} at {_written(at)} frame {_written(frame)} inertia {_written(inertia)}{more}"
        return self._named("body", name, what)

    def gravity(self, vector: Any) -> Builder:
        """The acceleration of free fall."""
        return self.line(f"gravity {_written(vector)}")

    def force(self, vector: Any, on: Any, *, at: Any = None, against: Any = None) -> Builder:
        """A force on a point or a body."""
        return self._load("force", vector, on, at, against)

    def torque(self, vector: Any, on: Any, *, against: Any = None) -> Builder:
        """A torque on a body."""
        return self._load("torque", vector, on, None, against)

    def generalized_force(self, force: Any, on: Any) -> Builder:
        """A force on a coordinate."""
        return self.line(f"generalized force {_written(force)} on {_written(on)}")

    def spring(self, stiffness: Any, first: Any, second: Any, *, rest: Any = None) -> Builder:
        """A spring between two points."""
        length = "" if rest is None else f" rest {_written(rest)}"
        return self.line(f"spring {_written(stiffness)}{length} between {_written(first)} and {_written(second)}")

    def damper(self, coefficient: Any, first: Any, second: Any) -> Builder:
        """A damper between two points."""
        return self.line(f"damper {_written(coefficient)} between {_written(first)} and {_written(second)}")

    def potential(self, energy: Any) -> Builder:
        """A potential energy."""
        return self.line(f"potential {_written(energy)}")

    def dissipation(self, power: Any) -> Builder:
        """Rayleigh's function."""
        return self.line(f"dissipation {_written(power)}")

    def kinetic(self, energy: Any) -> Builder:
        """A kinetic energy of what has no particles."""
        return self.line(f"kinetic {_written(energy)}")

    def constraint(self, name: str, left: Any, right: Any = 0, relation: str = "=") -> Builder:
        """An equation, or with `>=` a one-sided constraint."""
        return self.line(f"constraint {name}: {_written(left)} {relation} {_written(right)}")

    def start(self, values: Mapping[Any, Any] | None = None, /, **more: Any) -> Builder:
        """Values at the start: `start({q: 0.5, q.rate: 1})`."""
        given = {**(values or {}), **more}
        told = ", ".join(f"{_written(name)} = {_written(value)}" for name, value in given.items())
        return self.line(f"start {told}")

    def _named(self, keyword: str, name: str, rest: str) -> Term:
        self.lines.append(f"{keyword} {name}{rest}")
        return Term(name)

    def _load(self, keyword: str, vector: Any, on: Any, at: Any, against: Any) -> Builder:
        place = "" if at is None else f" at {_written(at)}"
        other = "" if against is None else f" against {_written(against)}"
        return self.line(f"{keyword} {_written(vector)} on {_written(on)}{place}{other}")

    @property
    def text(self) -> str:
        """The text of the model."""
        return "\n".join(self.lines) + "\n"

    def __repr__(self) -> str:
        return self.text.rstrip()

    def model(self, **values: Value) -> Model:
        """The model, read and checked; a mistake is told with its line in `text`."""
        return Model._of({"file": "builder", "text": self.text, "set": values or None})
