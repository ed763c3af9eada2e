// Builds the studio: one bundle as a site of a few files, and as one file that works from disk.
//
//   node build.mjs ENGINE.wasm OUT
//
// OUT gets the site (index.html, studio.js, studio.css, font.woff2, engine.gz, LICENCES.txt) and single.html, one file that lacks only
// the engine at its mark; viewer.html, which reports take in.

import { build } from "esbuild";
import subset from "subset-font";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import zopfli from "@gfx/zopfli";

const here = dirname(fileURLToPath(import.meta.url));
const [engine, out] = process.argv.slice(2);
if (!engine || !out) {
  console.error("node build.mjs ENGINE.wasm OUT");
  process.exit(2);
}

const common = { bundle: true, minify: true, write: false, target: "es2022", absWorkingDir: here, legalComments: "none", logLevel: "warning" };
const text = (result) => result.outputFiles[0].text;
const worker = text(await build({ ...common, entryPoints: ["web/worker.ts"], format: "iife" }));
const script = text(await build({ ...common, entryPoints: ["web/main.ts"], format: "iife", define: { WORKER: JSON.stringify(worker) } }));
const plotStyle = readFileSync(join(here, "node_modules/uplot/dist/uPlot.min.css"), "utf8");
const ownStyle = readFileSync(join(here, "web/style.css"), "utf8");
const viewerStyle = readFileSync(join(here, "viewer/style.css"), "utf8");
const style = (await build({ ...common, stdin: { contents: plotStyle + ownStyle + viewerStyle, loader: "css" }, external: ["font.woff2"] })).outputFiles[0].text;
/** The signs that formulas need, the larger brackets and roots that belong to them, and the MATH table. */
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, k) => String.fromCodePoint(from + k)).join("");
const SIGNS = [
  [0x20, 0x7e], [0xa0, 0xff], [0x2b0, 0x2ff], [0x300, 0x338], [0x391, 0x3f6], [0x2010, 0x2057], [0x2061, 0x2064], [0x2070, 0x209c], [0x20d0, 0x20dc],
  [0x2190, 0x21d5], [0x2200, 0x22ff], [0x2308, 0x230b], [0x23de, 0x23df], [0x27e8, 0x27e9], [0x1d434, 0x1d467], [0x1d6a4, 0x1d6a5], [0x1d6e2, 0x1d71b],
];
const fullFont = readFileSync(join(here, "node_modules/@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"));
// The viewer by itself, for pages of reports, which have their own colours and no theme.
const COLOURS = ".viewer { --paper: #fff; --page: #f3f5f7; --ink: #1c2127; --faint: #dfe3e8; --open: #7a5c00; color-scheme: light; font: 15px/1.5 system-ui, sans-serif; } .viewer button[aria-pressed=true] { background: #0a5fa3; color: #fff; }";
const viewer = text(await build({ ...common, entryPoints: ["viewer/page.ts"], format: "iife" }));
const viewerPart = (await build({ ...common, stdin: { contents: COLOURS + viewerStyle, loader: "css" } })).outputFiles[0].text;
const font = await subset(fullFont, SIGNS.map(([from, to]) => range(from, to)).join(""), { targetFormat: "woff2" });
const wasm = readFileSync(engine);
const page = readFileSync(join(here, "web/index.html"), "utf8");

/** What the page may load: its own parts, nothing else. */
const policy = (scripts, connect, fonts) =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${scripts} 'wasm-unsafe-eval'; worker-src blob:; ` +
  `style-src 'self' 'unsafe-inline'; font-src ${fonts}; connect-src ${connect}; img-src data: blob:; base-uri 'none'; form-action 'none'">`;
const put = (name, bytes) => {
  const path = join(out, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return bytes.length;
};
const filled = (parts) => Object.entries(parts).reduce((html, [mark, part]) => html.replace(`<!--${mark}-->`, () => part), page);

const html = filled({ policy: policy("'self'", "'self'", "'self'"), style: '<link rel="stylesheet" href="studio.css">', script: '<script src="studio.js" defer></script>' });
// zlib packs the engine 5 % less tightly: it is most of the page, and any browser unpacks both
const packed = Buffer.from(await zopfli.gzipAsync(wasm, { numiterations: 5 }));
const site = { "index.html": html, "studio.js": script, "studio.css": style, "font.woff2": font, "engine.gz": packed };
let gzipped = 0;
for (const [name, bytes] of Object.entries(site)) {
  put(name, bytes);
  gzipped += name === "engine.gz" ? bytes.length : gzipSync(bytes, { level: 9 }).length;
}

// The single file has a mark where the engine goes: `anholon studio --single` puts it there from the same bytes.
const MARK = "<!--engine-->";
const inline = script.replace(/<\/script/gi, "<\\/script");
const hash = createHash("sha256").update(inline).digest("base64");
const inStyle = style.replace("font.woff2", `data:font/woff2;base64,${font.toString("base64")}`);
const single = filled({
  policy: policy(`'sha256-${hash}'`, "'none'", "data:"),
  style: `<style>${inStyle}</style>`,
  script: `<script type="text/plain" id="engine">${MARK}</script>\n<script>${inline}</script>`,
});
put("single.html", single);
put("viewer.html", `<style>${viewerPart}</style>\n<script>${viewer.replace(/<\/script/gi, "<\\/script")}</script>\n`);
const whole = single.length - MARK.length + (1 + Math.ceil(packed.length / 9) * 11);

/** The licences of all that is in the bundle: what it uses, and what that uses. */
const licences = [];
const seen = new Set();
const visit = (name) => {
  const folder = join(here, "node_modules", name);
  if (seen.has(name) || !existsSync(join(folder, "package.json"))) return;
  seen.add(name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  licences.push(`${name} ${about.version}: ${about.license}\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : "(no licence file)"}\n`);
  Object.keys(about.dependencies ?? {}).forEach(visit);
};
Object.keys(JSON.parse(readFileSync(join(here, "package.json"), "utf8")).dependencies).forEach(visit);
const list = licences.sort().join(`\n${"-".repeat(80)}\n\n`);
put("LICENCES.txt", list);
console.log(JSON.stringify({ script: script.length, style: style.length, font: font.length, engine: wasm.length, site_gzipped: gzipped, single: whole, licences: seen.size }));
