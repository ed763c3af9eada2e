"""Ways out of a model: modules for JAX and CasADi, matrices for SymPy, steady motions for control."""

import inspect

import numpy as np
import pytest

import anholon

ARM = """
system "An arm"
param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2, c = 0.1 N*m*s
coord phi : rad
input tau : N*m = 0 N*m
point P = l*(sin(phi), -cos(phi)) mass m
gravity (0, -g)
generalized force tau - c*phi' on phi
start phi = 0.5 rad
"""


@pytest.mark.parametrize("name", ["cart-pendulum", "sled", "muscle-arm"])
def test_jax_computes_what_the_engine_does(name):
    jax = pytest.importorskip("jax")
    model = anholon.gallery(name)
    module, f = model.jax(), model.function("rhs")
    y = np.array(model.start)
    assert np.allclose(module.START, y) and np.allclose(module.rhs(0.0, y), f(0, y), rtol=1e-12, atol=1e-12)
    slopes = jax.jit(jax.jacobian(lambda y: module.rhs(0.0, y)))(y)
    assert np.allclose(slopes, model.function("jacobian")(0, y), rtol=1e-9, atol=1e-9)
    many = jax.vmap(lambda y: module.rhs(0.0, y))(np.stack([y, y]))
    assert np.allclose(many, f(0, np.stack([y, y])), rtol=1e-12, atol=1e-12)
    assert "def rhs" in inspect.getsource(module.rhs)


@pytest.mark.parametrize("name", ["cart-pendulum", "sled"])
def test_casadi_computes_what_the_engine_does(name):
    casadi = pytest.importorskip("casadi")
    model = anholon.gallery(name)
    module, y = model.casadi(), casadi.SX.sym("y", 2 * len(model.coordinates))
    function = casadi.Function("f", [y], [module.rhs(0, y), casadi.jacobian(module.rhs(0, y), y)])
    value, slopes = function(model.start)
    assert np.allclose(np.array(value).ravel(), model.function()(0, model.start), rtol=1e-12, atol=1e-12)
    assert np.allclose(np.array(slopes), model.function("jacobian")(0, model.start), rtol=1e-9, atol=1e-9)


def test_parameters_are_arguments_of_the_modules():
    pytest.importorskip("jax")
    module = anholon.Model(ARM).jax()
    assert list(module.NOMINAL) == [2, 0.5, 9.81, 0.1, 0]
    other = anholon.Model(ARM, l=1.5).function()(0, [0.3, 0.1])
    assert np.allclose(module.rhs(0.0, np.array([0.3, 0.1]), np.array([2, 1.5, 9.81, 0.1, 0])), other, rtol=1e-12)


def test_what_a_module_cannot_express_is_refused_by_name():
    pytest.importorskip("jax")
    with pytest.raises(anholon.ModelError, match="jax"):
        anholon.gallery("bouncing-ball").jax()


def test_matrices_become_sympy():
    sm = pytest.importorskip("sympy")
    me = pytest.importorskip("sympy.physics.mechanics")
    model = anholon.gallery("cart-pendulum")
    found = model.derive("multipliers", matrices=True).matrices
    made = found.sympy(positive=True)
    M, m, l = sm.symbols("M m l", positive=True)
    x, phi = me.dynamicsymbols("x phi")
    assert made.M == sm.Matrix([[M + m, m * l * sm.cos(phi)], [m * l * sm.cos(phi), m * l**2]])
    assert found.matrix("h").shape == (2, 1) and found.matrix("M⁻¹").shape == (2, 2)
    with pytest.raises(KeyError, match="there is no 'Z'"):
        found.matrix("Z")
    symbolic = model.linearize(symbolic="l").symbolic.sympy()
    values = np.array(symbolic.A.subs({"l": model.parameters["l"]}), dtype=float)
    assert np.allclose(values, model.linearize().A)


def test_a_model_is_trimmed():
    arm = anholon.Model(ARM)
    found = arm.trim(inputs="tau", at={"phi": np.float64(0.7)})
    assert found.loads["tau"] == pytest.approx(2 * 9.81 * 0.5 * np.sin(0.7), rel=1e-12)
    assert found.state == {"phi": 0.7, "phi'": 0} and found.A.shape == (2, 2) and found.B.shape == (2, 1)
    assert arm.trim().loads["tau"] == pytest.approx(2 * 9.81 * 0.5 * np.sin(0.5), rel=1e-12)
    assert abs(arm.function("accelerations", parameters=["tau"])(0, [0.7, 0], [found.loads["tau"]])[0]) < 1e-12
    # what can still be chosen has the value of the start: nothing brakes a cart
    cart = anholon.gallery("cart-pendulum").trim("F", {"phi": 0})
    assert abs(cart.loads["F"]) < 1e-12 and cart.state["x'"] == pytest.approx(0.2)


def test_a_trim_that_is_none_is_told():
    arm = anholon.Model(ARM)
    with pytest.raises(ValueError, match="'F' is no input of the model; there are tau"):
        arm.trim("F")
    with pytest.raises(ValueError, match="has no inputs"):
        anholon.gallery("sled").trim()
    with pytest.raises(anholon.ModelError):
        arm.trim("tau", {"zz": 1})
    with pytest.raises(ValueError, match="no finite number"):
        arm.trim("tau", {"phi": float("nan")})
    with pytest.raises((anholon.ModelError, anholon.NoAnswer)):
        anholon.gallery("cart-pendulum").trim("F", {"phi": 0.3})


def test_letters_and_states():
    model = anholon.gallery("sled")
    assert np.array_equal(model.function("M")(0, model.start), model.function("mass_matrix")(0, model.start))
    muscle = anholon.gallery("muscle-arm")
    assert muscle.states == ["a"] and muscle.function()(0, muscle.start).shape == (3,)
    b = anholon.Builder("numpy")
    assert b.param("l", np.float64(0.5), "m").text == "l" and "param l = 0.5 m" in b.text
