"""Models open and close: after the end, from threads, without growth."""

import gc
import os
import threading

import pytest

import anholon


def test_a_closed_model_says_so():
    model = anholon.gallery("sled")
    with model:
        model.check()
    assert model.closed
    for ask in (model.derive, model.simulate, model.function, lambda: model.evaluate({"x1": 1})):
        with pytest.raises(ValueError, match="closed"):
            ask()
    model.close()
    assert model.with_(l=1).derive()  # its text is still there


def test_threads_take_turns_on_one_model():
    model, found = anholon.gallery("cart-pendulum"), []
    wanted = model.derive().page

    def work():
        for _ in range(5):
            found.append(model.derive().page == wanted and model.simulate(0.2).ok)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [True] * 20


def test_several_models_are_open_at_once():
    models = [anholon.gallery(name) for name in ("sled", "hoop", "euler-top")]
    pages = [model.derive().page for model in models]
    assert [model.derive().page for model in reversed(models)] == pages[::-1]


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="resident memory is read from /proc")
def test_models_that_are_dropped_leave_nothing():
    def round_of(count):
        for k in range(count):
            model = anholon.gallery("cart-pendulum", l=0.5 + k % 7 / 10)
            model.evaluate()
            model.function()(0, [0, 0.1, 0, 0])
        gc.collect()

    round_of(200)
    before = resident()
    round_of(10_000)
    assert resident() - before < 10e6
