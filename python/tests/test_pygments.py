"""Are models coloured? Pygments finds the lexer by its name, and every word of the gallery is one that it knows."""

import pytest

import anholon

pygments = pytest.importorskip("pygments")
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename  # noqa: E402
from pygments.token import Comment, Error, Keyword, Name, Number  # noqa: E402


def test_the_lexer_is_found_by_name_and_by_file():
    assert get_lexer_by_name("mech").name == get_lexer_for_filename("a.mech").name == "Anholon model"


def test_words_have_their_kinds():
    text = "param m = 2 kg # heavy\npoint P = l*(sin(θ), m) mass m\n"
    tokens = {(kind, word) for kind, word in get_lexer_by_name("mech").get_tokens(text)}
    expected = [(Keyword, "param"), (Number, "2"), (Keyword.Type, "kg"), (Comment.Single, "# heavy"), (Name.Function, "sin")]
    expected += [(Name, "θ"), (Keyword.Pseudo, "mass"), (Name, "m")]
    assert set(expected) <= tokens


def test_no_word_of_a_model_is_an_error():
    lexer = get_lexer_by_name("mech")
    for name in ["sled", "bicycle", "chain", "rolling-disc-contact"]:
        assert all(kind is not Error for kind, _ in lexer.get_tokens(anholon.gallery(name).text)), name
