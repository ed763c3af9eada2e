// Does the page answer as the command line does? The module runs in node, the program beside it, on all models of the gallery.
//
//   node tests/same.mjs PROGRAM [PART OF A NAME]
//
// Texts, verdicts and structure must be equal; numbers up to rounding, since sines and cosines come from another library in a
// browser. What a clock or a count of steps says is left out.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [program, part = ""] = process.argv.slice(2);
const module = await WebAssembly.compile(gunzipSync(readFileSync(join(here, "../dist/engine.gz"))));
if (WebAssembly.Module.imports(module).length > 0) throw new Error("the engine imports something");

/** An engine of its own for each model: nothing grows. */
function engine() {
  const wasm = new WebAssembly.Instance(module, {}).exports;
  return (request) => {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const at = wasm.alloc(bytes.length); // may move the memory
    new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    const length = wasm.run();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, wasm.out(), length)));
  };
}

/** What the command line prints, and its exit code. */
function asked(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...words, "--json"], { stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.setEncoding("utf8"); // a letter may lie across two pieces
    child.stdout.on("data", (data) => (text += data));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, answer: text ? JSON.parse(text) : null }));
  });
}

const LEFT_OUT = new Set(["seconds", "cpu_seconds", "steps", "rejected", "rhs_evaluations"]);
/** Numbers are the same up to rounding that a motion of a second carries on. */
const near = (a, b) => a === b || Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b)) + 1e-7;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;

/** The first place at which two answers differ; nothing if they are the same. */
function difference(a, b, path = "") {
  if (typeof a === "number" && typeof b === "number") return near(a, b) ? null : `${path}: ${a} and ${b}`;
  if (typeof a === "string" && typeof b === "string") {
    if (a === b) return null;
    const words = (text) => text.replace(NUMBER, "#");
    const [x, y] = [a, b].map((text) => (text.match(NUMBER) ?? []).map(Number));
    return words(a) === words(b) && x.every((v, k) => near(v, y[k])) ? null : `${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  }
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return a === b ? null : `${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  const keys = (object) => Object.keys(object).filter((key) => !LEFT_OUT.has(key)).sort();
  if (keys(a).join() !== keys(b).join()) return `${path}: keys ${keys(a)} and ${keys(b)}`;
  for (const key of keys(a)) {
    const found = difference(a[key], b[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

const library = engine()({ verb: "library" }).answer;
const QUESTIONS = [
  ["check", [], {}],
  ["derive", [], {}],
  ["derive", ["--form", "multipliers"], { form: "multipliers" }],
  ["simulate", ["--for", "0.5", "--every", "0.1"], { for: 0.5, every: 0.1 }],
];
/** On some models every verb. */
const ALL = { "hoop": 1, "sled": 1, "two-rods-couple": 1, "double-pendulum": 1 };
const MORE = [
  ["prove", [], {}],
  ["evaluate", [], {}],
  ["derive", ["--form", "appell", "--steps"], { form: "appell", steps: true }],
  ["linearize", [], {}],
  ["equilibria", [], {}],
  ["integrals", [], {}],
  ["solve", [], {}],
];
let [count, failed] = [0, 0];
for (const model of library.models.filter((one) => one.name.includes(part))) {
  const ask = engine();
  const questions = [...QUESTIONS, ...(ALL[model.name] ? MORE : [])];
  const said = await Promise.all(questions.map(([verb, flags]) => asked([verb, `gallery:${model.name}`, ...flags])));
  questions.forEach(([verb, flags, question], k) => {
    const own = ask({ verb, model: { gallery: model.name }, question });
    const native = said[k];
    const wrong =
      own.code !== native.code ? `code ${own.code} and ${native.code}`
      : own.error ? (own.error.error === native.answer?.error ? null : `${own.error.error} and ${native.answer?.error}`)
      : difference(own.answer, native.answer);
    count++;
    if (wrong) {
      failed++;
      console.log(`${verb} ${flags.join(" ")} ${model.name}: ${wrong}`);
    }
  });
}
const claims = library.claims.filter((one) => one.name.includes(part)).slice(0, 12);
const judged = await Promise.all(claims.map((one) => asked(["audit", `gallery:${one.model}`, `gallery:${one.name}`])));
claims.forEach((one, k) => {
  const own = engine()({ verb: "audit", model: { gallery: one.model }, question: { claims: [`gallery:${one.name}`] } });
  const wrong = own.code !== judged[k].code ? `code ${own.code} and ${judged[k].code}` : difference(own.answer, judged[k].answer);
  count++;
  if (wrong) {
    failed++;
    console.log(`audit ${one.name}: ${wrong}`);
  }
});
console.log(`${count} answers compared, ${failed} differ`);
process.exit(failed === 0 && count > 0 ? 0 : 1);
