"""Modelica of the gallery in rumoca: `python modelica.py ANHOLON [--all]`.

rumoca is young and no reference tool. A model that it cannot run is told with its reason; one that it runs must end where
`simulate` ends.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import rumoca

from fmu import final

QUICK = ["cart-pendulum", "sled", "four-bar", "muscle-arm"]
SECONDS = 0.5


def apart(program, model, path):
    """How far the coordinates are from those of `simulate`."""
    made = rumoca.Session().load(str(path), model=path.stem)
    config = rumoca.SimConfig(rtol=1e-10, atol=1e-12, dt=0.05)
    found = made.simulate(t=(0.0, SECONDS), config=config)
    # a name that is taken has an underscore behind it, and its own name as a comment
    text = path.read_text(encoding="utf-8")
    codes = {says: code for code, says in re.findall(r'^  \w+ (\w+)\(.*\) "([^"]*)";$', text, re.M)}
    there = final(program, model, SECONDS)
    names = [name[:-1] for name in there if name.endswith("'") and not name.endswith("''")]
    code = lambda name: codes.get(name) or re.sub(r"\W", "_", name).strip("_")
    return max(abs(found[code(name)][-1] - there[name])/max(1.0, abs(there[name])) for name in names)


SWING = """system "Swing"
param l = 0.8 m, g = 9.81 m/s^2
coord phi : rad
point P = l*(sin(phi), -cos(phi)) mass 1 kg
gravity (0, -g)
start phi = 1 rad
record lowest when phi = 0
"""


def events(program, folder):
    """How far the last instant of a recorded event is from that of `simulate`, and how often both saw it."""
    file = pathlib.Path(folder)/"swing.mech"
    file.write_text(SWING, encoding="utf-8")
    subprocess.run([program, "export", str(file), "--to", "modelica", "--out", folder], capture_output=True, check=True)
    told = subprocess.run([program, "simulate", str(file), "--for", "5", "--tolerance", "1e-12", "--json"], capture_output=True, check=True)
    there = [event["t"] for event in json.loads(told.stdout)["events"]]
    made = rumoca.Session().load(str(file.with_suffix(".mo")), model="swing")
    found = made.simulate(t=(0.0, 5.0), config=rumoca.SimConfig(rtol=1e-10, atol=1e-12, dt=0.05))
    return abs(found["event_0_time"][-1] - there[-1]), (int(found["event_0_count"][-1]), len(there))


def main():
    program = sys.argv[1]
    listed = json.loads(subprocess.run([program, "gallery", "--json"], capture_output=True, text=True, check=True).stdout)
    names = [one["name"] for one in (listed["models"] if isinstance(listed, dict) else listed)]
    ran, wrong = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        late, (seen, there) = events(program, folder)
        print(f"modelica: {seen} recorded events, the last {late:.1e} s away")
        wrong += seen != there or not late <= 1e-7
        for model in names if "--all" in sys.argv else QUICK:
            out = pathlib.Path(folder)/model
            command = [program, "export", f"gallery:{model}", "--to", "modelica", "--out", str(out)]
            if subprocess.run(command, capture_output=True).returncode != 0:
                continue
            [path] = out.glob("*.mo")
            try:
                ran[model] = apart(program, model, path)
            except rumoca.RumocaError as error:
                print(f"modelica: rumoca does not run {model}: {str(error)[:100]}")
                wrong += model in QUICK
    for model, value in ran.items():
        if not value <= 1e-6:
            print(f"modelica: {model} ends {value:.1e} away")
            wrong += 1
    print(f"modelica: {len(ran)} models run, largest difference {max(ran.values()):.1e}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
