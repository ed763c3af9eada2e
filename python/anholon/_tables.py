"""How do answers look in a notebook? Tables of HTML; every text of a model is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_CELL = "padding:.2em .8em;text-align:left"


def words(value: Any) -> str:
    """A value for people: numbers short, nothing as a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table; without rows, nothing."""
    lines = ["".join(f'<td style="{_CELL}">{html.escape(words(cell))}</td>' for cell in row) for row in rows]
    if not lines:
        return ""
    head = "".join(f'<th style="{_CELL}">{html.escape(one)}</th>' for one in heads)
    told = f"<caption style='text-align:left'>{html.escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table>{told}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def pairs(values: Mapping[str, Any], caption: str = "") -> str:
    """Names and values."""
    return table(("", "value"), list(values.items()), caption)


def matrix(name: str, rows: Any, heads: Sequence[str]) -> str:
    """A matrix with its columns named; a column of one entry may be a bare number."""
    if rows is None:
        return ""
    listed = [row if isinstance(row, list) else [row] for row in rows]
    width = len(listed[0]) if listed else 0
    return table(heads if len(heads) == width else [""] * width, listed, name)


def folded(page: str) -> str:
    """The page of the command line, folded away."""
    return f"<details><summary>As text</summary><pre>{html.escape(page)}</pre></details>"
