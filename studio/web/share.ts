// How does a model travel? Packed into the address after the #, which no server ever sees; and as files.

export interface Session {
  file: string;
  text: string;
  set: Record<string, number>;
  claims: string;
  panels: { kind: string; form?: string }[];
  duration: number;
}

/** A link longer than this is refused by some programs that send it. */
export const LONGEST_LINK = 60_000;
/** A model in a link is no longer than this. */
const LONGEST_TEXT = 400_000;
/** So many panels stand on a page. */
export const MOST_PANELS = 12;

async function through(stream: ReadableWritablePair<Uint8Array, Uint8Array>, bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as never).getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("it holds more than a model");
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The part of the address after the #. */
export async function pack(session: Session): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(session));
  const packed = await through(new CompressionStream("deflate-raw") as never, bytes, Infinity);
  let text = "";
  packed.forEach((byte) => (text += String.fromCharCode(byte)));
  return `m=${btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** What a link holds; an error says what is wrong with it. */
export async function unpack(fragment: string): Promise<Session> {
  if (fragment.length > LONGEST_LINK) throw new Error(`it has ${fragment.length} characters, ${LONGEST_LINK} are the most`);
  const packed = fragment.replace(/^#?m=/, "").replace(/-/g, "+").replace(/_/g, "/");
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    bytes = await through(new DecompressionStream("deflate-raw") as never, bytes, LONGEST_TEXT);
  } catch (error) {
    throw new Error(error instanceof Error && error.message.startsWith("it ") ? error.message : "it is cut off or changed");
  }
  return checked(JSON.parse(new TextDecoder().decode(bytes)));
}

/** A session from outside: only what a session has, each of its kind. */
export function checked(given: unknown): Session {
  const from = (given ?? {}) as Record<string, unknown>;
  if (typeof from.text !== "string") throw new Error("it holds no model");
  const set: Record<string, number> = {};
  for (const [name, value] of Object.entries((from.set ?? {}) as object).slice(0, 200)) if (typeof value === "number" && Number.isFinite(value)) set[name] = value;
  const panels = (Array.isArray(from.panels) ? from.panels : [])
    .filter((one): one is { kind: string; form?: string } => typeof one?.kind === "string")
    .map((one) => ({ kind: one.kind, ...(typeof one.form === "string" ? { form: one.form } : {}) }))
    .slice(0, MOST_PANELS);
  return {
    file: typeof from.file === "string" && from.file !== "" ? from.file.slice(0, 120) : "model.mech",
    text: from.text,
    set,
    claims: typeof from.claims === "string" ? from.claims : "",
    panels,
    duration: typeof from.duration === "number" && from.duration > 0 && from.duration <= 1e6 ? from.duration : 10,
  };
}

const KEY = "anholon-studio";

/** Keeps a session in this browser; nothing if the browser does not want to. */
export function keep(session: Session): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(session));
  } catch {
    // a full or forbidden store is no reason to stop
  }
}

export function kept(): Session | null {
  try {
    const text = localStorage.getItem(KEY);
    return text ? checked(JSON.parse(text)) : null;
  } catch {
    return null;
  }
}

/** Saves a text as a file. */
export function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  [link.href, link.download] = [url, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
