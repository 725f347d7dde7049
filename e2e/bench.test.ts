/**
 * `treadle bench webgen`: runs some tasks, is interrupted and continued; its results start with
 * plain npm.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { createScriptedModel, loadScript, type ScriptedModel } from "@treadle/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picture, startBrowser } from "./support/browser.ts";
import { runTreadle } from "./support/run-treadle.ts";
import { bareEnvironment, root, scriptedBy } from "./support/treadle.ts";

/** The benchmark's own first ten tasks, if available; otherwise similar ones. */
const WEBGEN = join(root, "../shared/webgen-bench/test.jsonl");
const OWN = [
  "A site for stock reports",
  "A neighborhood mapping site",
  "A multi-company dashboard",
  "A basketball site",
  "A site for regulatory policies",
  "A solar dashboard",
  "A poker lobby",
  "A trivia contest",
  "A chess site",
  "A wheel of fortune",
].map((instruction, index) => JSON.stringify({ id: index + 1, instruction }));
/** One to begin with; then one that vite serves, and one without a package.json. */
const CHOSEN = [0, 5, 8];
const all = existsSync(WEBGEN) ? readFileSync(WEBGEN, "utf8").split("\n") : OWN;
const tasks = CHOSEN.map((index) => all[index]!);
const ids = CHOSEN.map((index) => String(index + 1).padStart(6, "0"));
/** With hidden checks that the model does not see: one that passes, one that cannot. */
const searched = {
  ...(JSON.parse(tasks[0]!) as object),
  checks: [
    { name: "Finds a stock", steps: ['type "bolt" in textbox "Code or name"', 'expect "BOLT"'] },
    { name: "Sells a stock", steps: ['click button "Sell"'] },
  ],
};

interface Row {
  id: string;
  verdict: string;
  starts: boolean;
  handedOver: { verdict: string };
  checks: { held: number; all: number } | null;
  picture: string;
  tokens: number;
}

let folder: string;
let out: string;
let model: ScriptedModel;
let words: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-bench-"));
  out = join(folder, "out");
  model = await createScriptedModel({ script: loadScript(join(root, "e2e/scripts/webgen.md")) });
  const file = join(folder, "tasks.jsonl");
  writeFileSync(file, [JSON.stringify(searched), ...tasks.slice(1)].join("\n"));
  words = ["bench", "webgen", "--tasks", file, "--out", out, "--parallel", "2"];
  words.push("--data", join(folder, "data"));
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

const rows = (): Row[] =>
  readFileSync(join(out, "results.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);

/**
 * Installs and starts a result as its owner would.
 * @returns the content of its first page
 */
async function firstPageOutside(id: string): Promise<string> {
  const cwd = join(out, id);
  const env = { ...bareEnvironment(), PORT: "0" };
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund"], { cwd, env });
  // In its own process group, because npm's child process is the server.
  const server = spawn("npm", ["run", "dev"], { cwd, env, detached: true });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  try {
    const address = new Promise<string>((resolve, reject) => {
      server.once("exit", (code) => reject(new Error(`npm run dev of ${id} ended with ${code}`)));
      createInterface({ input: server.stdout }).on("line", (line) => {
        // Vite prints its port in colour.
        const found = /http:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(
          stripVTControlCharacters(line),
        );
        if (found) resolve(found[0]);
      });
    });
    return await (await fetch(await address)).text();
  } finally {
    process.kill(-server.pid!, "SIGTERM");
    await ended;
  }
}

describe("a benchmark", { timeout: 400_000 }, () => {
  it("builds the first tasks, and shows the state of each", async () => {
    const { code, stdout } = await runTreadle([...words, "--limit", "1"], scriptedBy(model));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^000001 {2}Runs · 1 of 2 checks held · /m);
    expect(rows()).toHaveLength(1);
  });

  it("continues with the remaining tasks, and produces folders that npm can start", async () => {
    const { code, stdout, stderr } = await runTreadle(words, scriptedBy(model));
    expect(code).toBe(0);
    expect(stderr).toContain(`1 of ${tasks.length} tasks are already finished.`);
    expect(stdout).not.toContain("000001");
    expect(stdout).toMatch(/^000006 {2}Runs · /m);
    const results = rows().toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(results.map(({ id }) => id)).toEqual(ids);
    for (const result of results) {
      expect(result).toMatchObject({ verdict: "runs", starts: true });
      expect(existsSync(join(out, result.picture))).toBe(true);
      expect(readdirSync(join(out, result.id))).not.toContain("node_modules");
    }
    // The first task has a hidden check for which nothing was written.
    expect(results[0]).toMatchObject({
      checks: { held: 1, all: 2 },
      handedOver: { verdict: "failed" },
    });
    const again = results.slice(1).map(({ handedOver }) => handedOver.verdict);
    expect(new Set(again)).toEqual(new Set(["runs"]));
  });

  it("writes a report page for people", async () => {
    const browser = await startBrowser(["--allow-file-access-from-files"]);
    try {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(out, "report.html")).href);
      await page.getByRole("row", { name: /not all was tried 3$/ }).waitFor();
      await page.getByRole("row", { name: /Checks that held 1 of 2$/ }).waitFor();
      const shown = page.getByRole("img", { name: "What 000006 looks like" });
      await shown.scrollIntoViewIfNeeded();
      const width = () => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth);
      await expect.poll(width).toBeGreaterThan(0);
      await picture(page, "bench-report", { fullPage: true });
    } finally {
      await browser.close();
    }
  });

  it("produces folders that plain npm installs and starts, outside Treadle", async () => {
    expect(await Promise.all(ids.map(firstPageOutside))).toEqual(
      ids.map(() => expect.stringContaining("<h1>")),
    );
  });
});

it("rejects an invalid task file with the line, and starts nothing", async () => {
  const file = join(folder, "wrong.jsonl");
  writeFileSync(file, '{"id":1,"instruction":"x"}\n{"id":1}');
  const target = join(folder, "none");
  const ended = await runTreadle(["bench", "webgen", "--tasks", file, "--out", target]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain("Line 2");
  expect(existsSync(target)).toBe(false);
});
