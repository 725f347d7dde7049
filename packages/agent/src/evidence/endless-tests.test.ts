/** Tests that do not exit, with real programs in a real sandbox. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Finding } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { createLocalDriver } from "@treadle/workspace";
import { expect, it, onTestFinished } from "vitest";
import { ensureGuest } from "../../../workspace/src/host/built-guest.test-support.ts";
import { readFacts } from "../project/project-facts.ts";
import { realClock } from "../testing/real-clock.test-support.ts";
import { createObservation } from "./observation.ts";
import { observeTests } from "./build/own-tests.ts";

/** Passes its only test, prints that it watches, and keeps running, as does its child process. */
const WATCHER = `
require("node:child_process").spawn("sleep", ["1000"]);
console.log("1 passing");
console.log("Watching for file changes");
setInterval(() => {}, 1_000);
`;

it("stops a runner in watch mode with its child processes, and reports its output as a finding", async () => {
  ensureGuest();
  const folder = mkdtempSync(join(tmpdir(), "treadle-endless-"));
  chmodSync(folder, 0o755);
  const env = { PATH: process.env["PATH"], HOME: folder };
  const driver = createLocalDriver({ cacheDirectory: join(folder, "cache"), env });
  const workspace = await driver.open({
    project: `endless-${process.pid}`,
    directory: join(folder, "files"),
    stateDirectory: join(folder, "state"),
  });
  onTestFinished(async () => {
    await workspace.stop();
    await driver.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const manifest = { name: "app", scripts: { test: "node watch.cjs" } };
  await workspace.files.write(toProjectPath("package.json"), JSON.stringify(manifest));
  await workspace.files.write(toProjectPath("watch.cjs"), WATCHER);
  const evidence = untriedEvidence(await workspace.revision());
  const look = createObservation({
    workspace,
    clock: realClock,
    signal: new AbortController().signal,
    refused: new Set(),
    unreached: new Set(),
    evidence,
    onEvidence: () => {},
  });
  const limits = { timeoutMs: 60_000, quietMs: 1_500 };
  await observeTests(await readFacts(workspace), look, limits);
  expect(evidence.findings).toEqual([
    {
      code: "tests-endless",
      subject: "npm test",
      detail: expect.stringContaining("Watching for file changes") as string,
    },
  ] satisfies Finding[]);
  const left = await workspace.run("pgrep -fc '[s]leep 1000' || true", {
    signal: new AbortController().signal,
  });
  expect(left).toMatchObject({ kind: "exited", output: expect.stringMatching(/^0/) as string });
}, 60_000);

it("vitest exits by itself in the environment of tests even without its run command", () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-vitest-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const test = 'it("holds", () => { if (1 + 1 !== 2) throw new Error("no"); });\n';
  writeFileSync(join(folder, "one.test.js"), test);
  const vitest = join(
    dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
    "vitest.mjs",
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, "--globals", "--root", folder],
    { cwd: folder, env: { PATH: process.env["PATH"], CI: "1" }, timeout: 30_000, encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("1 passed");
}, 60_000);
