import type { PreviewBrowser } from "@treadle/browser";
import type { Store } from "@treadle/store";
import type { Telemetry } from "@treadle/telemetry";
import { withOpen, type WorkspaceDriver } from "@treadle/workspace";
import type { TreadleOptions } from "./types.ts";
import type { RuntimeParts } from "./project-context/project-context.ts";

/** A store that also reports each logged event to the telemetry. */
export function observeStore(store: Store, telemetry: Telemetry | undefined): Store {
  if (!telemetry) return store;
  const append: Store["log"]["append"] = (project, event, at) => {
    const isTaken = store.log.append(project, event, at);
    if (isTaken) telemetry.onEvent(project, event, at ?? Date.now());
    return isTaken;
  };
  return { ...store, log: { ...store.log, append } };
}

/** A driver that also measures how long each sandbox takes to open. */
export function observeDriver(
  driver: WorkspaceDriver,
  telemetry: Telemetry | undefined,
): WorkspaceDriver {
  if (!telemetry) return driver;
  return withOpen(driver, (options) =>
    telemetry.measure("sandbox", driver.name, () => driver.open(options)),
  );
}

/** A browser that also measures each look, use, press and inspection. */
export function observeBrowser(
  browser: PreviewBrowser,
  telemetry: Telemetry | undefined,
): PreviewBrowser {
  if (!telemetry) return browser;
  return {
    ...browser,
    look: (look) => telemetry.measure("look", "look", () => browser.look(look)),
    use: (use) => telemetry.measure("look", "use", () => browser.use(use)),
    press: (look) => telemetry.measure("look", "press", () => browser.press(look)),
    inspect: (look) => telemetry.measure("look", "inspect", () => browser.inspect(look)),
  };
}

/** Performs turns so that their sandboxes and looks become parts of their traces. */
export const observeTurns =
  (runTurn: RuntimeParts["runTurn"], telemetry: Telemetry | undefined): RuntimeParts["runTurn"] =>
  (request, ports) =>
    telemetry
      ? telemetry.inRun(request.run, () => runTurn(request, ports))
      : runTurn(request, ports);

/** The function that receives each request: for the server's log, its metrics or both; undefined for neither. */
export const observeRequests = (
  onRequest: TreadleOptions["onRequest"],
  telemetry: Telemetry | undefined,
): TreadleOptions["onRequest"] =>
  telemetry
    ? (request) => {
        onRequest?.(request);
        telemetry.onRequest(request);
      }
    : onRequest;
