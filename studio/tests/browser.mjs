// Does the studio do what it promises? In a real Chromium, from disk and from the command line.
//
//   node tests/browser.mjs PROGRAM BROWSER [PART OF A NAME] [--pictures FOLDER]

import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const words = process.argv.slice(2);
const pictures = words.includes("--pictures") ? words.splice(words.indexOf("--pictures"), 2)[1] : null;
const [program, executablePath, part = ""] = words;
const folder = mkdtempSync(join(tmpdir(), "anholon-studio-"));
const flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath, args: flags });

/** The whole studio as one file. */
const single = join(folder, "studio.html");
await new Promise((resolve, reject) => spawn(program, ["studio", "--single", single]).on("close", (code) => (code === 0 ? resolve() : reject(new Error(`studio --single: ${code}`)))));
const PAGE = pathToFileURL(single).href;

function expect(is, what) {
  if (!is) throw new Error(what);
}

/** Waits until something holds. */
async function until(page, what, test, argument) {
  await page.waitForFunction(test, argument, { timeout: 30_000 }).catch(() => { throw new Error(`never: ${what}`); });
}

/** A page with what it asks for and complains of. */
async function open(address = PAGE, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  page.asked = [];
  page.wrong = [];
  page.on("request", (request) => page.asked.push(request.url()));
  page.on("pageerror", (error) => page.wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.wrong.push(message.text()));
  page.on("dialog", (dialog) => { page.wrong.push("a dialog"); void dialog.dismiss(); });
  await page.goto(address);
  await page.waitForSelector(".tabs [aria-pressed=true]", { timeout: 30_000 });
  return page;
}

const editor = (page) => page.getByRole("textbox", { name: "Model", exact: true });
const text = (page) => page.evaluate(() => [...document.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));

/** Puts a text in place of the model. */
async function write(page, model) {
  await editor(page).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(model);
}

/** Shows these panels and no others. */
async function show(page, ...kinds) {
  for (const tab of await page.locator(".tabs [data-kind]").all()) {
    const [kind, is] = [await tab.getAttribute("data-kind"), (await tab.getAttribute("aria-pressed")) === "true"];
    if (is !== kinds.includes(kind)) await tab.click();
  }
}

const PENDULUM = `system "Pendulum"
param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2
coord phi : rad
point P = l*(sin(phi), -cos(phi)) mass m
gravity (0, -g)
start phi = 0.5 rad
record top when phi' = 0
`;

const scenarios = {
  async "the disc of the gallery has its equations typeset"() {
    const page = await open();
    await page.getByLabel("Gallery", { exact: true }).selectOption("rolling-disc-contact");
    await page.waitForSelector(".panel-equations .formula math mover");
    const shown = await page.locator(".panel-equations .formula math").count();
    expect(shown >= 3, `${shown} equations`);
    const first = await page.locator(".panel-equations .formula math").first().boundingBox();
    expect(first.width > 100 && first.height > 10, "an equation has a size");
    await page.getByLabel("Form", { exact: true }).selectOption("appell");
    await until(page, "Appell's equations", () => document.querySelector(".panel-equations .panel-body").textContent.includes("appell"));
    await page.getByLabel("Steps").check();
    await page.waitForSelector(".panel-equations .step .formula math");
    return page;
  },

  async "a broken line has its message at its place, and the fix applies itself"() {
    const page = await open();
    await write(page, PENDULUM.replace("gravity", "gravty"));
    await page.waitForSelector(".cm-lintRange-error");
    expect((await page.locator(".cm-lintRange-error").first().textContent()).startsWith("gravty"), "the word is marked");
    await page.locator(".cm-lintRange-error").first().hover();
    await page.locator(".cm-diagnosticAction").first().click();
    await until(page, "the fix", () => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent === "gravity (0, -g)"));
    await until(page, "no message", () => !document.querySelector(".cm-lintRange-error"));
    await page.getByRole("button", { name: "Undo" }).click();
    expect((await text(page)).includes("gravty"), "undo brings the mistake back");
    return page;
  },

  async "a wrong claim is told with its mistake"() {
    const page = await open();
    await write(page, PENDULUM);
    await show(page, "claims");
    await page.getByLabel("Claim", { exact: true }).fill("l*phi'' = g*sin(phi)");
    await page.waitForSelector(".panel-claims .verdict.is-bad");
    const said = await page.locator(".panel-claims .claim").first().textContent();
    expect(/gravity|sign/.test(said), `the diagnosis: ${said}`);
    await page.getByLabel("Claim", { exact: true }).fill("l*phi'' = -g*sin(phi)");
    await page.waitForSelector(".panel-claims .verdict.is-good");
    return page;
  },

  async "a slider leaves the equations and changes the motion"() {
    const page = await open();
    await write(page, PENDULUM);
    await show(page, "equations", "motion");
    await until(page, "the pendulum", () => document.querySelector(".panel-equations .as-text pre")?.textContent.includes("phi''"));
    await page.waitForSelector(".panel-motion .chart canvas");
    const equations = () => page.locator(".panel-equations .formulas").innerHTML();
    const account = () => page.locator(".panel-motion .as-text pre").textContent();
    const chart = () => page.evaluate(() => document.querySelector(".panel-motion .chart canvas").toDataURL());
    await until(page, "its motion", () => document.querySelector(".panel-motion .as-text pre")?.textContent.includes("Pendulum"));
    const before = [await equations(), await account(), await chart()];
    const slider = page.getByRole("slider", { name: "l", exact: true });
    await slider.focus();
    await page.keyboard.press("End");
    await page.waitForFunction((old) => document.querySelector(".panel-motion .as-text pre")?.textContent !== old, before[1]);
    await page.waitForTimeout(300);
    expect((await equations()) === before[0], "the equations stay");
    expect((await chart()) !== before[2], "the chart follows");
    expect(Number(await page.getByLabel("l in figures", { exact: true }).inputValue()) === 1.5, "the number follows");
    return page;
  },

  async "a motion plays, stops, is scrubbed, and tells its events"() {
    const page = await open();
    await write(page, PENDULUM);
    await show(page, "motion");
    await page.waitForSelector(".viewer-mark");
    const time = () => page.getByRole("slider", { name: "Time", exact: true }).inputValue().then(Number);
    const picture = () => page.evaluate(() => document.querySelector(".viewer-picture").toDataURL());
    const before = await picture();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await until(page, "the time runs", () => Number(document.querySelector("[aria-label=Time]").value) > 0.3);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    const stopped = await time();
    await page.waitForTimeout(300);
    expect((await time()) === stopped, "it stands still");
    expect((await picture()) !== before, "the picture has changed");
    await page.locator(".viewer-mark").nth(1).click();
    expect(/top/.test(await page.locator(".viewer-event").textContent()), "the event is told");
    await page.locator(".viewer-picture").focus();
    const at = await time();
    await page.keyboard.press("ArrowRight");
    expect((await time()) > at, "a key steps on");
    await page.keyboard.press("Home");
    expect((await time()) === 0, "a key goes to the start");
    return page;
  },

  async "a long run is cancelled, and the page goes on"() {
    const page = await open();
    await write(page, PENDULUM);
    await show(page, "motion");
    await page.waitForSelector(".panel-motion .chart canvas");
    await page.getByLabel("Duration in seconds").fill("900000");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Cancel" }).click({ timeout: 30_000 });
    await until(page, "the message", () => /Cancelled/.test(document.querySelector(".panel-motion .panel-status").textContent));
    await show(page, "agreement");
    await page.waitForSelector(".panel-agreement .verdict.is-good");
    return page;
  },

  async "save, reload, and a link that holds the model"() {
    const page = await open();
    await write(page, PENDULUM);
    await show(page, "integrals");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save", exact: true }).click()]);
    expect(readFileSync(await download.path(), "utf8") === PENDULUM, "the file holds the model");
    await page.reload();
    await page.waitForSelector(".panel-integrals");
    await until(page, "the session", () => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent.includes("Pendulum")));
    await page.getByRole("button", { name: "Share" }).click();
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    expect(link.startsWith(PAGE) && link.length < 1500, `a link of ${link.length} characters`);
    const other = await open(link);
    expect((await text(other)).includes('system "Pendulum"'), "the link brings the model");
    expect((await other.locator(".panel-integrals").count()) === 1, "and its panels");
    await page.context().close();
    return other;
  },

  async "a root locus answers to a slider"() {
    const page = await open();
    await write(page, PENDULUM);
    await show(page, "linear");
    await page.getByLabel("Root locus along").selectOption("l");
    await page.getByLabel("From", { exact: true }).fill("0.2");
    await page.getByLabel("To", { exact: true }).fill("2");
    await page.keyboard.press("Tab");
    await page.waitForSelector(".panel-linear .locus");
    await page.waitForTimeout(500);
    const plane = () => page.evaluate(() => document.querySelector(".panel-linear .locus").toDataURL());
    const values = () => page.locator(".panel-linear .table table").textContent();
    const before = [await plane(), await values()];
    await page.getByRole("slider", { name: "l", exact: true }).focus();
    await page.keyboard.press("End");
    await page.waitForFunction((old) => document.querySelector(".panel-linear .table table")?.textContent !== old, before[1]);
    await page.waitForTimeout(300);
    expect((await plane()) !== before[0], "the eigenvalues move in the plane");
    return page;
  },

  async "equations are copied as LaTeX, text and code, and a report is saved"() {
    const page = await open(PAGE, { permissions: ["clipboard-read", "clipboard-write"] });
    await write(page, PENDULUM);
    await show(page, "equations", "export");
    await until(page, "the pendulum", () => document.querySelector(".panel-equations .as-text pre")?.textContent.includes("phi''"));
    const copied = async (label, wanted) => {
      await page.locator(".panel-equations").getByRole("button", { name: label }).click();
      await until(page, `${label}: ${wanted}`, async (wanted) => (await navigator.clipboard.readText()).includes(wanted), wanted);
    };
    await copied("Copy LaTeX", "\\ddot");
    await copied("Copy text", "phi''");
    await copied("Copy code", "def rhs(t, y, p=None):");
    await page.getByLabel("Language", { exact: true }).selectOption("report.html");
    const save = page.getByRole("button", { name: "Save report.html" });
    await save.waitFor({ timeout: 60_000 });
    const [download] = await Promise.all([page.waitForEvent("download"), save.click()]);
    const report = readFileSync(await download.path(), "utf8");
    expect(report.startsWith("<!DOCTYPE html>") && report.includes("Pendulum") && report.includes("<math"), "the report is a page with equations");
    return page;
  },

  async "by keyboard alone"() {
    const page = await open();
    // A panel that is still being filled has controls to come, and a Tab before them passes them by.
    await page.waitForSelector(".panel-equations .formula math");
    await page.waitForSelector(".panel-motion .chart canvas");
    await until(page, "the sliders", () => document.querySelector(".sliders summary"));
    const wanted = ["Gallery", "Model", "Share", "m", "Form", "Time", "Play"];
    const reached = new Set();
    for (let k = 0; k < 150 && !wanted.every((name) => reached.has(name)); k++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const one = document.activeElement;
        if (!one || one === document.body) return "";
        if (one.classList.contains("cm-content")) { one.blur(); document.querySelector(".sliders summary")?.focus(); return "Model"; }
        return one.getAttribute("aria-label") ?? one.closest("label")?.textContent?.trim() ?? one.textContent.trim().slice(0, 40);
      });
      reached.add(name);
    }
    for (const name of wanted) expect(reached.has(name), `${name} is reached by Tab: ${[...reached].join(", ")}`);
    return page;
  },

  async "a screen of 360 pixels"() {
    const page = await open(PAGE, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
    await page.waitForSelector(".panel-equations .formula math");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= 360, `the page is ${wide} pixels wide`);
    return page;
  },

  async "nothing is asked of any other place"() {
    const server = spawn(program, ["studio", "gallery:sled", "--no-open", "--json"]);
    try {
      const said = await new Promise((resolve) => { let all = ""; server.stdout.on("data", (data) => { all += data; if (all.includes("}")) resolve(JSON.parse(all)); }); });
      const page = await open(said.address);
      await page.waitForSelector(".panel-equations .formula math");
      await until(page, "the served model", () => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent.includes("blade")));
      const strange = page.asked.filter((url) => !url.startsWith(said.address) && !/^(data|blob):/.test(url));
      expect(page.asked.length > 3 && strange.length === 0, `asked: ${strange}`);
      const heard = [];
      const other = createServer((request, answer) => { heard.push(request.url); answer.setHeader("Access-Control-Allow-Origin", "*"); answer.end("x"); });
      await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
      const tried = await page.evaluate((port) => fetch(`http://127.0.0.1:${port}/`).then(() => "sent", () => "refused"), other.address().port);
      other.close();
      expect(tried === "refused" && heard.length === 0, "the page may not ask others");
      page.wrong = page.wrong.filter((one) => !/Content Security Policy/.test(one));
      const strangers = [["/", { Host: "evil.example" }, 403], ["/model.json", { Origin: "http://evil.example" }, 403], ["/../Cargo.toml", {}, 404]];
      for (const [path, headers, code] of strangers) {
        const got = await page.context().request.get(said.address.slice(0, -1) + path, { headers, failOnStatusCode: false });
        expect(got.status() === code, `${path} ${JSON.stringify(headers)}: ${got.status()}`);
      }
      return page;
    } finally {
      server.kill();
    }
  },

  async "a file beside the page is watched"() {
    const file = join(folder, "mine.mech");
    writeFileSync(file, PENDULUM);
    const server = spawn(program, ["studio", file, "--no-open", "--json"]);
    try {
      const said = await new Promise((resolve) => { let all = ""; server.stdout.on("data", (data) => { all += data; if (all.includes("}")) resolve(JSON.parse(all)); }); });
      const page = await open(said.address);
      await until(page, "the file", () => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent.includes("Pendulum")));
      writeFileSync(file, PENDULUM.replace("Pendulum", "Changed beside"));
      await until(page, "the change", () => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent.includes("Changed beside")));
      await write(page, PENDULUM.replace("Pendulum", "Typed here"));
      writeFileSync(file, PENDULUM.replace("Pendulum", "Changed again"));
      await until(page, "the question", () => /changed on disk/.test(document.querySelector(".notice").textContent));
      expect((await text(page)).includes("Typed here"), "what was typed stays");
      expect(readFileSync(file, "utf8").includes("Changed again"), "the file is never written");
      return page;
    } finally {
      server.kill();
    }
  },

  async "markup in a model is text"() {
    const page = await open();
    const evil = `<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>`;
    await show(page, "check", "equations", "motion", "claims");
    await write(page, PENDULUM.replace("Pendulum", evil).replace("record top", "record top") + `note "${evil}"\n`);
    await page.getByLabel("Claim", { exact: true }).fill(`phi'' = ${evil}`);
    await page.waitForSelector(".panel-check .facts");
    await page.waitForSelector(".panel-claims .problem");
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => window.hacked === undefined && !document.querySelector("img") && document.querySelectorAll("script").length <= 2), "nothing of it runs");
    expect((await page.title()).includes("<img"), "it is shown as it is");
    return page;
  },

  async "a link that is too long or broken says so"() {
    const page = await open(`${PAGE}#m=${"A".repeat(70_000)}`);
    await until(page, "a message", () => /link cannot be opened/.test(document.querySelector(".notice").textContent));
    await page.goto("about:blank");
    const { deflateRawSync } = await import("node:zlib");
    const bomb = deflateRawSync(JSON.stringify({ text: "#".repeat(10_000_000) })).toString("base64url");
    await page.goto(`${PAGE}#m=${bomb}`);
    await until(page, "a message", () => /more than a model/.test(document.querySelector(".notice")?.textContent ?? ""));
    return page;
  },

  async "a model without end is given up, and the page goes on"() {
    const page = await open();
    await show(page, "check");
    await write(page, "param m = 1 kg, l = 1 m, g = 9.81 m/s^2\ncoord a[1..60000] : rad\npoint P[0] = 0\npoint P[i] = P[i-1] + l*(sin(a[i]), -cos(a[i])) mass m for i in 1..60000\ngravity (0, -g)\n");
    await until(page, "a message", () => /was not read|ended/.test(document.querySelector(".notice").textContent) || document.querySelector(".cm-lintRange-error"));
    await write(page, PENDULUM);
    await page.waitForSelector(".panel-check .facts");
    return page;
  },

  async "more panels than there is room for"() {
    const page = await open();
    for (let k = 0; k < 20; k++) await page.getByRole("button", { name: "+ Equations" }).click();
    expect((await page.locator(".panel").count()) === 12, "twelve panels are the most");
    expect(/panels are open/.test(await page.locator(".notice").textContent()), "it is said");
    return page;
  },

  async "nothing serious for those who cannot see or point"() {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(PAGE, { colorScheme, bypassCSP: true });
      await show(page, "equations", "motion", "check", "claims", "agreement", "linear");
      await page.waitForSelector(".panel-agreement .verdict");
      await page.waitForSelector(".panel-motion .chart canvas");
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const bad = found.violations.filter((one) => one.impact === "serious" || one.impact === "critical");
      expect(bad.length === 0, `${colorScheme}: ${bad.map((one) => `${one.id} (${one.nodes.slice(0, 3).map((node) => node.target).join("; ")}: ${one.nodes[0]?.any[0]?.message ?? ""})`).join("\n")}`);
      if (colorScheme === "dark") return page;
      await page.context().close();
    }
  },
};

/** Pictures for the docs, made anew by those who ask. */
async function draw() {
  mkdirSync(pictures, { recursive: true });
  const shots = [
    ["studio", "rolling-disc-contact", ["equations", "motion"], "light", 1280, 1000, 2],
    ["viewer-disc", "rolling-disc-contact", ["motion"], "light", 1280, 860, 3],
    ["viewer-bicycle", "bicycle", ["motion"], "light", 1280, 860, 1],
    ["viewer-four-bar", "four-bar", ["motion"], "dark", 1280, 860, 1],
    ["viewer-billiard-ball", "billiard-ball", ["motion"], "light", 1280, 860, 0.4],
    ["viewer-chain", "chain", ["motion"], "light", 1280, 860, 2],
    ["viewer-satellite", "satellite", ["motion"], "light", 1280, 860, 3],
    ["claims", "hoop", ["claims", "agreement"], "light", 1280, 860, 0],
    ["dark", "two-rods-couple", ["equations", "rest"], "dark", 1280, 860, 0],
    ["phone", "spherical-pendulum", ["motion"], "light", 360, 740, 2],
  ];
  for (const [name, model, kinds, colorScheme, width, height, at] of shots) {
    const page = await open(`${PAGE}#gallery:${model}`, { colorScheme, viewport: { width, height } });
    await show(page, ...kinds);
    if (kinds.includes("claims")) {
      await page.waitForTimeout(700);
      await page.getByLabel("Claims of the gallery").selectOption({ index: 1 });
      await page.waitForSelector(".verdict.is-bad");
    }
    if (kinds.includes("motion")) {
      await page.waitForSelector(".panel-motion .chart canvas", { timeout: 60_000 });
      await page.getByRole("slider", { name: "Time", exact: true }).evaluate((slider, t) => { slider.value = t; slider.dispatchEvent(new Event("input")); }, String(at));
      if (width < 500) await page.locator(".panel-motion").scrollIntoViewIfNeeded();
      if (width < 500) await page.evaluate(() => document.querySelector(".panel-motion").scrollIntoView());
    }
    await page.waitForTimeout(900);
    await page.screenshot({ path: join(pictures, `${name}.jpg`), type: "jpeg", quality: 72 });
    expect(page.wrong.length === 0, `${name}: the page complains: ${page.wrong.join("; ")}`);
    await page.context().close();
  }
  const report = join(folder, "report.html");
  await new Promise((resolve, reject) => spawn(program, ["report", "gallery:rolling-disc", "--out", report]).on("close", (code) => (code === 0 ? resolve() : reject(new Error(`report: ${code}`)))));
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 1200 } })).newPage();
  await page.goto(pathToFileURL(report).href);
  await page.waitForTimeout(900);
  await page.screenshot({ path: join(pictures, "report.jpg"), type: "jpeg", quality: 72 });
  await page.context().close();
}

let failed = 0;
try {
  if (pictures) await draw();
  else
    for (const [name, scenario] of Object.entries(scenarios).filter(([name]) => name.includes(part))) {
      const began = performance.now();
      try {
        const page = await scenario();
        expect(page.wrong.length === 0, `the page complains: ${page.wrong.join("; ")}`);
        await page.context().close();
        console.log(`ok      ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
      } catch (error) {
        failed++;
        console.log(`FAILED  ${name}: ${error.message}`);
      }
    }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
