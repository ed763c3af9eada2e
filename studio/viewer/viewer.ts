// How does one play a motion? A picture with a time line: play, speed, step, drag; keyboard, mouse and touch.

import { make } from "./dom.ts";
import { Painter } from "./paint.ts";
import { Stage } from "./stage.ts";
import type { Scene } from "./format.ts";

const SPEEDS = ["0.1", "0.25", "0.5", "1", "2", "4"];

export class Viewer {
  readonly element = make("div", { class: "viewer" });
  private canvas = make("canvas", { class: "viewer-picture", role: "img", "aria-label": "The mechanism", tabindex: "0" });
  private labels = make("canvas", { class: "viewer-names", "aria-hidden": "true" });
  private picture = make("div", { class: "viewer-stage" });
  private play = make("button", { type: "button", class: "play", "aria-label": "Play", "aria-pressed": "false" }, "▶");
  private slider = make("input", { type: "range", "aria-label": "Time", min: "0", max: "1", step: "any", value: "0" });
  private marks = make("div", { class: "viewer-marks" });
  private clock = make("output", { class: "viewer-clock" });
  private told = make("div", { class: "viewer-event", role: "status" });
  private speed = make("select", { "aria-label": "Speed" });
  private view = make("select", { "aria-label": "View" });
  private follow = make("select", { "aria-label": "Follow" });
  private toggles: Record<"trails" | "forces" | "names", HTMLButtonElement>;
  private painter: Painter | null = null;
  private stage: Stage | null = null;
  private isPlaying = false;
  private last = 0;
  private isDirty = true;
  private pointers = new Map<number, [number, number]>();
  /** Pictures drawn so far, for those who measure. */
  pictures = 0;
  now = 0;
  /** Who wants to know the time. */
  listeners: ((now: number) => void)[] = [];

  constructor() {
    const button = (text: string, label: string, act: () => void) => {
      const one = make("button", { type: "button", "aria-label": label, title: label }, text);
      one.addEventListener("click", act);
      return one;
    };
    const toggle = (key: "trails" | "forces" | "names", text: string) => {
      const one = make("button", { type: "button", "aria-pressed": "false" }, text);
      one.addEventListener("click", () => {
        if (this.stage) this.stage.shown[key] = !this.stage.shown[key];
        this.refresh();
      });
      return one;
    };
    this.toggles = { trails: toggle("trails", "Trails"), forces: toggle("forces", "Forces"), names: toggle("names", "Names") };
    SPEEDS.forEach((x) => this.speed.append(make("option", { value: x, ...(x === "1" ? { selected: "" } : {}) }, `${x}×`)));
    this.play.addEventListener("click", () => this.setPlaying(!this.isPlaying));
    this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
    this.view.addEventListener("change", () => {
      if (this.stage) this.stage.camera.isPlane = this.view.value === "plane";
      this.refresh();
    });
    this.follow.addEventListener("change", () => {
      if (this.stage) this.stage.follow = this.follow.value === "" ? null : Number(this.follow.value);
      this.refresh();
    });
    const line = make("div", { class: "viewer-line" });
    line.append(this.slider, this.marks);
    const first = make("div", { class: "viewer-row" });
    first.append(
      button("⇤", "To the start", () => this.seek(this.t[0])),
      button("◂", "One state back", () => this.step(-1)),
      this.play,
      button("▸", "One state on", () => this.step(1)),
      line,
      this.clock,
    );
    const second = make("div", { class: "viewer-row viewer-options" });
    second.append(this.speed, this.view, this.follow, ...Object.values(this.toggles), button("Reset view", "Reset view", () => this.resetView()));
    this.picture.append(this.canvas, this.labels, this.told);
    this.element.append(this.picture, first, second);
    this.listen();
    new ResizeObserver(() => this.refresh()).observe(this.picture);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.refresh());
    requestAnimationFrame((now) => this.tick(now));
  }

  private get t(): number[] {
    return this.stage?.scene.t ?? [0];
  }

  /** Shows another motion; the instant, the view and what is shown stay where they make sense. */
  show(scene: Scene): void {
    try {
      this.painter ??= new Painter(this.canvas);
    } catch (error) {
      this.told.textContent = `The picture cannot be drawn: ${error instanceof Error ? error.message : String(error)}.`;
      return;
    }
    const before = this.stage;
    this.stage = new Stage(scene, this.painter, this.labels);
    const isSame = before !== null && before.scene.title === scene.title && before.scene.places.length === scene.places.length;
    if (isSame && before) {
      Object.assign(this.stage.shown, before.shown);
      const { around, above, zoom, shift, isPlane } = before.camera;
      Object.assign(this.stage.camera, { around, above, zoom, shift, isPlane });
      this.stage.follow = before.follow;
    }
    const t = scene.t;
    this.slider.min = String(Math.min(t[0], t[t.length - 1]));
    this.slider.max = String(Math.max(t[0], t[t.length - 1]));
    this.options(scene);
    this.markEvents(scene);
    this.refresh();
    this.seek(isSame ? Math.min(Math.max(this.now, Number(this.slider.min)), Number(this.slider.max)) : t[0]);
  }

  private options(scene: Scene): void {
    this.view.replaceChildren(make("option", { value: "plane" }, scene.is_plane ? "Plane" : "From the front"), make("option", { value: "space" }, "In space"));
    this.view.value = this.stage?.camera.isPlane ? "plane" : "space";
    this.follow.replaceChildren(make("option", { value: "" }, "Follow nothing"));
    scene.places.forEach((place, k) => {
      if (place.name && place.is_heavy && this.follow.options.length < 40) this.follow.append(make("option", { value: String(k) }, `Follow ${place.name}`));
    });
    this.follow.value = this.stage?.follow === null ? "" : String(this.stage?.follow ?? "");
  }

  private markEvents(scene: Scene): void {
    const [low, high] = [Number(this.slider.min), Number(this.slider.max)];
    const mark = (event: Scene["events"][number]) => {
      const one = make("button", { type: "button", class: "viewer-mark", "aria-label": `${event.name} ${event.kind} at ${show(event.t)} s`, title: `${event.name} ${event.kind}, t = ${show(event.t)} s`, tabindex: "-1" });
      one.style.left = `${high > low ? (100 * (event.t - low)) / (high - low) : 0}%`;
      one.addEventListener("click", () => this.seek(event.t));
      return one;
    };
    this.marks.replaceChildren(...scene.events.slice(0, 200).map(mark));
  }

  private resetView(): void {
    this.stage?.camera.reset();
    if (this.stage) this.stage.follow = null;
    this.follow.value = "";
    this.refresh();
  }

  /** Goes to an instant. */
  seek(now: number): void {
    this.now = now;
    this.slider.value = String(now);
    this.clock.textContent = `t = ${now.toFixed(2)} s`;
    this.slider.setAttribute("aria-valuetext", `${now.toFixed(2)} seconds`);
    const near = Math.abs(this.t[this.t.length - 1] - this.t[0]) / 60;
    const event = this.stage?.scene.events.find((one) => now >= one.t - 1e-12 && now - one.t < near);
    this.told.textContent = event ? `${event.name} ${event.kind} at t = ${show(event.t)} s` : "";
    this.isDirty = true;
    this.listeners.forEach((listener) => listener(now));
  }

  private step(by: number): void {
    this.setPlaying(false);
    const nearest = this.t.reduce((best, t, k) => (Math.abs(t - this.now) < Math.abs(this.t[best] - this.now) ? k : best), 0);
    this.seek(this.t[Math.min(Math.max(nearest + by, 0), this.t.length - 1)]);
  }

  setPlaying(isPlaying: boolean): void {
    if (isPlaying && this.stage && this.now === this.t[this.t.length - 1]) this.seek(this.t[0]);
    this.isPlaying = isPlaying && this.stage !== null;
    this.play.textContent = this.isPlaying ? "⏸" : "▶";
    this.play.setAttribute("aria-pressed", String(this.isPlaying));
    this.last = performance.now();
  }

  /** Draws again at the next picture. */
  refresh(): void {
    for (const key of ["trails", "forces", "names"] as const)
      this.toggles[key].setAttribute("aria-pressed", String(this.stage?.shown[key] ?? false));
    this.isDirty = true;
  }

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    if (!this.element.isConnected || !this.stage) return;
    if (this.isPlaying) {
      const [first, end] = [this.t[0], this.t[this.t.length - 1]];
      const passed = (Math.min(now - this.last, 100) / 1000) * Number(this.speed.value);
      this.last = now;
      const next = this.now + Math.max(0, passed) * (end < first ? -1 : 1);
      const isOver = end < first ? next <= end : next >= end;
      this.seek(isOver ? end : next);
      if (isOver) this.setPlaying(false);
    }
    if (this.isDirty) this.draw();
  }

  private draw(): void {
    const dense = Math.min(window.devicePixelRatio || 1, 2);
    const { clientWidth, clientHeight } = this.picture;
    if (clientWidth === 0 || clientHeight === 0) return;
    for (const canvas of [this.canvas, this.labels]) {
      const [w, h] = [Math.round(clientWidth * dense), Math.round(clientHeight * dense)];
      if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    }
    this.isDirty = false;
    if (!this.stage) return;
    this.stage.dark = getComputedStyle(this.element).colorScheme.includes("dark");
    this.stage.draw(this.now);
    this.pictures++;
  }

  /** Mouse, touch and keys. */
  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.0015));
    }, { passive: false });
    canvas.addEventListener("dblclick", () => this.resetView());
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  private zoom(by: number): void {
    if (!this.stage) return;
    this.stage.camera.zoom = Math.min(200, Math.max(0.05, this.stage.camera.zoom * by));
    this.refresh();
  }

  private moved(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.stage) return;
    const { camera } = this.stage;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    const half = this.picture.clientHeight / 2;
    if (other) {
      const gap = (p: [number, number]) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      this.zoom(gap([event.clientX, event.clientY]) / gap(before));
    }
    if (other || camera.isPlane || event.shiftKey || event.buttons === 2) camera.shift = [camera.shift[0] + dx / half, camera.shift[1] - dy / half];
    else {
      camera.around -= dx * 0.008;
      camera.above = Math.min(1.55, Math.max(-1.55, camera.above + dy * 0.008));
    }
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.refresh();
  }

  private key(event: KeyboardEvent): void {
    const onPicture = event.target === this.canvas;
    const camera = this.stage?.camera;
    const turn = (around: number, above: number) => {
      if (!camera) return;
      if (camera.isPlane) camera.shift = [camera.shift[0] - around, camera.shift[1] + above];
      else [camera.around, camera.above] = [camera.around + around, Math.min(1.55, Math.max(-1.55, camera.above + above))];
      this.refresh();
    };
    const acts: Record<string, () => void> = {
      " ": () => this.setPlaying(!this.isPlaying),
      ArrowLeft: () => (event.shiftKey ? turn(-0.1, 0) : this.step(-1)),
      ArrowRight: () => (event.shiftKey ? turn(0.1, 0) : this.step(1)),
      ArrowUp: () => turn(0, 0.1),
      ArrowDown: () => turn(0, -0.1),
      Home: () => this.seek(this.t[0]),
      End: () => this.seek(this.t[this.t.length - 1]),
      "+": () => this.zoom(1.2),
      "=": () => this.zoom(1.2),
      "-": () => this.zoom(1 / 1.2),
    };
    if (onPicture && acts[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      acts[event.key]();
    }
  }
}

function show(x: number): string {
  return String(Number(x.toPrecision(6)));
}
