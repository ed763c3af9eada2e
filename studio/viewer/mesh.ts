// Which surfaces can be drawn? Meshes of unit size, each corner with its normal.

export interface Mesh {
  /** Six numbers a corner: place, normal. */
  corners: Float32Array;
  indices: Uint16Array;
}

/** A surface over two parameters from 0 to 1. */
function surface(nu: number, nv: number, at: (u: number, v: number) => number[]): Mesh {
  const corners: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= nu; i++) for (let j = 0; j <= nv; j++) corners.push(...at(i / nu, j / nv));
  for (let i = 0; i < nu; i++)
    for (let j = 0; j < nv; j++) {
      const a = i * (nv + 1) + j;
      const b = a + nv + 1;
      indices.push(a, b, a + 1, a + 1, b, b + 1);
    }
  return { corners: new Float32Array(corners), indices: new Uint16Array(indices) };
}

export function sphere(): Mesh {
  return surface(40, 24, (u, v) => {
    const [a, b] = [2 * Math.PI * u, Math.PI * (v - 0.5)];
    const p = [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)];
    return [...p, ...p];
  });
}

/** A flat cylinder about z: two faces and a rim; its height is scaled by the drawing. */
export function disc(): Mesh {
  const n = 72;
  const corners: number[] = [];
  const indices: number[] = [];
  for (const side of [1, -1]) {
    const middle = corners.length / 6;
    corners.push(0, 0, side, 0, 0, side);
    for (let i = 0; i <= n; i++) {
      const a = (2 * Math.PI * i) / n;
      corners.push(Math.cos(a), Math.sin(a), side, 0, 0, side);
      if (i > 0) indices.push(middle, middle + i, middle + i + 1);
    }
  }
  const rim = corners.length / 6;
  for (let i = 0; i <= n; i++) {
    const a = (2 * Math.PI * i) / n;
    for (const side of [1, -1]) corners.push(Math.cos(a), Math.sin(a), side, Math.cos(a), Math.sin(a), 0);
    if (i > 0) {
      const k = rim + 2 * (i - 1);
      indices.push(k, k + 1, k + 2, k + 2, k + 1, k + 3);
    }
  }
  return { corners: new Float32Array(corners), indices: new Uint16Array(indices) };
}

/** A ring about z with these radii; unlike the others in its true size. */
export function torus(big: number, small: number): Mesh {
  return surface(64, 20, (u, v) => {
    const [a, b] = [2 * Math.PI * u, 2 * Math.PI * v];
    const n = [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)];
    const r = big + small * Math.cos(b);
    return [r * Math.cos(a), r * Math.sin(a), small * Math.sin(b), ...n];
  });
}

/** A cube with half edges of one. */
export function box(): Mesh {
  const corners: number[] = [];
  const indices: number[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [1, -1]) {
      const first = corners.length / 6;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const [place, normal] = [[0, 0, 0], [0, 0, 0]];
        [place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3], normal[axis]] = [side, u, v, side];
        corners.push(...place, ...normal);
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  return { corners: new Float32Array(corners), indices: new Uint16Array(indices) };
}

/** A cone about z of radius and height one, its mass centre at the origin: the base a quarter below it. */
export function cone(): Mesh {
  const n = 72;
  const corners: number[] = [0, 0, -0.25, 0, 0, -1];
  const indices: number[] = [];
  for (let i = 0; i <= n; i++) {
    const a = (2 * Math.PI * i) / n;
    const [x, y] = [Math.cos(a), Math.sin(a)];
    corners.push(x, y, -0.25, 0, 0, -1, x, y, -0.25, x, y, 1, 0, 0, 0.75, x, y, 1);
    const k = 1 + 3 * i;
    if (i > 0) indices.push(0, k - 3, k, k - 2, k + 1, k + 2);
  }
  return { corners: new Float32Array(corners), indices: new Uint16Array(indices) };
}

/** A square in the plane of x and y. */
export function square(): Mesh {
  const corners = [-1, -1, 1, -1, 1, 1, -1, 1];
  const all: number[] = [];
  for (let i = 0; i < 8; i += 2) all.push(corners[i], corners[i + 1], 0, 0, 0, 1);
  return { corners: new Float32Array(all), indices: new Uint16Array([0, 1, 2, 0, 2, 3]) };
}
