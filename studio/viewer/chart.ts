// How do numbers of a motion look? Lines against time that follow the time line, and one column against another.

import uPlot from "uplot";

export interface Column {
  name: string;
  unit: string;
  values: (number | null)[];
}

const HUES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b07d00", "#3a8fc4"];

/** Colours of axes and grid as the page has them. */
function inks(element: Element): { ink: string; faint: string } {
  const style = getComputedStyle(element);
  return { ink: style.getPropertyValue("--ink").trim() || "#222", faint: style.getPropertyValue("--faint").trim() || "#ddd" };
}

/** Lines against a common axis; `pick` hears where somebody points or drags. */
export function lines(
  parent: HTMLElement, x: Column, columns: Column[], height: number,
  marks: { at: number; label: string }[], pick?: (at: number) => void,
): { plot: uPlot; setNow: (at: number) => void } {
  const { ink, faint } = inks(parent);
  let now = Number.NaN;
  const unit = columns[0]?.unit ?? "";
  const line = (u: uPlot, at: number, colour: string, dashes: number[]) => {
    const px = u.valToPos(at, "x", true);
    if (px < u.bbox.left - 1 || px > u.bbox.left + u.bbox.width + 1) return;
    u.ctx.save();
    u.ctx.strokeStyle = colour;
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.setLineDash(dashes.map((d) => d * devicePixelRatio));
    u.ctx.beginPath();
    u.ctx.moveTo(px, u.bbox.top);
    u.ctx.lineTo(px, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  };
  // where the time line stands: moved, not drawn anew
  const cursor = document.createElement("div");
  cursor.className = "chart-now";
  const place = (u: uPlot) => {
    const left = u.valToPos(now, "x");
    cursor.hidden = !(left >= -1 && left <= u.over.clientWidth + 1);
    cursor.style.transform = `translateX(${left}px)`;
  };
  const axis = (label: string): uPlot.Axis => ({ stroke: ink, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint }, label, labelSize: 18, size: 46, font: "12px system-ui", labelFont: "12px system-ui" });
  const options: uPlot.Options = {
    width: Math.max(200, parent.clientWidth),
    height,
    scales: { x: { time: false } },
    cursor: { drag: { x: true, y: false, dist: 8 } },
    legend: { live: true },
    axes: [{ ...axis(x.unit ? `${x.name} (${x.unit})` : x.name), size: 34 }, axis(unit)],
    series: [
      { label: x.name },
      ...columns.map((column, k): uPlot.Series => ({
        label: column.unit ? `${column.name} (${column.unit})` : column.name,
        stroke: HUES[k % HUES.length],
        width: 1.8,
        dash: k >= HUES.length ? [6, 3] : undefined,
        points: { show: false },
      })),
    ],
    hooks: {
      draw: [(u) => {
        marks.forEach((mark) => line(u, mark.at, "#e69f00", [3, 3]));
        place(u);
      }],
      init: [(u) => {
        u.over.append(cursor);
        const point = (event: MouseEvent) => pick?.(u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x"));
        u.over.addEventListener("click", point);
      }],
    },
  };
  const plot = new uPlot(options, [x.values, ...columns.map((column) => column.values)] as uPlot.AlignedData, parent);
  const setNow = (at: number) => {
    now = at;
    place(plot);
  };
  return { plot, setNow };
}

/** Places of a sheet: what a value is there, and the sheet itself with its axes drawn. */
interface Sheet {
  g: CanvasRenderingContext2D;
  px: (v: number) => number;
  py: (v: number) => number;
}

/** An empty sheet for one column against another; null where there is no room. */
function sheet(canvas: HTMLCanvasElement, x: Column, y: Column): Sheet | null {
  const dense = devicePixelRatio || 1;
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  [canvas.width, canvas.height] = [w * dense, h * dense];
  const g = canvas.getContext("2d");
  if (!g || w === 0) return null;
  const { ink, faint } = inks(canvas);
  g.scale(dense, dense);
  const range = (values: (number | null)[]): [number, number] => {
    const all = values.filter((v): v is number => v !== null && Number.isFinite(v));
    const [low, high] = [all.reduce((a, b) => Math.min(a, b), Infinity), all.reduce((a, b) => Math.max(a, b), -Infinity)];
    const pad = (high - low || Math.abs(high) || 1) * 0.06;
    return [low - pad, high + pad];
  };
  const [[x0, x1], [y0, y1]] = [range(x.values), range(y.values)];
  const [left, bottom, top, right] = [56, 38, 10, 12];
  const px = (v: number) => left + ((v - x0) / (x1 - x0)) * (w - left - right);
  const py = (v: number) => h - bottom - ((v - y0) / (y1 - y0)) * (h - bottom - top);
  g.font = "12px system-ui";
  g.lineWidth = 1;
  g.fillStyle = ink;
  g.strokeStyle = faint;
  for (const v of ticks(x0, x1)) {
    g.beginPath(); g.moveTo(px(v), top); g.lineTo(px(v), h - bottom); g.stroke();
    g.textAlign = "center"; g.fillText(short(v), px(v), h - bottom + 15);
  }
  for (const v of ticks(y0, y1)) {
    g.beginPath(); g.moveTo(left, py(v)); g.lineTo(w - right, py(v)); g.stroke();
    g.textAlign = "right"; g.fillText(short(v), left - 5, py(v) + 4);
  }
  const named = (c: Column) => (c.unit ? `${c.name} (${c.unit})` : c.name);
  g.textAlign = "center"; g.fillText(named(x), (left + w - right) / 2, h - 6);
  g.save(); g.translate(13, (h - bottom + top) / 2); g.rotate(-Math.PI / 2); g.fillText(named(y), 0, 0); g.restore();
  return { g, px, py };
}

/** One column against another: a phase portrait or a path. */
export function phase(canvas: HTMLCanvasElement, x: Column, y: Column, at: number): void {
  const made = sheet(canvas, x, y);
  if (!made) return;
  const { g, px, py } = made;
  g.strokeStyle = HUES[0]; g.lineWidth = 1.8; g.beginPath();
  let isDown = false;
  x.values.forEach((v, k) => {
    const u = y.values[k];
    if (v === null || u === null) { isDown = false; return; }
    if (isDown) g.lineTo(px(v), py(u)); else g.moveTo(px(v), py(u));
    isDown = true;
  });
  g.stroke();
  const [a, b] = [x.values[at], y.values[at]];
  if (a !== null && b !== null && a !== undefined && b !== undefined) {
    g.fillStyle = HUES[1]; g.beginPath(); g.arc(px(a), py(b), 5, 0, 7); g.fill();
  }
}

/** Eigenvalues in the plane: small along a parameter, large where it stands; what lies right of the line grows. */
export function plane(canvas: HTMLCanvasElement, along: [number, number][], now: [number, number][]): void {
  const all = [...along, ...now, [0, 0]];
  const made = sheet(canvas, { name: "real part", unit: "1/s", values: all.map((one) => one[0]) }, { name: "imaginary part", unit: "rad/s", values: all.map((one) => one[1]) });
  if (!made) return;
  const { g, px, py } = made;
  g.strokeStyle = "#e69f00"; g.setLineDash([4, 4]); g.lineWidth = 1.5;
  g.beginPath(); g.moveTo(px(0), 0); g.lineTo(px(0), canvas.clientHeight - 38); g.stroke(); g.setLineDash([]);
  const dot = ([a, b]: [number, number], size: number) => { g.beginPath(); g.arc(px(a), py(b), size, 0, 7); g.fill(); };
  g.fillStyle = HUES[0]; along.forEach((one) => dot(one, 1.6));
  g.fillStyle = HUES[1]; now.forEach((one) => dot(one, 5));
}

function ticks(low: number, high: number): number[] {
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= raw) ?? 10);
  const all: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high && all.length < 20; v += step) all.push(v);
  return all;
}

function short(v: number): string {
  return String(Number(v.toPrecision(4)));
}
