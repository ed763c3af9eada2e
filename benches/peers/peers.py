"""A peer at one work: `peers.py WORK N` gets ready, then works as often as it is asked to on standard input.

    ready SECONDS          CPU time until it could begin, its compilers included
    run  -> cpu SECONDS    CPU time of the work, once
    end  -> answer x, x …  what it found; memory MB: the most that it held

`peers.py judge WORK N` reads an answer from standard input, a line, and says how far it is off: `error E` and a word about what that is.
`peers.py versions` names the packages. Our side speaks the same lines (benches/src/bin/peers).
"""

import ctypes
import glob
import hashlib
import math
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time

import numpy as np

import systems

FOLDER = tempfile.mkdtemp(prefix="anholon-peers-")
os.environ["HOME"] = FOLDER  # heyoka keeps what it has compiled there: every run begins without


def spent():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def installed(*path):
    return os.path.join(sysconfig.get_paths()["purelib"], *path)


KEPT = ("mujoco.c",)


def compile_c(compiler, source, name, *words):
    place, out = os.path.join(FOLDER, name), os.path.join(FOLDER, "library.so")
    if name in KEPT:
        # it does not depend on the work, as a library does not: built once
        digest = hashlib.sha256(source.encode()).hexdigest()[:12]
        out = os.path.join(sys.prefix, f"anholon-{name}-{digest}.so")
        if os.path.exists(out):
            return ctypes.CDLL(out)
    with open(place, "w") as file:
        file.write(source)
    done = subprocess.run([compiler, "-O3", "-march=native", "-fPIC", "-shared", place, "-o", out, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{compiler} failed: {done.stderr[-300:]}")
    return ctypes.CDLL(out)


# ---- deriving


def derive_casadi(n):
    import casadi as ca

    def work():
        q, u, m, l, g = (ca.SX.sym(name, size) for name, size in zip("qumlg", (n + 1, n + 1, n + 1, n, 1)))
        T, V = systems.cart_energies(n, *(ca.vertsplit(part) for part in (q, u, m, l)), g, ca.sin, ca.cos)
        p = ca.gradient(T, u)
        return ca.Function("F", [q, u, m, l, g], [ca.jacobian(p, u), ca.gradient(T - V, q) - ca.jtimes(p, q, u)])

    return work, lambda: []


def bicycle_sympy(_):
    """SymPy's own bicycle, from its model to the end of `kanes_equations`."""
    from sympy.core.cache import clear_cache
    from sympy.physics.mechanics import KanesMethod
    from sympy.physics.mechanics.tests import test_kane3

    class Enough(Exception):
        pass

    whole = KanesMethod.kanes_equations

    def stop(self, *given, **named):
        whole(self, *given, **named)
        raise Enough

    KanesMethod.kanes_equations = stop

    def work():
        clear_cache()
        try:
            test_kane3.test_bicycle()
        except Enough:
            return
        raise RuntimeError("SymPy's bicycle no longer calls kanes_equations")

    return work, lambda: []


# ---- accelerations of a cart with n links


def split(n, rows):
    states = np.array(rows)
    return np.ascontiguousarray(states[:, : n + 1]), np.ascontiguousarray(states[:, n + 1 :])


def relative(n, a):
    """Angles from the vertical as joint angles; so do rates and accelerations."""
    b = a.copy()
    b[..., 2:] = a[..., 2:] - a[..., 1:n]
    return b


def absolute(n, b):
    a = b.copy()
    a[..., 1:] = np.cumsum(b[..., 1:], axis=-1)
    return a


STATES = 64
# a call from Python serves so many rounds over the states, so that it does not count
OFTEN = 20

LOOP = """
typedef long long I;
int qdd(const double** arg, double** res, I* iw, double* w, int mem);
static double w[%d]; static I iw[%d];
void loop(const double* q, const double* u, double* out, I nx, I count, I often) {
  for (I k = 0; k < often; k++) for (I i = 0; i < count; i++) { const double* a[%d] = {q + i*nx, u + i*nx}; double* o[%d] = {out + i*nx}; qdd(a, o, iw, w, 0); }
}
"""


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def qdd_casadi(n):
    """CasADi: L differentiated, an elimination written out, C by gcc -O3 -march=native."""
    import casadi as ca

    m, l = systems.cart(n)
    q, u = ca.SX.sym("q", n + 1), ca.SX.sym("u", n + 1)
    T, V = systems.cart_energies(n, ca.vertsplit(q), ca.vertsplit(u), m, l, systems.G, ca.sin, ca.cos)
    p = ca.gradient(T, u)
    D, L, order = ca.ldl(ca.jacobian(p, u))
    F = ca.Function("qdd", [q, u], [ca.ldl_solve(ca.gradient(T - V, q) - ca.jtimes(p, q, u), D, L, order)])
    os.chdir(FOLDER)
    F.generate("qdd.c")
    library = compile_c("gcc", LOOP % (max(1, F.sz_w()), max(1, F.sz_iw()), max(2, F.sz_arg()), max(1, F.sz_res())), "loop.c", "qdd.c", "-lm")
    Q, U = split(n, systems.cart_states(n, STATES))
    out, size = np.zeros_like(Q), ctypes.c_longlong(n + 1)
    call = lambda: library.loop(pointer(Q), pointer(U), pointer(out), size, ctypes.c_longlong(STATES), ctypes.c_longlong(OFTEN))
    return call, lambda: out[0], STATES * OFTEN


def qdd_pinocchio(n):
    """Pinocchio's articulated-body algorithm, called from Python, which costs less than a microsecond a call."""
    import pinocchio as pin

    m, l = systems.cart(n)
    Q, U = split(n, systems.cart_states(n, STATES))
    Q, U = relative(n, Q), relative(n, U)
    model = pin.Model()
    model.gravity.linear = np.array([0, -systems.G, 0])
    joint = model.addJoint(0, pin.JointModelPX(), pin.SE3.Identity(), "cart")
    model.appendBodyToJoint(joint, pin.Inertia(m[0], np.zeros(3), np.zeros((3, 3))), pin.SE3.Identity())
    for i in range(1, n + 1):
        place = pin.SE3(np.eye(3), np.array([0, -l[i - 2] if i > 1 else 0.0, 0]))
        joint = model.addJoint(joint, pin.JointModelRZ(), place, f"j{i}")
        model.appendBodyToJoint(joint, pin.Inertia(m[i], np.array([0, -l[i - 1], 0]), np.zeros((3, 3))), pin.SE3.Identity())
    data, none = model.createData(), np.zeros(n + 1)

    def call():
        for q, u in zip(Q, U):
            pin.aba(model, data, q, u, none)

    return call, lambda: absolute(n, np.array(pin.aba(model, data, Q[0], U[0], none))), STATES


MUJOCO = """
#include <mujoco/mujoco.h>
#include <string.h>
static mjModel* m; static mjData* d;
int make(const char* place) { char why[500]; m = mj_loadXML(place, 0, why, 500); if (!m) return 1; d = mj_makeData(m); return 0; }
void loop(const double* q, const double* u, double* out, long long nx, long long count, long long often) {
  for (long long k = 0; k < often; k++) for (long long i = 0; i < count; i++) {
    memcpy(d->qpos, q + i*nx, 8*nx); memcpy(d->qvel, u + i*nx, 8*nx); mj_forward(m, d); memcpy(out + i*nx, d->qacc, 8*nx);
  }
}
"""


def qdd_mujoco(n):
    """MuJoCo's mj_forward in a loop of C, without contacts, actuators and sensors; bodies need some inertia: 1e-12."""
    m, l = systems.cart(n)
    small, inner = 'diaginertia="1e-12 1e-12 1e-12"', ""
    for i in range(1, n + 1):
        inner += f'<body pos="0 {-l[i - 2] if i > 1 else 0.0} 0"><joint type="hinge" axis="0 0 1"/><inertial pos="0 {-l[i - 1]} 0" mass="{m[i]}" {small}/>'
    off = "".join(f' {name}="disable"' for name in ("constraint", "contact", "energy", "eulerdamp", "actuation", "sensor"))
    place = os.path.join(FOLDER, "cart.xml")
    with open(place, "w") as file:
        file.write(
            f'<mujoco><compiler angle="radian" boundmass="0" boundinertia="0"/><option gravity="0 -9.81 0"><flag{off}/></option><worldbody><body>'
            f'<joint type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="{m[0]}" diaginertia="1 1 1"/>{inner}{"</body>" * (n + 1)}</worldbody></mujoco>'
        )
    library = compile_c("gcc", MUJOCO, "mujoco.c", "-I" + installed("mujoco", "include"), glob.glob(installed("mujoco", "libmujoco.so*"))[0], "-Wl,-rpath," + installed("mujoco"))
    if library.make(place.encode()) != 0:
        raise RuntimeError("MuJoCo does not read the model")
    Q, U = split(n, systems.cart_states(n, STATES))
    Q, U = relative(n, Q), relative(n, U)
    out, size = np.zeros_like(Q), ctypes.c_longlong(n + 1)
    call = lambda: library.loop(pointer(Q), pointer(U), pointer(out), size, ctypes.c_longlong(STATES), ctypes.c_longlong(OFTEN))
    return call, lambda: absolute(n, out[0]), STATES * OFTEN


LANES = 512


def lanes_heyoka(n):
    """heyoka: `lagrangian`, then a compiled function over many states at once."""
    import heyoka as hy

    m, l = systems.cart(n)
    q, u = (hy.make_vars(*[f"{name}{i}" for i in range(n + 1)]) for name in "qu")
    T, V = systems.cart_energies(n, q, u, m, l, systems.G, hy.sin, hy.cos)
    F = hy.cfunc([right for _, right in hy.lagrangian(T - V, q, u)][n + 1 :], [*q, *u], compact_mode=n > 8)
    X = np.ascontiguousarray(np.array(systems.cart_states(n, LANES)).T)
    out = np.zeros((n + 1, LANES))
    return lambda: F(X, outputs=out), lambda: out[:, 0], LANES


# ---- motions


def of_heyoka(system):
    import heyoka as hy

    x = hy.make_vars(*[f"x{i}" for i in range(len(system["start"]))])
    more = (hy.sqrt,) if system is STIFF else ()
    return [(a, hy.expression(b) if isinstance(b, float) else b) for a, b in zip(x, system["f"](x, hy.sin, hy.cos, *more))]


def motion_heyoka(system, duration, tolerance):
    import heyoka as hy

    moving = hy.taylor_adaptive(of_heyoka(system), system["start"], tol=tolerance)

    def work():
        moving.time = 0.0
        moving.state[:] = system["start"]
        moving.propagate_until(duration)

    return work, lambda: moving.state


class Line:
    """Writes down what is done to it, so that numba can compile it."""

    def __init__(self, lines, name):
        self.lines, self.name = lines, name

    def made(self, text):
        self.lines.append(f"t{len(self.lines)} = {text}")
        return Line(self.lines, f"t{len(self.lines) - 1}")

    def with_(self, other, sign, turned=False):
        other = other.name if isinstance(other, Line) else repr(float(other))
        return self.made(f"{other} {sign} {self.name}" if turned else f"{self.name} {sign} {other}")

    def __add__(self, other):
        return self.with_(other, "+")

    def __radd__(self, other):
        return self.with_(other, "+", True)

    def __sub__(self, other):
        return self.with_(other, "-")

    def __rsub__(self, other):
        return self.with_(other, "-", True)

    def __mul__(self, other):
        return self.with_(other, "*")

    def __rmul__(self, other):
        return self.with_(other, "*", True)

    def __truediv__(self, other):
        return self.with_(other, "/")

    def __rtruediv__(self, other):
        return self.with_(other, "/", True)

    def __neg__(self):
        return self.made(f"-{self.name}")


def of_numba(system):
    import numba

    lines, size = [], len(system["start"])
    named = lambda name: lambda e: e.made(f"math.{name}({e.name})")
    more = (named("sqrt"),) if system.get("has_root") else ()
    out = system["f"]([Line(lines, f"x[{i}]") for i in range(size)], named("sin"), named("cos"), *more)
    body = lines + [f"out[{i}] = {e.name if isinstance(e, Line) else repr(float(e))}" for i, e in enumerate(out)]
    space = {"math": math}
    exec("def f(x, out):\n" + "".join(f"    {line}\n" for line in body), space)
    return numba.njit(space["f"])


def motion_numba(system, duration, tolerance):
    """The method of Dormand and Prince of order 8 in a loop that numba compiles; its coefficients are SciPy's."""
    import numba
    from scipy.integrate._ivp import dop853_coefficients as known

    f, n = of_numba(system), len(system["start"])
    A, B, E3, E5 = (np.ascontiguousarray(part) for part in (known.A[:12, :12], known.B, known.E3, known.E5))

    @numba.njit
    def moved(x, end, tolerance):
        K, y, z = np.empty((13, n)), np.empty(n), np.empty(n)
        t, h = 0.0, 1e-3
        f(x, K[0])
        while t < end:
            h = min(h, end - t)
            for s in range(1, 13):
                for i in range(n):
                    sum = 0.0
                    for j in range(s):
                        sum += (A[s, j] if s < 12 else B[j]) * K[j, i]
                    y[i] = x[i] + h * sum
                f(y, K[s])
            e5 = e3 = 0.0
            for i in range(n):
                size = tolerance * (1.0 + max(abs(x[i]), abs(y[i])))
                a = b = 0.0
                for j in range(13):
                    a += E5[j] * K[j, i]
                    b += E3[j] * K[j, i]
                e5 += (a / size) ** 2
                e3 += (b / size) ** 2
            error = h * e5 / math.sqrt((e5 + 0.01 * e3) * n) if e5 + e3 > 0.0 else 0.0
            factor = min(10.0, max(0.2, 0.9 * error**-0.125)) if error > 0.0 else 10.0
            if error < 1.0:
                t += h
                for i in range(n):
                    x[i] = y[i]
                    K[0, i] = K[12, i]
            else:
                factor = min(1.0, factor)
            h *= factor

    last = np.array(system["start"])
    moved(last.copy(), 1e-3, tolerance)

    def work():
        last[:] = system["start"]
        moved(last, duration, tolerance)

    return work, lambda: last


def motion_scipy(method):
    def made(system, duration, tolerance):
        from scipy.integrate import solve_ivp

        f, last = of_numba(system), []

        def slope(t, x):
            out = np.empty_like(x)
            f(x, out)
            return out

        slope(0.0, np.array(system["start"]))

        def work():
            last[:] = solve_ivp(slope, (0, duration), system["start"], method=method, rtol=tolerance, atol=tolerance).y[:, -1]

        return work, lambda: last

    return made


def motion_cvodes(system, duration, tolerance):
    import casadi as ca

    x, last = ca.SX.sym("x", len(system["start"])), []
    ode = ca.vertcat(*system["f"](ca.vertsplit(x), ca.sin, ca.cos, *((ca.sqrt,) if system.get("has_root") else ())))
    moving = ca.integrator("I", "cvodes", {"x": x, "ode": ode}, 0, duration, {"reltol": tolerance, "abstol": tolerance, "max_num_steps": 10**8})

    def work():
        last[:] = np.array(moving(x0=system["start"])["xf"]).ravel()

    return work, lambda: last


def ensemble_heyoka(count):
    """heyoka in lanes, one integrator for all."""
    import heyoka as hy

    system, lanes = systems.chain(2), hy.recommended_simd_size()
    moving = hy.taylor_adaptive_batch(of_heyoka(system), np.zeros((4, lanes)), tol=1e-9)
    starts = np.array([start(k) for k in range(count)])
    out = np.empty_like(starts)

    def work():
        for i in range(0, count, lanes):
            part = starts[i : i + lanes]
            moving.set_time(0.0)
            moving.state[:, : len(part)] = part.T
            moving.propagate_until(10.0)
            out[i : i + lanes] = moving.state.T[: len(part)]

    return work, lambda: out[:SHOWN].ravel(), count


SHOWN = 64


def start(k):
    """The k-th of many double pendulums; ours are made by the same rule."""
    return [2.5 * math.sin(0.7391 * k), 2.5 * math.sin(1.1371 * k + 0.3), 0.0, 0.0]


# ---- which work is which

STIFF = systems.stiff()
MOTIONS = {
    "double-9": (systems.chain(2), 10.0, 1e-9),
    "double-15": (systems.chain(2), 10.0, 1e-15),
    "five-15": (systems.chain(5), 10.0, 1e-15),
    "disc-11": (systems.disc(), 10.0, 1e-12),
    "sleigh-9": (systems.sleigh(), 10.0, 1e-9),
    "disc-long": (systems.disc(), 1000.0, 2.2e-16),
    "stiff": (STIFF, 10.0, 1e-8),
    "andrews": (systems.andrews(), 0.03, 1e-9),
    "car": (systems.car(), 3.0, 1e-9),
}
TOOLS = {"heyoka": motion_heyoka, "numba": motion_numba, "lsoda": motion_scipy("LSODA"), "cvodes": motion_cvodes}
OTHERS = {
    "derive": {"casadi": derive_casadi},
    "bicycle": {"sympy": bicycle_sympy},
    "qdd": {"casadi": qdd_casadi, "pinocchio": qdd_pinocchio, "mujoco": qdd_mujoco},
    "lanes": {"heyoka": lanes_heyoka},
    "ensemble": {"heyoka": ensemble_heyoka},
}


def ready(work, tool, n):
    made = TOOLS[tool](*MOTIONS[work]) if work in MOTIONS else OTHERS[work][tool](n)
    return made if len(made) == 3 else (*made, 1)


def serve(work, tool, n):
    before = spent()
    run, answer, count = ready(work, tool, n)
    run()
    print("ready", spent() - before, flush=True)
    begin = time.process_time()
    run()
    once = time.process_time() - begin
    often = max(1, min(100_000, int(0.03 / max(once, 1e-7))))
    for line in sys.stdin:
        if line.strip() == "run":
            begin = time.process_time()
            for _ in range(often):
                run()
            print("cpu", (time.process_time() - begin) / often / count, flush=True)
        else:
            break
    print("answer", ", ".join(repr(float(value)) for value in answer()))
    print("memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)


def judge(work, n):
    """How far is an answer off?"""
    answer = [float(value) for value in sys.stdin.readline().split(",") if value.strip()]
    if work in ("qdd", "lanes"):
        right = systems.cart_accelerations(n, systems.cart_states(n, 1)[0])
        found = np.array(answer, dtype=np.longdouble)
        print("error", float(np.max(np.abs(found - right)) / np.max(np.abs(right))), "relative")
    elif work == "ensemble":
        system = systems.chain(2)
        rows = [answer[i : i + 4] for i in range(0, len(answer), 4)]
        lost = [abs(system["energy"](row) - system["energy"](start(k))) / system["scale"] for k, row in enumerate(rows)]
        print("error", float(np.median(lost)), "energy, median")
    elif work == "disc-long":
        system = MOTIONS[work][0]
        lost = abs(system["energy"](answer) - system["energy"](system["start"])) / system["scale"]
        print("error", lost, "energy;", f"{system['left'](answer):.1e} constraint")
    elif work in MOTIONS:
        right = reference(MOTIONS[work][0], MOTIONS[work][1])
        print("error", float(np.max(np.abs(np.array(answer)[: len(right)] - right))), "state")
    else:
        print("error nan")


def reference(system, duration):
    """The last state in extended precision, or as it was published."""
    if "end" in system:
        return np.array(system["end"])
    if system is STIFF:
        # explicit steps would be tiny: a method for stiff systems; tighter, it takes minutes
        from scipy.integrate import solve_ivp

        f = of_numba(system)

        def slope(t, x):
            out = np.empty_like(x)
            f(x, out)
            return out

        return solve_ivp(slope, (0, duration), system["start"], method="LSODA", rtol=1e-10, atol=1e-11, t_eval=[duration]).y[:, -1]
    import heyoka as hy

    wide = [np.longdouble(value) for value in system["start"]]
    moving = hy.taylor_adaptive(of_heyoka(system), wide, fp_type=np.longdouble, compact_mode=True)
    moving.propagate_until(np.longdouble(duration))
    return np.array([float(value) for value in moving.state])


def versions():
    from importlib.metadata import version

    for name in ("sympy", "casadi", "heyoka", "pin", "mujoco", "numba", "scipy", "numpy"):
        print(name, version(name))


if __name__ == "__main__":
    words = sys.argv[1:]
    if words == ["versions"]:
        versions()
    elif words[0] == "judge":
        judge(words[1], int(words[2]))
    else:
        serve(words[0], words[1], int(words[2]))
