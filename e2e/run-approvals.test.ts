import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createScriptedModel, loadScript, type ScriptedModel } from "@treadle/scripted-model";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bareEnvironment, bin, cache, root } from "./support/treadle.ts";

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

async function run(prompt: string, ...extra: string[]) {
  const env = {
    ...bareEnvironment(),
    TREADLE_CACHE: cache,
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: "test",
    TREADLE_MODEL: "openai-compatible:scripted",
  };
  const words = [bin, "run", prompt, "--dir", dir, "--data", join(made, "data"), ...extra];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

it("a run that nobody can answer ends with what it would have asked and status 5, and the next one goes on", async () => {
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
  expect(built.stdout).toContain("Verified");
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
