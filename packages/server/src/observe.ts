import type { PreviewBrowser } from "@treadle/browser";
import type { Store } from "@treadle/store";
import type { Telemetry } from "@treadle/telemetry";
import type { WorkspaceDriver } from "@treadle/workspace";
import type { TreadleOptions } from "./types.ts";
import type { RuntimeParts } from "./project-context/project-context.ts";

/** The store, each of whose log events is measured as well. */
export function observeStore(store: Store, telemetry: Telemetry | undefined): Store {
  if (!telemetry) return store;
  const append: Store["log"]["append"] = (project, event, at) => {
    const isTaken = store.log.append(project, event, at);
    if (isTaken) telemetry.onEvent(project, event, at ?? Date.now());
    return isTaken;
  };
  return { ...store, log: { ...store.log, append } };
}

/** The driver, each of whose sandboxes is measured while it opens. */
export function observeDriver(
  driver: WorkspaceDriver,
  telemetry: Telemetry | undefined,
): WorkspaceDriver {
  if (!telemetry) return driver;
  const { servePostgres, postgresPrograms } = driver;
  // Each member by itself, as the result is spread into other drivers and a driver may be a class.
  return {
    name: driver.name,
    probe: () => driver.probe(),
    prepareTemplates: (onProgress) => driver.prepareTemplates(onProgress),
    close: () => driver.close(),
    open: (options) => telemetry.measure("sandbox", driver.name, () => driver.open(options)),
    ...(servePostgres && { servePostgres: servePostgres.bind(driver) }),
    ...(postgresPrograms && { postgresPrograms: postgresPrograms.bind(driver) }),
  };
}

/** The browser, each of whose looks is measured. */
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

/** Turns, whose sandboxes and looks become parts of their traces. */
export const observeTurns =
  (runTurn: RuntimeParts["runTurn"], telemetry: Telemetry | undefined): RuntimeParts["runTurn"] =>
  (request, ports) =>
    telemetry
      ? telemetry.inRun(request.run, () => runTurn(request, ports))
      : runTurn(request, ports);

/** The receivers of information about requests: the server's log, its metrics, both, or none. */
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
