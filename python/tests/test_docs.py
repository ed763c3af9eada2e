"""What docs/python.md shows runs, and so do the ways to other packages that it names."""

import re
from pathlib import Path

import numpy as np
import pytest

import anholon

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the page is not beside the tests")
def test_the_page_runs(tmp_path, monkeypatch):
    for package in ("matplotlib", "pandas", "pyarrow", "scipy", "sympy", "xarray"):
        pytest.importorskip(package)
    import matplotlib
    import sympy
    import sympy.physics.mechanics as me

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    oscillator = "param l = 1 m\ncoord x : m\npoint P = (x, 0) mass 1 kg\nforce (-(1 N/m)*x, 0) on P\nstart x = l\n"
    (tmp_path / "mine.mech").write_text(oscillator)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) > 4
    names = {"sympy": sympy, "states": np.zeros((5, 2))}
    for block in blocks:
        if "from_sympy(kane)" in block:  # the method stands for one of the reader's
            block = block.split("found =")[0]
            names.update(l=sympy.Symbol("l"), g=sympy.Symbol("g"), phi=me.dynamicsymbols("phi"), t=me.dynamicsymbols._t)
        exec(block, names)
    assert (tmp_path / "swing.html").exists() and (tmp_path / "swing.parquet").exists()


def test_control_takes_the_linear_equations():
    control = pytest.importorskip("control")
    cart = anholon.gallery("cart-pendulum")
    system = cart.linearize(at={"phi": "pi"}, input="F", coordinates="x,phi").ss()
    assert isinstance(system, control.StateSpace) and system.nstates == 4 and system.ninputs == 1
    gain, _, poles = control.lqr(system, np.eye(4), np.eye(1))
    assert np.all(poles.real < 0) and gain.shape == (1, 4)
    with pytest.raises(ValueError, match="there are no inputs"):
        anholon.gallery("double-pendulum").linearize().ss()


def test_matplotlib_draws_columns():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    sim = anholon.gallery("double-pendulum").simulate(1)
    axes = sim.plot("a1", "a2")
    assert [line.get_label() for line in axes.lines] == ["a1", "a2"] and axes.get_xlabel() == "t [s]"
    assert sim.plot("a1", against="a2").get_xlabel() == "a2 [rad]"
    with pytest.raises(KeyError):
        sim.plot("a3")
