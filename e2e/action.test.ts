/** The GitHub Action of this repository: its steps run by bash, with the variables that a runner sets. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { parse } from "yaml";
import { bareEnvironment, cache, root } from "./support/treadle.ts";

interface Action {
  inputs: Record<string, { default: string }>;
  runs: { using: string; steps: { id?: string; run: string; env?: Record<string, string> }[] };
}
const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** What a workflow's step `uses: …/treadle` with these inputs does in a folder with these files. */
async function use(files: Record<string, string>, given: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "treadle-action-"));
  const home = mkdtempSync(join(tmpdir(), "treadle-action-home-"));
  folders.push(folder, home);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default]),
  );
  const outputFiles = {
    GITHUB_STEP_SUMMARY: join(folder, "..summary"),
    GITHUB_OUTPUT: join(folder, "..output"),
  };
  let code = 0;
  for (const step of action.runs.steps) {
    // A runner puts inputs where `${{ inputs.name }}` stands: in `env` alone, and nowhere in a command.
    expect(step.run).not.toContain("${{");
    const variables = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputs[input]!),
    ]);
    const env = {
      ...bareEnvironment(),
      ...outputFiles,
      TREADLE_CACHE: cache,
      TREADLE_DATA: join(home, ".treadle"),
      GITHUB_ACTION_PATH: root,
      ...(Object.fromEntries(variables) as Record<string, string>),
    };
    const ended = promisify(execFile)("bash", ["-e", "-c", step.run], { cwd: folder, env });
    code = await ended.then(
      () => 0,
      (error: { code: number }) => error.code,
    );
    if (code !== 0) break;
  }
  const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
  return {
    code,
    summary: read(outputFiles.GITHUB_STEP_SUMMARY),
    output: read(outputFiles.GITHUB_OUTPUT),
    report: join(folder, inputs["report"]!),
  };
}

const page = (script: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><h1>Our shop</h1>${script}`;

it("passes a page that works, with its report as the step's summary; a pattern among the allowed hosts stands as it is, whatever the folder's files are called", async () => {
  const files = { "index.html": page(""), "no host!.example.com": "" };
  const given = { "allow-hosts": "*.example.com" };
  const { code, summary, output, report } = await use(files, given);
  expect(code).toBe(0);
  expect(output).toBe("verdict=runs\n");
  expect(summary).toMatch(/^# .*: Runs/);
  expect(summary).toContain("Its picture is `page-1.jpg` in the folder of the report.");
  expect(existsSync(join(report, "report.sarif"))).toBe(true);
});

it("fails one that throws, and says where; an input is never a command", async () => {
  const files = { "index.html": page("<script>foo()</script>") };
  const { code, summary, output, report } = await use(files, {
    report: "out; touch taken $(touch taken)",
  });
  expect(code).toBe(1);
  expect(output).toBe("verdict=failed\n");
  expect(summary).toContain("foo is not defined");
  expect(existsSync(join(report, "..", "taken"))).toBe(false);
});
