// Are somebody's own equations right? Verdict, the mistake they look like, and a state that shows it.

import { box, make } from "../../viewer/dom.ts";
import type { Answer, Asked } from "../engine.ts";
import { Panel, page, problem, short, table, verdict, type Desk } from "./panel.ts";

interface Audit {
  verdict: string;
  claims: {
    name: string;
    text: string;
    verdict: string;
    diagnosis?: string[];
    explanation?: string;
    witness?: { state: Record<string, number>; claimed?: Record<string, number>; correct?: Record<string, number> };
  }[];
}

/** Lines that are plain equations become claims. */
export function claimed(text: string): string {
  const words = /^\s*(claim|let|param|assume|unknown|expect|#)\b|^\s*#|^\s*$|^\s/;
  let count = 0;
  return text.split("\n").map((line) => (words.test(line) ? line : `claim line_${++count}: ${line}`)).join("\n");
}

export class ClaimsPanel extends Panel {
  readonly isNumeric = false;
  private field = make("textarea", { "aria-label": "Claim", rows: "4", spellcheck: "false", placeholder: "an equation a line, as in  l*phi'' = -g*sin(phi)" });
  private ready = make("select", { "aria-label": "Claims of the gallery" });
  private timer = 0;

  constructor(kind: string, title: string, desk: Desk) {
    super(kind, title, desk);
    this.field.value = desk.claims.text;
    this.field.addEventListener("input", () => {
      desk.claims.text = this.field.value;
      desk.changed();
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.ask(), 500);
    });
    this.ready.addEventListener("change", () => {
      const chosen = desk.library.claims.find((one) => one.name === this.ready.value);
      if (!chosen) return;
      this.field.value = desk.claims.text = chosen.text;
      desk.changed();
      void this.ask();
    });
    this.head.append(this.field, this.ready);
  }

  /** Claims of the gallery about this very model. */
  private offer(): void {
    const { text } = this.desk.plain();
    const model = this.desk.library.models.find((one) => one.text === text);
    const list = this.desk.library.claims.filter((one) => one.model === model?.name);
    const chosen = this.ready.value;
    this.ready.replaceChildren(make("option", { value: "" }, "claims of the gallery …"), ...list.map((one) => make("option", { value: one.name }, `${one.name}: ${one.title}`)));
    this.ready.value = list.some((one) => one.name === chosen) ? chosen : "";
    this.ready.hidden = list.length === 0;
  }

  override refresh(why: "text" | "numbers"): void {
    if (why === "text") this.offer();
    super.refresh(why);
  }

  protected question(): Asked | null {
    if (this.field.value.trim() === "") {
      this.body.replaceChildren(make("p", { class: "soft" }, "Type an equation of motion, and read whether it is right."));
      return null;
    }
    return { verb: "audit", model: this.desk.plain(), question: { claims: [{ file: "claims", text: claimed(this.field.value) }] } };
  }

  protected show({ answer, text }: Answer<never>): void {
    const audit = answer as unknown as Audit;
    if (!Array.isArray(audit.claims)) return this.body.replaceChildren(problem(text ?? ""));
    this.body.replaceChildren(...audit.claims.map((one) => this.card(one)), ...[page(text)].filter((one): one is HTMLElement => one !== null));
  }

  private card(one: Audit["claims"][number]): HTMLElement {
    const card = box("article", { class: "claim" }, box("p", { class: "lead" }, verdict(one.verdict), ` ${one.name}: `, make("code", {}, one.text)));
    if (one.diagnosis?.length) card.append(box("ul", { class: "diagnosis" }, ...one.diagnosis.map((line) => make("li", {}, line))));
    if (one.explanation) card.append(make("p", {}, one.explanation));
    if (one.witness) {
      const { state, claimed = {}, correct = {} } = one.witness;
      const at = Object.entries(state ?? {}).map(([name, value]) => `${name} = ${short(value)}`).join(", ");
      const rows = Object.keys(correct).map((name) => [name, short(claimed[name]), short(correct[name])]);
      card.append(box("details", {}, make("summary", {}, "A state that shows it"), make("p", { class: "soft" }, at), rows.length > 0 ? table(["", "claimed", "correct"], rows, "Claimed and correct") : null));
    }
    return card;
  }
}
