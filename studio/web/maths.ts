// How does a formula of the engine come onto the page? As MathML, element by element through a list of what may stand there.

import { box, button, make } from "../viewer/dom.ts";

const SPACE = "http://www.w3.org/1998/Math/MathML";
const ELEMENTS = new Set([
  "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msup", "msub", "msubsup", "mover",
  "munder", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose", "mprescripts", "mmultiscripts", "none",
]);
const ATTRIBUTES = new Set([
  "accent", "accentunder", "stretchy", "fence", "separator", "symmetric", "form", "lspace", "rspace", "width", "height", "depth",
  "displaystyle", "scriptlevel", "mathvariant", "columnalign", "rowalign", "columnspacing", "rowspacing", "linethickness", "minsize", "maxsize", "largeop", "movablelimits", "notation",
]);
/** A formula with more elements is shown as text. */
const MOST = 20000;

export interface Formula {
  text: string;
  latex: string;
  mathml?: string;
}

/** MathML as elements of this page; nothing if something in it may not stand there. */
export function mathml(source: string): Element | null {
  const parsed = new DOMParser().parseFromString(source, "application/xml").documentElement;
  let count = 0;
  const copy = (from: Element): Element | null => {
    if (from.namespaceURI !== SPACE || !ELEMENTS.has(from.localName) || ++count > MOST) return null;
    const to = document.createElementNS(SPACE, from.localName);
    for (const attribute of from.attributes) {
      if (attribute.name === "xmlns") continue;
      if (!ATTRIBUTES.has(attribute.name)) return null;
      to.setAttribute(attribute.name, attribute.value);
    }
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent ?? "");
      else if (child.nodeType === Node.ELEMENT_NODE) {
        const copied = copy(child as Element);
        if (!copied) return null;
        to.append(copied);
      } else return null;
    }
    return to;
  };
  const copied = copy(parsed);
  if (copied) spaced(copied);
  return copied;
}

/** Names of several letters that are multiplied stand apart, or they would read as one. */
function spaced(math: Element): void {
  const isWord = (one: Element | null | undefined) => [...(one?.querySelectorAll("mi") ?? []), ...(one?.localName === "mi" ? [one] : [])].some((mi) => [...(mi.textContent ?? "")].length > 1);
  for (const mo of math.querySelectorAll("mo")) {
    if (mo.textContent !== "\u2062" || mo.nextElementSibling?.localName === "mspace") continue;
    if (isWord(mo.previousElementSibling) || isWord(mo.nextElementSibling)) {
      mo.setAttribute("lspace", "0");
      mo.setAttribute("rspace", "0.22em");
    }
  }
}

/** A formula on a line of its own. */
export function formula(one: Formula): HTMLElement {
  const line = make("div", { class: "formula" });
  const set = one.mathml ? mathml(one.mathml) : null;
  if (!set) {
    line.append(make("code", {}, one.text));
    return line;
  }
  set.setAttribute("display", "block");
  set.setAttribute("aria-label", one.text);
  line.append(set);
  waiting.add(line);
  requestAnimationFrame(breakAll);
  return line;
}

const waiting = new Set<HTMLElement>();

/** Breaks formulas that are wider than their place, once they have one. */
function breakAll(): void {
  for (const line of waiting) {
    waiting.delete(line);
    if (line.isConnected) broken(line);
  }
}

/** The parts of a formula between which a line may end: at = first, then at + and − of a sum. */
function pieces(element: Element): Element[] {
  const inner = [...element.children];
  const isSum = inner.some((child) => child.localName === "mo" && /^[=+−-]$/.test(child.textContent ?? ""));
  if (element.localName !== "mrow" && element.localName !== "math") return [element];
  if (!isSum) return inner.length === 1 ? pieces(inner[0]) : [element];
  const opened = element.localName === "math" || inner[0]?.textContent !== "(";
  return opened ? inner.flatMap((child) => (child.localName === "mrow" && !isProduct(child) ? pieces(child) : [child])) : [element];
}

function isProduct(element: Element): boolean {
  return [...element.children].some((child) => child.localName === "mo" && /[⁢()⁡]/.test(child.textContent ?? ""));
}

function broken(line: HTMLElement): void {
  const math = line.firstElementChild;
  if (!math || line.scrollWidth <= line.clientWidth + 2) return;
  const room = line.clientWidth - 48;
  const parts = pieces(math);
  const widths = parts.map((part) => part.getBoundingClientRect().width);
  const rows: Element[][] = [[]];
  let used = 0;
  parts.forEach((part, k) => {
    const isSign = part.localName === "mo" && /^[=+−-]$/.test(part.textContent ?? "");
    const needed = widths[k] + (isSign ? (widths[k + 1] ?? 0) : 0);
    if (isSign && used + needed > room && used > 0) {
      rows.push([]);
      used = 0;
    }
    rows[rows.length - 1].push(part);
    used += widths[k];
  });
  if (rows.length < 2) return;
  const label = math.getAttribute("aria-label") ?? "";
  line.replaceChildren(
    ...rows.map((row, k) => {
      const one = document.createElementNS(SPACE, "math");
      one.setAttribute("display", "block");
      if (k === 0) one.setAttribute("aria-label", label);
      else one.setAttribute("aria-hidden", "true");
      const inner = document.createElementNS(SPACE, "mrow");
      inner.append(...row);
      one.append(inner);
      return box("div", { class: k === 0 ? "" : "further" }, one);
    }),
  );
}

/** A button that copies a text, which may first have to be asked for. */
export function copy(label: string, text: () => Promise<string>): HTMLButtonElement {
  const one = button(label, () => {
    text().then((found) => navigator.clipboard.writeText(found)).then(
      () => (one.textContent = "Copied"),
      (error) => (one.textContent = error instanceof DOMException ? "The browser refused" : String(error instanceof Error ? error.message : error).split("\n")[0]),
    );
    setTimeout(() => (one.textContent = label), 2500);
  });
  return one;
}

/** Buttons that copy formulas as LaTeX, as text, or as code, where somebody writes it. */
export function copying(formulas: Formula[], code?: () => Promise<string>): HTMLElement {
  const latex = formulas.map((one) => one.latex).join(" \\\\\n");
  const all = [copy("Copy LaTeX", () => Promise.resolve(latex)), copy("Copy text", () => Promise.resolve(formulas.map((one) => one.text).join("\n")))];
  return box("div", { class: "row" }, ...all, ...(code ? [copy("Copy code", code)] : []));
}
