"""The few functions of NumPy that exported code uses, in plain Python: for machines without NumPy."""

import math


class array:
    def __init__(self, data, shape=None):
        data = data.data if isinstance(data, array) else list(data)
        if data and isinstance(data[0], list):
            shape, data = (len(data), len(data[0])), [x for row in data for x in row]
        self.data, self.shape = [float(x) for x in data], shape or (len(data),)

    def place(self, key):
        return key[0]*self.shape[1] + key[1] if isinstance(key, tuple) else key

    def __getitem__(self, key):
        return self.data[self.place(key)]

    def __setitem__(self, key, value):
        self.data[self.place(key)] = float(value)

    def __iter__(self):
        return iter(self.data)

    def __len__(self):
        return self.shape[0]

    def reshape(self, *shape):
        return array(self.data, shape)

    def ravel(self):
        return array(self.data)


def zeros(shape):
    shape = shape if isinstance(shape, tuple) else (shape,)
    return array([0.0]*math.prod(shape), shape)


def sign(x):
    return float((x > 0) - (x < 0))


def cbrt(x):
    return math.copysign(abs(x)**(1/3), x)


sin, cos, tan, sinh, cosh, tanh = math.sin, math.cos, math.tan, math.sinh, math.cosh, math.tanh
arcsin, arccos, arctan, arctan2 = math.asin, math.acos, math.atan, math.atan2
exp, log, sqrt, power, abs, minimum, maximum = math.exp, math.log, math.sqrt, math.pow, abs, min, max


class linalg:
    @staticmethod
    def solve(a, b):
        n = len(b)
        rows = [[a[i, j] for j in range(n)] + [b[i]] for i in range(n)]
        for k in range(n):
            best = max(range(k, n), key=lambda i: abs(rows[i][k]))
            rows[k], rows[best] = rows[best], rows[k]
            for i in range(k + 1, n):
                factor = rows[i][k]/rows[k][k]
                if factor:
                    for j in range(k, n + 1):
                        rows[i][j] -= factor*rows[k][j]
        x = [0.0]*n
        for i in reversed(range(n)):
            x[i] = (rows[i][n] - sum(rows[i][j]*x[j] for j in range(i + 1, n)))/rows[i][i]
        return array(x)
