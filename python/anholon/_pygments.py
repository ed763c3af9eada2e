"""Colours for models in notebooks, Sphinx and everywhere else that Pygments works: the lexer `mech`.

Pygments finds it by its entry point; nothing here is imported unless Pygments asks.
"""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from ._words import FUNCTIONS, INNER, KEYWORDS, UNITS

_ONE = r"(?:%s)(?:\^-?\d+)?" % "|".join(sorted(UNITS, key=len, reverse=True))
_UNIT = rf"(?:1/)?{_ONE}(?:[*/]{_ONE})*(?![A-Za-z0-9_.(\['])"
_NUMBER = r"(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"
_NAME = r"[A-Za-z_\u0370-\u03ff][A-Za-z0-9_\u0370-\u03ff]*"


class MechLexer(RegexLexer):  # type: ignore[misc]
    """Models of Anholon."""

    name = "Anholon model"
    aliases = ["mech", "anholon"]
    filenames = ["*.mech", "*.claims"]
    mimetypes = ["text/x-mech"]

    tokens = {
        "root": [
            (words(KEYWORDS, prefix=r"^", suffix=r"\b"), Keyword),
            (r"\s+", Whitespace),
            (r"#.*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"?', String),
            (rf"({_NUMBER})([ \t]*)({_UNIT})", bygroups(Number, Whitespace, Keyword.Type)),
            (_NUMBER, Number),
            (rf"(:)([ \t]*)({_UNIT})(?=[ \t]*(?:$|#|=))", bygroups(Punctuation, Whitespace, Keyword.Type)),
            (words(FUNCTIONS, prefix=r"\b", suffix=r"(?=\()"), Name.Function),
            (words(INNER, prefix=r"\b", suffix=r"\b(?![ \t]*=)"), Keyword.Pseudo),
            (r"(?:N|t|pi)\b", Name.Builtin),
            (_NAME, Name),
            (r"[-+*/^=<>!']", Operator),
            (r"[()\[\],.:]", Punctuation),
        ]
    }
