"""Methods of SymPy as models: their own equations are right, and a load that is left out makes them wrong."""

import pytest

import anholon

sm = pytest.importorskip("sympy")
me = pytest.importorskip("sympy.physics.mechanics")


def full_disc():
    """A rolling disc in five coordinates, with its two rows."""
    q = list(me.dynamicsymbols("x y psi th phi"))
    x, y, psi, th, phi = q
    r, m, g = sm.symbols("r m g")
    N = me.ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [psi, N.z])
    L = Y.orientnew("L", "Axis", [th, Y.x])
    R = L.orientnew("R", "Axis", [phi, L.y])
    O = me.Point("O")
    O.set_vel(N, 0)
    D = O.locatenew("D", x * N.x + y * N.y + r * sm.cos(th) * N.z)
    D.set_vel(N, D.pos_from(O).dt(N))
    slip = D.vel(N) + R.ang_vel_in(N).cross(-r * L.z)
    body = me.RigidBody("disc", D, R, m, (me.inertia(L, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2), D))
    return q, N, D, body, [slip.dot(N.x), slip.dot(N.y)], (m, g, r)


def test_lagranges_method_with_rolling_rows():
    q, N, _, body, rows, (m, g, r) = full_disc()
    body.potential_energy = m * g * r * sm.cos(q[3])
    method = me.LagrangesMethod(me.Lagrangian(N, body), q, nonhol_coneqs=rows, frame=N, bodies=[body])
    method.form_lagranges_equations()
    found = anholon.from_sympy(method)
    assert found.audit.verdict == "correct", repr(found)
    model, claims = found
    assert model.coordinates == ["x", "y", "psi", "th", "phi"] and "unknown lam1, lam2" in claims


def test_kanes_method_with_dependent_speeds():
    q, N, D, body, rows, (m, g, _) = full_disc()
    t = me.dynamicsymbols._t
    u = list(me.dynamicsymbols("u1:6"))
    rates = [one.diff(t) for one in q]
    speeds = dict(zip(rates, u))
    D.set_vel(N, D.vel(N).subs(speeds))
    body.frame.set_ang_vel(N, body.frame.ang_vel_in(N).subs(speeds))
    method = me.KanesMethod(
        N,
        q_ind=q,
        u_ind=u[2:],
        u_dependent=u[:2],
        kd_eqs=[a - b for a, b in zip(rates, u)],
        velocity_constraints=[row.subs(speeds) for row in rows],
    )
    loads = [(D, -m * g * N.z)]
    method.kanes_equations([body], loads)
    assert anholon.from_sympy(method).audit.verdict == "correct"
    assert anholon.from_sympy(method, loads=[(D, -2 * m * g * N.z)]).audit.verdict == "wrong"


def test_lagranges_method_with_a_rod_and_a_damper():
    x, y = me.dynamicsymbols("x y")
    m, g, l, k = sm.symbols("m g l k")
    t = me.dynamicsymbols._t
    N = me.ReferenceFrame("N")
    O = me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x + y * N.y)
    P.set_vel(N, x.diff(t) * N.x + y.diff(t) * N.y)
    bob = me.Particle("bob", P, m)
    bob.potential_energy = m * g * y
    method = me.LagrangesMethod(
        me.Lagrangian(N, bob),
        [x, y],
        hol_coneqs=[x**2 + y**2 - l**2],
        forcelist=[(P, -k * P.vel(N))],
        frame=N,
        bodies=[bob],
    )
    method.form_lagranges_equations()
    found = anholon.from_sympy(method, values={m: 2, "l": 0.5})
    assert found.audit.verdict == "correct", repr(found)
    assert found.model.parameters["m"] == 2 and found.model.check().constraints[0]["order"] == 0
    assert not anholon.from_sympy(method, loads=[])


def test_kanes_method_with_a_torque():
    theta, omega = me.dynamicsymbols("theta omega")
    l, m, g, J, tau = sm.symbols("l m g J tau")
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [theta, N.z])
    A.set_ang_vel(N, omega * N.z)
    O = me.Point("O")
    O.set_vel(N, 0)
    C = O.locatenew("C", l / 2 * A.x)
    C.v2pt_theory(O, N, A)
    rod = me.RigidBody("rod", C, A, m, (me.inertia(A, 0, 0, J), C))
    method = me.KanesMethod(N, [theta], [omega], [theta.diff(me.dynamicsymbols._t) - omega])
    with pytest.raises(ValueError, match="call kanes_equations first"):
        anholon.from_sympy(method)
    method.kanes_equations([rod], [(C, m * g * N.x), (A, (tau - J * omega) * N.z)])
    assert anholon.from_sympy(method)
