// Constraints and freedoms: what the model says, and whether it is sound.

import { box, button, make } from "../../viewer/dom.ts";
import type { Answer, Asked } from "../engine.ts";
import { Panel, page, short, table, verdict } from "./panel.ts";

interface Check {
  title: string;
  sources: string[];
  fine: boolean;
  coordinates: number;
  degrees_of_freedom: number;
  constants: number | null;
  rank: number;
  constraints: { name: string; component?: string; class: string; integrable: boolean | null; standing: string; text: string; line: number }[];
  findings: { level: string; message: string; hint: string | null }[];
  expects: { name: string; text: string; holds: boolean | null; reason?: string }[];
  start: { residual: number | null; contradictions: { message: string; line: number }[] };
}

export class CheckPanel extends Panel {
  readonly isNumeric = true;

  protected question(): Asked {
    return { verb: "check", model: this.desk.turned() };
  }

  protected show({ answer, text }: Answer<never>): void {
    const check = answer as unknown as Check;
    const fact = (n: number | null, what: string) => box("div", { class: "fact" }, make("b", {}, n === null ? "—" : String(n)), make("span", {}, what));
    const facts = box("div", { class: "facts" }, fact(check.coordinates, "coordinates"), fact(check.rank, "independent rows"), fact(check.degrees_of_freedom, "degrees of freedom"), fact(check.constants, "free constants"));
    const rows = check.constraints.slice(0, 200).map((row) => [
      button(row.component ? `${row.name}.${row.component}` : row.name, () => this.desk.goTo(row.line), { class: "link" }),
      row.class,
      row.integrable === null ? "undecided" : row.integrable ? "integrable" : "not integrable",
      make("code", {}, row.text),
    ]);
    const findings = check.findings.map((one) => box("li", {}, one.message, one.hint ? ` – ${one.hint}` : ""));
    const start = check.start.contradictions.map((one) => box("li", {}, `${one.message} (line ${one.line})`));
    const word = (holds: boolean | null) => (holds === null ? "waiting" : holds ? "holds" : "missed");
    const expects = check.expects.map((one) => box("li", {}, verdict(word(one.holds)), ` ${one.name}: `, make("code", {}, one.text), one.holds === false && one.reason ? ` – ${one.reason}` : ""));
    this.body.replaceChildren(
      ...[
        facts,
        rows.length > 0 ? table(["name", "class", "rates", "equation"], rows, "Constraints") : make("p", {}, "No constraints."),
        findings.length + start.length > 0 ? box("ul", { class: "findings" }, ...findings, ...start) : null,
        check.start.residual !== null ? make("p", { class: "soft" }, `Start: residual ${short(check.start.residual)}.`) : null,
        expects.length > 0 ? box("details", {}, make("summary", {}, `${check.expects.filter((one) => one.holds).length} of ${expects.length} facts hold`), box("ul", { class: "plain" }, ...expects)) : null,
        page(text),
      ].filter((one): one is HTMLElement => one !== null),
    );
  }
}
