import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "./commands.ts";
import { completionFor } from "./completion.ts";

/** Bash's completions at the end of a line. */
function offered(words: string[]): string[] {
  const script = `${completionFor("bash")}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _treadle; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script, "bash", ...words], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout.split("\n").filter((line) => line !== "");
}

it("bash completes commands, options, their values, and files or folders", () => {
  expect(offered(["treadle", ""])).toEqual([
    ...COMMANDS.map(({ name }) => name),
    "--help",
    "--version",
  ]);
  expect(offered(["treadle", "re"])).toEqual(["replay", "restore"]);
  expect(offered(["treadle", "run", "--max-"])).toEqual(["--max-steps", "--max-cost"]);
  expect(offered(["treadle", "run", "--dialect", "a"])).toEqual(["artifact"]);
  expect(offered(["treadle", "completion", "f"])).toEqual(["fish"]);
  expect(offered(["treadle", "check", `${import.meta.dirname}/comm`])).toEqual([
    `${import.meta.dirname}/commands`,
  ]);
  expect(offered(["treadle", "parse", `${import.meta.dirname}/completion.te`])).toEqual([
    `${import.meta.dirname}/completion.test.ts`,
  ]);
});

it("bash completes names with spaces, brackets and quotes, however much of them is typed and escaped", () => {
  const place = mkdtempSync(join(tmpdir(), "treadle-completion-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  for (const name of ["Ein Ordner", "Ein zweiter, 文件夹", "[a]"]) mkdirSync(join(place, name));
  writeFileSync(join(place, "a"), "");
  writeFileSync(join(place, "an answer.md"), "");
  const both = [`${place}/Ein Ordner`, `${place}/Ein zweiter, 文件夹`];
  expect(offered(["treadle", "check", `${place}/Ein`]).toSorted()).toEqual(both);
  expect(offered(["treadle", "check", "--data", `${place}/Ein`]).toSorted()).toEqual(both);
  expect(offered(["treadle", "check", `${place}/Ein\\ O`])).toEqual([both[0]]);
  expect(offered(["treadle", "check", `"${place}/Ein O`])).toEqual([both[0]]);
  expect(offered(["treadle", "check", `${place}/[`])).toEqual([`${place}/[a]`]);
  expect(offered(["treadle", "parse", `${place}/an`])).toEqual([`${place}/an answer.md`]);
});

it("bash offers files where an option takes one, and nothing for free values", () => {
  const here = `${import.meta.dirname}/completion.te`;
  const words = ["treadle", "bench", "webgen", "--tasks", here];
  expect(offered(words)).toEqual([`${import.meta.dirname}/completion.test.ts`]);
  expect(offered(["treadle", "bench", "webgen", "--limit", ""])).toEqual([]);
  expect(offered(["treadle", "check", "--timeout", ""])).toEqual([]);
  expect(offered(["treadle", "run", "--docker", "--j"])).toEqual(["--json"]);
});

it("fish knows which options take a file, and the options of every command", () => {
  const lines = completionFor("fish").split("\n");
  const tasks = lines.find((line) => line.includes("from bench' -l tasks "));
  expect(tasks).toContain(" -r -F ");
  expect(lines.some((line) => line.includes("from logs' -l follow -s f "))).toBe(true);
  expect(lines.some((line) => line.includes("-l help"))).toBe(true);
  expect(lines.some((line) => line.includes("-l version"))).toBe(true);
});

it("fish knows every command and option, each as one word whatever its help contains", () => {
  const lines = completionFor("fish").split("\n");
  for (const { name, options } of COMMANDS) {
    expect(lines.some((line) => line.includes(` -a ${name} -d '`))).toBe(true);
    for (const option of Object.keys(options))
      expect(lines.some((line) => line.includes(`from ${name}' -l ${option} `))).toBe(true);
  }
  for (const line of lines) expect(line.replaceAll("\\'", "").split("'").length % 2, line).toBe(1);
});

it("zsh knows every command and option, each as one word, and where paths are expected", () => {
  const lines = completionFor("zsh").split("\n");
  for (const { name, summary, options } of COMMANDS) {
    expect(lines).toContain(`    '${`${name}:${summary}`.replaceAll("'", `'\\''`)}'`);
    const line = lines.find((one) => one.startsWith(`    ${name}) _arguments `))!;
    for (const option of [...Object.keys(options), "help"])
      expect(line).toMatch(new RegExp(`'\\*?--${option}\\[`));
  }
  const bench = lines.find((line) => line.startsWith("    bench) "))!;
  expect(bench).toContain(": :_files' '--out[");
  expect(bench).toContain("'1: :(webgen fullstack score hand-over)'");
});
