// How is a model written? CodeMirror with the words of the engine: colours, what is wrong as one types, completion, hover.

import { autocompletion, closeBrackets, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, undo, redo } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { box, make } from "../viewer/dom.ts";
import type { Notice } from "./engine.ts";

export interface Words {
  keywords: { word: string; usage: string }[];
  inner: string[];
  functions: { word: string; usage: string }[];
  units: string[];
}

export interface Name {
  name: string;
  kind: string;
  unit: string | null;
  value: number | null;
  told: string;
}

const NONE: Words = { keywords: [], inner: [], functions: [], units: [] };

function language(words: Words) {
  const keywords = new Set(words.keywords.flatMap((one) => one.word.split(" ")));
  const [inner, functions, units] = [new Set(words.inner), new Set(words.functions.map((one) => one.word)), new Set(words.units)];
  return StreamLanguage.define<{ isFirst: boolean; afterNumber: boolean }>({
    name: "mech",
    startState: () => ({ isFirst: true, afterNumber: false }),
    token(stream, state) {
      if (stream.sol()) [state.isFirst, state.afterNumber] = [!/^\s/.test(stream.string), false];
      if (stream.eatSpace()) return null;
      if (stream.match(/^#.*/)) return "comment";
      if (stream.match(/^"([^"\\]|\\.)*"?/)) return "string";
      if (stream.match(/^\d+(\.\d+)?([eE][+-]?\d+)?/)) {
        state.afterNumber = true;
        return "number";
      }
      const word = stream.match(/^[A-Za-z_\u0370-\u03ff][A-Za-z0-9_\u0370-\u03ff]*/) as RegExpMatchArray | null;
      const { isFirst, afterNumber } = state;
      state.isFirst = false;
      if (!word) {
        const c = stream.next() ?? "";
        if (!/[/*^]/.test(c)) state.afterNumber = false;
        return /[-+*/^=<>'!]/.test(c) ? "operator" : "punctuation";
      }
      if (isFirst && keywords.has(word[0])) return "keyword";
      if (afterNumber && units.has(word[0])) return "unit";
      state.afterNumber = false;
      if (functions.has(word[0]) && stream.peek() === "(") return "function";
      if (inner.has(word[0]) && stream.peek() !== "=") return "modifier";
      return "variableName";
    },
    languageData: { commentTokens: { line: "#" } },
    tokenTable: { unit: tags.unit, function: tags.function(tags.variableName), modifier: tags.modifier },
  });
}

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)", fontWeight: "600" },
  { tag: tags.modifier, color: "var(--modifier)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.unit, color: "var(--unit)" },
  { tag: tags.function(tags.variableName), color: "var(--function)" },
  { tag: tags.operator, color: "var(--soft)" },
]);

export class Editor {
  readonly view: EditorView;
  private words = NONE;
  private names: Name[] = [];
  private labels: string[] = [];
  private colours = new Compartment();

  constructor(parent: HTMLElement, changed: () => void) {
    const state = EditorState.create({
      extensions: [
        lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
        this.colours.of(language(NONE)), syntaxHighlighting(COLOURS), lintGutter(),
        autocompletion({ override: [(context) => this.complete(context)] }),
        hoverTooltip((view, at) => this.hover(view, at)),
        keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "Model", tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
        EditorView.lineWrapping,
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    });
    this.view = new EditorView({ state, parent });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Puts another text in place of this one; undo brings it back. */
  replace(text: string): void {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
  }

  undo(): void {
    undo(this.view);
  }

  redo(): void {
    redo(this.view);
  }

  know(words: Words): void {
    this.words = words;
    this.view.dispatch({ effects: this.colours.reconfigure(language(words)) });
  }

  learn(names: Name[], labels: string[]): void {
    this.names = names.map((one) => ({ ...one, unit: one.unit === "no unit" ? null : one.unit }));
    this.labels = labels;
  }

  /** Shows what is wrong, each at its place, with hints that apply themselves. */
  tell(file: string, notices: Notice[]): void {
    const { doc } = this.view.state;
    const list: Diagnostic[] = notices.map((notice) => {
      const isHere = notice.line !== null && (notice.file === null || notice.file === file) && notice.line <= doc.lines;
      const line = doc.line(isHere ? (notice.line as number) : 1);
      const from = isHere ? Math.min(line.from + offset(line.text, (notice.column ?? 1) - 1), line.to) : 0;
      const marks = /\^+/.exec(notice.excerpt ?? "")?.[0].length ?? 1;
      const to = isHere ? Math.min(from + offset(line.text.slice(from - line.from), marks), line.to) : 0;
      const near = notice.hints.map((hint) => /did you mean `([^`]+)`/.exec(hint)?.[1]).find((one) => one !== undefined);
      const apply = (view: EditorView, a: number, b: number) => view.dispatch({ changes: { from: a, to: b, insert: near ?? "" } });
      return {
        from, to,
        severity: notice.severity === "note" ? "info" : notice.severity,
        message: [notice.message, ...notice.hints.map((hint) => `Hint: ${hint}`)].join("\n"),
        actions: near && isHere ? [{ name: `Write ${near}`, apply }] : [],
      };
    });
    list.sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, list));
  }

  /** Goes to a line, counted from 1. */
  goTo(line: number): void {
    const { doc } = this.view.state;
    if (line < 1 || line > doc.lines) return;
    const at = doc.line(line).from;
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const word = context.matchBefore(/[A-Za-z_\u0370-\u03ff][A-Za-z0-9_\u0370-\u03ff]*/);
    if (!word && !context.explicit) return null;
    const from = word?.from ?? context.pos;
    const before = context.state.doc.lineAt(from).text.slice(0, from - context.state.doc.lineAt(from).from);
    if (before === "") return { from, options: this.words.keywords.map((one) => ({ label: one.word, type: "keyword", detail: one.usage })) };
    if (/\d\s*$|[:/*]\s*$/.test(before) && /\d\s*$|:\s*$|\d\s*[A-Za-z]+[/*]$/.test(before)) return { from, options: this.words.units.map((label) => ({ label, type: "unit" })) };
    const told = (one: Name) => [one.kind, one.unit ? `in ${one.unit}` : ""].filter(Boolean).join(" ");
    return {
      from,
      options: [
        ...this.names.map((one) => ({ label: one.name, type: "variable", detail: told(one), boost: 2 })),
        ...this.labels.map((label) => ({ label, type: "property", detail: "constraint" })),
        ...this.words.functions.map((one) => ({ label: one.word, type: "function", detail: one.usage })),
        ...this.words.inner.map((label) => ({ label, type: "keyword" })),
      ],
    };
  }

  private hover(view: EditorView, at: number) {
    const line = view.state.doc.lineAt(at);
    const word = [...line.text.matchAll(/[A-Za-z_\u0370-\u03ff][A-Za-z0-9_\u0370-\u03ff]*(\[\d+\])?/g)].find((m) => line.from + m.index <= at && at <= line.from + m.index + m[0].length);
    if (!word) return null;
    const lines = this.told(word[0], word.index === 0);
    if (lines.length === 0) return null;
    return {
      pos: line.from + word.index,
      end: line.from + word.index + word[0].length,
      create: () => ({ dom: box("div", { class: "hover" }, ...lines.map((text) => make("div", {}, text))) }),
    };
  }

  /** What the engine knows of a word. */
  told(word: string, isFirst: boolean): string[] {
    const keyword = isFirst ? this.words.keywords.find((one) => one.word.split(" ")[0] === word) : undefined;
    if (keyword) return [keyword.usage];
    const name = this.names.find((one) => one.name === word);
    if (name) {
      const value = name.value === null ? "" : `${Number(name.value.toPrecision(8))}${name.unit ? ` ${name.unit}` : ""}${name.kind === "coordinate" ? " at the start" : ""}`;
      return [`${name.kind} ${name.name}`, value || (name.unit ? `in ${name.unit}` : ""), name.told].filter(Boolean);
    }
    const call = this.words.functions.find((one) => one.word === word);
    return call ? [call.usage] : [];
  }
}

/** The engine counts characters; the editor counts units of UTF-16. */
function offset(text: string, characters: number): number {
  return [...text].slice(0, characters).join("").length;
}
