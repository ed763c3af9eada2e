"""Models assembled in code."""

from fractions import Fraction

import pytest

import anholon


def arm(n):
    m = anholon.Builder("An arm")
    l, g, mass = m.param("l", 0.5, "m"), m.param("g", 9.81, "m/s^2"), m.param("mass", 2, "kg")
    q = m.coord("q", "rad", n=n)
    x = y = 0
    for k, angle in enumerate(q, 1):
        x, y = x + l * m.sin(angle), y - l * m.cos(angle)
        m.point(f"P{k}", (x, y), mass=mass)
    m.gravity((0, -g))
    m.start({q[0]: "0.5 rad", q[-1].rate: "1 rad/s"})
    return m


def test_what_is_built_is_what_would_be_written():
    written = anholon.Model("""
param l = 0.5 m, g = 9.81 m/s^2, mass = 2 kg
coord a, b : rad
point P = l*(sin(a), -cos(a)) mass mass
point Q = P + l*(sin(b), -cos(b)) mass mass
gravity (0, -g)
start a = 0.5 rad, b' = 1 rad/s
""")
    driven = arm(2)
    force = driven.input("F", 3, "N")
    driven.force((force, 0), "P2")
    assert driven.model().inputs == ["F"]
    built = arm(2).model()
    found, wanted = built.evaluate().accelerations, written.evaluate().accelerations
    assert list(found.values()) == pytest.approx(list(wanted.values()), rel=1e-13)
    assert arm(3).model(l=1).parameters["l"] == 1 and arm(3).model().prove(["kane", "appell"])


def test_bodies_frames_and_constraints():
    m = anholon.Builder("Disc")
    mass, r, g = m.param("m", 2, "kg"), m.param("r", 0.5, "m"), m.param("g", 9.81, "m/s^2")
    x, y, z = (m.coord(name, "m") for name in "xyz")
    yaw, lean, spin = (m.coord(name, "rad") for name in ("yaw", "lean", "spin"))
    Y = m.frame("Y", m.N, ("z", yaw), ("x", lean))
    R = m.frame("R", Y, ("y", spin))
    C = m.point("C", (x, y, z))
    K = m.point("K", C - r * Y.z)
    m.body("disc", mass=mass, at=C, frame=R, inertia=(mass * r**2 / 4, mass * r**2 / 2, mass * r**2 / 4))
    m.gravity((0, 0, -g))
    m.constraint("touch", K.z).constraint("roll_x", "velocity(disc at K).x").constraint("roll_y", "velocity(disc at K).y")
    m.start({lean: 0.3, yaw.rate: "0.7 rad/s", lean.rate: "-0.4 rad/s", spin.rate: "1.2 rad/s"})
    disc = m.model()
    at = {"lean": 0.3, "yaw'": 0.7, "lean'": -0.4, "spin'": 1.2}
    wanted = anholon.gallery("rolling-disc").evaluate(at)
    assert disc.evaluate(at).accelerations["yaw''"] == pytest.approx(wanted.accelerations["yaw''"], rel=1e-12)


def test_brackets_stand_where_they_must():
    a, b, c = (anholon.Term(name) for name in "abc")
    for term, text in [
        ((a + b) * c, "(a+b)*c"),
        (a - (b - c), "a-(b-c)"),
        (a / (b * c), "a/(b*c)"),
        (-a / b**2, "-(a/b^2)"),
        ((a * b) ** 2, "(a*b)^2"),
        (2 - a, "2-a"),
        (1 / (a + b), "1/(a+b)"),
        (a * -2, "-2*a"),
        (a ** Fraction(1, 2) * 0.25, "sqrt(a)/4"),
        ((-a) ** 2 - a * a, "0"),
        (a * b / (c / a), "a^2*b/c"),
        (a - -b, "a+b"),
    ]:
        assert anholon.same(repr(term), text, assume=["a > 0"]), (term, text)


def test_mistakes_are_told():
    m = arm(2)
    m.observe("wrong", anholon.Term("l") + anholon.Term("k"))
    with pytest.raises(anholon.ModelError) as told:
        m.model()
    assert told.value.diagnostics[0].line == len(m.lines) and "`k`" in str(told.value)
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(anholon.Term("a"))
    with pytest.raises(TypeError, match="no expression"):
        m.observe("nothing", None)
