"""Models: opened from text, asked by verbs."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from . import _engine
from ._answer import (
    Answer,
    Audit,
    Check,
    Derivation,
    Equilibria,
    Evaluation,
    Export,
    Integrals,
    Linearization,
    Proof,
    Record,
    Report,
    Signs,
    Solved,
    Trim,
    Verification,
    Words,
    read,
)
from ._errors import ModelError, NoAnswer
from ._simulation import Simulation, simulation
from ._sweep import Sweep, is_table, on_cluster, on_threads, pointed, varied

#: A value of a name: a number, or a text in the language of models, such as "2 kg" or "pi/2".
Value = float | int | str | Fraction
#: Values of names, or a text such as "x = 1, x' = 2".
Values = Mapping[str, Value] | str
#: Ranges of names, or a text such as "x=-1..1".
Ranges = Mapping[str, tuple[float, float]] | str
#: Names: a list, or one text with commas.
Names = Sequence[str] | str
#: Called with the part of the work and the share that is done, from 0 to 1; `False` stops. `True` shows a bar.
Progress = Callable[[str, float], object] | bool | None
#: Texts that add declarations: a text, a path, or a list of these.
Texts = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

_Answered = TypeVar("_Answered", bound=Answer)


def _plain(value: Any) -> Any:
    """A value as JSON can have it."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no finite number")
        return value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, os.PathLike):
        return {"file": os.fspath(value), "text": Path(value).read_text(encoding="utf-8")}
    if hasattr(value, "tolist"):  # NumPy
        return _plain(value.tolist())
    if isinstance(value, (list, tuple, set, range)):
        return [_plain(one) for one in value]
    if hasattr(value, "free_symbols"):  # SymPy
        from ._sympy import to_text

        return to_text(value)
    raise TypeError(f"a {type(value).__name__} cannot be asked for: {value!r}")


def _question(given: Mapping[str, Any]) -> str:
    """The options of a question as JSON; what was not said is left out."""
    said = {key[:-1] if key.endswith("_") else key: value for key, value in given.items()}
    said = {key: value for key, value in said.items() if value is not None and value is not False}
    return json.dumps(_plain(said), allow_nan=False)


def _followed(progress: Progress, words: str) -> tuple[Callable[[str, float], object] | None, Callable[[], None]]:
    """Who follows the work, and what takes the bar away."""
    if progress is None or progress is False:
        return None, lambda: None
    if progress is not True:
        return progress, lambda: None
    from ._bar import Bar

    bar = Bar(words)
    return bar, bar.close


class Model:
    """A mechanical system, read from text in the language of models.

    `Model(text, l=0.5)` gives parameters, start values, rates (`{"x'": 2}` by `with_`) other values, in SI units. A model never
    changes; `with_` gives another one. Threads may share it and take turns. `close()` frees it, as `with` does at its end.
    """

    def __init__(self, text: str, /, *, file: str = "model", seed: int | None = None, **values: Value) -> None:
        self._open({"file": file, "text": text, "set": values or None, "seed": seed})

    def _open(self, request: Mapping[str, Any]) -> None:
        self._engine = _engine.Model(_question(request))
        self._names = read(self._engine.told())

    @classmethod
    def _of(cls, request: Mapping[str, Any]) -> Model:
        model = cls.__new__(cls)
        model._open(request)
        return model

    def with_(
        self, values: Mapping[str, Value] | None = None, /, *, declarations: Texts | None = None, **more: Value
    ) -> Model:
        """The same model with other values, as `model.with_({"x'": 2}, l=0.5)`, or with more declarations."""
        request = json.loads(self._engine.request)
        before = request.get("set") or {}
        if isinstance(before, list):
            before = dict(one.split("=", 1) for one in before)
        request["set"] = {**before, **(values or {}), **more} or None
        if declarations is not None:
            added = _plain(declarations)
            request["with"] = [*(request.get("with") or []), *(added if isinstance(added, list) else [added])]
        return Model._of(request)

    # what it is

    @property
    def file(self) -> str:
        """What messages call it."""
        return str(self._names["file"])

    @property
    def title(self) -> str:
        """Its title."""
        return str(self._names["title"])

    @property
    def text(self) -> str:
        """Its text, as it was read."""
        return str(self._names["text"])

    @property
    def coordinates(self) -> list[str]:
        """The names of its coordinates."""
        return list(self._names["coordinates"])

    @property
    def speeds(self) -> list[str]:
        """The names of its speeds."""
        return list(self._names["speeds"])

    @property
    def inputs(self) -> list[str]:
        """The names of its inputs."""
        return list(self._names["inputs"])

    @property
    def observes(self) -> list[str]:
        """The names of what it observes."""
        return list(self._names["observes"])

    @property
    def parameters(self) -> dict[str, float | None]:
        """Its parameters and their values in SI units; None where there is none."""
        return {str(name): value for name, value in self._names["parameters"]}

    def _known(self) -> list[str]:
        return [*self.coordinates, *self.speeds, *self.inputs, *self.observes, *self.parameters]

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self._engine.closed

    def close(self) -> None:
        """Frees what the engine holds. Whoever asks the model afterwards gets an exception."""
        self._engine.close()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self._engine.request,))

    def __repr__(self) -> str:
        if "_names" not in self.__dict__:
            return "<a model that could not be opened>"
        numbers = ", ".join(f"{name} = {value:g}" if value is not None else name for name, value in self.parameters.items())
        lines = [f"{self.title or self.file} ({self.file})", f"  coordinates  {', '.join(self.coordinates)}"]
        for word, names in (("speeds", self.speeds), ("inputs", self.inputs), ("observes", self.observes)):
            if names:
                lines.append(f"  {word:<11}  {', '.join(names)}")
        return "\n".join([*lines, f"  parameters   {numbers}"] if numbers else lines)

    # verbs

    def _ask(self, kind: type[_Answered], verb: str, progress: Progress, given: Mapping[str, Any]) -> _Answered:
        follower, done = _followed(progress, verb)
        try:
            written, page, code = self._engine.ask(verb, _question(given), follower)
        finally:
            done()
        return kind(written, page, code, self._signs())

    def _signs(self) -> Signs:
        """What the model assumes of its parameters: `assume m > 0`, and names of SymPy for it."""
        words = {"> 0": "positive", ">= 0": "nonnegative", "< 0": "negative", "<= 0": "nonpositive"}
        found: Signs = {}
        for line in self._names["assumptions"]:
            name, _, rest = str(line).partition(" ")
            if name in self.parameters and rest in words:
                found.setdefault(name, {})[words[rest]] = True
        return found

    def ask(self, verb: str, /, *, progress: Progress = None, **question: Any) -> Answer:
        """Asks any verb with the options of the command line; the methods below know their answers better."""
        return self._ask(Answer, verb, progress, question)

    def check(
        self,
        *,
        show: str | None = None,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Check:
        """What does the model say, and is it sound?"""
        return self._ask(Check, "check", progress, _said(locals()))

    def derive(
        self,
        form: str | None = None,
        *,
        rates: bool = False,
        reactions: bool = False,
        correction: bool = False,
        steps: bool = False,
        matrices: bool = False,
        explicit: bool = False,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Derivation:
        """The equations of motion in one form, or in `"all"`; `anholon.forms()` lists them.

        A form that does not apply raises `NoAnswer`, with the reason.
        """
        found = self._ask(Derivation, "derive", progress, _said(locals()))
        if found.exit_code == 3:
            reason = found.data.get("reason") or "no form applies"
            raise NoAnswer(f"the form {form!r} does not apply: {reason}" if form else reason, found)
        return found

    def prove(
        self,
        forms: Names | None = None,
        *,
        certificate: bool = False,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Proof:
        """Do all applicable forms agree? With `certificate`, the answer has one that `verify` replays."""
        return self._ask(Proof, "prove", progress, _said(locals()))

    def verify(self, certificate: Any, *, progress: Progress = None) -> Verification:
        """Replays a certificate of `prove` with the independent checker."""
        return self._ask(Verification, "verify", progress, {"certificate": certificate})

    def audit(
        self,
        claims: Any = None,
        *,
        names: Mapping[Any, str] | None = None,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Audit:
        """Are claimed equations right? And if not, which mistake do they look like?

        `claims` is a text of claims, an equation such as `"m*x'' = -c*x"` or, in LaTeX, `r"m\\ddot{x} = -c x"`, a path,
        `"gallery:NAME"`, a SymPy equation (or an expression that is to vanish), or a list of equations. `names` says what symbols of SymPy are called in the model.
        """
        from ._claims import text_of

        given = _said(locals())
        given.pop("names")
        given.pop("text_of", None)
        given["claims"] = text_of(claims, names, self._known())
        return self._ask(Audit, "audit", progress, given)

    def evaluate(
        self,
        at: Values | None = None,
        *,
        form: str | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Evaluation:
        """Accelerations, multipliers and reactions at the start, or at another state: `evaluate({"x": 1, "x'": 2})`."""
        found = self._ask(Evaluation, "evaluate", progress, _said(locals()))
        if found.exit_code == 3:
            raise NoAnswer(str(found.data.get("reason", found.page)), found)
        return found

    def simulate(
        self,
        for_: float | None = None,
        *,
        back: float | None = None,
        times: Sequence[float] | None = None,
        every: float | None = None,
        tolerance: float | None = None,
        method: str | None = None,
        step: float | None = None,
        form: str | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: str | os.PathLike[str] | None = None,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Simulation:
        """The motion for so many seconds, with a state every so many seconds, or at `times`.

        `back` runs backwards from the start for so long. `checkpoint` names a file that is written at the end, and where Ctrl-C
        ends the motion; `resume` names one to go on from, with the same digits.
        A motion that cannot go on gives what it has, with an `IncompleteWarning`; `failure` has the reason.
        """
        given = _said(locals())
        if checkpoint is not None:
            given["checkpoint"] = os.fspath(checkpoint)
        if resume is not None:
            given["resume"] = Path(resume).read_text(encoding="utf-8")
        follower, done = _followed(progress, "simulate")
        try:
            engine = self._engine.simulate(_question(given), follower)
        finally:
            done()
        return simulation(engine)

    def linearize(
        self,
        at: Values | None = None,
        *,
        steady: Values | None = None,
        periodic: float | None = None,
        coordinates: Names | None = None,
        symbolic: Names | None = None,
        code: bool = False,
        sweep: Ranges | None = None,
        points: int | None = None,
        critical: Ranges | None = None,
        input: Names | None = None,
        output: Names | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Linearization:
        """The linear equations about a state, a steady or a periodic motion: matrices, eigenvalues, critical values."""
        found = self._ask(Linearization, "linearize", progress, _said(locals()))
        if found.exit_code == 3:
            raise NoAnswer(str(found.data.get("reason", found.page)), found)
        return found

    def trim(
        self,
        inputs: Names | None = None,
        at: Values | None = None,
        *,
        input: Names | None = None,
        output: Names | None = None,
        coordinates: Names | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Trim:
        """The inputs that keep a steady motion: `trim(inputs="tau", at={"phi": 0.7})`, all inputs if none are named.

        `at` has what is prescribed, the coordinates of the start if nothing is said. The rest is solved for; what can still be
        chosen then, such as the speed of a car that nothing brakes, has the value of the start. `loads` has the inputs, `state` the state, and the
        matrices are those of `linearize` about it. Without such a motion, `NoAnswer` says why.
        """
        names = [one.strip() for one in inputs.split(",")] if isinstance(inputs, str) else list(inputs or self.inputs)
        if not names:
            raise ValueError("the model has no inputs: declare one, as in `input tau : N*m = 0 N*m`")
        unknown = [name for name in names if name not in self.inputs]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is no input of the model; there are {', '.join(self.inputs) or 'none'}")
        start = self.evaluate(set=set, with_=with_).state
        if at is None:
            at = {name: start[name] for name in self.coordinates}
        told = [at] if isinstance(at, str) else [f"{name} = {_number(value)}" for name, value in at.items()]
        given = {"input": input, "output": output, "coordinates": coordinates, "set": set, "with": with_, "seed": seed}
        while True:
            given["steady"] = ", ".join([*(one for one in told if one), *(f"{name}?" for name in names)])
            try:
                found = self._ask(Trim, "linearize", progress, given)
                break
            except ModelError as error:
                # one more of what is free has the value of the start; another error, or a name that is none of its, is told
                free = re.findall(r"`([^`]+)`", error.text.split("can still be chosen")[0]) if "can still be chosen" in error.text else []
                name = next((one for one in free if one in start and not any(given == one for given, *_ in map(_split, told))), None)
                if name is None or len(told) > 2 * len(start):
                    raise
                told.append(f"{name} = {_number(start[name])}")
        if found.exit_code == 3:
            raise NoAnswer(str(found.data.get("reason", found.page)), found)
        found._solved = tuple(names)
        return found

    def equilibria(
        self,
        *,
        box: Ranges | None = None,
        near: Values | None = None,
        relative: Names | None = None,
        solve: Names | None = None,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Equilibria:
        """Where does it rest, what do its supports carry there, and is the rest stable?"""
        return self._ask(Equilibria, "equilibria", progress, _said(locals()))

    def integrals(
        self,
        test: Names | None = None,
        *,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Integrals:
        """What is constant on every motion? With `test`, whether these expressions are."""
        return self._ask(Integrals, "integrals", progress, _said(locals()))

    def solve(
        self,
        *,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Solved:
        """Which motions are known in closed form? Each is proved; without one, `reason` says why."""
        return self._ask(Solved, "solve", progress, _said(locals()))

    def sweep(
        self,
        vary: Any = None,
        *,
        what: Names | None = None,
        for_: float | None = None,
        points: Any = None,
        tolerance: float | None = None,
        seed: int | None = None,
        on: Any = "threads",
        threads: int | None = None,
        chunk: int | None = None,
        out: str | os.PathLike[str] | None = None,
        resume: bool = False,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        progress: Progress = None,
    ) -> Sweep:
        """What is computed at many points: `sweep({"m": [1, 2, 5], "k": "0..1:16", "a": "uniform(-1, 1):100"}, for_=10, what="x, energy()")`.

        Lists and ranges are crossed, what is drawn is drawn together. `points` are rows one by one: a data frame, a table of
        Arrow, arrays by name, or a path of CSV. `what` has expressions (at the end of the motion, or at the start without one),
        `event(NAME)`, `eigenvalues`, `equilibria`. `out` is a folder for Parquet files of 1024 points; `resume` goes on with one.

        `on` is "threads", "dask", a `dask.distributed.Client`, or "ray". On a cluster points go out in chunks of at least a
        second's work; `chunk` says how many points instead. The digits are the same everywhere.
        """
        if is_table(vary) and not isinstance(vary, Mapping):
            if points is not None:
                raise ValueError("a data frame in the first place is the points: give them once")
            vary, points = None, vary
        asked = what if what is None or isinstance(what, str) else ", ".join(what)
        given: dict[str, Any] = {"vary": varied(vary), "points": pointed(points), "what": asked}
        given |= {"for": for_, "tolerance": tolerance, "seed": seed, "threads": threads, "at": at, "set": set, "with": with_}
        given["out"] = None if out is None else os.fspath(out)
        question = json.loads(_question(given))
        is_local = isinstance(on, str) and on == "threads"
        if isinstance(on, str) and on not in ("threads", "dask", "ray"):
            raise ValueError(f'on is "threads", "dask", "ray" or a dask.distributed.Client, not {on!r}')
        if not isinstance(on, str) and not hasattr(on, "submit"):
            raise TypeError(f'on is "threads", "dask", "ray" or a dask.distributed.Client, not a {type(on).__name__}')
        if is_local and chunk is not None:
            raise ValueError("chunk is for clusters: threads take points one by one")
        if not is_local and (threads is not None or resume):
            raise ValueError(f"{'resume' if resume else 'threads'} is for on=\"threads\" alone")
        if chunk is not None and (chunk < 1 or chunk != int(chunk)):
            raise ValueError(f"a chunk has at least one point, not {chunk}")
        if threads is not None and threads < 1:
            raise ValueError(f"at least one thread works, not {threads}")
        follower, done = _followed(progress, "sweep")
        try:
            if is_local:
                return on_threads(self._engine, question, follower, resume)
            self._engine.told()  # a closed model says so
            return on_cluster(on, self._engine.request, question, follower, chunk)
        finally:
            done()

    def export(
        self,
        to: str,
        *,
        form: str | None = None,
        what: str | None = None,
        parameters: str | None = None,
        fmi: str | None = None,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Export:
        """The model as source code: `export("c").files`, or `.write(directory)`."""
        return self._ask(Export, "export", progress, _said(locals()))

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        forms: Names | None = None,
        for_: float | None = None,
        sweep: Ranges | None = None,
        latex: bool = False,
        at: Values | None = None,
        set: Values | None = None,
        with_: Texts | None = None,
        seed: int | None = None,
        progress: Progress = None,
    ) -> Report:
        """One page with all that is known of the model: HTML that needs no network, or LaTeX. Written to `path`, if there is one."""
        given = _said(locals())
        given.pop("path")
        found = self._ask(Report, "report", progress, given)
        if path is not None:
            Path(path).write_text(found.text, encoding="utf-8")
        return found

    def function(self, what: str = "rhs", *, parameters: Sequence[str] = (), form: str | None = None) -> _engine.Function:
        """A function `f(t, y, p)` at native speed, y = (coordinates, rates, states of first order), for one state or many, (k, n).

        `what` is "rhs", "accelerations", "multipliers", "mass_matrix" (or "M"), "bias", "residual", "energy", "jacobian", something that
        the model observes, or an expression of its names. `parameters` are arguments, in that order, in p; the others, and p if
        it is left out, have the values of the model. `f.slopes(t, y, p, by="y")` has exact derivatives.
        """
        if isinstance(parameters, str):
            parameters = [name.strip() for name in parameters.split(",")]
        if what == "M" and what not in self.observes:
            what = "mass_matrix"
        return self._engine.function(what, form, list(parameters))

    def jax(self, what: str = "all", *, form: str | None = None, parameters: str | None = None) -> ModuleType:
        """The model as a module of JAX functions: `rhs(t, y, p)`, `mass_matrix`, `linear` and the others of `export("jax")`.

        They can be compiled, mapped over states and differentiated. `START` and `NOMINAL` are the state at the start and the
        parameters in the order of the model, then the inputs, which are taken where `p` is left out.
        """
        return self._module("jax", what, form, parameters)

    def casadi(self, what: str = "all", *, form: str | None = None, parameters: str | None = None) -> ModuleType:
        """The model as a module of CasADi functions, of numbers and of its symbols; otherwise as `jax`."""
        return self._module("casadi", what, form, parameters)

    def _module(self, target: str, what: str, form: str | None, parameters: str | None) -> ModuleType:
        import importlib.util
        import linecache

        if importlib.util.find_spec(target) is None:
            raise ImportError(f"model.{target}() needs {target}: pip install {target}")
        files = self.export(target, what=what, form=form, parameters=parameters).files
        name, text = next((name, text) for name, text in files.items() if not name.endswith("_test.py"))
        module = ModuleType(name.removesuffix(".py"), f"{self.title or self.file}, written by Anholon for {target}.")
        place = f"<anholon {name} {hash(text):x}>"
        # so that tracebacks and `inspect` show the lines
        linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
        module.__file__ = place
        exec(compile(text, place, "exec"), module.__dict__)
        return module

    @property
    def states(self) -> list[str]:
        """The names of its states of first order."""
        return list(self._names["states"])

    @property
    def start(self) -> list[float]:
        """The state at the start: coordinates, rates, then states of first order, as `function` takes it."""
        state = self.evaluate().state
        return [float(state[name]) for name in [*self.coordinates, *(f"{name}'" for name in self.coordinates), *self.states]]


def _split(told: str) -> list[str]:
    return [part.strip() for part in told.split("=")]


def _number(value: Value) -> str:
    """A value in the language of models, which has no exponents."""
    if isinstance(value, str):
        return value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    from decimal import Decimal

    if not math.isfinite(value):
        raise ValueError(f"{value} is no finite number")
    return f"{Decimal(repr(float(value))):f}"


def _said(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key not in ("self", "progress")}


def _again(request: str) -> Model:
    return Model._of(json.loads(request))


def _function_again(request: str, what: str, form: str | None, parameters: list[str]) -> _engine.Function:
    return _engine.Model(request).function(what, form, parameters)


def load(path: str | os.PathLike[str], /, *, seed: int | None = None, **values: Value) -> Model:
    """Opens a model file; other values as for `Model`."""
    text = Path(path).read_text(encoding="utf-8")
    files = _parts(os.fspath(path), text)
    return Model._of({"file": os.fspath(path), "text": text, "files": files or None, "set": values or None, "seed": seed})


def _parts(path: str, text: str) -> list[dict[str, str]]:
    """The files that a model uses, and those that these use; the engine says which of them is missing."""
    files: dict[str, str] = {}
    wanted = list(_alone("used", file=path, text=text).data["files"])
    while wanted:
        name = wanted.pop()
        if name in files or not Path(name).is_file():
            continue
        files[name] = Path(name).read_text(encoding="utf-8")
        if name.endswith(".mech"):
            wanted.extend(_alone("used", file=name, text=files[name]).data["files"])
    return [{"file": name, "text": part} for name, part in files.items()]


def gallery(name: str | None = None, /, *, seed: int | None = None, **values: Value) -> Any:
    """A built-in model by its name; without one, the list of them."""
    if name is None:
        return _alone("gallery")
    return Model._of({"gallery": name, "set": values or None, "seed": seed})


def _alone(verb: str, **question: Any) -> Words:
    return Words(*_engine.alone(verb, _question(question)))


def forms() -> Words:
    """The forms in which equations can be derived."""
    return _alone("forms")


def explain(form: str) -> Words:
    """The page of a form: formula, conditions, history, source."""
    return _alone("explain", form=form)


def same(left: Any, right: Any, *, assume: Sequence[str] | str | None = None) -> Words:
    """Are two expressions the same, wherever both are defined? True in a condition only if that is proved."""
    return _alone("same", left=left, right=right, assume=assume)


def audit(model: Model, claims: Any, **question: Any) -> Audit:
    """The same as `model.audit(claims)`."""
    return model.audit(claims, **question)


def simplify(expression: Any, *, by: Names | None = None) -> Words:
    """An expression as a person would write it, proved equal to what was given."""
    return _alone("simplify", expression=expression, by=by)


def diff(expression: Any, symbol: Any) -> Words:
    """The partial derivative of an expression."""
    return _alone("diff", expression=expression, symbol=symbol)


def format(text: str, *, file: str | None = None) -> str:
    """The text of a model in canonical form, comments kept."""
    return str(_alone("format", text=text, file=file).data["text"])


def template() -> str:
    """A commented template for a model of your own."""
    return str(_alone("template").data["text"])


__all__ = ["Model", "Record", "audit", "diff", "explain", "format", "forms", "gallery", "load", "same", "simplify", "template"]
