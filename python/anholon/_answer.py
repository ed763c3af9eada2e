"""Answers: objects with the keys of the engine's JSON as attributes, which show themselves as pages."""

from __future__ import annotations

import html
import json
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from ._tables import folded, matrix, pairs, table


class Record(dict[str, Any]):
    """A part of an answer: a dictionary whose keys are attributes too, also those that methods of `dict` have.

    A key that is a word of Python has an underscore behind it: `final_`, `while_`.
    """

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("__") and dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        bare = name[:-1] if name.endswith("_") else name
        if dict.__contains__(self, bare):
            return dict.__getitem__(self, bare)
        raise AttributeError(_no(name, dict.__iter__(self)))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dict.__iter__(self)})


class Formula(Record):
    """An expression or an equation: `text`, `latex`, `mathml`, `tree`, and `sympy()`."""

    text: str
    latex: str
    mathml: str
    tree: Record

    def sympy(self, **assumptions: Any) -> Any:
        """The formula in SymPy, coordinates as dynamicsymbols; an equation is an `Eq`.

        Parameters are symbols with what the model assumes of their signs, and with these assumptions.
        """
        from ._sympy import from_tree

        return from_tree(self.tree, **assumptions)

    def __str__(self) -> str:
        return str(self["text"])

    def __repr__(self) -> str:
        return str(self["text"])

    def _repr_html_(self) -> str:
        return str(self["mathml"])

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self['latex']}$"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self["text"], "text/html": self._repr_html_(), "text/latex": self._repr_latex_()}


class Matrices(Record):
    """Matrices of equations as texts, `latex` and `mathml`, and `sympy()`."""

    trees: Record

    def sympy(self, **assumptions: Any) -> Any:
        """All matrices in SymPy, by name; an attribute of the answer is one of them: `.sympy().M`."""
        return Record({name: self.matrix(name, **assumptions) for name in self.trees})

    def matrix(self, name: str, **assumptions: Any) -> Any:
        """One of them in SymPy."""
        import sympy as sm

        from ._sympy import from_tree

        if name not in self.trees:
            raise KeyError(_no(name, dict.__iter__(self.trees)))
        told = dict.__getitem__(self, "matrices")[name] if "matrices" in self else self[_plain_name(name)]
        entries = self.trees[name]
        if entries and isinstance(entries[0], list):
            entries = [one for row in entries for one in row]
        rows = len(told)
        return sm.Matrix(rows, len(entries) // rows if rows else 0, [from_tree(one, **assumptions) for one in entries])


def _plain_name(name: str) -> str:
    return "inverse" if name == "M⁻¹" else name


#: What a model assumes of its parameters, as SymPy says it: `{"m": {"positive": True}}`.
Signs = dict[str, dict[str, bool]]


def read(text: str, signs: Signs | None = None) -> Record:
    """The JSON of the engine as records and formulas."""
    made: Record = json.loads(text, object_hook=lambda data: _record(data, signs or {}))
    return made


def _record(data: dict[str, Any], signs: Signs) -> Record:
    if data.get("op") == "symbol" and data.get("kind") == "parameter" and data.get("name") in signs:
        symbol = Record(data)
        symbol.__dict__["_assumed"] = signs[data["name"]]
        return symbol
    if "text" in data and "latex" in data and "tree" in data:
        return Formula(data)
    return Matrices(data) if "trees" in data else Record(data)


def _no(name: str, keys: Iterator[str] | list[str]) -> str:
    import difflib

    known = list(keys)
    near = difflib.get_close_matches(str(name), known, 1)
    there = f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(known[:40])
    return f"there is no {name!r}; {there}"


class Answer:
    """The answer of a verb. Its attributes are the keys of the JSON of the command line.

    `repr` is the page of the command line; `data` is all of it; `exit_code` is 0 for yes, 1 for a negative verdict,
    3 for no answer. An answer is true if its exit code is 0.
    """

    #: The model.
    model: str
    #: Remarks of the engine.
    notes: list[str]

    def __init__(self, written: str, page: str, exit_code: int, signs: Signs | None = None) -> None:
        #: The page of the command line.
        self.page = page
        #: Its exit code.
        self.exit_code = exit_code
        #: The whole answer.
        self.data = read(written, signs)

    @property
    def ok(self) -> bool:
        """Whether the exit code is 0."""
        return self.exit_code == 0

    def __bool__(self) -> bool:
        return self.ok

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "data" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.data, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.data})

    def __repr__(self) -> str:
        return self.page

    def _html(self) -> str:
        return f"<pre>{html.escape(self.page)}</pre>"

    def _repr_html_(self) -> str:
        return self._html()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.page, "text/html": self._html()}


class Check(Answer):
    """What a model says, and whether it is sound."""

    title: str
    fine: bool
    degrees_of_freedom: int
    constraints: list[Record]
    findings: list[Record]
    start: Record
    expects: list[Record]

    def _html(self) -> str:
        rows = [(one["name"], one["class"], one.get("text"), one.get("integrable")) for one in self.data["constraints"]]
        found = [(one.get("severity"), one.get("message")) for one in self.data.get("findings", []) if isinstance(one, dict)]
        told = f"<p><b>{html.escape(str(self.data.get('title') or self.model))}</b>, {self.degrees_of_freedom} degrees of freedom</p>"
        constraints = table(("constraint", "class", "", "integrable"), rows)
        return told + constraints + table(("", "finding"), found) + folded(self.page)


class Derivation(Answer):
    """Equations of motion. Of several forms: `forms`, a record each."""

    form: str
    family: str
    equations: list[Formula]
    constraints: list[Record]
    definitions: list[Record]
    kinematics: list[Formula]
    unknowns: list[str]
    operations: int
    forms: list[Record]
    #: M q'' + h = Q + Aᵀλ with A q'' = b, if they were asked for.
    matrices: Matrices

    def sympy(self, **assumptions: Any) -> Any:
        """All equations in SymPy: equations of motion, then constraints, then what rates are in the speeds."""
        return [line.sympy(**assumptions) for line in self._lines()]

    def _lines(self) -> list[Any]:
        parts = self.data.get("forms", [self.data])
        keys = ("equations", "definitions", "constraints", "kinematics")
        return [line for part in parts for key in keys for line in part.get(key, [])]

    def _html(self) -> str:
        blocks = []
        for part in self.data.get("forms", [self.data]):
            words = f"{part.get('equations_of', '')} ({part.get('form', '')})"
            blocks.append(f"<p><b>{html.escape(words)}</b></p>")
            if part.get("reason"):
                blocks.append(f"<p>does not apply: {html.escape(part['reason'])}</p>")
            for step in part.get("steps") or []:
                blocks.append(f"<p>{step['number']}. {html.escape(step['title'])}</p>")
                blocks.extend(f"<div>{line['mathml']}</div>" for line in step["lines"])
            if not part.get("steps"):
                for key, title in (("equations", ""), ("definitions", "with"), ("constraints", "constraints"), ("kinematics", "rates")):
                    lines = part.get(key) or []
                    if lines and title:
                        blocks.append(f"<p>{title}</p>")
                    blocks.extend(f"<div style='margin:0.4em 2em'>{line['mathml']}</div>" for line in lines)
            blocks.extend(f"<div>{entry}</div>" for entry in (part.get("matrices") or {}).get("mathml", {}).values())
            blocks.extend(f"<p><small>{html.escape(note)}</small></p>" for note in part.get("notes") or [])
        return "\n".join(blocks)

    def _repr_latex_(self) -> str:
        lines = " \\\\ ".join(line["latex"] for line in self._lines())
        return f"$$\\begin{{gathered}} {lines} \\end{{gathered}}$$"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.page, "text/html": self._html(), "text/latex": self._repr_latex_()}


class Proof(Answer):
    """Whether the forms agree."""

    verdict: str
    families: int
    forms: list[Record]
    pairs: list[Record]
    error_bound: float
    assumptions: list[str]

    def _html(self) -> str:
        rows = [(one["form"], one.get("family"), one.get("verdict")) for one in self.data["forms"] if one.get("applicable")]
        verdict = f"<p><b>{html.escape(str(self.verdict))}</b></p>" if "verdict" in self.data else ""
        return verdict + table(("form", "family", "verdict"), rows) + folded(self.page)


class Verification(Answer):
    """Whether a certificate holds."""

    accepted: bool


class Audit(Answer):
    """Verdicts on claims."""

    verdict: str
    claims: list[Record]
    assumptions: list[str]

    def _html(self) -> str:
        rows = [(one["name"], one["verdict"], one.get("text"), one.get("explanation") or "") for one in self.data["claims"]]
        return table(("claim", "verdict", "", ""), rows) + folded(self.page)


class Evaluation(Answer):
    """Accelerations, multipliers and reactions at a state."""

    form: str
    state: Record
    accelerations: Record
    multipliers: Record
    reactions: list[Record]
    energy: float

    def _html(self) -> str:
        parts = [pairs(self.data.get(key) or {}, key) for key in ("accelerations", "multipliers")]
        forces = [(one["constraint"], one["on"], *one["vector"]) for one in self.data.get("reactions") or []]
        return "".join(parts) + table(("reaction of", "on", "x", "y", "z"), forces) + folded(self.page)


class Equilibria(Answer):
    """Places of rest."""

    equilibria: list[Record]
    complete: bool
    completeness: str

    def _html(self) -> str:
        names = list(dict.fromkeys(name for one in self.data["equilibria"] for name in (*one["values"], *(one.get("loads") or {}))))
        rows = [
            (one["kind"], *({**one["values"], **(one.get("loads") or {})}.get(name) for name in names), one["stability"])
            for one in self.data["equilibria"]
        ]
        found = table(("", *names, "stability"), rows)
        return (found or "<p>No equilibrium was found.</p>") + folded(self.page)


class Integrals(Answer):
    """What is constant."""

    integrals: list[Record]

    def _html(self) -> str:
        rows = [(one["kind"], one["text"], "proved" if one["proved"] else "not proved") for one in self.data["integrals"]]
        return (table(("kind", "constant", ""), rows) or "<p>No integral was found.</p>") + folded(self.page)


class Solved(Answer):
    """Motions in closed form: `solutions`, each with its `motion`, or the `reason` why there are none."""

    solutions: list[Record]


class Export(Answer):
    """Source code: `files` has the text of each file. Those of an FMU are written as one archive."""

    target: str
    files: dict[str, str]
    pack: Record

    def write(self, directory: Any, *, force: bool = False) -> list[Any]:
        """Writes the files into a directory, which is made if need be; what is there stays unless `force`."""
        import os
        from pathlib import Path

        folder = Path(directory)
        data = {name: text.encode() for name, text in self.files.items()}
        if "pack" in self.data:
            data = {self.pack["name"]: _packed(self.pack, data)}
        paths = [folder / name for name in data]
        there = [str(path) for path in paths if path.exists()]
        if there and not force:
            raise FileExistsError(f"{there[0]} is there already, and nothing was written; force=True replaces it")
        folder.mkdir(parents=True, exist_ok=True)
        # all under other names first: what cannot be written leaves nothing half done
        beside = [path.with_name(f".{path.name}.new") for path in paths]
        try:
            for path, text in zip(beside, data.values()):
                path.write_bytes(text)
            for new, path in zip(beside, paths):
                os.replace(new, path)
        finally:
            for new in beside:
                new.unlink(missing_ok=True)
        return paths


def _packed(pack: Any, data: dict[str, bytes]) -> bytes:
    """The archive of an FMU, with a library where the system has a compiler and the standard a name for the system."""
    import io
    import os
    import shutil
    import subprocess
    import tempfile
    import zipfile
    from pathlib import Path

    compiler = os.environ.get("CC") or "cc"
    if pack["library"] and shutil.which(compiler):
        with tempfile.TemporaryDirectory() as name:
            for path, text in data.items():
                (Path(name) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(name) / path).write_bytes(text)
            options = ["-std=c99", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-fvisibility=hidden", "-o", "library"]
            command = [compiler, *options, *pack["sources"], "-lm"]
            done = subprocess.run(command, cwd=name, capture_output=True, text=True)
            if done.returncode != 0:
                raise RuntimeError(f"the compiler `{compiler}` refuses {pack['name']}: {done.stderr[:500]}")
            data = data | {pack["library"]: (Path(name) / "library").read_bytes()}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path, text in data.items():
            archive.writestr(path, text)
    return made.getvalue()


class Report(Answer):
    """All that is known of a model: `text` is the page."""

    text: str
    sections: list[str]


class Linearization(Answer):
    """Linear equations about a state: x' = A x + B u, y = C_out x + D u, M q'' + C q' + K q = 0; matrices are arrays."""

    states: list[str]
    coordinates: list[str]
    inputs: list[str]
    outputs: list[str]
    stability: str
    modes: list[Record]
    critical: list[Record]
    sweep: Record
    symbolic: Matrices

    def _html(self) -> str:
        data, states = self.data, list(self.data.get("states") or [])
        told = [matrix("A", data.get("A"), states), matrix("B", data.get("B"), list(data.get("inputs") or []))]
        values = [(re, im, abs(im) / (2 * np.pi) if im else None) for re, im in data.get("eigenvalues") or []]
        told.append(table(("real part (1/s)", "imaginary part (rad/s)", "frequency (Hz)"), values, "Eigenvalues"))
        verdict = f"<p><b>{html.escape(str(data['stability']))}</b></p>" if data.get("stability") else ""
        return verdict + "".join(told) + folded(self.page)

    def _matrix(self, key: str) -> npt.NDArray[np.float64] | None:
        value = self.data.get(key)
        return None if value is None else np.array(value, dtype=float)

    @property
    def A(self) -> npt.NDArray[np.float64]:
        """x' = A x."""
        return np.array(self.data["A"], dtype=float)

    @property
    def B(self) -> npt.NDArray[np.float64] | None:
        """The columns of the inputs; None if there are none."""
        return self._matrix("B")

    @property
    def C_out(self) -> npt.NDArray[np.float64] | None:
        """The rows of the outputs; None if none were asked for."""
        return self._matrix("C_out")

    @property
    def D(self) -> npt.NDArray[np.float64] | None:
        """What inputs do to outputs at once."""
        return self._matrix("D")

    @property
    def M(self) -> npt.NDArray[np.float64] | None:
        """The mass matrix, if there is a form of the second order."""
        return self._matrix("M")

    @property
    def C(self) -> npt.NDArray[np.float64] | None:
        """The matrix of the rates."""
        return self._matrix("C")

    @property
    def K(self) -> npt.NDArray[np.float64] | None:
        """The matrix of the coordinates."""
        return self._matrix("K")

    @property
    def eigenvalues(self) -> npt.NDArray[np.complex128]:
        """The eigenvalues of A; with `periodic`, there are none: see `floquet`."""
        return np.array([complex(*pair) for pair in self.data["eigenvalues"]], dtype=complex)

    def ss(self) -> Any:
        """The same as a `control.StateSpace`; without outputs, the states are what is measured."""
        import control

        if self.B is None:
            raise ValueError("there are no inputs: name them with input=[…], or declare them in the model")
        outputs = self.C_out if self.C_out is not None else np.eye(len(self.states))
        through = self.D if self.D is not None else np.zeros((outputs.shape[0], self.B.shape[1]))
        names = self.outputs if self.C_out is not None else self.states
        return control.ss(self.A, self.B, outputs, through, states=self.states, inputs=self.inputs, outputs=names)


class Trim(Linearization):
    """A steady motion with what keeps it going, and the linear equations about it."""

    #: The whole state, and the inputs.
    at: Record

    @property
    def loads(self) -> dict[str, float]:
        """The inputs that were solved for."""
        return {name: float(self.at[name]) for name in self._solved}

    @property
    def state(self) -> dict[str, float]:
        """The state without the time and the inputs."""
        return {str(name): float(value) for name, value in self.at.items() if name != "t" and name not in self.inputs}

    _solved: tuple[str, ...] = ()


class Words(Answer):
    """The answer to a question without a model."""
