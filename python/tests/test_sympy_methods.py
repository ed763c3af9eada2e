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


def of_sympys_tests(monkeypatch, module, name):
    """The methods whose equations one of SymPy's own tests forms."""
    import importlib

    made = []
    for kind, forms in ((me.KanesMethod, "kanes_equations"), (me.LagrangesMethod, "form_lagranges_equations")):
        original = getattr(kind, forms)

        def keeping(self, *arguments, _original=original, **more):
            answer = _original(self, *arguments, **more)
            made.append(self)
            return answer

        monkeypatch.setattr(kind, forms, keeping)
    getattr(importlib.import_module(f"sympy.physics.mechanics.tests.{module}"), name)()
    return made


def test_the_disc_with_auxiliary_speeds_in_sympys_tests_is_wrong(monkeypatch):
    # the acceleration of the centre is made from that of the point of contact, as if that were a point of the disc
    found = [anholon.from_sympy(method) for method in of_sympys_tests(monkeypatch, "test_kane", "test_aux")]
    assert [one.audit.verdict for one in found] == ["wrong", "wrong"]
    assert all("Dmc" in one.contradictions for one in found)
    assert any("acceleration of Dmc is not the rate of its velocity" in note for note in found[0].notes)
    assert any("auxiliary speeds are zero" in note for note in found[1].notes)


@pytest.mark.parametrize(
    "module, name",
    [
        ("test_kane", "test_rolling_disc"),
        ("test_kane", "test_parallel_axis"),
        ("test_kane2", "test_aux_dep"),
        ("test_kane2", "test_sub_qdot"),
        ("test_kane2", "test_non_central_inertia"),
        ("test_lagrange", "test_dub_pen"),
        ("test_models", "test_n_link_pendulum_on_cart_inputs"),
    ],
)
def test_other_derivations_in_sympys_tests_are_right(monkeypatch, module, name):
    made = of_sympys_tests(monkeypatch, module, name)
    assert made
    for method in made:
        found = anholon.from_sympy(method)
        assert found.audit.verdict == "correct", repr(found)


def test_the_place_of_the_centre_in_sympys_tests_is_told(monkeypatch):
    (method,) = of_sympys_tests(monkeypatch, "test_kane", "test_rolling_disc")
    assert anholon.from_sympy(method).contradictions == ["Dmc"]


def test_a_system_of_joints_and_actuators_is_read():
    M, m, l, g, F, k = sm.symbols("M m l g F k")
    x, th, u, w = me.dynamicsymbols("x th u w")
    rail, cart, pole = me.RigidBody("rail"), me.RigidBody("cart", mass=M), me.RigidBody("pole", mass=m)
    system = me.System.from_newtonian(rail)
    slider = me.PrismaticJoint("slider", rail, cart, x, u, joint_axis=rail.x)
    pin = me.PinJoint("pin", cart, pole, th, w, joint_axis=rail.z, child_point=l * pole.y)
    system.add_joints(slider, pin)
    system.apply_uniform_gravity(-g * rail.y)
    system.add_loads(me.Force(cart, F * rail.x))
    system.add_actuators(me.TorqueActuator(-k * w, rail.z, pole, cart))
    found = anholon.from_sympy(system)
    assert found.audit.verdict == "correct" and found.model.coordinates == ["x", "th"], repr(found)
    assert anholon.from_sympy(system, loads=[]).audit.verdict == "wrong"


def test_a_system_with_a_geometric_row_is_read():
    x, y, ux, uy = me.dynamicsymbols("x y ux uy")
    m, g, l = sm.symbols("m g l")
    t = me.dynamicsymbols._t
    N, O = me.ReferenceFrame("N"), me.Point("O")
    system = me.System(N, O)
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x + y * N.y)
    P.set_vel(N, ux * N.x + uy * N.y)
    system.add_bodies(me.Particle("bob", P, m))
    system.q_ind, system.q_dep, system.u_ind, system.u_dep = [x], [y], [ux], [uy]
    system.kdes = [x.diff(t) - ux, y.diff(t) - uy]
    system.holonomic_constraints = [x**2 + y**2 - l**2]
    system.apply_uniform_gravity(-g * N.y)
    found = anholon.from_sympy(system)
    assert found.audit.verdict == "correct", repr(found)
    # the rate of the row is no row of its own
    assert len(found.model.check().constraints) == 1


def test_a_prescribed_motion_is_refused_by_name():
    q, u, z = me.dynamicsymbols("q u z")
    m = sm.Symbol("m")
    t = me.dynamicsymbols._t
    N, O = me.ReferenceFrame("N"), me.Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", (q + z) * N.x)
    P.set_vel(N, (u + z.diff(t)) * N.x)
    method = me.KanesMethod(N, [q], [u], [q.diff(t) - u])
    method.kanes_equations([me.Particle("bob", P, m)], [])
    with pytest.raises(ValueError, match=r"z\(t\) is no coordinate"):
        anholon.from_sympy(method)
