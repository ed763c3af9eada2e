"""The few functions of SymPy that exported scripts use, on plain floats: for machines without SymPy."""

import math

import numpy


def Symbol(name, real):
    return (name, real)


def Rational(n, d):
    return n/d


Integer, Float, pi, Eq = float, float, math.pi, lambda a, b: a == b
sin, cos, tan, sinh, cosh, tanh = math.sin, math.cos, math.tan, math.sinh, math.cosh, math.tanh
asin, acos, atan, atan2 = math.asin, math.acos, math.atan, math.atan2
exp, log, sqrt, Pow, Abs, Min, Max, sign = math.exp, math.log, math.sqrt, math.pow, abs, min, max, numpy.sign


def real_root(x, n):
    return math.copysign(abs(x)**(1/n), x)


def Piecewise(*cases):
    return next(value for value, holds in cases if holds)


class Matrix(list):
    def __init__(self, *what):
        super().__init__(what[-1])
