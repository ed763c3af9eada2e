// The studio: a model in an editor, and beside it what one asks for.

import { box, button, make } from "../viewer/dom.ts";
import { Editor, type Name, type Words } from "./editor.ts";
import { Engine, LIMIT, Stopped, type ModelRequest } from "./engine.ts";
import { AgreementPanel } from "./panels/agreement.ts";
import { CheckPanel } from "./panels/check.ts";
import { ClaimsPanel } from "./panels/claims.ts";
import { EquationsPanel } from "./panels/equations.ts";
import { MotionPanel } from "./panels/motion.ts";
import { ExportPanel, IntegralsPanel, LinearPanel, RestPanel } from "./panels/numbers.ts";
import type { Desk, Library, Panel } from "./panels/panel.ts";
import { LONGEST_LINK, MOST_PANELS, checked, keep, kept, pack, save, unpack, type Session } from "./share.ts";
import { Sliders, type Turned } from "./sliders.ts";

/** The model that is shown first. */
const FIRST = "rolling-disc-contact";
const KINDS: { kind: string; title: string; make: (title: string, desk: Desk, form?: string) => Panel }[] = [
  { kind: "check", title: "Constraints", make: (title, desk) => new CheckPanel("check", title, desk) },
  { kind: "equations", title: "Equations", make: (title, desk, form) => new EquationsPanel("equations", title, desk, form) },
  { kind: "motion", title: "Motion", make: (title, desk) => new MotionPanel("motion", title, desk) },
  { kind: "agreement", title: "Agreement", make: (title, desk) => new AgreementPanel("agreement", title, desk) },
  { kind: "claims", title: "Claims", make: (title, desk) => new ClaimsPanel("claims", title, desk) },
  { kind: "rest", title: "Equilibria", make: (title, desk) => new RestPanel("rest", title, desk) },
  { kind: "linear", title: "Small motions", make: (title, desk) => new LinearPanel("linear", title, desk) },
  { kind: "integrals", title: "Integrals", make: (title, desk) => new IntegralsPanel("integrals", title, desk) },
  { kind: "export", title: "Code", make: (title, desk) => new ExportPanel("export", title, desk) },
];
const USUAL = [{ kind: "equations" }, { kind: "motion" }, { kind: "check" }];

interface Names {
  title: string;
  names: Name[];
  labels: string[];
  parameters: Turned[];
  start: Turned[];
  remarks: string[];
}

class Studio implements Desk {
  /** What panels ask; what the editor asks must not wait for it. */
  readonly engine = new Engine();
  private quick = new Engine(15);
  private editor: Editor;
  private sliders: Sliders;
  private panels: Panel[] = [];
  private place = make("div", { class: "panels", id: "panels" });
  private tabs = make("nav", { class: "tabs", "aria-label": "Panels" });
  private bar = make("div", { class: "busy", role: "status" });
  private notice = make("div", { class: "notice", role: "alert" });
  private name = make("input", { "aria-label": "File name", class: "file-name", spellcheck: "false" });
  private gallery = make("select", { "aria-label": "Gallery" });
  private readable = false;
  private told: Names | null = null;
  private timer = 0;
  private served: string | null = null;
  forms: Desk["forms"] = [];
  library: Library = { version: "", models: [], claims: [] };
  claims = { text: "" };
  duration = { seconds: 10 };

  constructor() {
    const left = make("div", { class: "left" });
    this.editor = new Editor(box("div", { class: "editor" }), () => this.typed());
    this.sliders = new Sliders({}, () => this.turnedNow());
    left.append(this.editor.view.dom.parentElement as HTMLElement, this.sliders.element);
    document.body.append(this.header(), this.notice, box("main", {}, left, box("div", { class: "right" }, this.tabs, this.place)), this.bar);
    this.engine.watch = (verb, since) => this.working(verb, since);
    for (const { kind, title } of KINDS) this.tabs.append(button(title, () => this.toggle(kind), { "data-kind": kind, "aria-pressed": "false" }));
    this.tabs.append(button("+ Equations", () => this.open("equations"), { class: "quiet", title: "Keep these equations and show another form beside them" }));
    this.dragging();
  }

  private header(): HTMLElement {
    const file = make("input", { type: "file", accept: ".mech,.txt,.claims,text/plain", hidden: "", "aria-label": "Open a file", tabindex: "-1" });
    file.addEventListener("change", () => void this.opened(file));
    this.gallery.addEventListener("change", () => this.fromGallery(this.gallery.value));
    this.name.addEventListener("change", () => this.changed());
    const theme = button("◐", () => this.theme(), { "aria-label": "Dark or light", title: "Dark or light" });
    return box("header", { class: "top" }, make("h1", {}, "Anholon"), this.gallery, this.name,
      button("Open", () => file.click()), button("Save", () => save(this.file, this.editor.text)), button("Share", () => void this.share()),
      button("↶", () => this.editor.undo(), { "aria-label": "Undo", title: "Undo" }), button("↷", () => this.editor.redo(), { "aria-label": "Redo", title: "Redo" }), theme, file);
  }

  // ---- what panels need

  private get file(): string {
    return this.name.value.trim() || "model.mech";
  }

  plain(): ModelRequest {
    return { file: this.file, text: this.editor.text };
  }

  turned(): ModelRequest {
    const set = this.sliders.set;
    return Object.keys(set).length > 0 ? { ...this.plain(), set: { ...set } } : this.plain();
  }

  isReadable(): boolean {
    return this.readable;
  }

  goTo(line: number): void {
    this.editor.goTo(line);
  }

  /** Keeps the session. */
  changed(): void {
    keep(this.session());
  }

  private session(): Session {
    return { file: this.file, text: this.editor.text, set: { ...this.sliders.set }, claims: this.claims.text, panels: this.panels.map((one) => one.state()), duration: this.duration.seconds };
  }

  // ---- beginning

  async begin(): Promise<void> {
    this.quick.warm();
    this.engine.warm();
    const [words, library, forms] = await Promise.all([
      this.quick.ask<Words>("words", { verb: "words" }),
      this.quick.ask<Library>("library", { verb: "library" }),
      this.quick.ask<{ forms: Desk["forms"] }>("forms", { verb: "forms" }),
    ]);
    if (words.answer) this.editor.know(words.answer);
    if (library.answer) this.library = library.answer;
    if (forms.answer) this.forms = forms.answer.forms;
    this.fillGallery();
    await this.restore();
    window.addEventListener("hashchange", () => void this.fromLink());
    if (document.getElementById("served")) {
      this.served ??= "";
      setInterval(() => void this.watchFile(), 1000);
    }
  }

  private fillGallery(): void {
    const groups = new Map<string, HTMLOptGroupElement>();
    for (const model of this.library.models) {
      const group = groups.get(model.family) ?? make("optgroup", { label: model.family });
      groups.set(model.family, group);
      group.append(make("option", { value: model.name }, model.title || model.name));
    }
    this.gallery.append(make("option", { value: "" }, "Gallery …"), ...groups.values());
  }

  /** A link first, then the file of the command line, then the last session, then a first model. */
  private async restore(): Promise<void> {
    if (location.hash.startsWith("#m=") && (await this.fromLink())) return;
    if (location.hash.startsWith("#gallery:")) return this.take(this.fresh(decodeURIComponent(location.hash.slice(9))));
    if (document.getElementById("served") && (await this.watchFile())) return;
    this.take(kept() ?? this.fresh(FIRST));
  }

  private fresh(name: string): Session {
    const model = this.library.models.find((one) => one.name === name) ?? this.library.models[0];
    return checked({ file: `${model.name}.mech`, text: model.text, panels: this.panels.length > 0 ? this.panels.map((one) => one.state()) : USUAL });
  }

  private take(session: Session): void {
    this.name.value = session.file;
    for (const name of Object.keys(this.sliders.set)) delete this.sliders.set[name];
    Object.assign(this.sliders.set, session.set);
    this.claims.text = session.claims;
    this.duration.seconds = session.duration;
    this.editor.replace(session.text);
    const chosen = this.library.models.find((one) => one.text === session.text);
    this.gallery.value = chosen?.name ?? "";
    [...this.panels].forEach((panel) => this.shut(panel));
    const panels = session.panels.filter((one) => KINDS.some(({ kind }) => kind === one.kind));
    (panels.length > 0 ? panels : USUAL).forEach((one: { kind: string; form?: string }) => this.open(one.kind, one.form, false));
    clearTimeout(this.timer);
    // what is asked of a broken model says so itself: no need to wait
    this.readable = true;
    this.panels.forEach((panel) => panel.refresh("text"));
    void this.read(false);
  }

  private fromGallery(name: string): void {
    if (name) this.take({ ...this.fresh(name), duration: this.duration.seconds });
  }

  private async fromLink(): Promise<boolean> {
    if (!location.hash.startsWith("#m=")) return false;
    try {
      this.take(await unpack(location.hash));
      return true;
    } catch (error) {
      this.say(`This link cannot be opened: ${error instanceof Error ? error.message : String(error)}.`);
      return false;
    } finally {
      history.replaceState(null, "", location.pathname + location.search);
    }
  }

  private async opened(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    if (file.size > 1_000_000) return this.say(`${file.name} has ${file.size} bytes; a model has at most a million.`);
    const text = await file.text();
    if (file.name.endsWith(".claims")) {
      this.claims.text = text;
      this.panels.filter((one) => one.kind === "claims").forEach((one) => this.shut(one));
      this.open("claims");
    } else this.take(checked({ ...this.session(), file: file.name, text, set: {} }));
  }

  /** The file that the command line watches: taken, unless somebody has typed since. */
  private async watchFile(): Promise<boolean> {
    try {
      const answer = await fetch("model.json", { cache: "no-store" });
      if (!answer.ok) return false;
      const { file, text } = (await answer.json()) as { file: string; text: string };
      if (text === this.served) return true;
      const isUntouched = this.served === null || this.editor.text === this.served || this.editor.text === "";
      const take = () => this.take(checked({ ...(this.panels.length > 0 ? this.session() : { panels: USUAL }), file, text, set: this.sliders.set }));
      this.served = text;
      if (isUntouched) take();
      else this.say(`${file} has changed on disk.`, button("Take it", take), button("Keep mine", () => this.say("")));
      return true;
    } catch {
      return false; // the command line has ended: the page goes on by itself
    }
  }

  // ---- the text

  private typed(): void {
    this.changed();
    this.readable = false;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.read(), 250);
  }

  private async read(refreshes = true): Promise<void> {
    const model = this.plain();
    try {
      const answer = await this.quick.ask<Names>("names", { verb: "names", model });
      if (model.text !== this.editor.text) return;
      this.editor.tell(model.file, answer.error?.diagnostics ?? []);
      this.readable = answer.error === undefined;
      if (answer.answer) this.learn(answer.answer);
      if (refreshes) this.panels.forEach((panel) => panel.refresh("text"));
    } catch (error) {
      if (!(error instanceof Stopped) || error.message === "asked anew") return;
      this.say(`The model was not read: ${error.message}`);
    }
  }

  private learn(names: Names): void {
    this.told = names;
    this.editor.learn(names.names, names.labels);
    this.sliders.show(names.parameters, names.start);
    document.title = names.title ? `${names.title} – Anholon` : "Anholon";
    for (const panel of this.panels) if (panel instanceof LinearPanel) panel.parameters(names.parameters.map((one) => one.name));
  }

  private turnedNow(): void {
    this.changed();
    // while one drags, what runs is let finish, and then the newest numbers are asked for
    for (const panel of this.panels) if (panel.isNumeric) panel.refresh("numbers");
  }

  // ---- panels

  private toggle(kind: string): void {
    const open = this.panels.filter((one) => one.kind === kind);
    if (open.length > 0) open.forEach((one) => this.shut(one));
    else this.open(kind).element.scrollIntoView({ block: "nearest" });
    this.changed();
  }

  private open(kind: string, form?: string, asks = true): Panel {
    const found = KINDS.find((one) => one.kind === kind) ?? KINDS[0];
    if (this.panels.length >= MOST_PANELS) {
      this.say(`${MOST_PANELS} panels are open; close one first.`);
      return this.panels[this.panels.length - 1];
    }
    const panel = found.make(found.title, this, form);
    panel.close = () => {
      this.shut(panel);
      this.changed();
    };
    panel.move = (by) => this.shift(panel, by);
    this.panels.push(panel);
    this.place.append(panel.element);
    if (this.told && panel instanceof LinearPanel) panel.parameters(this.told.parameters.map((one) => one.name));
    this.press();
    if (asks) {
      panel.refresh("text");
      this.changed();
    }
    return panel;
  }

  private shut(panel: Panel): void {
    this.panels = this.panels.filter((one) => one !== panel);
    panel.element.remove();
    this.engine.drop(panel.id);
    this.press();
  }

  private shift(panel: Panel, by: number): void {
    const from = this.panels.indexOf(panel);
    this.moveTo(panel, Math.min(Math.max(from + by, 0), this.panels.length - 1));
  }

  private moveTo(panel: Panel, to: number): void {
    this.panels.splice(this.panels.indexOf(panel), 1);
    this.panels.splice(to, 0, panel);
    this.place.insertBefore(panel.element, this.panels[to + 1]?.element ?? null);
    this.changed();
  }

  /** Headers are dragged to where a panel shall stand. */
  private dragging(): void {
    let dragged: Panel | undefined;
    const of = (target: EventTarget | null) => this.panels.find((one) => target instanceof Node && one.element.contains(target));
    this.place.addEventListener("dragstart", (event) => (dragged = of(event.target)));
    this.place.addEventListener("dragover", (event) => dragged && event.preventDefault());
    this.place.addEventListener("drop", (event) => {
      const onto = of(event.target);
      if (dragged && onto && dragged !== onto) this.moveTo(dragged, this.panels.indexOf(onto));
      dragged = undefined;
    });
  }

  private press(): void {
    for (const tab of this.tabs.querySelectorAll("button[data-kind]"))
      tab.setAttribute("aria-pressed", String(this.panels.some((one) => one.kind === tab.getAttribute("data-kind"))));
  }

  // ---- around it

  private clock = 0;

  /** What runs, for how long, and a way to end it. */
  private working(verb: string | null, since: number): void {
    clearInterval(this.clock);
    this.bar.replaceChildren();
    if (!verb) return;
    const words = make("span");
    const tell = () => {
      const seconds = (performance.now() - since) / 1000;
      if (seconds < 0.6) return;
      if (!words.isConnected) this.bar.replaceChildren(words, make("progress"), button("Cancel", () => this.engine.cancel()));
      words.textContent = `${verb}: ${seconds.toFixed(0)} s of at most ${LIMIT} s `;
    };
    this.clock = window.setInterval(tell, 200);
  }

  private say(text: string, ...more: HTMLElement[]): void {
    this.notice.replaceChildren();
    if (text) this.notice.append(text, " ", ...more, button("×", () => this.say(""), { "aria-label": "Close this message", class: "quiet" }));
  }

  private async share(): Promise<void> {
    const fragment = await pack(this.session());
    if (fragment.length > LONGEST_LINK) return this.say(`The model is too long for a link: ${fragment.length} characters, ${LONGEST_LINK} are the most. Save it as a file.`);
    const link = `${location.href.split("#")[0]}#${fragment}`;
    const field = make("input", { readonly: "", "aria-label": "Link", value: link, class: "share-link" });
    const words = location.protocol === "file:" ? "This link opens where this page lies at the same place." : "The link holds the whole model; no server sees it.";
    this.say(words, field, button("Copy link", () => void navigator.clipboard.writeText(link).catch(() => field.select())));
    field.select();
  }

  private theme(): void {
    const root = document.documentElement;
    const dark = getComputedStyle(root).colorScheme.includes("dark");
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("anholon-theme", root.dataset.theme);
    } catch {
      // the choice holds for this visit
    }
    this.panels.forEach((panel) => panel instanceof MotionPanel && panel.viewer.refresh());
  }
}

try {
  const theme = localStorage.getItem("anholon-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // as the system has it
}
document.getElementById("loading")?.remove();
new Studio().begin().catch((error: Error) => {
  document.body.append(make("p", { class: "notice", role: "alert" }, `The studio cannot start: ${error.message}`));
});
