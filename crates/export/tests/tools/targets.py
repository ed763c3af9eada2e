"""Exported code in the tools that it is written for: `python targets.py ANHOLON [--all]`.

Every model of the gallery that can be exported (a few without `--all`) goes to every language whose tool is here; the test
that is written beside the code runs. It compares with Anholon's numbers at ten states, half of them with other parameters.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
QUICK = ["sled", "cart-pendulum", "four-bar", "rheonomic-knife", "muscle-arm"]
C = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-O1"]
CPP = ["-std=c++17", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wconversion"]


def commands(target, stem):
    """What builds and runs the test of an export."""
    python = [sys.executable]
    return {
        "c": [["cc", *C, f"{stem}.c", f"{stem}_test.c", "-lm", "-o", "test"], ["./test"]],
        "cpp": [["c++", *CPP, f"{stem}_test.cpp", "-o", "test"], ["./test"]],
        "rust": [["rustc", "--edition", "2021", "-D", "warnings", f"{stem}_test.rs", "-o", "test"], ["./test"]],
        "numpy": [python + [f"{stem}_test.py"]],
        "jax": [python + [f"{stem}_jax_test.py"]],
        "casadi": [python + [f"{stem}_casadi_test.py"]],
        "sympy": [python + [f"{stem}_sympy_test.py"]],
        "julia": [["julia", f"{stem}_test.jl"] if shutil.which("julia") else python + [str(HERE/"julia.py"), f"{stem}_test.jl"]],
        "matlab": [["octave", "--no-gui", "--quiet", f"{stem}_test.m"]],
    }[target]


def tried(program, folder, model, target):
    """The largest difference, or what is wrong."""
    out = folder/f"{model}-{target}"
    done = subprocess.run([program, "export", f"gallery:{model}", "--to", target, "--what", "all", "--out", str(out)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return "refused: " + done.stderr.splitlines()[0]
    stem = re.sub(r"\W", "_", model)
    for command in commands(target, stem):
        done = subprocess.run(command, capture_output=True, text=True, cwd=out)
        if done.returncode != 0:
            return f"WRONG: {(done.stdout + done.stderr)[-300:]}"
    found = re.search(r"largest relative difference (\S+)", done.stdout)
    return float(found[1]) if found else f"WRONG: {done.stdout[-300:]}"


def main():
    program = sys.argv[1]
    listed = json.loads(subprocess.run([program, "gallery", "--json"], capture_output=True, text=True, check=True).stdout)
    names = [one["name"] for one in (listed["models"] if isinstance(listed, dict) else listed)]
    models = names if "--all" in sys.argv else QUICK
    targets = ["c", "cpp", "rust", "numpy", "jax", "casadi", "sympy", "julia"]
    if shutil.which("octave"):
        targets.append("matlab")
    else:
        print("matlab: there is no octave here, so its code is not run")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for target in targets:
            found = {model: tried(program, pathlib.Path(folder), model, target) for model in models}
            numbers = [value for value in found.values() if isinstance(value, float)]
            refused = [value for value in found.values() if isinstance(value, str) and value.startswith("refused")]
            bad = {model: value for model, value in found.items() if isinstance(value, str) and value.startswith("WRONG")}
            wrong += len(bad) + (not numbers)
            print(f"{target}: {len(numbers)} models agree, largest difference {max(numbers, default=0.0):.1e}; {len(refused)} refused", flush=True)
            for model, value in bad.items():
                print(f"  {model}: {value}")
            for model, value in found.items():
                if "--all" in sys.argv and isinstance(value, str) and value.startswith("refused"):
                    print(f"  {model} {value}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
