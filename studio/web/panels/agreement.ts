// Do all forms agree? Each with its family and its verdict, proved.

import { box, make } from "../../viewer/dom.ts";
import type { Answer, Asked } from "../engine.ts";
import { Panel, page, table, verdict } from "./panel.ts";

interface Proved {
  verdict: string;
  error_bound: number | null;
  families: number;
  forms: { form: string; family: string; from: string; applicable: boolean; reason?: string; verdict?: string }[];
  assumptions: string[];
}

export class AgreementPanel extends Panel {
  readonly isNumeric = false;

  protected question(): Asked {
    return { verb: "prove", model: this.desk.plain() };
  }

  protected show({ answer, text }: Answer<never>): void {
    const proved = answer as unknown as Proved;
    const used = proved.forms.filter((one) => one.applicable);
    const rest = proved.forms.filter((one) => !one.applicable);
    const said = `${used.length} forms from ${proved.families} families`;
    const bound = proved.error_bound !== null ? `, wrong with a probability of at most ${proved.error_bound.toExponential(1)}` : "";
    this.body.replaceChildren(
      ...[
        box("p", { class: "lead" }, verdict(proved.verdict), ` ${said}${bound}.`),
        table(["family", "form", "starts from", "verdict"], used.map((one) => [one.family, one.form, one.from ?? "", verdict(one.verdict ?? "")]), "Forms"),
        proved.assumptions.length > 0 ? make("p", { class: "soft" }, `Assuming ${proved.assumptions.join(", ")}.`) : null,
        rest.length > 0 ? box("details", {}, make("summary", {}, `${rest.length} forms do not apply`), box("ul", { class: "plain" }, ...rest.map((one) => make("li", {}, `${one.form}: ${one.reason ?? ""}`)))) : null,
        page(text),
      ].filter((one): one is HTMLElement => one !== null),
    );
  }
}
