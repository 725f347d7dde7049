import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "treadle-serve-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Runs `treadle serve` without a sandbox, since nothing is run in one here. */
const serve = (env: Record<string, string>, ...words: string[]) =>
  spawn(
    process.execPath,
    [
      "--conditions=treadle-source",
      join(import.meta.dirname, "main.ts"),
      "serve",
      "--no-open",
      "--unsafe-no-sandbox",
      "--data",
      data,
      ...words,
    ],
    { env: { ...process.env, CI: "true", TREADLE_PREPARE: "none", ...env } },
  );

it("a signal right after the address is printed ends it properly", async () => {
  const child = serve({}, "--port", "0");
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const before = output;
    output += chunk.toString();
    // Only once: a second signal ends it immediately.
    const isTold = (text: string) => text.includes("Treadle is at");
    if (isTold(output) && !isTold(before)) child.kill("SIGTERM");
  });
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("an invalid port is reported with the valid range", async () => {
  const child = serve({ TREADLE_PORT: "70000" });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  expect(await once(child, "close")).toEqual([2, null]);
  expect(stderr).toBe(
    "TREADLE_PORT is “70000”, which is not a port. Give one such as 4173, or 0 for any free port.\n",
  );
});
