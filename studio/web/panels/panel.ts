// What is a panel? A question to the engine that stays on the page, with its answer below it.

import { box, button, make } from "../../viewer/dom.ts";
import { Stopped, type Answer, type Asked, type Engine, type ModelRequest } from "../engine.ts";

/** What panels share. */
export interface Desk {
  engine: Engine;
  /** The model as its text says it. */
  plain(): ModelRequest;
  /** The model with the numbers of the sliders. */
  turned(): ModelRequest;
  isReadable(): boolean;
  forms: { form: string; equations_of: string; family: string; made_from: string }[];
  library: Library;
  claims: { text: string };
  duration: { seconds: number };
  goTo(line: number): void;
  changed(): void;
}

export interface Library {
  version: string;
  models: { name: string; family: string; title: string; text: string }[];
  claims: { name: string; model: string; title: string; text: string }[];
}

/** An answer that took longer than this is asked for again only by a click. */
const QUICK = 4000;
let count = 0;

export abstract class Panel {
  readonly element: HTMLElement;
  readonly id = `panel${++count}`;
  protected head = make("div", { class: "panel-tools" });
  protected body = make("div", { class: "panel-body" });
  private status = make("p", { class: "panel-status", role: "status" });
  private took = 0;
  close = () => {};
  move = (_by: number) => {};

  /** Whether the answer depends on the numbers of the sliders. */
  abstract readonly isNumeric: boolean;

  constructor(
    readonly kind: string,
    title: string,
    protected desk: Desk,
  ) {
    const name = make("h2", { id: `${this.id}-title` }, title);
    const header = box("header", { class: "panel-head", draggable: "true" }, name,
      button("↑", () => this.move(-1), { "aria-label": `Move ${title} up`, class: "quiet" }),
      button("↓", () => this.move(1), { "aria-label": `Move ${title} down`, class: "quiet" }),
      button("×", () => this.close(), { "aria-label": `Close ${title}`, class: "quiet" }));
    this.element = box("section", { class: `panel panel-${kind}`, "aria-labelledby": `${this.id}-title`, id: this.id }, header, this.head, this.status, this.body);
  }

  /** Asks again, if the text or the numbers have changed. */
  refresh(why: "text" | "numbers"): void {
    if (why === "numbers" && !this.isNumeric) return;
    if (!this.desk.isReadable()) {
      this.element.classList.add("is-stale");
      return;
    }
    if (this.took > QUICK) {
      this.element.classList.add("is-stale");
      this.status.replaceChildren("The model has changed. ", button("Ask again", () => void this.ask()));
      return;
    }
    void this.ask();
  }

  /** The question as it stands. */
  protected abstract question(): Asked | null;
  /** Shows an answer. */
  protected abstract show(answer: Answer<never>): void;

  async ask(): Promise<void> {
    const asked = this.question();
    if (!asked) return;
    this.element.setAttribute("aria-busy", "true");
    const slow = window.setTimeout(() => (this.status.textContent = "Working …"), 250);
    const began = performance.now();
    try {
      const answer = await this.desk.engine.ask<never>(this.id, asked);
      this.took = performance.now() - began;
      clearTimeout(slow);
      this.status.textContent = "";
      this.element.classList.remove("is-stale");
      if (answer.error) this.body.replaceChildren(problem(answer.error.error));
      else this.show(answer);
      this.element.removeAttribute("aria-busy");
    } catch (error) {
      clearTimeout(slow);
      if (error instanceof Stopped && error.message === "asked anew") return;
      this.took = 0;
      this.element.removeAttribute("aria-busy");
      this.element.classList.add("is-stale");
      this.status.replaceChildren(`${error instanceof Error ? error.message : String(error)} `, button("Ask again", () => void this.ask()));
    }
  }

  /** What the panel remembers in a session. */
  state(): { kind: string; form?: string } {
    return { kind: this.kind };
  }
}

/** A message of the engine, its marks beneath the line kept. */
export function problem(text: string): HTMLElement {
  return make("pre", { class: "problem" }, text);
}

/** The page of the command line, folded away. */
export function page(text: string | undefined, title = "As text"): HTMLElement | null {
  return text ? box("details", { class: "as-text" }, make("summary", {}, title), make("pre", { tabindex: "0" }, text)) : null;
}

/** A table with a heading row. */
export function table(heads: string[], rows: (Node | string)[][], label: string): HTMLElement {
  const cells = (tag: "th" | "td", row: (Node | string)[]) => row.map((cell) => box(tag, tag === "th" ? { scope: "col" } : {}, cell));
  const body = rows.map((row) => box("tr", {}, ...cells("td", row)));
  return box("div", { class: "table", tabindex: "0", role: "region", "aria-label": label }, box("table", {}, box("thead", {}, box("tr", {}, ...cells("th", heads))), box("tbody", {}, ...body)));
}

/** A verdict as a small sign with its word. */
export function verdict(word: string): HTMLElement {
  const good = /^(correct|identical|equivalent|stable|proved|holds|same)/.test(word);
  const bad = /^(wrong|different|unstable|refuted|missed|conflict)/.test(word);
  return make("span", { class: `verdict ${good ? "is-good" : bad ? "is-bad" : "is-open"}` }, word);
}

/** A number for people. */
export function short(x: number | null | undefined): string {
  return x === null || x === undefined ? "–" : String(Number(x.toPrecision(6)));
}
