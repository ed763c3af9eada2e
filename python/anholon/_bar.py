"""A bar while something long runs: tqdm if it is there, which draws in notebooks too, else a line on standard error."""

from __future__ import annotations

import sys
from typing import Any


class Bar:
    """Called with the part of the work and the share that is done."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm

            self._make: Any = tqdm
        except ImportError:
            self._make = None
        self._shown = False

    def __call__(self, part: str, share: float) -> None:
        words = part or self._words
        if self._make is not None:
            if self._bar is None:
                self._bar = self._make(total=1.0, desc=words, leave=False, bar_format="{l_bar}{bar}| {remaining} left")
            self._bar.set_description(words, refresh=False)
            self._bar.n = share
            self._bar.refresh()
        elif sys.stderr is not None and sys.stderr.isatty():
            full = int(30 * share)
            sys.stderr.write(f"\r[{'=' * full}{' ' * (30 - full)}] {words}: {100 * share:.1f} %\x1b[K")
            sys.stderr.flush()
            self._shown = True

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
