"""Motions: arrays, tables, warnings, the bar and Ctrl-C."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import anholon


@pytest.fixture(scope="module")
def sim():
    return anholon.gallery("double-pendulum").simulate(2, every=0.01)


def test_columns_are_arrays_that_share_memory(sim):
    assert sim.t.shape == sim["a1"].shape == (201,)
    assert sim.t[0] == 0 and sim.t[-1] == 2 and np.allclose(np.diff(sim.t), 0.01)
    assert np.shares_memory(sim["a1"], sim["a1"]) and np.shares_memory(sim.t, sim["a2"].base)
    assert not sim["a1"].flags.writeable
    with pytest.raises(ValueError):
        sim["a1"][0] = 1
    kept = sim["a1"]
    assert kept[-1] == sim.data["final"]["a1"]


def test_the_numbers_are_those_of_the_engine(sim):
    # the rate is the slope of the coordinate: central differences over 0.01 s
    slope = (sim["a1"][2:] - sim["a1"][:-2]) / 0.02
    assert np.max(np.abs(slope - sim["a1'"][1:-1])) < 1e-2
    assert sim.energy_drift < 1e-8 and sim.ok and "a1'" in sim


def test_a_name_that_is_no_column_is_told(sim):
    with pytest.raises(KeyError, match="did you mean 'a1'"):
        sim["a11"]
    with pytest.raises(KeyError):
        sim[3]


def test_tables(sim, tmp_path):
    pd = pytest.importorskip("pandas")
    frame = sim.to_pandas()
    assert isinstance(frame, pd.DataFrame) and frame.index.name == "t"
    assert np.array_equal(frame["a2'"].to_numpy(), sim["a2'"])


def test_arrow_and_parquet(sim, tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    table = sim.to_arrow()
    assert table.column_names == sim.keys()
    assert table.column("a1").chunk(0).buffers()[1].address == sim["a1"].ctypes.data  # no copy
    sim.to_parquet(tmp_path / "sim.parquet")
    assert np.array_equal(pq.read_table(tmp_path / "sim.parquet")["a2"].to_numpy(), sim["a2"])
    assert pa.table(sim).num_rows == len(sim)


def test_a_notebook_shows_a_chart(sim):
    assert "<svg" in sim._repr_mimebundle_()["text/html"]
    assert sim.svg("a1", against="a2").count("<svg") == 1


def test_a_notebook_shows_the_mechanism_as_it_moves(sim, tmp_path):
    shown = sim._repr_mimebundle_()["text/html"]
    assert 'sandbox="allow-scripts"' in shown and "srcdoc=" in shown and "<script" not in shown.split("<svg")[0]
    page = sim.film(tmp_path / "film.html")
    assert (tmp_path / "film.html").read_text() == page and "<canvas>" in page or "anholon-viewer" in page
    # what was changed for this motion is drawn
    assert sim.film() != anholon.gallery("double-pendulum").simulate(1, set={"l1": 3}).film()
    formulas = anholon.Model("param k = 1\ncoord q : rad\nkinetic q'^2/2\npotential k*q^2/2\nstart q = 1\n")
    assert formulas.simulate(1).film() is None
    with pytest.raises(ValueError, match="no points"):
        formulas.simulate(1).film(tmp_path / "none.html")
    assert "<iframe" not in formulas.simulate(1)._repr_html_()


def test_markup_of_a_model_is_text_in_a_notebook():
    text = 'system "<script>alert(1)</script>"\ncoord x : m\npoint P = (x, 0) mass 1 kg\nstart x = 1 m\n'
    model = anholon.Model(text, file="<img src=x onerror=alert(2)>")
    for answer in (model.check(), model.derive(), model.simulate(1), model.prove(), model.linearize()):
        shown = answer._repr_html_()
        assert "<script>alert" not in shown and "<img" not in shown


def test_a_motion_is_pickled(sim):
    again = pickle.loads(pickle.dumps(sim))
    assert np.array_equal(again["a1"], sim["a1"]) and again.page == sim.page and not again.t.flags.writeable
    assert again._repr_mimebundle_()["text/html"]
    with pytest.raises(ValueError, match="pickled"):
        again.svg()


def test_a_motion_that_cannot_go_on_is_kept_with_a_warning():
    falls = """
param m = 1 kg
coord x : m
point P = (x, 0) mass m
force (-(1 kg*m^2/s^2)/x, 0) on P
start x = 1 m
"""
    with pytest.warns(anholon.IncompleteWarning, match="went no further"):
        sim = anholon.Model(falls).simulate(5)
    assert not sim.ok and sim.exit_code == 3 and sim.failure and 0 < sim.t[-1] < 5


def test_who_follows_is_told_and_may_stop():
    told = []
    model = anholon.gallery("double-pendulum")
    # however fast the machine is, a follower is told at least once
    model.simulate(1, progress=lambda part, share: told.append(share))
    assert told and all(0 <= share <= 1 for share in told)
    # so long that no machine ends it before it is asked a second time
    stopped = model.simulate(1e5, tolerance=1e-12, progress=lambda part, share: share < 0.02)
    assert stopped.stopped_by == "interrupted" and 0 < stopped.t[-1] < 1e5
    with pytest.raises(ZeroDivisionError):
        model.simulate(10, progress=lambda part, share: 1 / 0)
    with pytest.raises(RuntimeError, match="at work"):
        model.simulate(10, progress=lambda part, share: model.derive())


def test_ctrl_c_ends_a_long_call():
    model = anholon.gallery("double-pendulum")
    began = time.monotonic()
    # a shell that starts the tests in the background has Ctrl-C ignored
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            model.simulate(1e5, tolerance=1e-12)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < 30
    assert model.simulate(1).ok  # it can be asked again


def test_other_threads_run_meanwhile():
    model = anholon.gallery("double-pendulum")
    done = threading.Event()
    worker = threading.Thread(target=lambda: (model.simulate(3000, tolerance=1e-12), done.set()))
    worker.start()
    turns = 0
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    worker.join()
    assert turns > 5


def test_a_motion_runs_backwards_and_goes_on_from_a_checkpoint(tmp_path):
    swing = anholon.gallery("double-pendulum")
    back = swing.simulate(back=1, every=0.5)
    assert list(back.t) == [0.0, -0.5, -1.0]
    file = tmp_path / "run.check"
    swing.simulate(5, every=1, checkpoint=file)
    on, whole = swing.simulate(5, resume=file), swing.simulate(10, every=1)
    assert on["a1"][-1] == whole["a1"][-1] and on.t[-1] == 10.0
    with pytest.raises(anholon.ModelError, match="another model"):
        swing.simulate(2, resume=file, set={"m1": 3})
