// Who runs the engine? A worker: it gets the compiled module once, then requests as JSON, and answers with JSON.

interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  run(): number;
  out(): number;
}

/** As much memory as the module may have. */
const MOST = 2 ** 30;
let engine: Exports | null = null;

const scope = self as unknown as {
  onmessage: (event: MessageEvent) => void;
  postMessage(message: unknown): void;
};

function ask(wasm: Exports, request: string): string {
  const bytes = new TextEncoder().encode(request);
  const at = wasm.alloc(bytes.length);
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
  const length = wasm.run();
  return new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, wasm.out(), length));
}

/** Why the engine fell: memory, depth, or a mistake of its own with its words. */
function reason(wasm: Exports, error: unknown): string {
  if (wasm.memory.buffer.byteLength > 0.9 * MOST) return "memory";
  if (error instanceof RangeError) return "depth";
  try {
    const all = new Uint8Array(wasm.memory.buffer, wasm.out());
    const end = all.indexOf(0);
    const said = new TextDecoder().decode(all.subarray(0, Math.min(end < 0 ? 0 : end, 2000)));
    if (said.includes("panicked")) return said;
  } catch {
    // no words are left
  }
  return error instanceof Error ? error.message : String(error);
}

scope.onmessage = (event) => {
  const { module, id, request } = event.data as { module?: WebAssembly.Module; id: number; request: string };
  if (module) {
    engine = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
    scope.postMessage({ ready: true });
    return;
  }
  if (!engine) return;
  try {
    scope.postMessage({ id, answer: ask(engine, request) });
  } catch (error) {
    scope.postMessage({ id, fell: reason(engine, error) });
  }
};
