import { PLACES_PATH } from "../own-paths.ts";
import { CONSOLE } from "./console-source.ts";
import { DESIGN } from "./design-source.ts";
import { DRAWN } from "./drawn-source.ts";
import { ELEMENTS } from "./elements-source.ts";
import { NETWORK } from "./network-source.ts";
import { PICKING } from "./picking-source.ts";
import { RECORDING } from "./recording-source.ts";

/**
 * The script that reports an embedded page to the workbench: what it prints and requests, the
 * picked element, and, while a check is recorded, the person's actions; and to the gateway, when
 * something is drawn. Runs only in the preview's frame, before the page's own scripts; a page in
 * its own tab, or in the headless browser, does not have it. It changes nothing in the page except
 * for the person's edits: an element's origin is read from what frameworks keep in development.
 */
export const watchSource = (origins: string[]) => String.raw`(() => {
  const w = window, d = document, apps = ${JSON.stringify(origins)};
  if (w.top === w || w.parent !== w.top) return;
  const outer = location.ancestorOrigins ? location.ancestorOrigins[0] : apps[0];
  if (!apps.includes(outer)) return;
  const { fetch: ask, setTimeout: soon } = w;
  const say = (type, what) => w.parent.postMessage({ type: "treadle:" + type, ...what }, outer);
  const cut = (text, size = 2000) => String(text).slice(0, size);
  const place = (stacks) => ask("${PLACES_PATH}", { method: "POST", body: JSON.stringify({ stacks }) })
    .then((r) => r.ok ? r.json() : { places: [] }).then((x) => x.places, () => []);
  ${DRAWN}
  ${CONSOLE}
  ${NETWORK}
  ${ELEMENTS}
  ${PICKING}
  ${RECORDING}
  ${DESIGN}
  const heard = {
    "treadle:place": ({ id, stack }) => place([stack]).then(([at]) => say("placed", { id, at })),
    "treadle:pick": ({ on }) => pick(on),
    "treadle:record": ({ on }) => record(on),
    "treadle:expect": ({ on }) => expecting(on),
    "treadle:again": ({ path }) => again(path),
    "treadle:drop": () => drop(),
    "treadle:move": ({ to }) => move(to),
    "treadle:shift": ({ by }) => shift(by),
    "treadle:try": (what) => attempt(what),
    "treadle:design": (what) => wear(what),
  };
  w.addEventListener("message", (e) => {
    if (e.source === w.parent && e.origin === outer && e.data && Object.hasOwn(heard, e.data.type)) heard[e.data.type](e.data);
  });
  // Markdown that the gateway put into a document.
  d.addEventListener("DOMContentLoaded", () => {
    const written = d.querySelector("pre[data-treadle=markdown]");
    if (written) say("markdown", { text: cut(written.textContent, 100000) });
  });
  say("begin", { path: location.pathname });
})();
`;
