import { VERSION } from "@treadle/common/version";
import { browserCheck } from "@treadle/browser";
import type { Health, Machine } from "@treadle/protocol";
import type { Base } from "./assemble-base.ts";
import type { Previews } from "./assemble-previews.ts";
import type { TreadleOptions } from "./types.ts";

const NO_BROWSER = { ok: false, message: "No browser is set up." };

/** The server's description of itself: whether it can work, and which of the programs that it needs this machine has. */
export function describeServer(
  { driver, appsPostgres, dataDirectory }: Base,
  { browser }: Previews,
  options: TreadleOptions,
): { health(): Promise<Health>; machine(): Promise<Machine> } {
  return {
    async health() {
      const [sandbox, seenBrowser] = await Promise.all([
        driver.probe(),
        browser?.available() ?? NO_BROWSER,
      ]);
      const missing = sandbox.checks.find(({ ok }) => !ok);
      const unsafe = options.unsafeNoSandbox === true;
      return {
        ok: sandbox.ok || unsafe,
        version: VERSION,
        sandbox: {
          driver: driver.name,
          ok: sandbox.ok,
          unsafe,
          message: missing && !sandbox.ok ? `${missing.name}: ${missing.detail}` : undefined,
        },
        browser: seenBrowser,
      };
    },
    async machine() {
      const [sandbox, seenBrowser, postgres] = await Promise.all([
        driver.probe(),
        browser?.available(),
        appsPostgres?.probe(),
      ]);
      return {
        version: VERSION,
        node: process.versions.node,
        system: `${process.platform} ${process.arch}`,
        checks: [
          { name: "driver", ok: sandbox.ok, detail: driver.name },
          ...sandbox.checks,
          { name: "data folder", ok: true, detail: dataDirectory },
          browserCheck(seenBrowser ?? NO_BROWSER),
          ...(postgres ? [{ name: "databases of apps", ...postgres }] : []),
        ],
      };
    },
  };
}
