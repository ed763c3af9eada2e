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
    #: Points and frames whose velocity is not the rate of where they are.
    contradictions: list[str] = field(default_factory=list)

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
    #: What is zero: auxiliary speeds and their rates.
    zero: dict[Any, Any] = field(default_factory=dict)
    #: Coordinates that were added for speeds that are no rates of the others.
    added: list[Any] = field(default_factory=list)


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
    elif word == "System":
        given = _system(method, bodies, loads, frame)
        origin = origin if origin is not None else method.fixed_point
    else:
        raise TypeError(f"a KanesMethod, a LagrangesMethod or a System is read, not a {word}")
    missing = []
    if not given.bodies:
        missing.append("the bodies (bodies=[…]): from a Lagrangian alone masses and positions are not known")
    if given.frame is None:
        missing.append("the inertial frame (frame=N)")
    if missing:
        raise ValueError("this method holds too little to rebuild the system; missing: " + "; ".join(missing))
    writer = _Writer(given, origin, names or {})
    # the claims first: a symbol of theirs is a parameter, though nothing in the system has it
    claims = writer.claims()
    text = writer.text(values or {})
    model = Model(text, file=f"{word}.mech")
    return Method(model, claims, model.audit(claims), writer.notes, writer.contradictions)


def _t() -> Any:
    from sympy.physics.mechanics import dynamicsymbols

    return dynamicsymbols._t


def _kane(method: Any, bodies: Any, loads: Any, frame: Any) -> _Given:
    import sympy as sm

    t = _t()
    q, u = list(method.q), list(method.u)
    auxiliary = list(getattr(method, "_uaux", None) or [])
    u = [speed for speed in u if speed not in auxiliary]
    zero = {one: 0 for speed in auxiliary for one in (speed.diff(t), speed)}
    rates = [one.diff(t) for one in q]
    forward = {rate: sm.sympify(value).subs(zero) for rate, value in method.kindiffdict().items()}
    unknown = [rate for rate in rates if rate not in forward]
    if unknown:
        raise ValueError(f"the kinematic equations do not say what {unknown[0]} is")
    # u in the rates: the kinematic equations are linear in both
    matrix = sm.Matrix([[forward[rate].diff(speed) for speed in u] for rate in rates])
    rest = sm.Matrix([forward[rate].subs({speed: 0 for speed in u}) for rate in rates])
    rows = _independent(matrix, len(u))
    # speeds that no coordinate has as its rate get one each: the place that they lead to is in no equation
    spare = [k for k in range(len(u)) if k not in _independent(matrix.extract(rows, list(range(len(u)))).T, len(rows))]
    added = [sm.Function(f"way_of_{u[k].func.__name__}")(t) for k in spare]
    square = sm.Matrix.vstack(matrix.extract(rows, list(range(len(u)))), *(sm.Matrix([[int(k == j) for j in range(len(u))]]) for k in spare))
    right = sm.Matrix([rates[k] - rest[k] for k in rows] + [one.diff(t) for one in added])
    solved = square.LUsolve(right)
    # long ones stay as they are: to make them short takes longer than all the rest
    speeds = {speed: sm.simplify(value) if value.count_ops() < 200 else value for speed, value in zip(u, solved)}
    # rates beyond the number of the speeds follow from the others
    beyond = [rates[k] - rest[k] - sum(matrix[k, j] * speeds[u[j]] for j in range(len(u))) for k in range(len(q)) if k not in rows]
    for speed in u:
        speeds[speed.diff(t)] = speeds[speed].diff(t)
    constraints = [one for one in getattr(method, "_f_h", sm.Matrix()) or []]
    if getattr(method, "_k_nh", None):
        # what a geometric row says of the rates already is no row of its own
        known = [sm.expand(one.diff(t).subs(forward)) for one in constraints]
        rows_nh = list(method._k_nh * sm.Matrix(list(method.u)) + method._f_nh)
        rows_nh = [row.subs(zero) for row in rows_nh]
        constraints += [row for row in rows_nh if not any(_is_zero(row - one) or _is_zero(row + one) for one in known)]
    if getattr(method, "_fr", None) is None:
        raise ValueError("the equations are not there yet: call kanes_equations first")
    return _Given(
        q,
        bodies if bodies is not None else list(method.bodies or []),
        loads if loads is not None else list(method.loads or []),
        frame if frame is not None else method._inertial,
        constraints + [one for one in beyond if not _is_zero(one)],
        list(method._fr + method._frstar)[: len(method._fr) - len(auxiliary)],
        speeds,
        [],
        zero,
        added,
    )


def _independent(matrix: Any, most: int) -> list[int]:
    """The first rows that are independent, at most so many, judged at a state of no particular kind."""
    import sympy as sm

    t = _t()
    atoms = sorted({one for entry in matrix for one in sm.sympify(entry).atoms(sm.core.function.AppliedUndef, sm.Symbol) if one != t}, key=str)
    values = {one: sm.Rational(7 + 4 * k, 13 + 3 * k) for k, one in enumerate(atoms)}
    numbers = matrix.subs(values).evalf(30)
    found: list[int] = []
    for k in range(matrix.shape[0]):
        if len(found) < most and numbers.extract([*found, k], list(range(matrix.shape[1]))).rank(iszerofunc=lambda e: abs(e) < 1e-20) == len(found) + 1:
            found.append(k)
    return found


def _is_zero(e: Any) -> bool:
    import sympy as sm

    return bool(sm.trigsimp(sm.expand(e)) == 0)


def _system(system: Any, bodies: Any, loads: Any, frame: Any) -> _Given:
    """A `System` has bodies, loads and the method that formed its equations; they are formed if they are not there yet."""
    if getattr(system, "eom_method", None) is None:
        system.form_eoms()
    acting = [*system.loads, *(load for actuator in system.actuators for load in actuator.to_loads())]
    read = _lagrange if type(system.eom_method).__name__ == "LagrangesMethod" else _kane
    return read(
        system.eom_method,
        bodies if bodies is not None else list(system.bodies),
        loads if loads is not None else acting,
        frame if frame is not None else system.frame,
    )


def _lagrange(method: Any, bodies: Any, loads: Any, frame: Any) -> _Given:
    if getattr(method, "eom", None) is None or len(method.eom) == 0:
        method.form_lagranges_equations()
    velocity = list(method.coneqs) if method.coneqs is not None and len(method.coneqs) else []
    # geometric rows come first, differentiated; they are better as they were given
    geometric = list(getattr(method, "_hol_coneqs", None) or [])
    rows = geometric + velocity[len(geometric) :]
    held = bodies if bodies is not None else list(method.bodies or [])
    return _Given(
        list(method.q),
        held,
        loads if loads is not None else list(method.forcelist or []),
        frame if frame is not None else method.inertial if method.inertial is not None else _frame_of(held),
        rows,
        list(method.eom),
        {},
        list(method.lam_vec) if velocity else [],
    )


def _frame_of(bodies: Sequence[Any]) -> Any:
    """The one frame in which the velocities of all bodies are known; None if there are several or none."""
    points = [body.masscenter if hasattr(body, "masscenter") else body.point for body in bodies]
    common = set.intersection(*(set(point._vel_dict) for point in points)) if points else set()
    return common.pop() if len(common) == 1 else None


class _Writer:
    """Writes the model."""

    def __init__(self, given: _Given, origin: Any, names: Mapping[Any, str]) -> None:
        self.given = given
        self.origin = origin
        self.names = dict(names)
        self.notes: list[str] = []
        self.contradictions: list[str] = []
        self.used: set[str] = set()
        #: Whether a constraint ties the coordinates themselves.
        self.is_geometric = False
        if given.zero:
            self.notes.append("auxiliary speeds are zero; the equations that belong to them were not judged")
        self.t = _t()
        self.rates = [one.diff(self.t) for one in [*given.q, *given.added]]
        self.inputs: set[Any] = set()
        self.added: list[str] = [to_text(one, names) for one in given.added]
        self.lines: list[str] = []
        self.symbols: set[Any] = set()

    def write(self, expression: Any) -> str:
        """An expression of coordinates and rates, speeds put away."""
        import sympy as sm

        plain = sm.sympify(expression).doit().subs(self.given.zero)
        plain = plain.subs(self._rates_of_speeds()).subs(self.given.speeds).doit()
        self.symbols |= {one for one in plain.free_symbols if one != self.t}
        known = {*self.given.q, *self.given.added, *self.given.multipliers}
        others = {one for one in plain.atoms(sm.core.function.AppliedUndef) if one not in known}
        moving = next((one for one in plain.atoms(sm.Derivative) if one.expr in others), None)
        if moving is not None:
            raise ValueError(f"{moving.expr} is no coordinate, and its rate is used: a motion that is prescribed by a function is not read")
        self.inputs |= others
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
            written = self.write(row)
            self.is_geometric |= "'" not in written
            self.lines.append(f"constraint row{k}: {written} = 0")
        coordinates = [to_text(one, self.names) for one in given.q]
        head = [f"coord {', '.join([*coordinates, *self.added])}"]
        parameters = sorted(self.symbols, key=lambda one: one.name)
        numbers = {to_text(one, self.names): values.get(one, values.get(one.name)) for one in parameters}
        made_up = [name for name, value in numbers.items() if value is None]
        if made_up:
            self.notes.append(f"values were made up for {', '.join(made_up)}; the audit is for every value")
        spare = iter(_VALUES * (1 + len(made_up)))
        told = [f"{name} = {next(spare) if value is None else value}" for name, value in numbers.items()]
        loads = sorted(to_text(one, self.names) for one in self.inputs)
        if loads:
            self.notes.append(f"functions of time that are no coordinates were read as inputs: {', '.join(loads)}")
        head += [f"input {name} : rad = 0" for name in loads]
        # a state of no particular kind: at zero, angles may be singular
        if not self.is_geometric:
            values_of = ", ".join(f"{name} = {0.1 * k + 0.21:.2f}" for k, name in enumerate([*coordinates, *self.added]))
            self.lines.append(f"start {values_of}")
        return "\n".join([*([f"param {', '.join(told)}"] if told else []), *head, *self.lines]) + "\n"

    def _place(self, body: Any) -> None:
        """The mass of a body at its place."""
        frame, point = self.given.frame, body.masscenter if hasattr(body, "masscenter") else body.point
        name = self._free_name(str(body.name))
        velocity = point.vel(frame)
        place = self._position(point)
        mass = self.write(body.mass)
        components = [velocity.dot(axis) for axis in (frame.x, frame.y, frame.z)]
        told = point._acc_dict.get(frame)
        if told is not None and not self._is_rate(components, [told.dot(axis) for axis in (frame.x, frame.y, frame.z)]):
            self.notes.append(f"the acceleration of {point.name} is not the rate of its velocity, which was believed")
            self.contradictions.append(point.name)
        if place is not None and self._is_rate(place, components):
            written = ", ".join(self.write(one) for one in place)
            self.lines.append(f"point {name}_centre = ({written}) mass {mass}")
            return
        why = "has no place from a point that is fixed" if place is None else "is not the rate of its position"
        self.notes.append(f"the velocity of {point.name} {why}: it was taken as a constraint on a place of its own")
        if place is not None:
            self.contradictions.append(point.name)
        own = [f"{name}_{axis}" for axis in "xyz"]
        self.added.extend(own)
        self.lines.append(f"point {name}_centre = ({', '.join(own)}) mass {mass}")
        for one, component in zip(own, components):
            self.lines.append(f"constraint {one}: {one}' = {self.write(component)}")

    def _free_name(self, told: str) -> str:
        """A name of the language for a body, which no other has."""
        name = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in told)
        name = name if name[:1].isalpha() else f"body{len(self.used) + 1}{name}"
        while name in self.used:
            name += "_"
        self.used.add(name)
        return name

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
            self.contradictions.append(body.frame.name)

    def _forces(self, loads: list[tuple[Any, Any]]) -> None:
        """Loads by their virtual power: Q = F·∂v/∂q'."""
        import sympy as sm

        frame = self.given.frame
        for coordinate, rate in zip([*self.given.q, *self.given.added], self.rates):
            force = sm.Integer(0)
            for moves, vector in loads:
                for axis in (frame.x, frame.y, frame.z):
                    component = moves.dot(axis).doit().subs(self.given.zero).subs(self.given.speeds)
                    force += vector.dot(axis) * component.diff(rate)
            if force != 0:
                self.lines.append(f"generalized force {self.write(force)} on {to_text(coordinate, self.names)}")

    def claims(self) -> str:
        """SymPy's equations."""
        unknown = [to_text(one, self.names) for one in self.given.multipliers]
        lines = [f"unknown {', '.join(unknown)} : rad"] if unknown else []
        lines += [f"claim equation{k}: {self.write(one)} = 0" for k, one in enumerate(self.given.equations, 1)]
        return "\n".join(lines) + "\n"


def _angular_velocity(frame: Any, inertial: Any, t: Any) -> Any:
    """The angular velocity from the orientation: R' Rᵀ is the matrix of its cross product."""
    turn = inertial.dcm(frame)
    spin = turn.diff(t) * turn.T
    return spin[2, 1] * inertial.x + spin[0, 2] * inertial.y + spin[1, 0] * inertial.z
