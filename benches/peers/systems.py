"""What moves, in any arithmetic? Right-hand sides written once for floats, extended floats and the symbols of the peers.

Each system has its right-hand side f(x, sin, cos), its start, its energy with a scale, and what is left of its constraints. States are
coordinates, then rates, in the order of our own models (benches/src/bin/peers/models.rs).
"""

import math

G = 9.81


def solve(M, f):
    """x of M x = f by an unrolled symmetric elimination, for any kind of number; entries that are plain zeros cost nothing."""
    n = len(f)
    none = lambda a: isinstance(a, float) and a == 0.0
    M, x = [list(row) for row in M], list(f)
    for k in range(n):
        for i in range(k + 1, n):
            if none(M[i][k]):
                continue
            r = M[i][k] / M[k][k]
            for j in range(i, n):
                if not none(M[j][k]):
                    M[j][i] = M[j][i] - r * M[j][k]
                    M[i][j] = M[j][i]
            x[i] = x[i] - r * x[k]
    for i in reversed(range(n)):
        for j in range(i + 1, n):
            if not none(M[j][i]):
                x[i] = x[i] - M[j][i] * x[j]
        x[i] = x[i] / M[i][i]
    return x


def chain(n):
    """n equal bobs on n equal light rods: masses 1, lengths 1, angles from the downward vertical."""

    def f(x, sin, cos):
        a, w = x[:n], x[n:]
        below = lambda i, j: float(n - max(i, j))
        M = [[below(i, j) * cos(a[i] - a[j]) if i != j else below(i, i) for j in range(n)] for i in range(n)]
        right = []
        for i in range(n):
            e = -below(i, i) * G * sin(a[i])
            for j in range(n):
                if j != i:
                    e = e - below(i, j) * sin(a[i] - a[j]) * (w[j] * w[j])
            right.append(e)
        return list(w) + solve(M, right)

    def energy(x):
        vx = vy = y = total = 0.0
        for i in range(n):
            vx += math.cos(x[i]) * x[n + i]
            vy += math.sin(x[i]) * x[n + i]
            y -= math.cos(x[i])
            total += 0.5 * (vx * vx + vy * vy) + G * y
        return total

    start = [2.0 + 0.5 * i / max(1, n - 1) for i in range(n)] + [0.0] * n
    return dict(f=f, start=start, energy=energy, scale=n * (n + 1) / 2 * G, left=lambda x: 0.0)


def held(M, f, A, b):
    """Accelerations under rows A q'' = b, by their multipliers."""
    free, pulled = solve(M, f), [solve(M, list(row)) for row in A]

    def dot(a, c):
        terms = [p * q for p, q in zip(a, c) if not (isinstance(p, float) and p == 0.0)]
        return sum(terms[1:], terms[0])

    S = [[dot(row, column) for column in pulled] for row in A]
    forces = solve(S, [bi - dot(row, free) for row, bi in zip(A, b)])
    out = []
    for i, value in enumerate(free):
        for column, force in zip(pulled, forces):
            value = value + column[i] * force
        out.append(value)
    return out


def sleigh():
    """Chaplygin's sleigh: mass 1 at the distance 0.3 ahead of the blade, moment of inertia 0.5 about the mass centre."""
    m, l, J = 1.0, 0.3, 0.5

    def f(x, sin, cos):
        s, c, (vx, vy, w) = sin(x[2]), cos(x[2]), x[3:]
        M = [[m, 0.0, -m * l * s], [0.0, m, m * l * c], [-m * l * s, m * l * c, J + m * l * l]]
        right = [m * l * c * w * w, m * l * s * w * w, 0.0 * w]
        return [vx, vy, w] + held(M, right, [[-s, c, 0.0 * w]], [vx * c * w + vy * s * w])

    def energy(x):
        s, c = math.sin(x[2]), math.cos(x[2])
        return 0.5 * m * ((x[3] - l * s * x[5]) ** 2 + (x[4] + l * c * x[5]) ** 2) + 0.5 * J * x[5] ** 2

    left = lambda x: abs(x[4] * math.cos(x[2]) - x[3] * math.sin(x[2]))
    return dict(f=f, start=[0.0, 0.0, 0.0, 0.2, 0.0, 3.0], energy=energy, scale=3.0, left=left)


def disc():
    """A thin disc that rolls: mass 1, radius 0.5; x, y of the centre, yaw, lean, spin."""
    m, r = 1.0, 0.5
    D, P = m * r * r / 4, m * r * r / 2

    def f(x, sin, cos):
        (vx, vy, a, b, c) = x[5:]
        s, k, sy, ky = sin(x[3]), cos(x[3]), sin(x[2]), cos(x[2])
        p = a * s + c
        M = [
            [m, 0.0, 0.0, 0.0, 0.0],
            [0.0, m, 0.0, 0.0, 0.0],
            [0.0, 0.0, D * k * k + P * s * s, 0.0, P * s],
            [0.0, 0.0, 0.0, D + m * r * r * s * s, 0.0],
            [0.0, 0.0, P * s, 0.0, P],
        ]
        right = [
            0.0 * k,
            0.0 * k,
            2 * D * k * s * b * a - P * k * b * p - P * s * k * a * b,
            -m * r * r * s * k * b * b - D * k * s * a * a + P * p * a * k + m * G * r * s,
            -P * a * k * b,
        ]
        A = [[1.0, 0.0, -r * s * ky, -r * k * sy, -r * ky], [0.0, 1.0, -r * s * sy, r * k * ky, -r * sy]]
        rest = [
            r * (a * (k * b * ky - s * sy * a) - c * sy * a) + r * b * (k * ky * a - s * b * sy),
            r * (a * (k * b * sy + s * ky * a) + c * ky * a) + r * b * (s * b * ky + k * sy * a),
        ]
        return list(x[5:]) + held(M, right, A, rest)

    def energy(x):
        s, k = math.sin(x[3]), math.cos(x[3])
        vx, vy, a, b, c = x[5:]
        moving = 0.5 * m * (vx**2 + vy**2 + (r * s * b) ** 2)
        return moving + 0.5 * D * (b**2 + (a * k) ** 2) + 0.5 * P * (a * s + c) ** 2 + m * G * r * k

    def rolling(x):
        s, k, sy, ky = math.sin(x[3]), math.cos(x[3]), math.sin(x[2]), math.cos(x[2])
        a, b, c = x[7:]
        p = a * s + c
        return r * p * ky + r * b * k * sy, r * p * sy - r * b * k * ky

    left = lambda x: max(abs(x[5] - rolling(x)[0]), abs(x[6] - rolling(x)[1]))
    start = [0.0, 0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 0.5, 0.0, 6.0]
    start[5:7] = rolling(start)
    return dict(f=f, start=start, energy=energy, scale=10.0, left=left)


def stiff():
    """A bob on a stiff spring with a damper along it: m = 1, k = 1e10, c = 1e7, length 1, from rest at 1 rad."""
    k, c = 1e10, 1e7

    def f(x, sin, cos, root=math.sqrt):
        (px, py, vx, vy) = x
        d = root(px * px + py * py)
        pull = k * (d - 1.0) / d + c * (px * vx + py * vy) / (d * d)
        return [vx, vy, -pull * px, -pull * py - G]

    def energy(x):
        d = math.hypot(x[0], x[1])
        return 0.5 * (x[2] ** 2 + x[3] ** 2) + G * x[1] + 0.5 * k * (d - 1.0) ** 2

    start = [math.sin(1.0), -math.cos(1.0), 0.0, 0.0]
    return dict(f=f, start=start, energy=energy, scale=G, left=lambda x: 0.0)


def cart(n):
    """Masses and lengths of a cart with n links: m[0] is the cart."""
    return [1.0 + 0.01 * i for i in range(n + 1)], [0.5 + 0.01 * i for i in range(n)]


def cart_energies(n, q, u, m, l, g, sin, cos):
    """Kinetic and potential energy of a cart with n links, in any kind of symbols."""
    vx, vy, y = u[0], 0.0, 0.0
    T, V = m[0] * u[0] * u[0] / 2, 0.0
    for i in range(1, n + 1):
        vx = vx + l[i - 1] * cos(q[i]) * u[i]
        vy = vy + l[i - 1] * sin(q[i]) * u[i]
        y = y - l[i - 1] * cos(q[i])
        T = T + m[i] * (vx * vx + vy * vy) / 2
        V = V + m[i] * g * y
    return T, V


def cart_states(n, count):
    """The states at which accelerations are asked for; ours are made by the same rule."""
    width = 2 * (n + 1)
    return [[math.sin(0.7391 * (k * width + i)) for i in range(width)] for k in range(count)]


def cart_accelerations(n, state):
    """Exact enough: the closed form, solved in extended precision."""
    import numpy as np

    wide = np.longdouble
    m, l = ([wide(v) for v in part] for part in cart(n))
    above = [wide(0)] * (n + 2)
    for i in reversed(range(n + 1)):
        above[i] = above[i + 1] + m[i]
    a, w = [wide(v) for v in state[1 : n + 1]], [wide(v) for v in state[n + 2 :]]
    M = [[wide(0)] * (n + 1) for _ in range(n + 1)]
    M[0][0] = above[0]
    right = [sum(above[i] * l[i - 1] * np.sin(a[i - 1]) * w[i - 1] ** 2 for i in range(1, n + 1))]
    for i in range(1, n + 1):
        M[0][i] = M[i][0] = above[i] * l[i - 1] * np.cos(a[i - 1])
        e = -above[i] * wide(G) * l[i - 1] * np.sin(a[i - 1])
        for j in range(1, n + 1):
            size = above[max(i, j)] * l[i - 1] * l[j - 1]
            M[i][j] = size * np.cos(a[i - 1] - a[j - 1])
            e -= size * np.sin(a[i - 1] - a[j - 1]) * w[j - 1] ** 2
        right.append(e)
    M, x = np.array(M), np.array(right)
    for k in range(n + 1):
        for i in range(k + 1, n + 1):
            r = M[i, k] / M[k, k]
            M[i, k:] -= r * M[k, k:]
            x[i] -= r * x[k]
    for i in reversed(range(n + 1)):
        x[i] = (x[i] - M[i, i + 1 :] @ x[i + 1 :]) / M[i, i]
    return x
