"""Functions at native speed: values, slopes, shapes, misuse."""

import pickle
import threading

import numpy as np
import pytest

import anholon

GALLERY = ["sled", "double-pendulum", "cart-pendulum", "hoop", "rolling-disc"]


def state(model):
    return np.array(model.start)


@pytest.mark.parametrize("name", GALLERY)
def test_the_right_hand_side_is_what_evaluate_says(name):
    model = anholon.gallery(name)
    f = model.function("rhs")
    y, n = state(model), len(model.coordinates)
    found = f(0.0, y)
    assert found.shape == (2 * n,) and f.outputs[0] == model.coordinates[0] + "'"
    assert np.array_equal(found[:n], y[n:])
    told = [model.evaluate().accelerations[f"{q}''"] for q in model.coordinates]
    assert np.allclose(found[n:], told, rtol=1e-10, atol=1e-10)
    assert np.array_equal(model.function("accelerations")(0.0, y), found[n:])


def test_many_states_give_the_bits_of_one():
    model = anholon.gallery("double-pendulum")
    f = model.function("rhs")
    states = np.random.default_rng(1).normal(size=(1003, 4))
    all_at_once = f(0.0, states)
    assert all_at_once.shape == (1003, 4)
    assert np.array_equal(all_at_once, np.array([f(0.0, y) for y in states]))
    assert np.array_equal(f(np.zeros(1003), np.asfortranarray(states)), all_at_once)
    assert f(0.0, np.empty((0, 4))).shape == (0, 4)


def test_parameters_are_arguments_where_asked():
    model = anholon.gallery("cart-pendulum")
    f = model.function("rhs", parameters=["l", "F"])
    y = np.array([0.0, 0.4, 0.1, 0.2])
    assert f.parameters == ["l", "F"] and np.array_equal(f(0, y), f(0, y, f.values))
    other = model.with_(l=0.25, F=3)
    assert np.allclose(f(0, y, [0.25, 3.0]), other.function("rhs")(0, y), rtol=1e-13)
    many = f(0, [y, y], [[0.25, 3.0], f.values])
    assert np.array_equal(many[0], f(0, y, [0.25, 3.0])) and np.array_equal(many[1], f(0, y))
    with pytest.raises(anholon.ModelError, match="no parameter"):
        model.function("rhs", parameters=["ll"])


@pytest.mark.parametrize(
    "name, form",
    [("double-pendulum", None), ("cart-pendulum", None), ("rolling-disc", None), ("sled", "kane"), ("rolling-disc", "maggi")],
)
def test_slopes_are_those_of_differences(name, form):
    model = anholon.gallery(name)
    names = list(model.parameters)[:2]
    f = model.function("rhs", parameters=names, form=form)
    y, p = state(model) + 0.01, np.array(f.values)
    step = 1e-6

    def differences(g, x):
        rows = []
        for k in range(len(x)):
            e = np.zeros(len(x))
            e[k] = step
            rows.append((g(x + e) - g(x - e)) / (2 * step))
        return np.array(rows).T

    jacobian = model.function("jacobian", form=form)(0.0, y)
    assert np.allclose(jacobian, differences(lambda z: f(0.0, z), y), rtol=1e-5, atol=1e-5)
    assert np.array_equal(f.slopes(0.0, y), f.slopes(0.0, [y, y])[1])
    assert np.allclose(jacobian, f.slopes(0.0, y), rtol=1e-12, atol=1e-12)
    assert np.allclose(f.slopes(0.0, y, p, by="p"), differences(lambda z: f(0.0, y, z), p), rtol=1e-5, atol=1e-5)


def test_matrices_multipliers_and_expressions():
    sled = anholon.gallery("sled")
    y = state(sled)
    told = sled.evaluate()
    multipliers = sled.function("multipliers")
    assert np.allclose(multipliers(0, y), [told.multipliers[name] for name in multipliers.outputs], rtol=1e-9)
    mass = sled.function("mass_matrix")(0, y)
    assert mass.shape == (4, 4) and np.allclose(mass, mass.T)
    assert np.abs(sled.function("residual")(0, y)).max() < 1e-12
    assert isinstance(sled.function("energy")(0, y), float)
    assert sled.function("energy")(0, y) == pytest.approx(told.energy, rel=1e-12)
    pendulum = anholon.gallery("cart-pendulum")
    g = pendulum.function("sin(phi)^2 + phi'*(1 s)")
    assert g(0, [0, 0.3, 0, 2.0]) == pytest.approx(np.sin(0.3) ** 2 + 2)
    assert g(0, np.zeros((5, 4))).shape == (5,)
    accelerates = pendulum.function("phi''")
    assert accelerates(0, [0, 0.3, 0, 2.0]) == pytest.approx(pendulum.function()(0, [0, 0.3, 0, 2.0])[3])
    with pytest.raises(anholon.ModelError, match="`psi`"):
        pendulum.function("sin(psi)")
    with pytest.raises(anholon.ModelError, match="did you mean `rhs`"):
        pendulum.function("rsh")


def test_scipy_integrates_it():
    integrate = pytest.importorskip("scipy.integrate")
    model = anholon.gallery("double-pendulum")
    f, jacobian = model.function("rhs"), model.function("jacobian")
    sim = model.simulate(3, every=1, tolerance=1e-12)
    found = integrate.solve_ivp(f, (0, 3), model.start, method="DOP853", rtol=1e-11, atol=1e-11)
    assert np.allclose(found.y[:2, -1], [sim["a1"][-1], sim["a2"][-1]], atol=1e-7)
    stiff = integrate.solve_ivp(f, (0, 1), model.start, method="Radau", jac=jacobian, rtol=1e-8, atol=1e-8)
    assert np.allclose(stiff.y[:2, -1], [sim["a1"][1], sim["a2"][1]], atol=1e-5)


def test_misuse_is_told():
    f = anholon.gallery("double-pendulum").function("rhs", parameters=["g"])
    y = [0.1, 0.2, 0.3, 0.4]
    for wrong, words in [
        (lambda: f(0, y[:3]), r"y has the shape \(3,\); \(4,\) or \(k, 4\)"),
        (lambda: f(0, np.zeros((4, 3))), r"y has the shape \(4, 3\)"),
        (lambda: f(0, 1.0), "y has the shape"),
        (lambda: f([0, 1], y), "t has the shape"),
        (lambda: f(0, y, [1.0, 2.0]), r"p has the shape \(2,\)"),
        (lambda: f(0, [0.1, float("nan"), 0.3, 0.4]), "`a2` is NaN"),
        (lambda: f(float("inf"), y), "`t` is inf"),
        (lambda: f.slopes(0, y, by="q"), "by is 't', 'y' or 'p'"),
    ]:
        with pytest.raises(ValueError, match=words):
            wrong()
    with pytest.raises(TypeError):
        f(0)
    with pytest.raises(ValueError):
        f(0, "abcd")
    unlocked = anholon.gallery("sled").function()
    with pytest.raises(ValueError, match="no parameters were made arguments"):
        unlocked(0, np.zeros(8), [1.0])


def test_a_singular_state_has_no_answer():
    model = anholon.Model("param m = 1 kg\ncoord x : m\nkinetic m*x^2*x'^2/(2 m^2)\nstart x = 1 m\n")
    f = model.function()
    assert np.isfinite(f(0, [1.0, 1.0])).all()
    with pytest.raises(anholon.NoAnswer, match="place 2"):
        f(0, [[1.0, 1.0], [2.0, 1.0], [0.0, 1.0]])


def test_models_that_change_on_the_way_are_refused_by_name():
    text = "param m = 1 kg\ncoord x : m\npoint P = (x, 0) mass m\nconstraint wall: x >= 0\nstart x = 1 m\n"
    with pytest.raises(anholon.ModelError, match="`wall` is one-sided"):
        anholon.Model(text).function()


def test_functions_are_pickled_and_outlive_their_model():
    model = anholon.gallery("double-pendulum")
    f = model.function("rhs", parameters=["g"])
    model.close()
    y = [0.1, 0.2, 0.3, 0.4]
    assert np.array_equal(pickle.loads(pickle.dumps(f))(0, y), f(0, y))


def test_threads_share_a_function():
    f = anholon.gallery("double-pendulum").function()
    states = np.random.default_rng(2).normal(size=(20000, 4))
    wanted, found = f(0, states), {}

    def work(k):
        found[k] = f(0, states)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(np.array_equal(found[k], wanted) for k in range(4))
