"""Mechanics with constraints: equations of motion derived in many forms, proved to agree, and run.

    import anholon

    hoop = anholon.gallery("hoop")
    hoop.derive()                       # the equations of motion
    hoop.prove()                        # all forms agree
    sim = hoop.simulate(10, every=0.01)
    sim.t, sim["theta"]                 # NumPy arrays
    f = hoop.function("rhs")            # f(t, y), at native speed
"""

from __future__ import annotations

from ._answer import (
    Answer,
    Audit,
    Check,
    Derivation,
    Equilibria,
    Evaluation,
    Export,
    Formula,
    Integrals,
    Linearization,
    Matrices,
    Proof,
    Record,
    Report,
    Solved,
    Trim,
    Verification,
    Words,
)
from ._builder import Builder, Term
from ._engine import Function
from ._errors import AnholonError, Diagnostic, IncompleteWarning, ModelError, NoAnswer
from ._model import Model, audit, diff, explain, format, forms, gallery, load, same, simplify, template
from ._simulation import Simulation
from ._sweep import Sweep
from ._sympy import from_sympy

__version__ = "0.1.0"

__all__ = [
    "AnholonError",
    "Answer",
    "Audit",
    "Builder",
    "Check",
    "Derivation",
    "Diagnostic",
    "Equilibria",
    "Evaluation",
    "Export",
    "Formula",
    "Function",
    "IncompleteWarning",
    "Integrals",
    "Linearization",
    "Matrices",
    "Model",
    "ModelError",
    "NoAnswer",
    "Proof",
    "Record",
    "Report",
    "Simulation",
    "Solved",
    "Sweep",
    "Term",
    "Trim",
    "Verification",
    "Words",
    "audit",
    "diff",
    "explain",
    "format",
    "forms",
    "from_sympy",
    "gallery",
    "load",
    "same",
    "simplify",
    "template",
]
