// Places of rest, small motions, integrals, exports.

import { box, button, make } from "../../viewer/dom.ts";
import { lines, plane } from "../../viewer/chart.ts";
import type { Answer, Asked } from "../engine.ts";
import { copy } from "../maths.ts";
import { save } from "../share.ts";
import { Panel, page, short, table, verdict, type Desk } from "./panel.ts";

interface Equilibria {
  equilibria: { kind: string; values: Record<string, number | null>; exact?: Record<string, string>; stability: string; reason: string; family_dimension: number }[];
  complete: boolean;
  notes?: string[];
}

export class RestPanel extends Panel {
  readonly isNumeric = true;

  protected question(): Asked {
    return { verb: "equilibria", model: this.desk.turned() };
  }

  protected show({ answer, text }: Answer<never>): void {
    const found = answer as unknown as Equilibria;
    const card = (one: Equilibria["equilibria"][number]) => {
      const rows = Object.entries(one.values).map(([name, value]) => [name, short(value), make("code", {}, one.exact?.[name] ?? "")]);
      const dimension = one.family_dimension > 0 ? ` (a family of dimension ${one.family_dimension})` : "";
      return box("article", { class: "claim" }, box("p", { class: "lead" }, verdict(one.stability), ` ${one.kind}${dimension}`), rows.length > 0 ? table(["", "value", "exactly"], rows, "Values") : null, make("p", { class: "soft" }, one.reason ?? ""));
    };
    const list = (found.equilibria ?? []).slice(0, 60).map(card);
    this.body.replaceChildren(
      ...[
        make("p", {}, list.length === 0 ? "No equilibrium was found." : `${found.equilibria.length} found; ${found.complete ? "there are no others" : "whether there are others is not claimed"}.`),
        ...list,
        page(text),
      ].filter((one): one is HTMLElement => one !== null),
    );
  }
}

interface Linear {
  eigenvalues?: [number, number][];
  stability?: string;
  states?: string[];
  notes?: string[];
  critical?: { parameter: string; value: number; kind: string }[];
  sweep?: { parameter: string; values: number[]; eigenvalues: [number, number][][] } | null;
}

export class LinearPanel extends Panel {
  readonly isNumeric = true;
  private along = make("select", { "aria-label": "Root locus along" });
  private low = make("input", { type: "number", step: "any", "aria-label": "From", value: "0" });
  private high = make("input", { type: "number", step: "any", "aria-label": "To", value: "10" });
  private coordinates = make("input", { "aria-label": "Coordinates", placeholder: "all", size: "12" });
  private steady = make("input", { "aria-label": "Steady motion", placeholder: "the start", size: "16" });

  constructor(kind: string, title: string, desk: Desk) {
    super(kind, title, desk);
    for (const field of [this.along, this.low, this.high, this.coordinates, this.steady]) field.addEventListener("change", () => void this.ask());
    this.head.append(
      box("label", {}, "Coordinates ", this.coordinates), box("label", {}, "Steady ", this.steady),
      box("label", {}, "Root locus along ", this.along), box("label", {}, "from ", this.low), box("label", {}, "to ", this.high));
  }

  parameters(names: string[]): void {
    const chosen = this.along.value;
    this.along.replaceChildren(make("option", { value: "" }, "nothing"), ...names.map((name) => make("option", { value: name }, name)));
    this.along.value = names.includes(chosen) ? chosen : "";
  }

  protected question(): Asked {
    const question: Record<string, unknown> = {};
    if (this.coordinates.value.trim()) question.coordinates = this.coordinates.value;
    if (this.steady.value.trim()) question.steady = this.steady.value;
    if (this.along.value) {
      const range = `${this.along.value}=${Number(this.low.value)}..${Number(this.high.value)}`;
      [question.sweep, question.critical] = [range, range];
    }
    return { verb: "linearize", model: this.desk.turned(), question };
  }

  protected show({ answer, text }: Answer<never>): void {
    const found = answer as unknown as Linear;
    const rows = (found.eigenvalues ?? []).map(([re, im]) => [short(re), short(im), im === 0 ? "" : short(Math.abs(im) / (2 * Math.PI))]);
    const chart = make("div", { class: "chart" });
    const locus = make("canvas", { class: "phase locus", role: "img", "aria-label": `Root locus along ${found.sweep?.parameter ?? ""}: eigenvalues in the plane` });
    this.body.replaceChildren(
      ...[
        found.stability ? box("p", { class: "lead" }, verdict(found.stability), ` in ${(found.states ?? []).join(", ")}`) : null,
        found.sweep ? locus : null,
        found.sweep ? chart : null,
        ...(found.critical ?? []).map((one) => make("p", {}, `${one.kind} at ${one.parameter} = ${short(one.value)}`)),
        rows.length > 0 ? table(["real part (1/s)", "imaginary part (rad/s)", "frequency (Hz)"], rows, "Eigenvalues") : null,
        page(text),
      ].filter((one): one is HTMLElement => one !== null),
    );
    if (!found.sweep) return;
    this.locus(chart, found);
    plane(locus, found.sweep.eigenvalues.flat().filter((one) => one.every(Number.isFinite)), found.eigenvalues ?? []);
  }

  /** Real and imaginary parts of the eigenvalues along a parameter. */
  private locus(chart: HTMLElement, found: Linear): void {
    const { parameter, values, eigenvalues } = found.sweep as NonNullable<Linear["sweep"]>;
    const count = Math.max(...eigenvalues.map((list) => list.length));
    const part = (k: number, which: 0 | 1) => ({ name: `${which === 0 ? "Re" : "Im"} ${k + 1}`, unit: "1/s", values: eigenvalues.map((list) => list[k]?.[which] ?? null) });
    const columns = [0, 1].flatMap((which) => Array.from({ length: Math.min(count, 6) }, (_, k) => part(k, which as 0 | 1)));
    const now = this.desk.turned().set?.[parameter];
    const marks = (found.critical ?? []).map((one) => ({ at: one.value, label: one.kind }));
    const { setNow } = lines(chart, { name: parameter, unit: "", values }, columns, 260, marks);
    if (now !== undefined) setNow(now);
  }
}

export class IntegralsPanel extends Panel {
  readonly isNumeric = false;
  private test = make("input", { "aria-label": "Is this constant?", placeholder: "an expression, as in m*x'", size: "28" });

  constructor(kind: string, title: string, desk: Desk) {
    super(kind, title, desk);
    this.test.addEventListener("change", () => void this.ask());
    this.head.append(box("label", {}, "Is this constant? ", this.test));
  }

  protected question(): Asked {
    const question = this.test.value.trim() ? { test: [this.test.value] } : {};
    return { verb: "integrals", model: this.desk.plain(), question };
  }

  protected show({ answer, text }: Answer<never>): void {
    const found = answer as unknown as { integrals: { text: string; kind: string; proved: boolean }[]; tests?: { text: string; verdict: string; reason?: string }[] };
    const rows = found.integrals.map((one) => [one.kind, make("code", {}, one.text), verdict(one.proved ? "proved" : "not proved")]);
    this.body.replaceChildren(...[rows.length > 0 ? table(["kind", "integral", ""], rows, "Integrals") : make("p", {}, "No integral was found."), page(text, "All that was searched")].filter((one): one is HTMLElement => one !== null));
    if (this.test.value.trim()) this.body.querySelector("details")?.setAttribute("open", "");
  }
}

const TARGETS = ["c", "cpp", "rust", "numpy", "jax", "casadi", "sympy", "julia", "matlab", "modelica", "latex"];
/** All that is known of a model, as a page or for LaTeX. */
const REPORTS = ["report.html", "report.tex"];

export class ExportPanel extends Panel {
  readonly isNumeric = true;
  private target = make("select", { "aria-label": "Language" });

  constructor(kind: string, title: string, desk: Desk) {
    super(kind, title, desk);
    this.target.append(...[...TARGETS, ...REPORTS].map((name) => make("option", { value: name }, name)));
    this.target.addEventListener("change", () => void this.ask());
    this.head.append(box("label", {}, "Language ", this.target));
  }

  protected question(): Asked {
    const to = this.target.value;
    if (REPORTS.includes(to)) return { verb: "report", model: this.desk.turned(), question: { latex: to === REPORTS[1], for: this.desk.duration.seconds } };
    return { verb: "export", model: this.desk.turned(), question: { to } };
  }

  protected show({ answer }: Answer<never>): void {
    const told = answer as unknown as { files?: Record<string, string>; text?: string; sections?: string[] };
    const files = told.files ?? { [this.target.value]: told.text ?? "" };
    const file = ([name, text]: [string, string]) =>
      box("details", { open: "" }, make("summary", {}, name),
        box("div", { class: "row" }, button(`Save ${name}`, () => save(name, text), { class: "quiet" }), copy("Copy code", () => Promise.resolve(text))),
        told.sections ? box("ul", { class: "plain" }, ...told.sections.map((one) => make("li", {}, one))) : make("pre", { tabindex: "0" }, text));
    this.body.replaceChildren(...Object.entries(files).map(file));
  }
}
