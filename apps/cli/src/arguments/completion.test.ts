import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";
import { completionFor } from "./completion.ts";

/** What bash offers for a line that ends where the cursor stands. */
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

it("bash completes commands, options, the values of options, and files or folders", () => {
  expect(offered(["treadle", ""])).toEqual([
    ...COMMANDS.map(({ name }) => name),
    "--help",
    "--version",
  ]);
  expect(offered(["treadle", "re"])).toEqual(["restore"]);
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

it("fish is told every command and option, each as one word whatever its help says", () => {
  const lines = completionFor("fish").split("\n");
  for (const { name, options } of COMMANDS) {
    expect(lines.some((line) => line.includes(` -a ${name} -d '`))).toBe(true);
    for (const option of Object.keys(options))
      expect(lines.some((line) => line.includes(`from ${name}' -l ${option} `))).toBe(true);
  }
  for (const line of lines) expect(line.replaceAll("\\'", "").split("'").length % 2, line).toBe(1);
});
