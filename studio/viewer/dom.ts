// How are elements made? Text is text, never markup: no string of a model becomes part of the page's own language.

/** An element with attributes and a text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string> = {}, text = "",
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== "") element.textContent = text;
  return element;
}

/** An element with children; texts become text nodes. */
export function box<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string>, ...children: (Node | string | null | undefined)[]
): HTMLElementTagNameMap[K] {
  const element = make(tag, attributes);
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined));
  return element;
}

/** A button. */
export function button(text: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const one = make("button", { type: "button", ...attributes }, text);
  one.addEventListener("click", act);
  return one;
}
