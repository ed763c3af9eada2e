// How is a scene put on the screen? WebGL 2 by itself: lit surfaces, lines of constant width, round dots, a ground with shadows.

import { columns, scale, type Quaternion, type Vec } from "./format.ts";
import { box, cone, disc, sphere, square, torus, type Mesh } from "./mesh.ts";

export type Colour = [number, number, number, number];

const SURFACE = [
  `#version 300 es
  layout(location=0) in vec3 place; layout(location=1) in vec3 normal;
  uniform mat4 view; uniform mat4 own; uniform mat3 turned; uniform vec4 floor_plane; uniform vec3 light;
  out vec3 n; out vec3 world; out vec3 local;
  void main() {
    vec4 p = own * vec4(place, 1.0);
    if (floor_plane.xyz != vec3(0.0)) { // a shadow: along the light onto the plane
      float down = (dot(floor_plane.xyz, p.xyz) - floor_plane.w) / dot(floor_plane.xyz, light);
      p.xyz -= light * down;
    }
    n = turned * normal; world = p.xyz; local = place;
    gl_Position = view * p;
  }`,
  `#version 300 es
  precision highp float;
  in vec3 n; in vec3 world; in vec3 local; out vec4 pixel;
  uniform vec4 colour; uniform vec3 light; uniform vec3 eye; uniform int pattern; uniform vec4 grid; uniform vec3 centre;
  void main() {
    if (pattern == 3) { pixel = colour; return; }
    if (pattern == 4) { // the ground: a grid that fades
      vec2 q = local.xy * grid.x; vec2 w = fwidth(q);
      vec2 d = abs(fract(q - 0.5) - 0.5) / max(w, 1e-6);
      float line = 1.0 - min(min(d.x, d.y), 1.0);
      vec2 q5 = q / 5.0; vec2 d5 = abs(fract(q5 - 0.5) - 0.5) / max(fwidth(q5), 1e-6);
      float thick = 1.0 - min(min(d5.x, d5.y) * 0.7, 1.0);
      float fade = 1.0 - smoothstep(0.55, 1.0, length(local.xy));
      float a = colour.a + grid.y * line * 0.5 + grid.y * thick * 0.6;
      pixel = vec4(mix(colour.rgb, grid.zzz, max(line * 0.5, thick) * 0.9), a * fade);
      return;
    }
    vec3 m = normalize(n); vec3 to_eye = normalize(eye - world);
    if (dot(m, to_eye) < 0.0) m = -m;
    float lit = 0.55 + 0.5 * max(dot(m, light), 0.0) + 0.2 * max(dot(m, to_eye), 0.0);
    vec3 c = colour.rgb;
    if (pattern == 1) { // quarters, so that a turn is seen
      float q = local.x * local.y;
      float edge = fwidth(q) + 1e-5;
      c = mix(c, mix(c, vec3(1.0), 0.55), smoothstep(-edge, edge, q));
    }
    if (pattern == 2) { // a ball: three great circles
      vec3 l = normalize(local); vec3 e = fwidth(l) * 1.2 + 0.012;
      float band = min(min(smoothstep(e.x, e.x * 2.2, abs(l.x)), smoothstep(e.y, e.y * 2.2, abs(l.y))), smoothstep(e.z, e.z * 2.2, abs(l.z)));
      c = mix(mix(c, vec3(1.0), 0.75), c, band);
    }
    float shine = pow(max(dot(reflect(-light, m), to_eye), 0.0), 32.0) * 0.28;
    pixel = vec4(c * lit + shine, colour.a);
  }`,
];

const LINE = [
  `#version 300 es
  layout(location=0) in vec2 corner; layout(location=1) in vec3 a; layout(location=2) in vec3 b;
  layout(location=3) in vec4 tint; layout(location=4) in float width; layout(location=5) in vec2 time;
  uniform mat4 view; uniform vec2 screen; uniform float now; uniform float fade; uniform vec4 floor_plane; uniform vec3 light;
  out vec4 c; out float across; out float half_width;
  vec3 down(vec3 p) { return floor_plane.xyz == vec3(0.0) ? p : p - light * ((dot(floor_plane.xyz, p) - floor_plane.w) / dot(floor_plane.xyz, light)); }
  void main() {
    vec4 p = view * vec4(down(a), 1.0), q = view * vec4(down(b), 1.0);
    float near = 1e-4; // cut what lies behind the eye
    if (p.w < near && q.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (p.w < near) p = mix(p, q, (near - p.w) / (q.w - p.w));
    if (q.w < near) q = mix(q, p, (near - q.w) / (p.w - q.w));
    vec2 u = p.xy / p.w * screen, v = q.xy / q.w * screen;
    vec2 d = v - u; float size = length(d); d = size < 1e-6 ? vec2(1.0, 0.0) : d / size;
    vec2 side = vec2(-d.y, d.x);
    vec4 end = corner.x < 0.5 ? p : q;
    half_width = width * 0.5; across = corner.y * (half_width + 1.0);
    vec2 off = side * across + d * (corner.x < 0.5 ? -1.0 : 1.0) * width * 0.25;
    gl_Position = vec4(end.xy + off / screen * end.w, end.z, end.w);
    c = tint;
    if (fade > 0.0) { float age = (now - time.x) * time.y; c.a *= age < 0.0 ? 0.0 : max(0.12, 1.0 - age / fade); }
  }`,
  `#version 300 es
  precision highp float; in vec4 c; in float across; in float half_width; out vec4 pixel;
  void main() {
    float a = c.a * clamp(half_width + 0.5 - abs(across), 0.0, 1.0); // soft edges
    if (a <= 0.0) discard;
    pixel = vec4(c.rgb, a);
  }`,
];

const DOT = [
  `#version 300 es
  layout(location=0) in vec2 corner; layout(location=1) in vec3 at; layout(location=2) in float size; layout(location=3) in vec4 tint; layout(location=4) in float hollow;
  uniform mat4 view; uniform vec2 screen; out vec2 p; out vec4 c; out float h; out float px;
  void main() {
    vec4 q = view * vec4(at, 1.0);
    p = corner; c = tint; h = hollow; px = size;
    gl_Position = vec4(q.xy + corner * size / screen * q.w, q.z - 0.0008 * q.w, q.w);
  }`,
  `#version 300 es
  precision highp float; in vec2 p; in vec4 c; in float h; in float px; out vec4 pixel; uniform vec3 paper;
  void main() {
    float r = length(p); float soft = 1.5 / px;
    float a = 1.0 - smoothstep(1.0 - soft, 1.0, r);
    if (a <= 0.0) discard;
    float lit = 0.82 + 0.3 * dot(normalize(vec3(p, sqrt(max(0.0, 1.0 - r * r)) + 0.2)), normalize(vec3(-0.4, 0.6, 0.7)));
    vec3 own = c.rgb * lit;
    float inner = 1.0 - smoothstep(0.5, 0.5 + soft, r);
    pixel = vec4(h > 0.5 ? mix(c.rgb, paper, inner) : own, a * c.a);
  }`,
];

interface Program {
  program: WebGLProgram;
  at: (name: string) => WebGLUniformLocation | null;
}

interface Shape {
  array: WebGLVertexArrayObject;
  count: number;
}

/** Squares in the screen's memory. */
interface Squares {
  array: WebGLVertexArrayObject;
  buffer: WebGLBuffer;
  order: WebGLBuffer;
  /** Numbers a corner. */
  size: number;
  count: number;
}

/** Numbers of a line: ends, colour, width, time; and where on it a corner is. */
const LINE_PARTS = [3, 3, 4, 1, 2];
const LINE_CORNERS = [0, -1, 1, -1, 0, 1, 1, 1];
/** Numbers of a dot: place, size, colour, whether it is hollow. */
const DOT_PARTS = [3, 1, 4, 1];
const DOT_CORNERS = [-1, -1, 1, -1, -1, 1, 1, 1];

/** Lines, thirteen numbers each. */
export class Strokes {
  list: number[] = [];
  /** Those that stay are sent to the screen's memory once. */
  sent: Squares | null = null;
  add(a: Vec, b: Vec, colour: Colour, width: number, time = 0, sign = 1): void {
    this.list.push(...a, ...b, ...colour, width, time, sign);
  }
  static readonly SIZE = 13;
}

/** Dots, nine numbers each. */
export class Dots {
  list: number[] = [];
  add(at: Vec, size: number, colour: Colour, hollow = false): void {
    this.list.push(...at, size, ...colour, hollow ? 1 : 0);
  }
}

export interface Eye {
  matrix: Float32Array;
  eye: Vec;
}

export class Painter {
  private gl: WebGL2RenderingContext;
  private surface: Program;
  private line: Program;
  private dot: Program;
  private meshes = new Map<string, Shape>();
  private lineSquares: Squares;
  private dotSquares: Squares;
  private light: Vec = [0, 0, 1];
  private view: Eye = { matrix: new Float32Array(16), eye: [0, 0, 1] };
  paper: Vec = [1, 1, 1];

  constructor(readonly canvas: HTMLCanvasElement) {
    const gl = canvas.getContext("webgl2", { antialias: true, stencil: true, alpha: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.gl = gl;
    this.surface = this.program(SURFACE);
    this.line = this.program(LINE);
    this.dot = this.program(DOT);
    this.lineSquares = this.squares(LINE_PARTS);
    this.dotSquares = this.squares(DOT_PARTS);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  private program([vertex, fragment]: string[]): Program {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind) as WebGLShader;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "program");
    const known = new Map<string, WebGLUniformLocation | null>();
    const at = (name: string) => {
      if (!known.has(name)) known.set(name, gl.getUniformLocation(program, name));
      return known.get(name) ?? null;
    };
    return { program, at };
  }

  /** Room for squares: four corners for each row of numbers. Instances would be slow where no graphics card draws them. */
  private squares(parts: number[]): Squares {
    const gl = this.gl;
    const [array, buffer, order] = [gl.createVertexArray(), gl.createBuffer(), gl.createBuffer()];
    const size = 2 + parts.reduce((sum, count) => sum + count, 0);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, order);
    let offset = 0;
    [2, ...parts].forEach((count, k) => {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, count, gl.FLOAT, false, 4 * size, 4 * offset);
      offset += count;
    });
    gl.bindVertexArray(null);
    return { array, buffer, order, size, count: 0 };
  }

  /** Fills squares with rows of numbers. */
  private fill(squares: Squares, rows: number[], corners: number[], usage: number): void {
    const gl = this.gl;
    const width = squares.size - 2;
    squares.count = rows.length / width;
    const all = new Float32Array(squares.count * 4 * squares.size);
    const order = new Uint32Array(squares.count * 6);
    for (let k = 0; k < squares.count; k++) {
      for (let c = 0; c < 4; c++) {
        const at = (4 * k + c) * squares.size;
        all[at] = corners[2 * c];
        all[at + 1] = corners[2 * c + 1];
        for (let j = 0; j < width; j++) all[at + 2 + j] = rows[k * width + j];
      }
      order.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 2, 4 * k + 1, 4 * k + 3], 6 * k);
    }
    gl.bindVertexArray(squares.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, squares.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, all, usage);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, usage);
  }

  private mesh(name: string, radii: number[]): Shape {
    const key = name === "torus" ? `torus ${radii[0]} ${radii[1]}` : name;
    const known = this.meshes.get(key);
    if (known) return known;
    const make: Record<string, () => Mesh> = { sphere, disc, square, box, cone, torus: () => torus(radii[0], radii[1]) };
    const gl = this.gl;
    const { corners, indices } = make[name]();
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    for (const k of [0, 1]) {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 24, 12 * k);
    }
    gl.bindVertexArray(null);
    const shape = { array, count: indices.length };
    this.meshes.set(key, shape);
    return shape;
  }

  /** An empty picture, seen so and lit from there. */
  begin(view: Eye, light: Vec): void {
    const gl = this.gl;
    [this.view, this.light] = [view, light];
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.disable(gl.STENCIL_TEST);
    gl.depthMask(true);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  }

  /** What follows is a shadow on a plane, each pixel once; or no longer. */
  shadow(plane: { normal: Vec; distance: number } | null): void {
    const gl = this.gl;
    this.floor = plane ? [...plane.normal, plane.distance] : [0, 0, 0, 0];
    gl.depthMask(!plane);
    if (plane) {
      gl.enable(gl.STENCIL_TEST);
      gl.stencilFunc(gl.EQUAL, 0, 0xff);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
      gl.disable(gl.DEPTH_TEST);
    } else {
      gl.disable(gl.STENCIL_TEST);
      gl.enable(gl.DEPTH_TEST);
    }
  }
  private floor: number[] = [0, 0, 0, 0];

  /** A surface with half axes along turned axes. */
  solid(mesh: string, radii: number[], size: Vec, at: Vec, turn: Quaternion, colour: Colour, pattern: number, grid = [0, 0, 0, 0]): void {
    const gl = this.gl;
    const { program, at: uniform } = this.surface;
    gl.useProgram(program);
    const axes = columns(turn);
    const own = axes.map((axis, k) => scale(axis, size[k]));
    const normals = axes.map((axis, k) => scale(axis, 1 / (size[k] || 1)));
    gl.uniformMatrix4fv(uniform("view"), false, this.view.matrix);
    gl.uniformMatrix4fv(uniform("own"), false, [...own[0], 0, ...own[1], 0, ...own[2], 0, ...at, 1]);
    gl.uniformMatrix3fv(uniform("turned"), false, normals.flat());
    gl.uniform4fv(uniform("colour"), colour);
    gl.uniform3fv(uniform("light"), this.light);
    gl.uniform3fv(uniform("eye"), this.view.eye);
    gl.uniform4fv(uniform("floor_plane"), this.floor);
    gl.uniform4fv(uniform("grid"), grid);
    gl.uniform1i(uniform("pattern"), this.floor[0] || this.floor[1] || this.floor[2] ? 3 : pattern);
    const shape = this.mesh(mesh, radii);
    gl.depthMask(colour[3] >= 1 && !(this.floor[0] || this.floor[1] || this.floor[2]));
    gl.bindVertexArray(shape.array);
    gl.drawElements(gl.TRIANGLES, shape.count, gl.UNSIGNED_SHORT, 0);
  }

  /** Sends lines once; from then on they are drawn as they are. */
  keep(strokes: Strokes): void {
    strokes.sent = this.squares(LINE_PARTS);
    this.fill(strokes.sent, strokes.list, LINE_CORNERS, this.gl.STATIC_DRAW);
    strokes.list = [];
  }

  strokes(strokes: Strokes, now = 0, fade = 0): void {
    const gl = this.gl;
    if (!strokes.sent && strokes.list.length === 0) return;
    const squares = strokes.sent ?? this.lineSquares;
    if (!strokes.sent) this.fill(squares, strokes.list, LINE_CORNERS, gl.DYNAMIC_DRAW);
    const { program, at } = this.line;
    gl.useProgram(program);
    gl.uniformMatrix4fv(at("view"), false, this.view.matrix);
    gl.uniform2f(at("screen"), this.canvas.width / 2, this.canvas.height / 2);
    gl.uniform1f(at("now"), now);
    gl.uniform1f(at("fade"), fade);
    gl.uniform3fv(at("light"), this.light);
    gl.uniform4fv(at("floor_plane"), this.floor);
    gl.bindVertexArray(squares.array);
    gl.drawElements(gl.TRIANGLES, 6 * squares.count, gl.UNSIGNED_INT, 0);
  }

  dots(dots: Dots): void {
    const gl = this.gl;
    if (dots.list.length === 0) return;
    this.fill(this.dotSquares, dots.list, DOT_CORNERS, gl.DYNAMIC_DRAW);
    const { program, at } = this.dot;
    gl.useProgram(program);
    gl.uniformMatrix4fv(at("view"), false, this.view.matrix);
    gl.uniform2f(at("screen"), this.canvas.width / 2, this.canvas.height / 2);
    gl.uniform3fv(at("paper"), this.paper);
    gl.depthMask(true);
    gl.bindVertexArray(this.dotSquares.array);
    gl.drawElements(gl.TRIANGLES, 6 * this.dotSquares.count, gl.UNSIGNED_INT, 0);
  }
}
