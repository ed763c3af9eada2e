// How does a page of a report show a motion? Each element `anholon-viewer` holds a scene as JSON; a viewer takes its place.

import type { Scene } from "./format.ts";
import { Viewer } from "./viewer.ts";

for (const place of document.querySelectorAll(".anholon-viewer")) {
  const viewer = new Viewer();
  const scene = JSON.parse(place.querySelector("script")?.textContent ?? "null") as Scene | null;
  if (!scene) continue;
  place.replaceChildren(viewer.element);
  viewer.show(scene);
}
