"""What goes wrong, as exceptions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Diagnostic:
    """Something that is wrong, and where; lines and columns count from 1."""

    severity: str
    message: str
    hints: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None
    column: int | None = None
    source: str | None = None
    label: str | None = None
    excerpt: str | None = None


class AnholonError(Exception):
    """All errors of Anholon."""


class ModelError(AnholonError, ValueError):
    """A model or a question that is wrong. Printed, it is the text of the command line."""

    def __init__(self, text: str, diagnostics: tuple[Diagnostic, ...] = (), field: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        #: What is wrong, notice by notice.
        self.diagnostics = diagnostics
        #: The argument at fault, where that is known.
        self.field = field

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.text, self.diagnostics, self.field))

    @classmethod
    def _of(cls, told: str) -> ModelError:
        data = json.loads(told)
        notices = tuple(Diagnostic(**{**one, "hints": tuple(one["hints"])}) for one in data["diagnostics"])
        return cls(data["error"], notices, data["field"])


class NoAnswer(AnholonError):
    """A good question that has no answer: a form that does not apply, a singular state. `answer` has what is known."""

    def __init__(self, reason: str, answer: Any = None) -> None:
        super().__init__(reason)
        #: The answer of the engine, if it gave one.
        self.answer = answer

    @classmethod
    def _of(cls, told: str) -> NoAnswer:
        return cls(json.loads(told)["error"])


class IncompleteWarning(UserWarning):
    """A motion that ended before its time; what was computed is kept."""
