"""FMUs of the gallery in FMPy: `python fmu.py ANHOLON [--all | MODEL …]`.

Each is exported in both versions, validated, and simulated as both kinds. End states are compared with `simulate`, at FMPy's
own tolerance and at a tight one, also with another value of a parameter; derivatives along directions are compared with
differences, a saved state must give the same numbers again, and constraints must hold after a long time.
"""

import ctypes
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import fmpy
import numpy as np
from fmpy import fmi2, fmi3
from fmpy.fmi1 import FMICallException
from fmpy.validation import validate_fmu

# The model, how long, a parameter that is changed and by what factor.
MODELS = [
    ("cart-pendulum", 2.0, "l", 1.1), ("chaplygin-sleigh", 2.0, None, 1.2), ("four-bar", 1.0, None, 1.01),
    ("rolling-disc", 1.0, None, 1.1), ("bicycle", 0.5, "mB", 1.1), ("chain", 0.5, None, 1.1),
    ("spherical-pendulum", 2.0, None, 1.1), ("double-pendulum", 1.0, None, 1.1), ("velocity-cone-rocket", 1.0, None, 1.0),
    ("rheonomic-knife", 1.0, None, 1.1), ("governor", 1.0, None, 1.05), ("sled", 1.0, None, 1.1),
    ("euler-top", 2.0, None, 1.1), ("rotating-parabola", 1.0, None, 1.1), ("ball-on-turntable", 1.0, None, 1.1),
    ("two-wheeled-robot", 1.0, None, 1.1), ("muscle-arm", 1.0, "tau", 1.2),
]
TIGHT = 1e-14
# Models with modes, and how long.
MODES = [
    ("bouncing-ball", 3.5), ("sliding-ladder", 1.0), ("locking-elbow", 2.0), ("billiard-ball", 1.0), ("taut-rope", 1.0),
    ("rough-incline", 1.0), ("caught-rod", 1.0), ("rocking-block", 1.0), ("rough-dumb-bell", 0.3),
]
QUICK = {"cart-pendulum", "four-bar", "sled", "muscle-arm"}


def anholon(program, *arguments):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    # 1: an `expect` of the model does not hold for other parameters
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(arguments)}: {done.stdout[-400:]}{done.stderr[-400:]}")
    return json.loads(done.stdout)


def final(program, model, seconds, *more):
    return anholon(program, "simulate", f"gallery:{model}", "--for", repr(seconds), "--tolerance", "1e-12", *more)["final"]


def apart(names, row, there):
    """How far a row of results is from a final state, in coordinates, rates and states of first order."""
    pairs = [(row[name], there[name]) for name in names]
    # the rate of a state of first order is no state
    pairs += [(row[f"der({name})"], there[f"{name}'"]) for name in names if f"der({name})" in row]
    size = max(1.0, max(abs(b) for _, b in pairs))
    return max(abs(a - b) for a, b in pairs)/size


def simulated(path, kind, seconds, **more):
    # CVode takes no more than 500 steps from one output to the next
    rows = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=seconds, output_interval=min(seconds/20, 0.01), **more)
    return {name: float(rows[-1][name]) for name in rows.dtype.names}


def instance(path, description, kind, start_values=None):
    unpacked = fmpy.extract(str(path))
    classes = {("2.0", "ModelExchange"): fmi2.FMU2Model, ("2.0", "CoSimulation"): fmi2.FMU2Slave,
               ("3.0", "ModelExchange"): fmi3.FMU3Model, ("3.0", "CoSimulation"): fmi3.FMU3Slave}
    side = description.modelExchange if kind == "ModelExchange" else description.coSimulation
    key = description.guid if description.fmiVersion == "2.0" else description.instantiationToken
    made = classes[description.fmiVersion, kind](guid=key, unzipDirectory=unpacked, modelIdentifier=side.modelIdentifier)
    start(made, description, start_values or {})
    return made


def start(made, description, start_values):
    made.instantiate()
    if description.fmiVersion == "2.0":
        made.setupExperiment(startTime=0.0, tolerance=1e-12)
        made.enterInitializationMode()
    else:
        made.enterInitializationMode(startTime=0.0, tolerance=1e-12)
    for reference, value in start_values.items():
        (made.setReal if hasattr(made, "setReal") else made.setFloat64)([reference], [value])
    made.exitInitializationMode()


def get(made, references):
    return np.array(made.getReal(references) if hasattr(made, "getReal") else made.getFloat64(references))


def states(description):
    """References of the states and of their derivatives."""
    rates = [one.variable for one in description.derivatives]
    return [one.derivative.valueReference for one in rates], [one.valueReference for one in rates]


def along(path, description):
    """The largest difference between derivatives along directions and differences of values."""
    made = instance(path, description, "ModelExchange")
    known, unknown = states(description)
    outputs = [one.variable.valueReference for one in description.outputs if one.variable.initial == "calculated"]
    unknown = [one for one in unknown if one not in known] + outputs
    made.enterContinuousTimeMode()
    y = get(made, known)
    pointer = lambda list: (fmi3.fmi3Float64*len(list))(*list)
    worst = 0.0
    for k in range(len(known)):
        seed = [1.0]
        if description.fmiVersion == "2.0":
            exact = made.getDirectionalDerivative(vUnknown_ref=unknown, vKnown_ref=[known[k]], dvKnown=seed)
        else:
            exact = made.getDirectionalDerivative(unknowns=unknown, knowns=[known[k]], seed=seed)
        values = []
        for sign in (1, -1):
            moved = y.copy()
            moved[k] += sign*1e-6
            made.setContinuousStates(pointer(moved), len(moved))
            values.append(get(made, unknown))
        made.setContinuousStates(pointer(y), len(y))
        difference = (values[0] - values[1])/2e-6
        worst = max(worst, float(np.max(np.abs(difference - exact)))/max(1.0, float(np.max(np.abs(difference)))))
    made.terminate()
    made.freeInstance()
    return worst


def saved(path, description, seconds):
    """Whether a saved state, also as bytes, leads to the same numbers again."""
    made = instance(path, description, "CoSimulation")
    known, _ = states(description)
    half = seconds/2
    step = lambda t: made.doStep(currentCommunicationPoint=t, communicationStepSize=half)
    step(0.0)
    there = made.getFMUState() if hasattr(made, "getFMUState") else made.getFMUstate()
    bytes = (made.serializeFMUState if hasattr(made, "serializeFMUState") else made.serializeFMUstate)(there)
    step(half)
    first = get(made, known)
    (made.setFMUState if hasattr(made, "setFMUState") else made.setFMUstate)(there)
    step(half)
    second = get(made, known)
    again = (made.deserializeFMUState if hasattr(made, "deserializeFMUState") else made.deSerializeFMUstate)(bytes)
    (made.setFMUState if hasattr(made, "setFMUState") else made.setFMUstate)(again)
    step(half)
    third = get(made, known)
    made.terminate()
    made.freeInstance()
    return bool(np.all(first == second) and np.all(second == third))


def residual(program, folder, model, row, seconds):
    """What is left of the constraints, by the code for NumPy."""
    anholon(program, "export", f"gallery:{model}", "--to", "numpy", "--out", str(folder/"numpy"), "--force")
    path = next(one for one in (folder/"numpy").glob("*.py") if not one.name.endswith("_test.py"))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "residual"):
        return 0.0
    return float(np.max(np.abs(module.residual(seconds, row))))


def memory(path):
    """Whether valgrind finds nothing in a unit of FMI 3.0."""
    unpacked = pathlib.Path(fmpy.extract(str(path)))
    sources = [str(one) for one in (unpacked/"sources").glob("*.c")]
    driver = pathlib.Path(__file__).with_name("memory.c")
    program = unpacked/"memory"
    subprocess.run(["cc", "-std=c99", "-g", f"-I{unpacked/'sources'}", str(driver), *sources, "-lm", "-o", str(program)], check=True)
    options = ["--quiet", "--error-exitcode=9", "--leak-check=full", "--track-origins=yes"]
    done = subprocess.run(["valgrind", *options, str(program)], capture_output=True, text=True)
    if done.returncode:
        print(done.stderr[-2000:])
    return done.returncode


# A swing that is pushed by an input with a law of its own, and that ends when it comes back to the lowest place.
SWING = """system "Pushed swing"
param m = 2 kg, l = 0.7 m, g = 9.81 m/s^2, A = 0.3 N*m, w = 2 1/s
coord x, y : m
input F : N = A/l*sin(w*t)
point P = (x, y) mass m
gravity (0, -g)
force (F, 0) on P
constraint rod: x^2 + y^2 = l^2
start x = 0.3*l, x' = 0
guess y = -l
stop lowest when x <= 0
"""


def stopped(program, folder, version, found):
    """Stops come at the same instant, and inputs follow the law of the model until they are set."""
    model = folder/"swing.mech"
    model.write_text(SWING, encoding="utf-8")
    out = folder/f"swing{version}"
    [path] = anholon(program, "export", str(model), "--to", "fmu", "--fmi", str(version), "--out", str(out))["files"]
    for force in (None, 1.5):
        more = [] if force is None else ["--set", f"F={force}"]
        there = anholon(program, "simulate", str(model), "--for", "5", "--tolerance", "1e-13", *more)["final"]
        start = {} if force is None else {"F": force}
        for kind in ("ModelExchange", "CoSimulation"):
            rows = fmpy.simulate_fmu(path, fmi_type=kind, stop_time=5.0, output_interval=0.01, relative_tolerance=1e-13,
                                     start_values=start, record_events=True, output=["x", "y", "der(x)", "der(y)"])
            name = f"swing FMI {version} {kind}{'' if force is None else ' with a force'}"
            if kind == "CoSimulation":
                instant = lowest(path, start)
                found.hold(f"{name} stops at another instant", abs(instant - there["t"]), 1e-8)
            else:
                found.hold(f"{name} stops at another instant", abs(float(rows["time"][-1]) - there["t"]), 1e-8)


def changes(program, folder, model, seconds, version, found):
    """Units with modes end where `simulate` ends, and their events come at the same instants."""
    out = folder/f"{model}{version}"
    [path] = anholon(program, "export", f"gallery:{model}", "--to", "fmu", "--fmi", str(version), "--out", str(out))["files"]
    found.hold(f"{model} FMI {version} problems of the description", len(validate_fmu(path)), 0)
    description = fmpy.read_model_description(path)
    all_names = {one.name for one in description.modelVariables}
    names = [one for one in all_names if f"der({one})" in all_names]
    run = anholon(program, "simulate", f"gallery:{model}", "--for", repr(seconds), "--tolerance", "1e-12")
    # not those near the end of a series of bounces
    events = [one["t"] for one in run["events"] if one["t"] > 0.0][:10]
    for kind in ("ModelExchange", "CoSimulation"):
        name = f"{model} FMI {version} {kind}"
        found.hold(f"{name} default", apart(names, simulated(path, kind, seconds), run["final"]), 1e-6)
        rows = fmpy.simulate_fmu(path, fmi_type=kind, stop_time=seconds, output_interval=0.01, record_events=True,
                                 relative_tolerance=1e-12)
        row = {one: float(rows[-1][one]) for one in rows.dtype.names}
        found.hold(f"{name} tight", apart(names, row, run["final"]), 1e-9)
        if kind == "ModelExchange":
            twice = [float(a) for a, b in zip(rows["time"], rows["time"][1:]) if a == b]
            late = max(min((abs(t - one) for one in twice), default=1.0) for t in events)
            found.hold(f"{name} events at other instants", late, 1e-8)
    found.hold(f"{model} FMI {version} saved state differs", 0 if saved(path, description, seconds) else 1, 0)


def lowest(path, start_values):
    """When a unit stops in co-simulation, as it says itself."""
    description = fmpy.read_model_description(path)
    references = {one.name: one.valueReference for one in description.modelVariables}
    made = instance(path, description, "CoSimulation", start_values={references[k]: v for k, v in start_values.items()})
    t = 0.0
    while t < 5.0:
        if description.fmiVersion == "2.0":
            try:
                made.doStep(currentCommunicationPoint=t, communicationStepSize=0.1)
            except FMICallException as error:
                if error.status != 2:
                    raise
                t = last_time(made)
                break
        else:
            _, ends, _, last = made.doStep(currentCommunicationPoint=t, communicationStepSize=0.1)
            if ends:
                t = last
                break
        t += 0.1
    made.freeInstance()
    return float(t)


def last_time(made):
    value = fmi2.fmi2Real(0.0)
    made.fmi2GetRealStatus(made.component, 2, ctypes.byref(value))
    return value.value


class Findings:
    def __init__(self):
        self.wrong = 0

    def hold(self, what, value, limit):
        good = value <= limit
        self.wrong += not good
        print(f"{'  ' if good else '! '}{what}: {value:.1e} (at most {limit:.0e})")


def examine(program, folder, model, seconds, parameter, factor, version, found):
    out = folder/f"{model}{version}"
    name = f"{model} FMI {version}"
    [path] = anholon(program, "export", f"gallery:{model}", "--to", "fmu", "--fmi", str(version), "--out", str(out))["files"]
    problems = validate_fmu(path)
    found.hold(f"{name} problems of the description", len(problems), 0)
    description = fmpy.read_model_description(path)
    there = final(program, model, seconds)
    names = [one.name for one in description.modelVariables if f"der({one.name})" in {v.name for v in description.modelVariables}]
    for kind in ("ModelExchange", "CoSimulation"):
        found.hold(f"{name} {kind} default", apart(names, simulated(path, kind, seconds), there), 1e-6)
        found.hold(f"{name} {kind} tight", apart(names, simulated(path, kind, seconds, relative_tolerance=TIGHT), there), 1e-9)
    parameters = [one for one in description.modelVariables if one.causality == "parameter"]
    chosen = next((one for one in parameters if parameter in (None, one.name)), None)
    if chosen is not None and factor != 1.0:
        value = float(chosen.start)*factor
        other = final(program, model, seconds, "--set", f"{chosen.name}={value!r}")
        row = simulated(path, "CoSimulation", seconds, start_values={chosen.name: value}, relative_tolerance=1e-12)
        found.hold(f"{name} with {chosen.name} = {value:g}", apart(names, row, other), 1e-9)
    found.hold(f"{name} derivatives along directions", along(path, description), 1e-6)
    found.hold(f"{name} saved state differs", 0 if saved(path, description, seconds) else 1, 0)
    return path, names


def main():
    program, everything = sys.argv[1], "--all" in sys.argv
    chosen = [word for word in sys.argv[2:] if word != "--all"] or QUICK
    found = Findings()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for version in (2, 3):
            stopped(program, folder, version, found)
            for model, seconds in MODES if everything or not sys.argv[2:] else [one for one in MODES if one[0] in chosen]:
                changes(program, folder, model, seconds, version, found)
        for model, seconds, parameter, factor in MODELS:
            if not everything and model not in chosen:
                continue
            try:
                for version in (2, 3):
                    path, names = examine(program, folder, model, seconds, parameter, factor, version, found)
            except Exception as error:
                print(f"! {model}: {str(error)[:300]}")
                found.wrong += 1
                continue
            if model in ("sled", "four-bar"):
                for kind in ("ModelExchange", "CoSimulation"):
                    row = simulated(path, kind, 100.0, relative_tolerance=1e-12)
                    y = np.array([row[name] for name in names] + [row[f"der({name})"] for name in names])
                    found.hold(f"{model} {kind} residual after 100 s", residual(program, folder, model, y, 100.0), 1e-10)
            if shutil.which("valgrind") and (everything or model == "four-bar"):
                found.hold(f"{model} errors of memory", memory(path), 0)
        description = fmpy.read_model_description(path)
        many = [instance(path, description, "CoSimulation") for _ in range(100)]
        known, _ = states(description)
        for one in many:
            one.doStep(currentCommunicationPoint=0.0, communicationStepSize=0.1)
        rows = [get(one, known) for one in many]
        found.hold("one hundred instances differ", sum(bool(np.any(row != rows[0])) for row in rows), 0)
        for one in many:
            one.terminate()
            one.freeInstance()
    print(f"{found.wrong} wrong" if found.wrong else "all agree")
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
