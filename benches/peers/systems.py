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
    return dict(f=f, start=start, energy=energy, scale=G, left=lambda x: 0.0, has_root=True)


def andrews():
    """Andrews' squeezing mechanism: seven bodies in the plane, driven by a constant torque; its constraints are differentiated
    twice. Source: W. M. Lioen, J. J. B. de Swart, Test Set for Initial Value Problem Solvers (1998), problem 3; E. Hairer,
    G. Wanner, Solving Ordinary Differential Equations II, 2nd ed. (1996), VI.9, after H. B. Andrews and others."""
    m = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
    I = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
    xb, yb, xc, yc, c0, l0, mom = -0.03635, 0.03273, 0.014, 0.072, 4530.0, 0.07785, 0.033
    d, da, e, ea, rr, ra, ss, sa, sb = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035, 0.01874, 0.01043
    sc, sd, ta, tb, u, ua, ub, zf, zt, fa = 0.018, 0.02, 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
    arm, fork = e - ea, zf - fa

    def f(x, sin, cos, root=math.sqrt):
        B, T, C, P, D, O, E = x[:7]
        b, t, c, p, r, o, v = x[7:]
        sB, kB, sC, kC, sD, kD, sE, kE = sin(B), cos(B), sin(C), cos(C), sin(D), cos(D), sin(E), cos(E)
        sT, kT, sP, kP, sO, kO = sin(T), cos(T), sin(P), cos(P), sin(O), cos(O)
        sBT, kBT, sPD, kPD, sOE, kOE = sin(B + T), cos(B + T), sin(P + D), cos(P + D), sin(O + E), cos(O + E)
        M = [[0.0] * 7 for _ in range(7)]
        M[0][0] = m[0] * ra**2 + m[1] * (rr**2 + da**2) + I[0] + I[1] - 2 * m[1] * da * rr * kT
        M[0][1] = M[1][0] = m[1] * da**2 + I[1] - m[1] * da * rr * kT
        M[1][1] = m[1] * da**2 + I[1]
        M[2][2] = m[2] * (sa**2 + sb**2) + I[2]
        M[3][3] = m[3] * arm**2 + I[3]
        M[3][4] = M[4][3] = m[3] * arm**2 + I[3] + m[3] * zt * arm * sP
        M[4][4] = m[3] * (zt**2 + arm**2) + m[4] * (ta**2 + tb**2) + I[3] + I[4] + 2 * m[3] * zt * arm * sP
        M[5][5] = m[5] * fork**2 + I[5]
        M[5][6] = M[6][5] = m[5] * fork**2 + I[5] - m[5] * u * fork * sO
        M[6][6] = m[5] * (fork**2 + u**2) + m[6] * (ua**2 + ub**2) + I[5] + I[6] - 2 * m[5] * u * fork * sO
        xd, yd = sd * kC + sc * sC + xb - xc, sd * sC - sc * kC + yb - yc
        length = root(xd * xd + yd * yd)
        pull = c0 * (l0 - length) / length
        right = [
            mom - m[1] * da * rr * t * (t + 2 * b) * sT,
            m[1] * da * rr * b * b * sT,
            pull * xd * (sc * kC - sd * sC) + pull * yd * (sd * kC + sc * sC),
            m[3] * zt * arm * r * r * kP,
            -m[3] * zt * arm * p * (p + 2 * r) * kP,
            -m[5] * u * fork * v * v * kO,
            m[5] * u * fork * o * (o + 2 * v) * kO,
        ]
        z, first, second = 0.0, d * sBT - rr * sB, rr * kB - d * kBT
        A = [
            [first, d * sBT, -ss * kC, z, z, z, z],
            [second, -d * kBT, -ss * sC, z, z, z, z],
            [first, d * sBT, z, -e * kPD, zt * sD - e * kPD, z, z],
            [second, -d * kBT, z, -e * sPD, -e * sPD - zt * kD, z, z],
            [first, d * sBT, z, z, z, zf * sOE, zf * sOE - u * kE],
            [second, -d * kBT, z, z, z, -zf * kOE, -zf * kOE - u * sE],
        ]
        s, w, y = (b + t) * (b + t), (p + r) * (p + r), (o + v) * (o + v)
        one, two = rr * kB * b * b - d * kBT * s, rr * sB * b * b - d * sBT * s
        rest = [
            one - ss * sC * c * c,
            two + ss * kC * c * c,
            one - e * sPD * w - zt * kD * r * r,
            two + e * kPD * w - zt * sD * r * r,
            one - zf * kOE * y - u * sE * v * v,
            two - zf * sOE * y + u * kE * v * v,
        ]
        return [b, t, c, p, r, o, v] + held(M, right, A, rest)

    angles = [-0.06171389001427650, 0.0, 0.4552798191630703, 0.2226683901658859, 0.4873649795438426, -0.2226683901658859, 1.230547444549821]
    # the end at 0.03 s, as the test set has it
    end = [15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304, 0.5347301163226948]
    end += [1.048080741042263, 1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808]
    end += [-19.29337464421385, 0.3231791658026955]
    return dict(f=f, start=angles + [0.0] * 7, end=end, has_root=True)


def car():
    """The car axis: two wheels on hard springs, the right one on a wavy road; its constraints are differentiated twice, and the
    last number of the state is the time. Source: the test set that `andrews` names, problem 4."""
    k, L, h, w = 1e4, 1.0, 0.1, 10.0

    def f(x, sin, cos, root=math.sqrt):
        xl, yl, xr, yr, vxl, vyl, vxr, vyr, t = x
        yb, dyb, ddyb = h * sin(w * t), h * w * cos(w * t), -h * w * w * sin(w * t)
        xb = root(L * L - yb * yb)
        dxb = -yb * dyb / xb
        ddxb = -(dyb * dyb + yb * ddyb + dxb * dxb) / xb
        left, dx, dy = root(xl * xl + yl * yl), xr - xb, yr - yb
        right = root(dx * dx + dy * dy)
        pl, pr = k * (0.5 - left) / left, k * (0.5 - right) / right
        forces = [pl * xl, pl * yl - 5.0, pr * dx, pr * dy - 5.0]
        M = [[5.0 if i == j else 0.0 for j in range(4)] for i in range(4)]
        ex, ey, ux, uy = xl - xr, yl - yr, vxl - vxr, vyl - vyr
        A = [[xb, yb, 0.0, 0.0], [ex, ey, -ex, -ey]]
        rest = [-2 * (vxl * dxb + vyl * dyb) - xl * ddxb - yl * ddyb, -(ux * ux) - uy * uy]
        return [vxl, vyl, vxr, vyr] + held(M, forces, A, rest) + [1.0]

    # the end at 3 s, as the test set has it
    end = [0.04934557842754028, 0.4969894602301712, 1.041742524885422, 0.3739110272652613]
    end += [-0.07705836840409724, 0.007446866587237786, 0.01755681575372322, 0.7703410437792520]
    return dict(f=f, start=[0.0, 0.5, 1.0, 0.5, -0.5, 0.0, -0.5, 0.0, 0.0], end=end, has_root=True)


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
