import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { spawn } from "@lydell/node-pty";
import { createScriptedModel, loadScript, type ScriptedModel } from "@treadle/scripted-model";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bareEnvironment, bin, cache, root, scriptedBy } from "./support/treadle.ts";

let model: ScriptedModel;
const made = mkdtempSync(join(tmpdir(), "treadle-run-approvals-"));
beforeAll(async () => {
  model = await createScriptedModel({
    script: loadScript(join(root, "e2e/scripts/approvals.md")),
  });
});
afterAll(async () => {
  await model?.close();
  rmSync(made, { recursive: true, force: true });
});

const dir = join(made, "app");

const environment = () => ({ ...bareEnvironment(), TREADLE_CACHE: cache, ...scriptedBy(model) });
const wordsOf = (prompt: string, extra: string[]) => [
  bin,
  "run",
  prompt,
  "--dir",
  dir,
  "--data",
  join(made, "data"),
  ...extra,
];

async function run(prompt: string, ...extra: string[]) {
  const env = environment();
  const words = wordsOf(prompt, extra);
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

it("a run without anybody to answer ends with its question and status 5, and the next one continues", async () => {
  const rule = await run("Please leave a rule");
  expect(rule.code).toBe(5);
  expect(rule.stderr).toContain("A person has to approve this first (write_file AGENTS.md)");
  expect(existsSync(join(dir, "AGENTS.md"))).toBe(false);

  const asked = await run("Carry out this plan", "--approve", "safe", "--json");
  expect(asked.code).toBe(5);
  const result = JSON.parse(asked.stdout.trim().split("\n").at(-1) ?? "");
  expect(result).toMatchObject({
    type: "result",
    waiting: { kind: "approval", tool: "start_server" },
  });
  expect(readFileSync(join(dir, "index.html"), "utf8")).toContain("Milk");

  const built = await run("Carry out this plan once more", "--approve", "auto");
  expect(built.stdout).toContain("Runs");
  expect(built.code).toBe(0);
});

it("--plan changes nothing and prints the plan", async () => {
  const before = readFileSync(join(dir, "index.html"), "utf8");
  const { code, stdout } = await run("What next?", "--plan");
  expect(stdout).toContain("Write index.html.");
  expect(stdout).toContain("A plan. Nothing was changed.");
  expect(code).toBe(0);
  expect(readFileSync(join(dir, "index.html"), "utf8")).toBe(before);
});

it("a user at a terminal is asked there: they deny with a reason, and allow", async () => {
  const asked = spawn(process.execPath, wordsOf("Please leave a rule", []), {
    env: environment(),
    cols: 120,
    rows: 40,
  });
  let shown = "";
  const ended = new Promise<number>((resolve) => asked.onExit(({ exitCode }) => resolve(exitCode)));
  asked.onData((text) => (shown += text));
  await expect.poll(() => shown).toMatch(/AGENTS\.md[^]*Allow it\?/);
  asked.write("no rules\r");
  await expect.poll(() => shown).toContain("I leave it, as you say.");
  expect(await ended).not.toBe(5);
  expect(existsSync(join(dir, "AGENTS.md"))).toBe(false);

  const allowed = spawn(process.execPath, wordsOf("Please leave a rule once more", []), {
    env: { ...environment(), TERM: "xterm-256color" },
    cols: 120,
    rows: 40,
  });
  let output = "";
  const exited = new Promise<number>((resolve) =>
    allowed.onExit(({ exitCode }) => resolve(exitCode)),
  );
  allowed.onData((text) => (output += text));
  await expect.poll(() => output).toMatch(/Allow it\?/);
  allowed.write("y\r");
  await exited;
  // The progress display is removed at the end, and the cursor is visible again.
  expect(output).toMatch(/step \d+ · .+ \d+ s/);
  expect(output.lastIndexOf("\u001b[?25h")).toBeGreaterThan(output.lastIndexOf("\u001b[?25l"));
  expect(output).toMatch(/Changed 1 file:\s+\+ AGENTS\.md {2}\+1/);
  expect(readFileSync(join(dir, "AGENTS.md"), "utf8")).toContain("Send every key");
});
