// From where is the scene seen? Orbit, shift and zoom; a plane of motion from its front without perspective.

import { add, cross, dot, scale, sub, unit, type Vec } from "./format.ts";

export class Camera {
  /** Angles about the upward direction and above the horizon. */
  around = -0.6;
  above = 0.32;
  /** 1 shows everything. */
  zoom = 1;
  shift: [number, number] = [0, 0];
  isPlane = false;

  constructor(
    public right: Vec,
    public up: Vec,
  ) {}

  reset(): void {
    [this.around, this.above, this.zoom, this.shift] = [-0.6, 0.32, 1, [0, 0]];
  }

  /** Right, up and towards the eye. */
  axes(): [Vec, Vec, Vec] {
    const front = cross(this.right, this.up);
    if (this.isPlane) return [this.right, this.up, front];
    const [s, c] = [Math.sin(this.around), Math.cos(this.around)];
    const side = add(scale(this.right, c), scale(front, -s));
    const level = cross(side, this.up);
    const [t, u] = [Math.sin(this.above), Math.cos(this.above)];
    const towards = add(scale(level, u), scale(this.up, t));
    return [side, cross(towards, side), unit(towards)];
  }

  /** The matrix of the view, column by column, for a ball of this radius about a centre. */
  matrix(centre: Vec, radius: number, aspect: number): { matrix: Float32Array; eye: Vec; pixel: (p: Vec) => number } {
    const [x, y, z] = this.axes();
    const half = (radius * 1.08) / this.zoom;
    const fit = aspect < 1 ? half / aspect : half;
    const target = add(centre, add(scale(x, -this.shift[0] * fit), scale(y, -this.shift[1] * fit)));
    if (this.isPlane) {
      const far = radius * 20;
      const m = [1 / (fit * aspect), 1 / fit, -1 / far];
      const rows = [scale(x, m[0]), scale(y, m[1]), scale(z, m[2])];
      const offset = rows.map((row) => -dot(row, target));
      const matrix = new Float32Array([
        rows[0][0], rows[1][0], rows[2][0], 0,
        rows[0][1], rows[1][1], rows[2][1], 0,
        rows[0][2], rows[1][2], rows[2][2], 0,
        offset[0], offset[1], offset[2], 1,
      ]);
      return { matrix, eye: add(target, scale(z, far)), pixel: () => 1 / fit };
    }
    const focal = 2.6;
    const distance = fit * focal;
    const eye = add(target, scale(z, distance));
    const [near, far] = [distance * 0.02, distance + radius * 12];
    const a = -(far + near) / (far - near);
    const b = (-2 * far * near) / (far - near);
    const rows = [scale(x, focal / aspect), scale(y, focal), scale(z, a), scale(z, -1)];
    const offset = rows.map((row) => -dot(row, eye));
    offset[2] += b;
    const column = (k: number) => rows.map((row) => row[k]);
    const matrix = new Float32Array([...column(0), ...column(1), ...column(2), ...offset]);
    return { matrix, eye, pixel: (p) => focal / Math.max(near, dot(sub(eye, p), z)) };
  }
}

/** A place on the screen from −1 to 1, and its depth; nothing behind the eye. */
export function project(m: Float32Array, p: Vec): [number, number, number] | null {
  const w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
  if (w <= 0) return null;
  const at = (r: number) => (m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]) / w;
  return [at(0), at(1), at(2)];
}
