// Which numbers can be turned? Those of parameters and of the start; the text stays as it is.

import { box, button, make } from "../viewer/dom.ts";

export interface Turned {
  name: string;
  unit: string | null;
  value: number | null;
}

/** So many sliders stand in a list; a chain of a hundred has more start values than a hand can turn. */
const MOST = 24;

export class Sliders {
  readonly element = make("section", { class: "sliders", "aria-label": "Parameters and start" });
  private key = "";
  private own = new Map<string, { slider: HTMLInputElement; field: HTMLInputElement; value: number }>();

  constructor(
    readonly set: Record<string, number>,
    private changed: () => void,
  ) {}

  /** Shows the numbers of a model; what is turned already stays turned. */
  show(parameters: Turned[], start: Turned[]): void {
    const known = new Set([...parameters, ...start].map((one) => one.name));
    for (const name of Object.keys(this.set)) if (!known.has(name)) delete this.set[name];
    const key = JSON.stringify([parameters, start]);
    if (key === this.key) return;
    this.key = key;
    this.own.clear();
    const group = (title: string, list: Turned[]): HTMLElement | null => {
      const rows = list.filter((one) => one.value !== null).slice(0, MOST).map((one) => this.row(one));
      return rows.length === 0 ? null : box("details", { open: "" }, make("summary", {}, title), box("div", { class: "slider-list" }, ...rows));
    };
    const back = button("As in the text", () => this.reset(), { class: "quiet" });
    this.element.replaceChildren(...[group("Parameters", parameters), group("Start", start), back].filter((one): one is HTMLElement => one !== null));
  }

  private row(one: Turned): HTMLElement {
    const value = one.value as number;
    const now = this.set[one.name] ?? value;
    const [low, high] = value > 0 ? [0, 3 * value] : value < 0 ? [3 * value, 0] : [-1, 1];
    const range = { min: String(Math.min(low, now)), max: String(Math.max(high, now)), step: "any" };
    const slider = make("input", { type: "range", "aria-label": one.name, ...range });
    const field = make("input", { type: "number", step: "any", "aria-label": `${one.name} in figures`, inputmode: "decimal" });
    const put = (v: number) => {
      field.value = String(Number(v.toPrecision(6)));
      slider.value = String(v);
      if (v === value) delete this.set[one.name];
      else this.set[one.name] = v;
    };
    slider.addEventListener("input", () => {
      put(Number(Number(slider.value).toPrecision(6)));
      this.changed();
    });
    field.addEventListener("change", () => {
      const v = Number(field.value);
      if (field.value.trim() === "" || !Number.isFinite(v)) return put(this.set[one.name] ?? value);
      slider.min = String(Math.min(Number(slider.min), v));
      slider.max = String(Math.max(Number(slider.max), v));
      put(v);
      this.changed();
    });
    put(now);
    this.own.set(one.name, { slider, field, value });
    return box("label", { class: "slider" }, make("span", { class: "slider-name" }, one.name), slider, field, make("span", { class: "unit" }, short(one.unit)));
  }

  private reset(): void {
    for (const [name, { slider, field, value }] of this.own) {
      delete this.set[name];
      slider.value = String(value);
      field.value = String(Number(value.toPrecision(6)));
    }
    this.changed();
  }
}

/** A unit in its shortest writing: of `kg*m^2/s^2 (J or N*m)` the last name. */
function short(unit: string | null): string {
  if (!unit || unit === "no unit") return "";
  return /\(([^)]*)\)$/.exec(unit)?.[1].split(" or ").pop() ?? unit;
}
