import { PLACES_PATH } from "../own-paths.ts";
import { CONSOLE } from "./console-source.ts";
import { DESIGN } from "./design-source.ts";
import { DRAWN } from "./drawn-source.ts";
import { ELEMENTS } from "./elements-source.ts";
import { NETWORK } from "./network-source.ts";
import { PICKING } from "./picking-source.ts";
import { RECORDING } from "./recording-source.ts";

/**
 * What the workbench is told of a page that it embeds, as it is written: what the page prints and asks for, and which of
 * its elements is pointed at, and, while a check is recorded, what the person does; and the gateway, when something of it is drawn. It runs in the frame of the preview alone, before the page's own scripts; a page in a tab of
 * its own, or looked at by the headless browser, has none of it. It writes nothing into the page but what the person
 * changes there, and marks nothing: where an element comes from is asked of what the frameworks keep in development.
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
    "treadle:try": (what) => attempt(what),
    "treadle:design": (what) => wear(what),
  };
  w.addEventListener("message", (e) => {
    if (e.source === w.parent && e.origin === outer && e.data && Object.hasOwn(heard, e.data.type)) heard[e.data.type](e.data);
  });
  say("begin", { path: location.pathname });
})();
`;
