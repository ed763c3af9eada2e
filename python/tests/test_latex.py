"""Equations as papers write them."""

import pytest

import anholon
from anholon._latex import equation

NAMES = ["m", "l", "g", "phi", "x", "x1", "x_2", "a_2", "theta", "c", "omega", "F"]


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"m\ddot{x} = -c x", "m*x'' = -c*x"),
        (r"m l^2 \ddot\varphi + m g l \sin\varphi = 0", "m*l^2*phi'' + m*g*l*sin(phi) = 0"),
        (r"\frac{1}{2} m \dot{x}^2 = \frac12 c x^2", "m*x'^2/2 = c*x^2/2"),
        (r"\dot{x}_1 + \dot{x_2} = \sqrt{a_2}", "x1' + x_2' = sqrt(a_2)"),
        (r"\sin 2\theta = 2 \sin\theta\cos\theta", "sin(2*theta) = 2*sin(theta)*cos(theta)"),
        (r"\sin^2\theta \, \dot\theta^2 = \left( x + 1 \right)^{-2}", "sin(theta)^2*theta'^2 = (x + 1)^(-2)"),
        (r"F(t) - \arctan(x) \cdot x''", "F - atan(x)*x'' = 0"),
        (r"-\cos(\omega t) = \sqrt[3]{x}", "-cos(omega*t) = x^(1/3)"),
    ],
)
def test_it_says_what_the_paper_says(latex, text):
    left, right = (side.strip() for side in equation(latex, NAMES).split(" = "))
    wanted_left, wanted_right = text.split(" = ")
    for found, wanted in ((left, wanted_left), (right, wanted_right)):
        assert anholon.same(found, wanted, assume=["x > 0", "a_2 > 0"]), (found, wanted)


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"\sin\omega t = 0", "belong to the argument of sin"),
        (r"x/m l = 0", "denominator"),
        (r"\sin^{-1} x = 0", "inverse function"),
        (r"k x = \ddot x", "no 'k'"),
        (r"m \ddot{x", "'}' is expected"),
        (r"x^12 = \pi", "use braces"),
        (r"m \int x", "no 'int'"),
        (r"x = \pi)", "cannot stand here"),
        (r"x = \pi § 2", "not understood"),
    ],
)
def test_what_can_be_read_in_two_ways_is_told(latex, words):
    with pytest.raises(ValueError, match=words):
        equation(latex, NAMES)


def test_claims_may_be_latex():
    cart = anholon.gallery("cart-pendulum")
    first = r"(M + m)\ddot{x} + m l \ddot\phi\cos\phi - m l \dot\phi^2\sin\phi = F"
    assert cart.audit([first, r"\ddot{x}\cos\phi + l\ddot\phi = -g\sin\phi"])
    assert not cart.audit(first.replace("- m l", "+ m l"))
