"""Claims about a model: texts, LaTeX, equations of SymPy, or a mixture of these."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

#: A line that begins so is one of a text of claims, not a bare equation.
_DECLARES = re.compile(r"^\s*(claim|let|assume|unknown|system|coord|param)\b", re.MULTILINE)


def text_of(claims: Any, names: Mapping[Any, str] | None = None, known: Collection[str] = ()) -> Any:
    """The claims as `audit` takes them; None if there are none."""
    if claims is None:
        return None
    if isinstance(claims, os.PathLike):
        return {"file": os.fspath(claims), "text": Path(claims).read_text(encoding="utf-8")}
    if isinstance(claims, str) and (claims.startswith("gallery:") or _DECLARES.search(claims)):
        return claims
    is_list = isinstance(claims, (list, tuple)) or hasattr(claims, "tolist")
    listed = list(claims) if is_list else [claims]
    if not listed:
        raise ValueError("there are no claims in the list")
    if any(isinstance(one, str) and _DECLARES.search(one) for one in listed):
        raise ValueError("a list holds bare equations; a text of claims stands alone")
    return "\n".join(f"claim c{k}: {_equation(one, names, known)}" for k, one in enumerate(listed, 1)) + "\n"


def _equation(claim: Any, names: Mapping[Any, str] | None, known: Collection[str]) -> str:
    if isinstance(claim, str) and "\\" in claim:
        from ._latex import equation

        return equation(claim, known)
    if isinstance(claim, str):
        if "\n" in claim:
            raise ValueError(f"an equation stands on one line: {claim!r}")
        return claim if "=" in claim else f"{claim} = 0"
    if hasattr(claim, "free_symbols"):
        from ._sympy import to_text

        text = to_text(claim, names)
        return text if " = " in text else f"{text} = 0"
    raise TypeError(f"a claim is a text or an equation of SymPy, not a {type(claim).__name__}")
