// How does the page ask the engine? Requests stand in a line; one runs in a worker, which can be ended at any time.

declare const WORKER: string; // the worker's text, put here by the build

export interface ModelRequest {
  file: string;
  text: string;
  set?: Record<string, number>;
}

export interface Notice {
  severity: "error" | "warning" | "note";
  message: string;
  hints: string[];
  file: string | null;
  line: number | null;
  column: number | null;
  excerpt: string | null;
}

/** What comes back: an answer with its page and code; or what was wrong with the question. */
export interface Answer<T = Record<string, unknown>> {
  code: number;
  answer?: T;
  text?: string;
  error?: { error: string; message: string; diagnostics: Notice[] };
}

export interface Asked {
  verb: string;
  model?: ModelRequest;
  question?: Record<string, unknown>;
}

/** A question that got no answer: cancelled, too long, out of memory. */
export class Stopped extends Error {}

/** So long a question may take, in seconds. */
export const LIMIT = 60;

/** So long a question may go on after a newer one, in milliseconds. */
const PATIENCE = 700;

interface Waiting {
  key: string;
  id: number;
  asked: Asked;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

let compiled: Promise<WebAssembly.Module> | null = null;

/**
 * Eleven letters are nine bytes, after a digit that tells how many bytes at the end are none (crates/cli/src/studio.rs writes them). A letter is any of
 * ASCII but `<`; two numbers of 36 bits hold a group.
 */
function bytes(text: string): Uint8Array<ArrayBuffer> {
  const [LETTERS, BYTES, HALF] = [11, 9, 2 ** 36];
  const made = new Uint8Array(((text.length - 1) / LETTERS) * BYTES);
  for (let from = 1, to = 0; from < text.length; from += LETTERS, to += BYTES) {
    let [high, low] = [0, 0];
    for (let k = 0; k < LETTERS; k++) {
      const code = text.charCodeAt(from + k);
      low = low * 94 + code - (code > 0x3c ? 0x21 : 0x20);
      const over = Math.floor(low / HALF);
      low -= over * HALF;
      high = high * 94 + over;
    }
    for (let k = 0; k < 4; k++) made[to + k] = Math.floor(high / 2 ** (28 - 8 * k));
    made[to + 4] = (high % 16) * 16 + Math.floor(low / 2 ** 32);
    for (let k = 0; k < 4; k++) made[to + 5 + k] = low >>> (24 - 8 * k);
  }
  return made.subarray(0, made.length - Number(text[0]));
}

/** The module: inside this page, or beside it. */
function module(): Promise<WebAssembly.Module> {
  compiled ??= (async () => {
    const inside = document.getElementById("engine")?.textContent;
    const packed = inside ? new Blob([bytes(inside)]).stream() : (await fetch("engine.gz")).body;
    if (!packed) throw new Error("the engine is empty");
    const engine = packed.pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compileStreaming(new Response(engine, { headers: { "Content-Type": "application/wasm" } }));
  })();
  return compiled;
}

/** A worker with its line. A new question under a key takes the place of one that still waits. */
export class Engine {
  private worker: Promise<Worker> | null = null;
  private line: Waiting[] = [];
  private running: Waiting | null = null;
  private began = 0;
  private timer = 0;
  private next = 1;
  /** Who wants to know what runs: a verb and since when; nothing if it rests. */
  watch: (verb: string | null, since: number) => void = () => {};

  constructor(private limit = LIMIT) {}

  ask<T = Record<string, unknown>>(key: string, asked: Asked): Promise<Answer<T>> {
    for (const old of this.line.filter((one) => one.key === key)) old.reject(new Stopped("asked anew"));
    this.line = this.line.filter((one) => one.key !== key);
    // an old question that takes long is ended, a short one may finish: so a picture follows a slider
    if (this.running?.key === key && performance.now() - this.began > PATIENCE) this.fall("asked anew");
    return new Promise<Answer>((resolve, reject) => {
      this.line.push({ key, id: this.next++, asked, resolve, reject });
      this.advance();
    }) as Promise<Answer<T>>;
  }

  /** Whether something runs or waits under a key. */
  isBusy(key: string): boolean {
    return this.running?.key === key || this.line.some((one) => one.key === key);
  }

  /** Nobody waits any longer for what was asked under a key. */
  drop(key: string): void {
    this.line.filter((one) => one.key === key).forEach((one) => one.reject(new Stopped("asked anew")));
    this.line = this.line.filter((one) => one.key !== key);
    if (this.running?.key === key) this.fall("asked anew");
  }

  /** Ends what runs, and all that waits. */
  cancel(why = "Cancelled."): void {
    const all = [this.running, ...this.line].filter((one): one is Waiting => one !== null);
    this.line = [];
    this.end();
    all.forEach((one) => one.reject(new Stopped(why)));
    this.watch(null, 0);
  }

  private end(): void {
    clearTimeout(this.timer);
    this.running = null;
    void this.worker?.then((worker) => worker.terminate());
    this.worker = null;
  }

  /** Starts a worker before it is needed. */
  warm(): void {
    this.worker ??= this.start();
  }

  private async start(): Promise<Worker> {
    const compiled = await module();
    const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.onmessage = (event) => this.heard(event.data);
    worker.onerror = (event) => this.heard({ id: this.running?.id, fell: event.message });
    worker.postMessage({ module: compiled });
    return worker;
  }

  private advance(): void {
    if (this.running || this.line.length === 0) return;
    const now = (this.running = this.line.shift() as Waiting);
    this.began = performance.now();
    this.watch(now.asked.verb, this.began);
    this.warm();
    this.worker?.then(
      (worker) => {
        if (this.running !== now) return;
        this.timer = window.setTimeout(() => this.fall(`No answer within ${this.limit} s: the question was ended. A smaller model, or fewer forms, may help.`), this.limit * 1000);
        worker.postMessage({ id: now.id, request: JSON.stringify(now.asked) });
      },
      (error: Error) => this.fall(`The engine cannot be started: ${error.message}`),
    );
  }

  /** The question that runs ends without an answer; the others go on in a new worker. */
  private fall(why: string): void {
    const now = this.running;
    this.end();
    this.watch(null, 0);
    now?.reject(new Stopped(why));
    this.advance();
  }

  private heard(data: { ready?: boolean; id?: number; answer?: string; fell?: string }): void {
    if (data.ready || !this.running || data.id !== this.running.id) return;
    if (data.answer === undefined) {
      const words: Record<string, string> = {
        memory: "The question needs more than 1 GB of memory and was ended.",
        depth: "The question goes deeper than this browser lets it and was ended.",
      };
      return this.fall(words[data.fell ?? ""] ?? `The engine stopped: ${data.fell}`);
    }
    clearTimeout(this.timer);
    const now = this.running;
    this.running = null;
    this.watch(null, 0);
    now.resolve(JSON.parse(data.answer));
    this.advance();
  }
}
