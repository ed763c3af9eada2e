"""A method of `sympy.physics.mechanics` as a model: bodies, loads and constraints read, its equations audited.

Positions are believed. A body whose velocity is not the rate of its position, as of a disc that rolls about a point called
fixed, gets coordinates of its own for its place, and its velocity is a constraint on them. Kinetic energies are made anew from
orientations, never taken from SymPy's equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._answer import Audit
from ._model import Model
from ._sympy import to_text

#: Values of parameters that were given none; the audit is for every value.
_VALUES = ("1.1", "1.3", "1.7", "1.9", "2.3", "2.9", "3.1", "3.7", "4.1", "4.3")


@dataclass
class Method:
    """What was read from a method of SymPy."""

    #: The system as it was rebuilt.
    model: Model
    #: SymPy's equations, as claims about it.
    claims: str
    #: The verdict on them.
    audit: Audit
    #: What was found on the way: velocities that are no rates of positions, values that were made up.
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return "\n".join([repr(self.audit), *(f"note: {note}" for note in self.notes)])

    def __bool__(self) -> bool:
        return bool(self.audit)

    def __iter__(self) -> Iterator[Any]:
        """`model, claims = from_sympy(…)`"""
        return iter((self.model, self.claims))


@dataclass
class _Given:
    """The parts of a method, whichever it is."""

    q: list[Any]
    bodies: Sequence[Any]
    loads: Sequence[Any]
    frame: Any
    #: Equations between coordinates and rates, each zero.
    constraints: list[Any]
    #: SymPy's equations, each zero.
    equations: list[Any]
    #: What speeds and their rates are in the rates of the coordinates.
    speeds: dict[Any, Any]
    #: The multipliers in the equations, if there are any.
    multipliers: list[Any]


def read_method(
    method: Any,
    *,
    bodies: Sequence[Any] | None = None,
    loads: Sequence[Any] | None = None,
    frame: Any = None,
    origin: Any = None,
    values: Mapping[Any, float] | None = None,
    names: Mapping[Any, str] | None = None,
) -> Method:
    """See `anholon.from_sympy`."""
    word = type(method).__name__
    if word == "KanesMethod":
        given = _kane(method, bodies, loads, frame)
    elif word == "LagrangesMethod":
        given = _lagrange(method, bodies, loads, frame)
    else:
        raise TypeError(f"a KanesMethod or a LagrangesMethod is read, not a {word}")
    missing = []
    if not given.bodies:
        missing.append("the bodies (bodies=[…]): from a Lagrangian alone masses and positions are not known")
    if given.frame is None:
        missing.append("the inertial frame (frame=N)")
    if missing:
        raise ValueError("this method holds too little to rebuild the system; missing: " + "; ".join(missing))
    writer = _Writer(given, origin, names or {})
    text = writer.text(values or {})
    claims = writer.claims()
    model = Model(text, file=f"{word}.mech")
    return Method(model, claims, model.audit(claims), writer.notes)


def _t() -> Any:
    from sympy.physics.mechanics import dynamicsymbols

    return dynamicsymbols._t


def _kane(method: Any, bodies: Any, loads: Any, frame: Any) -> _Given:
    import sympy as sm

    t = _t()
    q, u = list(method.q), list(method.u)
    rates = [one.diff(t) for one in q]
    forward = method.kindiffdict()
    unknown = [rate for rate in rates if rate not in forward]
    if unknown:
        raise ValueError(f"the kinematic equations do not say what {unknown[0]} is")
    # u in the rates: the kinematic equations are linear in both
    matrix = sm.Matrix([[forward[rate].diff(speed) for speed in u] for rate in rates])
    rest = sm.Matrix([forward[rate].subs({speed: 0 for speed in u}) for rate in rates])
    right = sm.Matrix(rates) - rest
    if matrix.shape[0] == matrix.shape[1]:
        solved = matrix.LUsolve(right)
    else:
        raise ValueError(f"there are {len(u)} speeds and {len(q)} coordinates: the speeds do not follow from the rates")
    speeds = {speed: sm.simplify(value) for speed, value in zip(u, solved)}
    for speed in u:
        speeds[speed.diff(t)] = speeds[speed].diff(t)
    constraints = [one for one in getattr(method, "_f_h", sm.Matrix()) or []]
    if getattr(method, "_k_nh", None):
        constraints += list(method._k_nh * sm.Matrix(u) + method._f_nh)
    if getattr(method, "_fr", None) is None:
        raise ValueError("the equations are not there yet: call kanes_equations first")
    return _Given(
        q,
        bodies if bodies is not None else list(method.bodies or []),
        loads if loads is not None else list(method.loads or []),
        frame if frame is not None else method._inertial,
        constraints,
        list(method._fr + method._frstar),
        speeds,
        [],
    )


def _lagrange(method: Any, bodies: Any, loads: Any, frame: Any) -> _Given:
    if getattr(method, "eom", None) is None or len(method.eom) == 0:
        method.form_lagranges_equations()
    velocity = list(method.coneqs) if method.coneqs is not None and len(method.coneqs) else []
    return _Given(
        list(method.q),
        bodies if bodies is not None else list(method.bodies or []),
        loads if loads is not None else list(method.forcelist or []),
        frame if frame is not None else method.inertial,
        velocity,
        list(method.eom),
        {},
        list(method.lam_vec) if velocity else [],
    )


class _Writer:
    """Writes the model."""

    def __init__(self, given: _Given, origin: Any, names: Mapping[Any, str]) -> None:
        self.given = given
        self.origin = origin
        self.names = dict(names)
        self.notes: list[str] = []
        self.t = _t()
        self.rates = [one.diff(self.t) for one in given.q]
        self.added: list[str] = []
        self.lines: list[str] = []
        self.symbols: set[Any] = set()

    def write(self, expression: Any) -> str:
        """An expression of coordinates and rates, speeds put away."""
        import sympy as sm

        plain = sm.sympify(expression).doit().subs(self._rates_of_speeds()).subs(self.given.speeds).doit()
        self.symbols |= {one for one in plain.free_symbols if one != self.t}
        return to_text(plain, self.names)

    def _rates_of_speeds(self) -> dict[Any, Any]:
        import sympy as sm

        return {one: value for one, value in self.given.speeds.items() if isinstance(one, sm.Derivative)}

    def text(self, values: Mapping[Any, float]) -> str:
        """The text of the model."""
        import sympy.physics.mechanics as me

        given, frame = self.given, self.given.frame
        velocities: list[tuple[Any, Any]] = []
        for body in given.bodies:
            self._place(body)
            if isinstance(body, me.RigidBody):
                turning = _angular_velocity(body.frame, frame, self.t)
                self._compare(body, turning)
                self.lines.append(f"kinetic {self.write(body.central_inertia.dot(turning).dot(turning) / 2)}")
            if body.potential_energy != 0:
                self.lines.append(f"potential {self.write(body.potential_energy)}")
        for load in given.loads:
            where, vector = load[0], load[1]
            is_frame = isinstance(where, me.ReferenceFrame)
            moves = where.ang_vel_in(frame) if is_frame else where.vel(frame)
            velocities.append((moves, vector))
        self._forces(velocities)
        for k, row in enumerate(given.constraints, 1):
            self.lines.append(f"constraint row{k}: {self.write(row)} = 0")
        coordinates = [to_text(one, self.names) for one in given.q]
        head = [f"coord {', '.join([*coordinates, *self.added])}"]
        parameters = sorted(self.symbols, key=lambda one: one.name)
        numbers = {to_text(one, self.names): values.get(one, values.get(one.name)) for one in parameters}
        made_up = [name for name, value in numbers.items() if value is None]
        if made_up:
            self.notes.append(f"values were made up for {', '.join(made_up)}; the audit is for every value")
        spare = iter(_VALUES * (1 + len(made_up)))
        told = [f"{name} = {next(spare) if value is None else value}" for name, value in numbers.items()]
        return "\n".join([*([f"param {', '.join(told)}"] if told else []), *head, *self.lines]) + "\n"

    def _place(self, body: Any) -> None:
        """The mass of a body at its place."""
        frame, point = self.given.frame, body.masscenter if hasattr(body, "masscenter") else body.point
        name = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in str(body.name))
        velocity = point.vel(frame)
        place = self._position(point)
        mass = self.write(body.mass)
        components = [velocity.dot(axis) for axis in (frame.x, frame.y, frame.z)]
        if place is not None and self._is_rate(place, components):
            written = ", ".join(self.write(one) for one in place)
            self.lines.append(f"point {name}_centre = ({written}) mass {mass}")
            return
        why = "has no place from a point that is fixed" if place is None else "is not the rate of its position"
        self.notes.append(f"the velocity of {point.name} {why}: it was taken as a constraint on a place of its own")
        own = [f"{name}_{axis}" for axis in "xyz"]
        self.added.extend(own)
        self.lines.append(f"point {name}_centre = ({', '.join(own)}) mass {mass}")
        for one, component in zip(own, components):
            self.lines.append(f"constraint {one}: {one}' = {self.write(component)}")

    def _position(self, point: Any) -> list[Any] | None:
        frame = self.given.frame
        if self.origin is not None:
            vector = point.pos_from(self.origin)
            return [vector.dot(axis) for axis in (frame.x, frame.y, frame.z)]
        waiting, seen = [point], {point}
        while waiting:
            one = waiting.pop(0)
            if frame in one._vel_dict and one._vel_dict[frame] == 0:
                vector = point.pos_from(one)
                return [vector.dot(axis) for axis in (frame.x, frame.y, frame.z)]
            for other in one._pos_dict:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return None

    def _is_rate(self, place: list[Any], components: list[Any]) -> bool:
        from ._model import same

        pairs = [(self.write(one.diff(self.t)), self.write(other)) for one, other in zip(place, components)]
        return all(bool(same(left, right)) for left, right in pairs)

    def _compare(self, body: Any, turning: Any) -> None:
        from ._model import same

        frame = self.given.frame
        told = body.frame.ang_vel_in(frame)
        axes = (frame.x, frame.y, frame.z)
        if not all(bool(same(self.write(told.dot(axis)), self.write(turning.dot(axis)))) for axis in axes):
            self.notes.append(f"the angular velocity of {body.frame.name} is not that of its orientation, which was believed")

    def _forces(self, loads: list[tuple[Any, Any]]) -> None:
        """Loads by their virtual power: Q = F·∂v/∂q'."""
        import sympy as sm

        frame = self.given.frame
        for coordinate, rate in zip(self.given.q, self.rates):
            force = sm.Integer(0)
            for moves, vector in loads:
                for axis in (frame.x, frame.y, frame.z):
                    component = moves.dot(axis).doit().subs(self.given.speeds)
                    force += vector.dot(axis) * component.diff(rate)
            if force != 0:
                self.lines.append(f"generalized force {self.write(force)} on {to_text(coordinate, self.names)}")

    def claims(self) -> str:
        """SymPy's equations."""
        unknown = [to_text(one, self.names) for one in self.given.multipliers]
        lines = [f"unknown {', '.join(unknown)}"] if unknown else []
        lines += [f"claim equation{k}: {self.write(one)} = 0" for k, one in enumerate(self.given.equations, 1)]
        return "\n".join(lines) + "\n"


def _angular_velocity(frame: Any, inertial: Any, t: Any) -> Any:
    """The angular velocity from the orientation: R' Rᵀ is the matrix of its cross product."""
    turn = inertial.dcm(frame)
    spin = turn.diff(t) * turn.T
    return spin[2, 1] * inertial.x + spin[0, 2] * inertial.y + spin[1, 0] * inertial.z
