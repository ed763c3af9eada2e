// The motion: the mechanism as it moves, charts that follow the time line, events, the account.

import { box, button, make } from "../../viewer/dom.ts";
import { lines, phase, type Column } from "../../viewer/chart.ts";
import { moment, type Scene } from "../../viewer/format.ts";
import { Viewer } from "../../viewer/viewer.ts";
import type { Answer, Asked } from "../engine.ts";
import { save } from "../share.ts";
import { Panel, page, short, verdict, type Desk } from "./panel.ts";

interface Watched {
  scene: Scene | { error: string };
  t: number[];
  columns: Column[];
  form: string;
  events: { t: number; name: string; kind: string }[];
  energy_drift: number;
  constraint_residual: number;
  steps: number;
  expects: { name: string; holds: boolean | null; reason?: string }[];
  notes: string[];
  stopped_by: string;
  failure: string | null;
}

/** So many states are drawn in a motion. */
const STATES = 800;
/** So many columns are charted unasked. */
const FIRST = 3;

export class MotionPanel extends Panel {
  readonly isNumeric = true;
  readonly viewer = new Viewer();
  private seconds = make("input", { type: "number", min: "0", step: "any", "aria-label": "Duration in seconds", inputmode: "decimal" });
  private choice = make("div", { class: "columns", role: "group", "aria-label": "Columns" });
  private against = make("select", { "aria-label": "Against" });
  private charts = make("div", { class: "charts" });
  private account = make("div", { class: "account" });
  private empty = make("p", { class: "soft" });
  private chosen: string[] | null = null;
  private names = "";
  private found: Watched | null = null;
  private follow: ((now: number) => void)[] = [];

  constructor(kind: string, title: string, desk: Desk) {
    super(kind, title, desk);
    this.seconds.value = String(desk.duration.seconds);
    this.seconds.addEventListener("change", () => {
      const wanted = Number(this.seconds.value);
      if (wanted > 0) desk.duration.seconds = wanted;
      this.seconds.value = String(desk.duration.seconds);
      desk.changed();
      void this.ask();
    });
    this.against.addEventListener("change", () => this.chart());
    this.head.append(
      box("label", {}, "For ", this.seconds, " s"),
      button("Save motion.json", () => this.found && save("motion.json", JSON.stringify(this.found.scene)), { class: "quiet" }),
    );
    this.body.append(this.viewer.element, this.empty, box("div", { class: "chart-tools" }, this.choice, box("label", {}, "against ", this.against)), this.charts, this.account);
    this.viewer.listeners.push((now) => this.follow.forEach((one) => one(now)));
    let width = 0;
    new ResizeObserver(() => {
      const now = this.charts.clientWidth;
      if (Math.abs(now - width) < 4) return;
      width = now;
      this.chart();
    }).observe(this.charts);
  }

  protected question(): Asked {
    const { seconds } = this.desk.duration;
    return { verb: "watch", model: this.desk.turned(), question: { for: seconds, every: seconds / STATES } };
  }

  protected show({ answer, text }: Answer<never>): void {
    const found = (this.found = answer as unknown as Watched);
    const parts = [this.viewer.element, this.empty, this.choice.parentElement as HTMLElement, this.charts, this.account];
    this.body.replaceChildren(...parts);
    const { scene } = found;
    const isSeen = !("error" in scene);
    this.viewer.element.hidden = !isSeen;
    this.empty.textContent = isSeen ? "" : `No picture: ${(scene as { error: string }).error}.`;
    if (isSeen) this.viewer.show(scene as Scene);
    this.offer(found);
    this.chart();
    const events = found.events.slice(0, 100).map((event) => box("li", {}, button(`t = ${short(event.t)} s`, () => this.viewer.seek(event.t), { class: "link" }), ` ${event.name} ${event.kind.replace(/_/g, " ")}`));
    const word = (holds: boolean | null) => (holds === null ? "undecided" : holds ? "holds" : "missed");
    this.account.replaceChildren(
      ...[
        found.failure ? make("p", { class: "problem" }, `The motion went no further than t = ${short(found.t[found.t.length - 1])} s: ${found.failure}`) : null,
        events.length > 0 ? box("details", { open: "" }, make("summary", {}, `${found.events.length} event${found.events.length === 1 ? "" : "s"}`), box("ul", { class: "plain" }, ...events)) : null,
        make("p", { class: "soft" }, `Driven by ${found.form}; energy balance kept to ${short(found.energy_drift)}, constraints to ${short(found.constraint_residual)}, ${found.steps} steps.`),
        found.expects.length > 0 ? box("ul", { class: "plain" }, ...found.expects.map((one) => box("li", {}, verdict(word(one.holds)), ` ${one.name}`))) : null,
        page(text),
      ].filter((one): one is HTMLElement => one !== null),
    );
  }

  /** Which columns can be charted. */
  private offer(found: Watched): void {
    const names = found.columns.map((one) => one.name).join("\n");
    if (names === this.names) return;
    this.names = names;
    const moves = (one: Column) => one.values.some((v) => v !== null && Math.abs(v - (one.values[0] ?? 0)) > 1e-9 * Math.abs(one.values[0] ?? 0) + 1e-12);
    const first = found.columns.filter((one) => !/['(]/.test(one.name) && one.name !== "energy" && moves(one)).slice(0, FIRST).map((one) => one.name);
    const known = this.chosen?.filter((name) => found.columns.some((one) => one.name === name)) ?? [];
    this.chosen = known.length > 0 ? known : first;
    const tick = (one: Column) => {
      const input = make("input", { type: "checkbox", ...(this.chosen?.includes(one.name) ? { checked: "" } : {}) });
      input.addEventListener("change", () => {
        this.chosen = (this.chosen ?? []).filter((name) => name !== one.name);
        if (input.checked) this.chosen.push(one.name);
        this.chart();
      });
      return box("label", { class: "tick" }, input, ` ${one.name}`);
    };
    this.choice.replaceChildren(...found.columns.slice(0, 12).map(tick), ...(found.columns.length > 12 ? [box("details", {}, make("summary", {}, `${found.columns.length - 12} more`), ...found.columns.slice(12, 200).map(tick))] : []));
    const before = this.against.value;
    this.against.replaceChildren(make("option", { value: "" }, "t"), ...found.columns.slice(0, 100).map((one) => make("option", { value: one.name }, one.name)));
    this.against.value = found.columns.some((one) => one.name === before) ? before : "";
  }

  /** Charts of what is chosen: one for each unit, or one against another column. */
  private chart(): void {
    const { found } = this;
    this.follow = [];
    this.charts.replaceChildren();
    if (!found || this.charts.clientWidth === 0) return;
    const columns = found.columns.filter((one) => this.chosen?.includes(one.name));
    const along = found.columns.find((one) => one.name === this.against.value);
    if (along) {
      for (const column of columns.slice(0, 4)) {
        const canvas = make("canvas", { class: "phase", role: "img", "aria-label": `${column.name} against ${along.name}` });
        this.charts.append(canvas);
        this.follow.push((now) => phase(canvas, along, column, moment(found.t, now).k));
      }
    } else {
      const marks = found.events.slice(0, 200).map((event) => ({ at: event.t, label: event.name }));
      for (const unit of [...new Set(columns.map((one) => one.unit))].slice(0, 4)) {
        const parent = make("div", { class: "chart", role: "img", "aria-label": `Chart of ${columns.filter((one) => one.unit === unit).map((one) => one.name).join(", ")}` });
        this.charts.append(parent);
        const time = { name: "t", unit: "s", values: found.t };
        const { setNow } = lines(parent, time, columns.filter((one) => one.unit === unit), 170, marks, (at) => this.viewer.seek(at));
        this.follow.push(setNow);
      }
    }
    this.follow.forEach((one) => one(this.viewer.now));
  }
}
