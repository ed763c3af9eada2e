"""Equations as papers write them: a subset of LaTeX, read with the names of a model.

Fractions, roots, powers, dots, functions, Greek letters, indices, products without a sign. What can be read in two ways is an error that
says so; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NoReturn

_TOKEN = re.compile(r"\s*(?:(\\[A-Za-z]+|\\[,;:! ])|(\d+(?:\.\d+)?)|([A-Za-z])|('+)|([-+*/^_=(){}\[\].,]))")
_FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "arcsin", "arccos", "arctan")
_OTHER = {"ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan"}
#: Commands that only set space or size.
_SPACE = (",", ";", ":", "!", " ", "quad", "qquad", "left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "mathrm", "mathbf", "mathit")
_DOTS = {"dot": 1, "ddot": 2, "dddot": 3}


def equation(text: str, names: Collection[str]) -> str:
    """An equation in LaTeX in the language of models; without an equals sign, what is to vanish."""
    reader = _Reader(text, names)
    left = reader.sum()
    if reader.next == "=":
        reader.take()
        right = reader.sum()
    else:
        right = "0"
    if reader.next:
        reader.wrong(f"{reader.next!r} cannot stand here")
    return f"{left} = {right}"


class _Reader:
    def __init__(self, text: str, names: Collection[str]) -> None:
        self.text = text.strip().strip("$").strip()
        self.names = set(names)
        self.tokens: list[str] = []
        self.places: list[int] = []
        self.k = 0
        place = 0
        while place < len(self.text):
            found = _TOKEN.match(self.text, place)
            if not found:
                if not self.text[place:].strip():
                    break
                self.fail(place, f"{self.text[place:].strip()[0]!r} is not understood")
            token = next(part for part in found.groups() if part)
            if not (token.startswith("\\") and token[1:] in _SPACE):
                self.tokens.append(token)
                self.places.append(found.end() - len(token))
            place = found.end()

    def fail(self, place: int, why: str) -> NoReturn:
        raise ValueError(f"{why}\n  {self.text}\n  {' ' * place}^")

    def wrong(self, why: str) -> NoReturn:
        self.fail(self.places[self.k] if self.k < len(self.places) else len(self.text), why)

    @property
    def next(self) -> str:
        return self.tokens[self.k] if self.k < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        if wanted and self.next != wanted:
            self.wrong(f"{wanted!r} is expected")
        if not self.next:
            self.wrong("something is missing at the end")
        self.k += 1
        return self.tokens[self.k - 1]

    def sum(self) -> str:
        parts = []
        sign = self.take() if self.next in ("+", "-") else ""
        parts.append(("-" if sign == "-" else "") + self.term())
        while self.next in ("+", "-"):
            parts.append(f" {self.take()} {self.term()}")
        return "(" + "".join(parts) + ")"

    def term(self) -> str:
        text = self.power()
        while True:
            if self.next in ("*", "\\cdot", "\\times"):
                self.take()
                text += "*" + self.power()
            elif self.next == "/":
                self.take()
                text += "/" + self.power()
                if self.begins():
                    self.wrong("what belongs to the denominator? use \\frac, or brackets")
            elif self.begins():
                text += "*" + self.power()
            else:
                return text

    def begins(self) -> bool:
        token = self.next
        return bool(token) and (token[0].isalnum() or token in ("(", "{", "[") or (token[0] == "\\" and token not in ("\\cdot", "\\times")))

    def power(self) -> str:
        base = self.base()
        if self.next == "^":
            self.take()
            return f"({base})^({self.argument()})"
        return base

    def digit(self) -> str:
        """The first digit of several, as in \\frac12."""
        if not (len(self.next) > 1 and self.next.isdigit()):
            return ""
        self.tokens[self.k], first = self.next[1:], self.next[0]
        self.places[self.k] += 1
        return first

    def argument(self) -> str:
        """One token, or what stands in braces."""
        if self.next == "{":
            return self.bracket("{", "}")
        if len(self.next) > 1 and self.next.isdigit():
            self.wrong("only the first digit belongs to it: use braces")
        sign = self.take() if self.next == "-" else ""
        return sign + self.base()

    def bracket(self, first: str, last: str) -> str:
        self.take(first)
        inner = self.sum()
        self.take(last)
        return inner

    def base(self) -> str:
        token = self.next
        for first, last in (("(", ")"), ("{", "}"), ("[", "]")):
            if token == first:
                return self.bracket(first, last)
        if token and token[0].isdigit():
            return self.take()
        if token == "\\frac" or token in ("\\tfrac", "\\dfrac"):
            self.take()
            above = self.digit() or self.argument()
            return f"({above}/{self.digit() or self.argument()})"
        if token == "\\sqrt":
            self.take()
            if self.next == "[":
                root = self.bracket("[", "]")
                return f"({self.argument()})^(1/{root})"
            return f"sqrt({self.argument()})"
        if token[1:] in _DOTS and token[0] == "\\":
            self.take()
            braced = self.next == "{"
            if braced:
                self.take()
            name = self.name()
            if braced:
                self.take("}")
            # \dot{x}_1 and \dot{x_1} are the same
            if self.next == "_":
                name = self.indexed(name)
            return self.known(name) + "'" * _DOTS[token[1:]]
        if token == "\\pi":
            self.take()
            return "pi"
        if token[:1] == "\\" and (token[1:] in _FUNCTIONS or token[1:] == "ln"):
            return self.function()
        name = self.name()
        primes = self.take() if self.next.startswith("'") else ""
        text = self.known(name) + primes
        if self.tokens[self.k : self.k + 3] == ["(", "t", ")"]:
            self.k += 3
        return text

    def function(self) -> str:
        word = self.take()[1:]
        word = _OTHER.get(word, word)
        exponent = ""
        if self.next == "^":
            self.take()
            exponent = self.argument()
            if exponent.replace("(", "").startswith("-"):
                self.wrong("is this an inverse function or one divided by it? write \\arcsin, or \\frac{1}{\\sin x}")
        if self.next in ("(", "{", "["):
            inner = self.base()
        else:
            parts = []
            while self.next and (self.next[0].isdigit() or not parts or parts[-1][0].isdigit()):
                parts.append(self.power())
            inner = "*".join(parts)
            if self.next and (self.next[0].isalpha() or self.next[1:] in _greek(self.names)):
                self.wrong(f"does this belong to the argument of {word}? use brackets")
        return f"({word}({inner}))^({exponent})" if exponent else f"{word}({inner})"

    def name(self) -> str:
        token = self.take()
        if token[:1] == "\\":
            word = token[1:]
            if word.startswith("var") and word not in self.names:
                word = word[3:]
        elif token.isalpha():
            word = token
        else:
            self.k -= 1
            self.wrong(f"{token!r} cannot stand here")
        return self.indexed(word) if self.next == "_" else word

    def indexed(self, word: str) -> str:
        self.take("_")
        if self.next == "{":
            self.take()
            index = ""
            while self.next and self.next != "}":
                index += self.take().lstrip("\\")
            self.take("}")
        else:
            index = self.take().lstrip("\\")
        spellings = [name for name in (word + index, f"{word}_{index}", f"{word}[{index}]") if name in self.names]
        if len(spellings) > 1:
            self.wrong(f"this may be {' or '.join(spellings)}")
        return spellings[0] if spellings else f"{word}_{index}"

    def known(self, word: str) -> str:
        if word in self.names or word == "t":
            return word
        self.k -= 1
        self.wrong(f"the model has no {word!r}; it has {', '.join(sorted(self.names))}")


def _greek(names: Collection[str]) -> set[str]:
    return {name.split("_")[0] for name in names if len(name) > 1}
