// What is drawn of a scene at an instant? Ground, shadows, bodies, bars, springs, trails, forces, contacts, names.

import { Camera, project } from "./camera.ts";
import {
  add, bounds, columns, cross, dot, force, moment, norm, number, scale, sub, turn, unit, vector,
  type Moment, type Quaternion, type Scene, type Vec,
} from "./format.ts";
import { Dots, Painter, Strokes, type Colour } from "./paint.ts";

/** Colours that people with any eyes can tell apart. */
const HUES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/** So many places have a trail. */
const MOST_TRAILS = 6;
/** Names are shown unasked up to so many. */
const MOST_NAMES = 10;

const colour = (hex: string, alpha = 1): Colour => [
  parseInt(hex.slice(1, 3), 16) / 255,
  parseInt(hex.slice(3, 5), 16) / 255,
  parseInt(hex.slice(5, 7), 16) / 255,
  alpha,
];

export interface Shown {
  trails: boolean;
  forces: boolean;
  names: boolean;
}

/** Draws one scene. */
export class Stage {
  readonly camera: Camera;
  readonly shown: Shown;
  /** The place that the eye goes with. */
  follow: number | null = null;
  dark = false;
  private ball: { centre: Vec; radius: number };
  private trails: number[];
  private trail = new Strokes();
  private largest = 0;
  private isLettered = true;
  private centre: Vec = [0, 0, 0];
  private hues = new Map<string, string>();
  /** Bodies with others inside them, which are seen through. */
  private glass = new Set<number>();

  constructor(
    readonly scene: Scene,
    private painter: Painter,
    private labels: HTMLCanvasElement,
  ) {
    this.camera = new Camera(scene.right, scene.up);
    this.camera.isPlane = scene.is_plane;
    this.ball = bounds(scene);
    const heavy = scene.places.map((place, k) => (place.is_heavy && place.at.length > 3 ? k : -1)).filter((k) => k >= 0);
    this.trails = heavy.slice(-MOST_TRAILS);
    const named = scene.places.filter((place) => place.name).length;
    this.shown = { trails: true, forces: false, names: named <= MOST_NAMES };
    scene.solids.forEach((solid, k) => this.hues.set(solid.name, HUES[k % HUES.length]));
    this.largest = this.largestForce();
    this.glass = new Set(scene.solids.map((_, k) => k).filter((k) => this.holdsAnother(k)));
    this.followWhatIsSmall();
  }

  /** Whether the middle of a smaller body is inside a body at the start. */
  private holdsAnother(place: number): boolean {
    const first: Moment = { k: 0, share: 0 };
    const solid = this.scene.solids[place];
    if (solid.kind === "torus" || solid.kind === "gyration" || solid.kind === "disc") return false;
    const axes = columns(turn(solid.turn, first));
    const half = [0, 1, 2].map((k) => solid.radii[k] ?? solid.radii[0]);
    const size = (radii: number[]) => Math.max(...radii);
    return this.scene.solids.some((other, k) => {
      if (k === place || size(other.radii) >= size(solid.radii)) return false;
      const off = sub(vector(other.at, first), vector(solid.at, first));
      const share = axes.map((axis, k) => dot(off, axis) / half[k]);
      return solid.kind === "box" ? share.every((x) => Math.abs(x) < 1) : norm(share as Vec) < 1;
    });
  }

  /** A mechanism that is tiny beside its way would not be seen: the eye goes with it. */
  private followWhatIsSmall(): void {
    const { scene, ball } = this;
    const first: Moment = { k: 0, share: 0 };
    const now = bounds({
      ...scene,
      places: scene.places.map((place) => ({ ...place, at: vector(place.at, first) })),
      solids: scene.solids.map((solid) => ({ ...solid, at: vector(solid.at, first) })),
    });
    const hasSize = scene.solids.length > 0 || scene.lines.length > 0;
    if (!hasSize || now.radius > 0.22 * ball.radius) return;
    const moving = scene.places.findIndex((place) => place.is_heavy && place.at.length > 3);
    if (moving < 0) return;
    this.follow = moving;
    this.camera.zoom = Math.min(60, ball.radius / (now.radius * (scene.solids.length === 1 ? 3.4 : 1.7)));
  }

  private largestForce(): number {
    let largest = 0;
    for (const arrow of this.scene.arrows)
      for (let k = 0; k + 2 < arrow.force.length; k += 3) {
        const f = arrow.force.slice(k, k + 3);
        if (f.every((x) => x !== null)) largest = Math.max(largest, norm(f as Vec));
      }
    return largest;
  }

  /** The trails of all time; the drawing hides what is still to come. */
  private drawTrails(now: number): void {
    const { t } = this.scene;
    if (!this.trail.sent) {
      const sign = t[t.length - 1] < t[0] ? -1 : 1;
      this.trails.forEach((place, k) => {
        const { at, name } = this.scene.places[place];
        const tint = colour(this.hues.get(name) ?? HUES[k % HUES.length], 0.75);
        for (let i = 0; i + 5 < at.length; i += 3)
          this.trail.add(at.slice(i, i + 3) as Vec, at.slice(i + 3, i + 6) as Vec, tint, 3, t[i / 3], sign);
      });
      this.painter.keep(this.trail);
    }
    const span = Math.abs(t[t.length - 1] - t[0]) || 1;
    this.painter.strokes(this.trail, now, span);
  }

  draw(now: number): void {
    const { painter, scene, camera } = this;
    const m = moment(scene.t, now);
    const dense = window.devicePixelRatio || 1;
    const canvas = painter.canvas;
    const centre = (this.centre = this.follow === null ? this.ball.centre : this.placed(this.follow, m));
    const view = camera.matrix(centre, this.ball.radius, canvas.width / canvas.height);
    const [x, y, z] = camera.axes();
    const lamp = camera.isPlane ? add(add(scale(z, 1), scale(y, 0.7)), scale(x, -0.4)) : add(add(scale(scene.up, 1.2), scale(z, 0.5)), scale(x, -0.5));
    painter.paper = this.dark ? [0.09, 0.1, 0.12] : [1, 1, 1];
    painter.begin(view, unit(lamp));
    this.drawGround(m);
    const bars = this.bars(m, dense);
    if (!camera.isPlane) this.drawShadows(m, bars);
    if (this.shown.trails) this.drawTrails(now);
    this.drawSolids(m, 1);
    painter.strokes(bars);
    const { dots, names } = this.dots(m, dense);
    if (this.shown.forces) painter.strokes(this.forces(m, dense));
    painter.dots(dots);
    this.drawSolids(m, 0.6);
    this.drawNames(names, view.matrix, dense);
  }

  private placed(place: number, m: Moment): Vec {
    return vector(this.scene.places[place].at, m);
  }

  private ink(alpha = 1): Colour {
    return this.dark ? [0.86, 0.88, 0.9, alpha] : [0.16, 0.18, 0.22, alpha];
  }

  /** Planes that are touched; without one, faintly the plane across the upward direction through the origin. */
  private drawGround(m: Moment): void {
    const { planes, is_plane, up } = this.scene;
    if (this.camera.isPlane) return this.drawEdges(m);
    const shown = planes.map((plane) => ({ at: vector(plane.at, m), normal: vector(plane.normal, m) }));
    const isReal = shown.length > 0;
    // without one, the plane through the origin, where what moves stands on it
    const height = dot(this.ball.centre, up);
    if (!isReal && !is_plane && height > -0.2 * this.ball.radius && height < 2 * this.ball.radius) shown.push({ at: [0, 0, 0], normal: up });
    const seen: Vec[] = [];
    for (const plane of shown) {
      if (seen.some((n) => norm(sub(n, plane.normal)) < 1e-6)) continue;
      seen.push(plane.normal);
      const size = this.ball.radius * 3;
      const centre = this.foot(this.ball.centre, plane);
      const step = nice(size / (16 * Math.max(1, Math.min(this.camera.zoom, 8))));
      // cells begin at the foot of the middle; they are to be judged by their size, not by their place
      const grey = this.dark ? 0.62 : 0.5;
      const base: Colour = this.dark ? [0.2, 0.22, 0.26, isReal ? 0.75 : 0.0] : [0.93, 0.94, 0.95, isReal ? 0.9 : 0.0];
      const q = facing(plane.normal);
      this.painter.solid("square", [], [size, size, size], centre, q, [...base.slice(0, 3), Math.min(base[3], 0.99)] as Colour, 4, [size / step, isReal ? 0.34 : 0.3, grey, 0]);
    }
  }

  private foot(p: Vec, plane: { at: Vec; normal: Vec }): Vec {
    return sub(p, scale(plane.normal, dot(sub(p, plane.at), plane.normal)));
  }

  /** In the plane of motion a ground is a line with strokes below it. */
  private drawEdges(m: Moment): void {
    const strokes = new Strokes();
    const [, , z] = this.camera.axes();
    const seen: string[] = [];
    for (const plane of this.scene.planes) {
      const normal = vector(plane.normal, m);
      const at = vector(plane.at, m);
      const key = [...normal, dot(normal, at)].map((v) => v.toFixed(6)).join();
      if (Math.abs(dot(normal, z)) > 0.5 || seen.includes(key)) continue;
      seen.push(key);
      const along = unit(cross(normal, z));
      const size = (this.ball.radius * 2.4) / Math.min(this.camera.zoom, 1e3);
      const middle = this.foot(this.centre, { at, normal });
      strokes.add(add(middle, scale(along, -size)), add(middle, scale(along, size)), this.ink(0.8), 3);
      // the strokes stand still where the eye goes along
      const step = nice(size / 24);
      const first = Math.ceil((dot(along, middle) - size) / step) * step;
      for (let s = first; s < first + 2 * size; s += step) {
        const from = add(middle, scale(along, s - dot(along, middle)));
        strokes.add(from, add(from, scale(add(scale(along, -0.7), scale(normal, -1)), 0.6 * step)), this.ink(0.28), 2);
      }
    }
    this.painter.strokes(strokes);
  }

  private drawShadows(m: Moment, bars: Strokes): void {
    const plane = this.scene.planes[0];
    if (!plane) return;
    const normal = vector(plane.normal, m);
    if (dot(normal, this.scene.up) < 0.3) return;
    this.painter.shadow({ normal, distance: dot(normal, vector(plane.at, m)) });
    const dim: Colour = [0, 0, 0, this.dark ? 0.35 : 0.16];
    this.drawSolids(m, 1, dim);
    this.drawSolids(m, 0.6, dim);
    const shade = new Strokes();
    for (let k = 0; k < bars.list.length; k += Strokes.SIZE) {
      const row = bars.list.slice(k, k + Strokes.SIZE);
      shade.add(row.slice(0, 3) as Vec, row.slice(3, 6) as Vec, dim, row[10]);
    }
    this.painter.strokes(shade);
    this.painter.shadow(null);
  }

  /** Bodies of this opacity. */
  private drawSolids(m: Moment, opacity: number, as?: Colour): void {
    for (const [k, solid] of this.scene.solids.entries()) {
      const isGlass = this.glass.has(k);
      const own = isGlass || solid.kind === "gyration" ? 0.6 : 1;
      if (own !== opacity) continue;
      const at = vector(solid.at, m);
      const tint = as ?? colour(this.hues.get(solid.name) ?? HUES[0], isGlass ? 0.3 : own);
      const [a, b, c] = solid.radii;
      const q = turn(solid.turn, m);
      if (solid.kind === "torus") this.painter.solid("torus", solid.radii, [1, 1, 1], at, q, tint, 1);
      else if (solid.kind === "disc") this.painter.solid("disc", [], [a, a, a * 0.03], at, q, tint, 1);
      else if (solid.kind === "box") this.painter.solid("box", [], [a, b, c], at, q, tint, 1);
      else if (solid.kind === "cylinder") this.painter.solid("disc", [], [a, b, c], at, q, tint, 1);
      else if (solid.kind === "cone") this.painter.solid("cone", [], [a, b, c], at, q, tint, 1);
      else if (solid.kind === "sphere") this.painter.solid("sphere", [], [a, a, a], at, q, tint, 2);
      else {
        const least = 0.03 * Math.max(a, b, c);
        this.painter.solid("sphere", [], [a, b, c].map((r) => Math.max(r, least)) as Vec, at, q, tint, 2);
      }
    }
  }

  /** Bars, springs, dampers, and the axes of bodies without a size. */
  private bars(m: Moment, dense: number): Strokes {
    const { scene } = this;
    const strokes = new Strokes();
    const many = scene.lines.length > 30;
    for (const [a, b] of scene.lines) {
      const name = scene.places[b].name || scene.places[a].name;
      const tint = this.hues.get(name);
      strokes.add(this.placed(a, m), this.placed(b, m), tint ? colour(tint) : colour(this.dark ? "#8fa3bf" : "#4a6078"), (many ? 3 : 6) * dense);
    }
    for (const [a, b] of scene.springs) this.coil(strokes, this.placed(a, m), this.placed(b, m), dense);
    for (const [a, b] of scene.dampers) this.piston(strokes, this.placed(a, m), this.placed(b, m), dense);
    for (const frame of scene.frames) {
      if (scene.lines.some((line) => line.includes(frame.place))) continue;
      const at = this.placed(frame.place, m);
      const size = 0.08 * this.ball.radius;
      columns(turn(frame.turn, m)).slice(0, scene.is_plane ? 2 : 3).forEach((axis, k) =>
        strokes.add(at, add(at, scale(axis, size)), colour(HUES[[1, 2, 0][k]]), 2.5 * dense));
    }
    return strokes;
  }

  private across(d: Vec): [Vec, Vec] {
    const [, , z] = this.camera.axes();
    const side = unit(norm(cross(d, z)) > 1e-6 * norm(d) ? cross(d, z) : this.scene.right);
    return [side, unit(cross(d, side))];
  }

  private coil(strokes: Strokes, a: Vec, b: Vec, dense: number): void {
    const d = sub(b, a);
    const [side, other] = this.across(d);
    const [turns, steps] = [9, 14];
    const r = 0.035 * this.ball.radius;
    const ends = 0.12;
    let last = a;
    for (let k = 0; k <= turns * steps; k++) {
      const share = k / (turns * steps);
      const angle = (2 * Math.PI * k) / steps;
      const grown = Math.min(1, share * 12, (1 - share) * 12) * r;
      const off = add(scale(side, grown * Math.sin(angle)), scale(other, grown * Math.cos(angle)));
      const next = add(add(a, scale(d, ends + (1 - 2 * ends) * share)), off);
      strokes.add(last, next, colour("#009e73"), 2.5 * dense);
      last = next;
    }
    strokes.add(last, b, colour("#009e73"), 2.5 * dense);
  }

  private piston(strokes: Strokes, a: Vec, b: Vec, dense: number): void {
    const at = (share: number) => add(a, scale(sub(b, a), share));
    strokes.add(a, at(0.35), this.ink(0.9), 2.5 * dense);
    strokes.add(at(0.35), at(0.65), this.ink(0.5), 14 * dense);
    strokes.add(at(0.5), b, this.ink(0.9), 4 * dense);
  }

  private forces(m: Moment, dense: number): Strokes {
    const strokes = new Strokes();
    if (this.largest === 0) return strokes;
    const long = (0.55 * this.ball.radius) / this.largest;
    for (const arrow of this.scene.arrows) {
      const f = force(arrow.force, m);
      if (!f || norm(f) < 1e-9 * this.largest) continue;
      const from = vector(arrow.at, m);
      const tip = add(from, scale(f, long));
      const [side] = this.across(f);
      const head = Math.min(0.06 * this.ball.radius, 0.4 * norm(f) * long);
      const back = sub(tip, scale(unit(f), head));
      const tint = colour("#d55e00");
      strokes.add(from, tip, tint, 3 * dense);
      for (const sign of [1, -1]) strokes.add(tip, add(back, scale(side, sign * head * 0.45)), tint, 3 * dense);
    }
    return strokes;
  }

  private dots(m: Moment, dense: number): { dots: Dots; names: { at: Vec; name: string }[] } {
    const dots = new Dots();
    const names: { at: Vec; name: string }[] = [];
    const many = this.scene.places.length > 30;
    this.scene.places.forEach((place, k) => {
      const at = this.placed(k, m);
      const hasSolid = this.scene.solids.some((solid) => solid.name === place.name);
      if (place.is_heavy && !hasSolid) dots.add(at, (many ? 5 : 8) * dense, colour(HUES[many ? 0 : this.trails.indexOf(k) >= 0 ? this.trails.indexOf(k) % HUES.length : 0]));
      else if (!hasSolid) dots.add(at, (many ? 3 : 5) * dense, this.ink(), true);
      if (place.name) names.push({ at, name: place.name });
    });
    for (const plane of this.scene.planes) {
      const open = number(plane.gap, m) > 1e-6 * this.ball.radius;
      dots.add(vector(plane.touch, m), 5 * dense, open ? this.ink(0.35) : colour("#e69f00"), open);
    }
    return { dots, names };
  }

  private drawNames(names: { at: Vec; name: string }[], matrix: Float32Array, dense: number): void {
    const { labels } = this;
    const g = labels.getContext("2d");
    if (!g) return;
    if (this.isLettered) g.clearRect(0, 0, labels.width, labels.height);
    this.isLettered = this.shown.names;
    if (!this.shown.names) return;
    g.font = `${13 * dense}px "STIX Two Math", serif`;
    g.lineWidth = 3 * dense;
    g.lineJoin = "round";
    g.strokeStyle = this.dark ? "rgba(20,22,27,.85)" : "rgba(255,255,255,.85)";
    g.fillStyle = this.dark ? "#e6e8eb" : "#1c2127";
    const taken: [number, number][] = [];
    for (const { at, name } of names) {
      const p = project(matrix, at);
      if (!p || Math.abs(p[0]) > 1.1 || Math.abs(p[1]) > 1.1) continue;
      const [x, y] = [((p[0] + 1) / 2) * labels.width + 9 * dense, ((1 - p[1]) / 2) * labels.height - 8 * dense];
      if (taken.some(([u, v]) => Math.abs(u - x) < 14 * dense && Math.abs(v - y) < 14 * dense)) continue;
      taken.push([x, y]);
      g.strokeText(name, x, y);
      g.fillText(name, x, y);
    }
  }
}

/** 1, 2 or 5 times a power of ten near a length. */
function nice(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const share = x / power;
  return power * (share < 2 ? 1 : share < 5 ? 2 : 5);
}

/** A turn that takes z to a direction. */
function facing(n: Vec): Quaternion {
  const q: Quaternion = [1 + n[2], -n[1], n[0], 0];
  const size = Math.hypot(...q);
  return size < 1e-9 ? [0, 1, 0, 0] : (q.map((v) => v / size) as Quaternion);
}
