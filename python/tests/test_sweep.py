"""Sweeps: threads, Dask and Ray give the same digits, also where a worker is killed; misuse is told."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import anholon

pa = pytest.importorskip("pyarrow")

VARY = {"a1": [0.5, 1.0, 2.0], "a2": "uniform(-1, 1):40"}
ASKED = {"what": "a1, energy()", "for_": 5, "seed": 7}


@pytest.fixture(scope="module")
def model():
    return anholon.gallery("double-pendulum")


@pytest.fixture(scope="module")
def by_threads(model):
    return model.sweep(VARY, **ASKED)


def test_a_sweep_is_a_table(model, by_threads):
    assert by_threads and len(by_threads) == 120 and by_threads.failed == 0
    assert by_threads.columns == ["point", "a1", "a2", "a1_end", "energy()", "error"]
    frame = by_threads.to_pandas()
    assert list(frame["a1"][:4]) == [0.5, 1, 2, 0.5] and frame["a2"].between(-1, 1).all()
    one = model.with_(a1=2, a2=frame["a2"][2]).simulate(5, every=5)
    assert one["a1"][-1] == by_threads["a1_end"][2]
    # the same as by one thread, and as a table of points
    assert model.sweep(VARY, threads=1, **ASKED).to_arrow().equals(by_threads.to_arrow())
    again = model.sweep(frame[["a1", "a2"]], **ASKED)
    assert np.array_equal(again["energy()"], by_threads["energy()"])
    assert pa.table(again).num_rows == 120
    assert b"double-pendulum" in again.to_arrow().schema.metadata[b"anholon.model_name"]


def test_points_without_an_answer_are_rows():
    model = anholon.Model("param m = 1 kg, k = 1 N/m\ncoord x : m\npoint P = (x, 0) mass m\nforce (-k*x, 0) on P\nstart x = 1 m\n")
    found = model.sweep({"m": [1, 0, 2]}, for_=0.1, what="x")
    assert len(found) == 3 and found.failed == 1 and found.reasons[0].point == 1
    assert np.isfinite(found["x"][[0, 2]]).all() and np.isnan(found["x"][1])
    assert found["error"][0] is None and found["error"][1]


def test_parts_go_to_a_folder_and_are_taken_up_again(model, tmp_path):
    points = {"a1": np.linspace(0, 1, 1500)}
    found = model.sweep(points, what="energy()", out=tmp_path / "swing")
    assert [os.path.basename(part) for part in found.parts] == ["part-00000.parquet", "part-00001.parquet"]
    assert found.to_arrow().num_rows == 1500
    with pytest.raises(ValueError, match="is there already"):
        model.sweep(points, what="energy()", out=tmp_path / "swing")
    os.remove(found.parts[1])
    again = model.sweep(points, what="energy()", out=tmp_path / "swing", resume=True)
    assert again.kept == 1 and again.to_arrow().equals(found.to_arrow())


def test_misuse_is_told(model, by_threads):
    with pytest.raises(anholon.ModelError, match="nothing is varied"):
        model.sweep()
    with pytest.raises(anholon.ModelError, match="no `zz`"):
        model.sweep({"zz": [1]})
    with pytest.raises(ValueError, match="not finite"):
        model.sweep({"a1": [np.nan]})
    with pytest.raises(ValueError, match="shape"):
        model.sweep({"a1": [[1, 2]]})
    with pytest.raises(ValueError, match="different lengths"):
        model.sweep(points={"a1": [1, 2], "a2": [1]})
    with pytest.raises(ValueError, match="not 'spark'"):
        model.sweep({"a1": [1]}, on="spark")
    with pytest.raises(TypeError, match="not a int"):
        model.sweep({"a1": [1]}, on=3)
    with pytest.raises(ValueError, match="resume is for"):
        model.sweep({"a1": [1]}, on="dask", resume=True)
    with pytest.raises(ValueError, match="chunk is for clusters"):
        model.sweep({"a1": [1]}, chunk=3)
    with pytest.raises(KeyError, match="there is no 'energy'"):
        by_threads["energy"]
    closed = anholon.gallery("sled")
    closed.close()
    for on in ("threads", "dask"):
        with pytest.raises(ValueError, match="closed"):
            closed.sweep({"l": [1]}, on=on)


def test_a_sweep_is_followed_and_stopped(model):
    told = []

    def follow(part, share):
        told.append((part, share))
        return False

    found = model.sweep({"a1": np.linspace(0, 1, 3000)}, what="energy()", progress=follow)
    assert told[0][0] == "points" and found.stopped and not found


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


def test_dask_gives_the_digits_of_threads(model, by_threads, cluster, tmp_path):
    told = []
    found = model.sweep(VARY, on=cluster, chunk=16, progress=lambda part, share: told.append(share), **ASKED)
    assert found and found.to_arrow().equals(by_threads.to_arrow())
    assert told[-1] == 1 and len(told) == 8
    frame = by_threads.to_pandas()[["a1", "a2"]]
    rows = model.sweep(frame, on="dask", chunk=50, out=tmp_path / "parts", **ASKED)
    assert rows.to_arrow().equals(by_threads.to_arrow()) and len(rows.parts) == 1
    with pytest.raises(FileExistsError):
        model.sweep(frame, on="dask", out=tmp_path / "parts", **ASKED)


def test_chunks_are_a_second_of_work(model, by_threads, cluster):
    shares = []
    found = model.sweep(VARY, on=cluster, progress=lambda part, share: shares.append(share), **ASKED)
    # 120 points of a few milliseconds each are less than a second: one chunk
    assert len(shares) == 1 and found.to_arrow().equals(by_threads.to_arrow())


def test_a_killed_worker_of_dask_loses_nothing(model, by_threads, cluster):
    def pid():
        return os.getpid()

    victim = next(iter(cluster.run(pid).values()))
    killed = []

    def follow(part, share):
        if not killed:
            os.kill(victim, signal.SIGKILL)
            killed.append(share)

    found = model.sweep(VARY, on=cluster, chunk=2, progress=follow, **ASKED)
    assert killed and killed[0] < 1
    assert found and found.to_arrow().equals(by_threads.to_arrow())


def test_an_error_of_a_worker_is_told(model, cluster):
    with pytest.raises(anholon.ModelError, match="is not declared"):
        model.sweep({"a1": [1, 2]}, what="qq", on=cluster)


def test_ray_gives_the_digits_of_threads_with_a_killed_worker(model, by_threads):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        pids, stop = [], threading.Event()

        def kill():
            me = os.getpid()
            while not stop.is_set() and not pids:
                for name in os.listdir("/proc"):
                    if name.isdigit() and int(name) != me and "ray::chunk" in _command(name) and _descends(int(name), me):
                        os.kill(int(name), signal.SIGKILL)
                        pids.append(int(name))
                        break
                time.sleep(0.001)

        killer = threading.Thread(target=kill)
        killer.start()
        found = model.sweep(VARY, on="ray", chunk=4, **ASKED)
        stop.set()
        killer.join()
        assert pids, "no worker was caught at work"
        assert found and found.to_arrow().equals(by_threads.to_arrow())
    finally:
        ray.shutdown()


def _command(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _descends(pid, from_pid):
    """Only processes of this test are ended."""
    for _ in range(10):
        if pid == from_pid:
            return True
        try:
            with open(f"/proc/{pid}/stat") as file:
                pid = int(file.read().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError):
            return False
    return False
