"""SymPy, both ways."""

import pickle

import pytest

import anholon

sm = pytest.importorskip("sympy")
me = pytest.importorskip("sympy.physics.mechanics")

SWING = """
param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2
coord phi : rad
point P = l*(sin(phi), -cos(phi)) mass m
gravity (0, -g)
start phi = 0.5 rad
"""


def test_equations_become_sympy():
    equation = anholon.Model(SWING).derive("kane").equations[0].sympy(positive=True)
    phi = me.dynamicsymbols("phi")
    l, g = sm.symbols("l g", positive=True)
    t = me.dynamicsymbols._t
    assert equation == sm.Eq(l * phi.diff(t, 2), -g * sm.sin(phi))


@pytest.mark.parametrize("name", ["hoop", "sled", "double-pendulum", "rolling-disc", "euler-top"])
def test_equations_come_back_as_what_they_are(name):
    model = anholon.gallery(name)
    for line in model.derive().data["equations"]:
        equation = line.sympy()
        left, right = line["text"].split(" = ")
        assert anholon.same(f"({left}) - ({right})", equation.lhs - equation.rhs), line


def test_assumptions_of_a_model_are_kept():
    model = anholon.Model(SWING, file="swing").with_(declarations="assume l > 0\nassume g >= 0")
    equation = model.derive().equations[0].sympy()
    known = {one.name: one for one in equation.free_symbols}
    assert known["l"].is_positive and known["g"].is_nonnegative and known["g"].is_positive is None
    again = pickle.loads(pickle.dumps(model.derive())).equations[0].sympy()
    assert again == equation
    assert all(one.is_positive is None for one in anholon.Model(SWING).derive().equations[0].sympy().free_symbols if one.name == "l")


def test_claims_are_equations_of_sympy():
    model = anholon.Model(SWING)
    phi = me.dynamicsymbols("phi")
    l, g, k = sm.symbols("l g k")
    t = me.dynamicsymbols._t
    assert model.audit(sm.Eq(l * phi.diff(t, 2), -g * sm.sin(phi)))
    assert model.audit([l * phi.diff(t, 2) + g * sm.sin(phi)])
    assert model.audit("l*phi'' = -g*sin(phi)")
    assert model.audit(["l*phi'' + g*sin(phi)"])
    assert not model.audit(sm.Eq(l * phi.diff(t, 2), g * sm.sin(phi)))
    assert model.audit(l * phi.diff(t, 2) + k * sm.sin(phi), names={k: "g"})
    with pytest.raises(ValueError, match="no name of the language"):
        model.audit(sm.Symbol(r"\alpha") + phi)
    with pytest.raises(ValueError, match="True or False"):
        model.audit(sm.Eq(phi, phi))
    with pytest.raises(ValueError, match="exponent"):
        model.audit(l**phi)


def disc():
    """The rolling disc of SymPy's tutorials."""
    q1, q2, q3 = me.dynamicsymbols("q1 q2 q3")
    r, m, g = sm.symbols("r m g")
    N = me.ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    C = me.Point("C")
    C.set_vel(N, 0)
    Dmc = C.locatenew("Dmc", r * L.z)
    Dmc.v2pt_theory(C, N, R)
    inertia = me.inertia(L, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2)
    body = me.RigidBody("BodyD", Dmc, R, m, (inertia, Dmc))
    return (q1, q2, q3), (r, m, g), (N, Y, L, R), (C, Dmc), body


def test_the_disc_by_lagranges_method_is_wrong():
    q, (r, m, g), (N, *_), _, body = disc()
    body.potential_energy = m * g * r * sm.cos(q[1])
    method = me.LagrangesMethod(me.Lagrangian(N, body), list(q))
    method.form_lagranges_equations()
    with pytest.raises(ValueError, match="missing: the bodies"):
        anholon.from_sympy(method)
    found = anholon.from_sympy(method, bodies=[body], frame=N)
    assert found.audit.verdict == "wrong" and not found
    assert any("not the rate of its position" in note for note in found.notes)


def test_the_disc_by_kanes_method_is_right():
    q, (r, m, g), (N, Y, L, R), (C, Dmc), body = disc()
    u = me.dynamicsymbols("u1 u2 u3")
    w = R.ang_vel_in(N)
    kd = [w.dot(axis) - one for axis, one in zip((L.x, L.y, L.z), u)]
    rates = sm.solve(kd, [one.diff(me.dynamicsymbols._t) for one in q])
    R.set_ang_vel(N, u[0] * L.x + u[1] * L.y + u[2] * L.z)
    R.set_ang_acc(N, R.ang_vel_in(N).dt(R).subs(rates))
    Dmc.set_vel(N, R.ang_vel_in(N).cross(r * L.z))
    method = me.KanesMethod(N, q_ind=list(q), u_ind=list(u), kd_eqs=kd)
    method.kanes_equations([body], [(Dmc, -m * g * Y.z)])
    found = anholon.from_sympy(method)
    assert found.audit.verdict == "correct", repr(found)


def pendulum(velocity=None):
    phi, u = me.dynamicsymbols("phi u")
    m, l, g = sm.symbols("m l g")
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [phi, N.z])
    O = me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", -l * A.y)
    A.set_ang_vel(N, u * N.z)
    P.set_vel(N, velocity(l, u, A) if velocity else l * u * A.x)
    bob = me.Particle("bob", P, m)
    method = me.KanesMethod(N, [phi], [u], [phi.diff(me.dynamicsymbols._t) - u])
    method.kanes_equations([bob], [(P, -m * g * N.y)])
    return method


def test_a_pendulum_by_kanes_method_is_right():
    found = anholon.from_sympy(pendulum())
    assert found.audit.verdict == "correct" and found.model.coordinates == ["phi"], repr(found)


def test_a_velocity_that_contradicts_its_position_is_told():
    found = anholon.from_sympy(pendulum(lambda l, u, A: 2 * l * u * A.x))
    assert any("P is not the rate of its position" in note for note in found.notes)


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="a System is read, not a int"):
        anholon.from_sympy(3)
