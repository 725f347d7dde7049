import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createInstalledDependencies } from "./installed-dependencies.ts";

it("looks at packages only for installs that still go on when it is their turn", async () => {
  const stateDirectory = mkdtempSync(join(tmpdir(), "treadle-installed-"));
  onTestFinished(() => rmSync(stateDirectory, { recursive: true }));
  let looks = 0;
  const installed = createInstalledDependencies({
    stateDirectory,
    onUnsure: () => undefined,
    async ask() {
      looks++;
      return { now: 0, changed: [] };
    },
  });
  const callers = Array.from({ length: 1_000 }, () => new AbortController());
  const begun = callers.map(({ signal }) => installed.installBegins(signal));
  for (const caller of callers.slice(0, -1)) caller.abort();
  await Promise.all(begun);
  expect(looks).toBe(1);
});
