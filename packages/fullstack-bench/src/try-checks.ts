import { isBroken, tryCheck, type PageUseRequest } from "@treadle/agent";
import { CHECKS_LENGTH, parseChecks } from "@treadle/protocol/checks";
import type { Workspace } from "@treadle/workspace";
import type { PreviewBrowser } from "@treadle/browser";
import { createGateway } from "@treadle/gateway";
import { newCapability } from "@treadle/common";
import type { CheckRun } from "./types.ts";

/** Nothing listens here: the browser is answered in this process. */
const APP_ORIGIN = "http://localhost:4800";
/** Maximum number of the app's own checks that are run. */
const MOST_CHECKS = 30;

/** A browser on one running app. */
export interface AppPages {
  /** Whether something is drawn and nothing is thrown; with a picture if possible. */
  look(): Promise<{ isShown: boolean; picture: Uint8Array | undefined }>;
  /**
   * Runs the checks of `.treadle/checks.md`, each in its own browser, on the app's own data as the
   * judges' agent does.
   * @param count returns the app's statements so far
   */
  runChecks(
    text: string,
    count: () => Promise<{ all: number; writes: number }>,
  ): Promise<CheckRun[]>;
  close(): Promise<void>;
}

/**
 * Opens a browser on an app.
 * @param open starts a browser whose pages the gateway answers
 * @param ports the app's ports, the page's first
 */
export function openAppPages(
  open: (gateway: ReturnType<typeof createGateway>) => PreviewBrowser,
  workspace: Workspace,
  ports: () => number[],
  signal: AbortSignal,
): AppPages {
  const capability = newCapability();
  const gateway = createGateway({
    appOrigin: () => APP_ORIGIN,
    resolve: (asked) =>
      asked === capability
        ? {
            project: capability,
            connect: (port) => workspace.connect(port),
            ports,
            onReport: () => undefined,
          }
        : undefined,
  });
  const browser = open(gateway);
  const place = () => ({ origin: gateway.originOf(capability), project: capability, signal });
  const use = (request: PageUseRequest & { path: string }) =>
    browser.use({ ...request, ...place() });
  return {
    async look() {
      let picture: Uint8Array | undefined;
      const onPicture = (bytes: Uint8Array) => (picture = bytes);
      const report = await browser.look({ ...place(), path: "/", onPicture });
      return { isShown: !isBroken(report), picture };
    },
    async runChecks(text, count) {
      const runs: CheckRun[] = [];
      for (const check of parseChecks(text.slice(0, CHECKS_LENGTH)).checks.slice(0, MOST_CHECKS)) {
        const before = await count();
        const { state } = await tryCheck(async () => ({ use, port: ports()[0]! }), check, {
          signal,
        });
        const after = await count();
        runs.push({
          name: check.name,
          held: state === "held",
          statements: after.all - before.all,
          writes: after.writes - before.writes,
        });
      }
      return runs;
    },
    close: () => browser.close(),
  };
}
