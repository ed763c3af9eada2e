// What does the engine write of a motion, and what is it between two instants?
//
// A track holds the numbers of one thing, state after state; what never changes is written once.

export interface Scene {
  title: string;
  t: number[];
  is_plane: boolean;
  right: Vec;
  up: Vec;
  places: { name: string; is_heavy: boolean; at: number[] }[];
  lines: [number, number][];
  springs: [number, number][];
  dampers: [number, number][];
  solids: { name: string; kind: SolidKind; radii: number[]; at: number[]; turn: number[] }[];
  frames: { place: number; turn: number[] }[];
  planes: { name: string; at: number[]; normal: number[]; touch: number[]; gap: number[] }[];
  arrows: { name: string; on: string; at: number[]; force: (number | null)[] }[];
  events: { t: number; name: string; kind: string }[];
}

export type SolidKind = "sphere" | "disc" | "torus" | "ellipsoid" | "box" | "cylinder" | "cone" | "gyration";
export type Vec = [number, number, number];
export type Quaternion = [number, number, number, number];

export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec, k: number): Vec => [a[0] * k, a[1] * k, a[2] * k];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vec): number => Math.hypot(a[0], a[1], a[2]);
export const unit = (a: Vec): Vec => scale(a, 1 / (norm(a) || 1));
export const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** An instant between two states: the state before it, and the share of the way to the next. */
export interface Moment {
  k: number;
  share: number;
}

/** Where an instant lies among the states. Backward motions have falling times. */
export function moment(t: number[], now: number): Moment {
  const last = t.length - 1;
  if (last < 1) return { k: 0, share: 0 };
  const falls = t[last] < t[0];
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (falls ? t[middle] >= now : t[middle] <= now) low = middle;
    else high = middle;
  }
  const span = t[high] - t[low];
  const share = span === 0 ? 0 : Math.min(1, Math.max(0, (now - t[low]) / span));
  return { k: low, share };
}

/** Three numbers of a track at an instant. */
export function vector(track: number[], { k, share }: Moment): Vec {
  if (track.length <= 3) return [track[0], track[1], track[2]];
  const a = 3 * k;
  const b = Math.min(a + 3, track.length - 3);
  const at = (j: number) => track[a + j] + share * (track[b + j] - track[a + j]);
  return [at(0), at(1), at(2)];
}

/** One number of a track at an instant. */
export function number(track: number[], { k, share }: Moment): number {
  if (track.length === 1) return track[0];
  const next = Math.min(k + 1, track.length - 1);
  return track[k] + share * (track[next] - track[k]);
}

/** A turn of a track at an instant, along the shorter way. */
export function turn(track: number[], { k, share }: Moment): Quaternion {
  if (track.length <= 4) return track.slice(0, 4) as Quaternion;
  const a = track.slice(4 * k, 4 * k + 4);
  const from = Math.min(4 * k + 4, track.length - 4);
  const b = track.slice(from, from + 4);
  const q = a.map((x, j) => x + share * (b[j] - x)) as Quaternion;
  const size = Math.hypot(...q) || 1;
  return q.map((x) => x / size) as Quaternion;
}

/** The force of an arrow at a state; nothing where it is not determined. */
export function force(track: (number | null)[], { k, share }: Moment): Vec | null {
  const at = (from: number) => track.slice(from, from + 3);
  const a = at(3 * k);
  const b = at(Math.min(3 * k + 3, track.length - 3));
  if (a.some((x) => x === null) || b.some((x) => x === null)) return null;
  return a.map((x, j) => (x as number) + share * ((b[j] as number) - (x as number))) as Vec;
}

/** The columns of a rotation. */
export function columns([w, x, y, z]: Quaternion): [Vec, Vec, Vec] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** A ball around all that is drawn. */
export function bounds(scene: Scene): { centre: Vec; radius: number } {
  const low: Vec = [Infinity, Infinity, Infinity];
  const high: Vec = [-Infinity, -Infinity, -Infinity];
  const grow = (track: number[], by: number) => {
    for (let i = 0; i + 2 < track.length; i += 3)
      for (let j = 0; j < 3; j++) {
        if (!Number.isFinite(track[i + j])) continue;
        low[j] = Math.min(low[j], track[i + j] - by);
        high[j] = Math.max(high[j], track[i + j] + by);
      }
  };
  scene.places.forEach((place) => grow(place.at, 0));
  scene.solids.forEach((solid) => grow(solid.at, reach(solid)));
  const centre = scale(add(low, high), 0.5);
  const radius = norm(sub(high, low)) / 2;
  return Number.isFinite(radius) && radius > 0 ? { centre, radius } : { centre: [0, 0, 0], radius: 1 };
}

/** How far a solid reaches from its centre. */
export function reach(solid: { kind: SolidKind; radii: number[] }): number {
  if (solid.kind === "torus") return solid.radii[0] + solid.radii[1];
  return solid.kind === "box" || solid.kind === "cylinder" ? Math.hypot(...solid.radii) : Math.max(...solid.radii);
}
