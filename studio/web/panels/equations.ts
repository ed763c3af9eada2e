// Equations of motion in any form, typeset, with the steps that lead to them.

import { box, make } from "../../viewer/dom.ts";
import type { Answer, Asked } from "../engine.ts";
import { copying, formula, type Formula } from "../maths.ts";
import { Panel, page, type Desk } from "./panel.ts";

interface Line extends Formula {
  name?: string;
}

interface Derivation {
  form: string;
  applicable: boolean;
  reason?: string;
  equations_of: string;
  equations: Line[];
  definitions: Line[];
  constraints: Line[];
  kinematics: Line[];
  notes: string[];
  operations: number;
  steps?: { number: number; title: string; checked: boolean; lines: (Formula & { checked: boolean | null })[] }[];
  explicit?: { accelerations: Record<string, Formula>; multipliers: Record<string, Formula> } | null;
  matrices?: { mathml: Record<string, string>; text?: Record<string, unknown> } | null;
  reactions?: { text?: string }[];
}

/** So many formulas are typeset at once; the rest unfolds. */
const MOST = 80;
const MORE = [
  ["steps", "Steps"],
  ["explicit", "Solved"],
  ["matrices", "Matrices"],
] as const;

export class EquationsPanel extends Panel {
  readonly isNumeric = false;
  private form = make("select", { "aria-label": "Form" });
  private more = new Map<string, HTMLInputElement>();

  constructor(kind: string, title: string, desk: Desk, chosen = "") {
    super(kind, title, desk);
    this.form.append(make("option", { value: "" }, "the usual form"));
    const families = new Map<string, HTMLOptGroupElement>();
    for (const one of desk.forms) {
      const group = families.get(one.family) ?? make("optgroup", { label: `${one.family}: ${one.made_from}` });
      families.set(one.family, group);
      group.append(make("option", { value: one.form }, `${one.form} – ${one.equations_of}`));
    }
    this.form.append(...families.values());
    this.form.value = chosen;
    this.form.addEventListener("change", () => {
      desk.changed();
      void this.ask();
    });
    this.head.append(box("label", {}, "Form ", this.form));
    for (const [key, label] of MORE) {
      const tick = make("input", { type: "checkbox" });
      tick.addEventListener("change", () => void this.ask());
      this.more.set(key, tick);
      this.head.append(box("label", { class: "tick" }, tick, ` ${label}`));
    }
  }

  override state() {
    return { kind: this.kind, form: this.form.value };
  }

  protected question(): Asked {
    const question: Record<string, unknown> = this.form.value ? { form: this.form.value } : {};
    for (const [key, tick] of this.more) if (tick.checked) question[key] = true;
    return { verb: "derive", model: this.desk.plain(), question };
  }

  protected show({ answer, text }: Answer<never>): void {
    const all = (Array.isArray(answer) ? answer : [answer]) as unknown as Derivation[];
    this.body.replaceChildren(...all.flatMap((one) => this.shown(one)), ...[page(text)].filter((one): one is HTMLElement => one !== null));
  }

  /** The equations of a form as code for NumPy. */
  private async code(form: string): Promise<string> {
    const asked = { verb: "export", model: this.desk.plain(), question: { to: "numpy", form } };
    const { answer, error } = await this.desk.engine.ask<{ files: Record<string, string> }>(`${this.id}-code`, asked);
    if (error) throw new Error(error.error);
    return Object.values(answer?.files ?? {})[0] ?? "";
  }

  private shown(one: Derivation): HTMLElement[] {
    if (!one.applicable) return [make("p", {}, `The form ${one.form} does not apply: ${one.reason ?? "no reason is given"}`)];
    const lines: Formula[] = [...one.equations, ...(one.definitions ?? []), ...(one.constraints ?? []), ...(one.kinematics ?? [])];
    const list = box("div", { class: "formulas" }, ...lines.slice(0, MOST).map(formula));
    const parts: HTMLElement[] = [make("p", { class: "soft" }, `${one.equations_of} (${one.form}), ${one.operations} operations`), list];
    if (lines.length > MOST) parts.push(make("p", {}, `… and ${lines.length - MOST} more: they stand below as text.`));
    parts.push(copying(lines, () => this.code(one.form)));
    for (const step of one.steps ?? []) {
      const rows = step.lines.slice(0, MOST).map((line) => box("div", { class: "step-line" }, formula(line), line.checked === false ? make("span", { class: "doubt" }, "not checked") : null));
      parts.push(box("details", { class: "step", open: "" }, make("summary", {}, `${step.number}. ${step.title}`), ...rows));
    }
    if (one.explicit) {
      const solved = [...Object.entries(one.explicit.accelerations ?? {}), ...Object.entries(one.explicit.multipliers ?? {})];
      parts.push(make("h3", {}, "Solved"), box("div", { class: "formulas" }, ...solved.slice(0, MOST).map(([name, value]) => box("div", { class: "named" }, make("span", {}, `${name} =`), formula(value)))));
    }
    if (one.matrices?.mathml) {
      parts.push(make("h3", {}, "Matrices: M q″ + h = Q + Aᵀλ, A q″ = b"));
      for (const [name, mathml] of Object.entries(one.matrices.mathml))
        parts.push(formula({ text: name, latex: "", mathml }));
    }
    parts.push(...(one.notes ?? []).map((note) => make("p", { class: "soft" }, note)));
    return parts;
  }
}
