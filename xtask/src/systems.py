"""Does SymPy find the accelerations and multipliers that we find?

Reads lines of JSON from `systems --plain N SEED` (package `bench`): particles by their components, loads by
theirs, constraints as formulas that vanish, and what our forms agree on at some states. From this alone it makes
Lagrange's equations with multipliers, masses frozen in time and position as Meshchersky's law wants:

    d/dt dT/dq' - dT/dq = Q + sum lambda df/d(highest derivative of q),    f differentiated until it holds q''

and solves them with 30 digits. Exit code 1 if anything differs.
"""

import argparse
import json
import re
import sys

import mpmath
import sympy as sp

SAME = mpmath.mpf("1e-7")
FUNCTIONS = {"sin": sp.sin, "cos": sp.cos, "sqrt": sp.sqrt}


class System:
    def __init__(self, line):
        self.line = line
        self.t = sp.Symbol("t")
        names = line["coordinates"]
        self.q, self.v, self.a, self.j = (
            [sp.Symbol(name + tail, real=True) for name in names] for tail in ("", "_d", "_dd", "_ddd")
        )
        self.names = {symbol.name: symbol for symbol in self.q + self.v + self.a}
        self.names["t"] = self.t
        self.names.update({name: sp.Float(str(value), 30) for name, value in line["parameters"]})
        self.names.update(FUNCTIONS)
        self.names["D"] = self.rate

    def read(self, text):
        """A formula of the model language: x1'' is x1_dd, ^ is **."""
        text = text.replace("^", "**")
        text = re.sub(r"([A-Za-z]\w*)''", r"\1_dd", text)
        text = re.sub(r"([A-Za-z]\w*)'", r"\1_d", text)
        text = re.sub(r"(?<![\w.])(\d+\.\d+)", r"Float('\1', 30)", text)
        return sp.sympify(eval(text, {"__builtins__": {}, "Float": sp.Float}, self.names))  # our own text

    def rate(self, e):
        e = sp.sympify(e)
        chain = [(self.q, self.v), (self.v, self.a), (self.a, self.j)]
        terms = [sp.diff(e, x) * y for xs, ys in chain for x, y in zip(xs, ys)]
        return sp.diff(e, self.t) + sum(terms)

    def vector(self, texts):
        return sp.Matrix([self.read(text) for text in texts])

    def forces(self, positions, masses):
        """Generalized forces."""
        line, q = self.line, self.q
        Q = [sp.Integer(0)] * len(q)

        def push(force, along):
            for s, x in enumerate(q):
                Q[s] += (force.T * sp.diff(along, x))[0]

        for k, point in enumerate(line["points"]):
            if line["gravity"]:
                push(masses[k] * self.vector(line["gravity"]), positions[k])
            if point["exhaust"]:
                push(self.rate(masses[k]) * self.vector(point["exhaust"]), positions[k])
        for k, force in line["forces"]:
            push(self.vector(force), positions[k])
        for stiffness, rest, a, b in line["springs"]:
            arm = self.vector(a) - self.vector(b)
            length = sp.sqrt(arm.dot(arm))
            push(-self.read(stiffness) * (length - self.read(rest)) * arm / length, arm)
        for damping, a, b in line["dampers"]:
            arm = self.vector(a) - self.vector(b)
            length = sp.sqrt(arm.dot(arm))
            push(-self.read(damping) * self.rate(length) * arm / length, arm)
        for potential in line["potentials"]:
            Q = [force - sp.diff(self.read(potential), x) for force, x in zip(Q, q)]
        for dissipation in line["dissipations"]:
            Q = [force - sp.diff(self.read(dissipation), x) for force, x in zip(Q, self.v)]
        for force, s in line["generalized"]:
            Q[s] += self.read(force)
        return Q

    def equations(self):
        """Residuals that are linear in accelerations and multipliers, and these."""
        line = self.line
        masses = [self.read(point["mass"]) for point in line["points"]]
        frozen = [sp.Symbol(f"mass_{k}", positive=True) for k in range(len(masses))]
        thaw = dict(zip(frozen, masses))
        positions = [self.vector(point["position"]) for point in line["points"]]
        velocities = [position.applyfunc(self.rate) for position in positions]
        T = sum(m * v.dot(v) / 2 for m, v in zip(frozen, velocities))
        left = [self.rate(sp.diff(T, v)) - sp.diff(T, x) for x, v in zip(self.q, self.v)]
        left = [e.subs(thaw) for e in left]
        multipliers, rows, reactions = [], [], [sp.Integer(0)] * len(self.q)
        for k, text in enumerate(line["constraints"]):
            f = self.read(text)
            multiplier = sp.Symbol(f"lambda_{k}")
            multipliers.append(multiplier)
            if any(f.has(a) for a in self.a):
                slopes, row = [sp.diff(f, a) for a in self.a], f
            elif any(f.has(v) for v in self.v):
                slopes, row = [sp.diff(f, v) for v in self.v], self.rate(f)
            else:
                slopes, row = [sp.diff(f, x) for x in self.q], self.rate(self.rate(f))
            reactions = [r + multiplier * slope for r, slope in zip(reactions, slopes)]
            rows.append(row)
        right = self.forces(positions, masses)
        residuals = [e - force - r for e, force, r in zip(left, right, reactions)]
        return residuals + rows, self.a + multipliers

    def compare(self):
        residuals, unknowns = self.equations()
        zero = {unknown: 0 for unknown in unknowns}
        matrix = [[sp.diff(e, unknown) for unknown in unknowns] for e in residuals]
        flat = [entry for row in matrix for entry in row] + [e.subs(zero) for e in residuals]
        function = sp.lambdify([self.t, *self.q, *self.v], flat, "mpmath")
        worst = mpmath.mpf(0)
        for state in self.line["states"]:
            numbers = [mpmath.mpf(x) for x in [state["t"], *state["q"], *state["v"]]]
            values = function(*numbers)
            n = len(unknowns)
            A = mpmath.matrix([values[k * n : (k + 1) * n] for k in range(n)])
            b = mpmath.matrix([-value for value in values[n * n :]])
            theirs = list(mpmath.lu_solve(A, b))
            ours = state["accelerations"] + state["multipliers"]
            if len(ours) != n:
                return f"{len(ours)} unknowns of ours, {n} of SymPy's"
            size = max([mpmath.mpf(1)] + [abs(x) for x in theirs])
            error = max(abs(x - y) for x, y in zip(ours, theirs)) / size
            worst = max(worst, error)
            if not error < SAME:
                theirs = [float(x) for x in theirs]
                return f"differs by {float(error):.1e}: ours {ours}, SymPy's {theirs}"
        self.worst = worst
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--expect", type=int, required=True, help="how many lines there should be")
    expected = parser.parse_args().expect
    mpmath.mp.dps = 30
    seen, wrong, worst, classes = 0, 0, mpmath.mpf(0), 0
    planted = None
    for text in sys.stdin:
        line = json.loads(text)
        seen += 1
        classes += len(line["constraints"])
        system = System(line)
        trouble = system.compare()
        if trouble is None:
            worst = max(worst, system.worst)
            planted = planted or line
        else:
            wrong += 1
            print(f"oracle: system {line['id']}: {trouble}\n{line['text']}")
    # A comparison that cannot fail shows nothing: the first system with one number changed must be found out.
    if planted is not None:
        planted["states"][0]["accelerations"][0] += 1e-5
        if System(planted).compare() is None:
            wrong += 1
            print("oracle: a planted mistake was not found")
    print(f"oracle: {seen} systems of particles with {classes} constraints against SymPy, {wrong} differ; worst {float(worst):.1e}")
    if seen != expected:
        print(f"oracle: {expected} systems were expected")
    return 1 if wrong or seen != expected else 0


sys.exit(main())
