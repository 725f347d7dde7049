import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseIgnoreRules } from "./ignore-rules.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "treadle-ignore-"));
  execFileSync("git", ["init", "-q"], { cwd: root });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The paths that git itself ignores; none of them exists, so none is a folder. */
function ignoredByGit(text: string, paths: readonly string[]): string[] {
  writeFileSync(join(root, ".gitignore"), text);
  try {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    const input = `${paths.join("\0")}\0`;
    const options = { cwd: root, input, env, stdio: ["pipe", "pipe", "ignore"] as never };
    return execFileSync("git", ["check-ignore", "-z", "--no-index", "--stdin"], options)
      .toString()
      .split("\0")
      .filter(Boolean);
  } catch {
    return [];
  }
}

function ignored(text: string, paths: readonly string[]): string[] {
  const rules = parseIgnoreRules(text);
  return paths.filter((path) => {
    const names = path.split("/");
    for (let length = 1; length <= names.length; length++) {
      const verdict = rules.match(names.slice(0, length), length < names.length);
      if (verdict === "ignored") return true;
    }
    return false;
  });
}

const piece = fc.constantFrom(
  ..."a b c * ? [ab] [!a] [a-c] [^b] [[:alpha:]] ! # \\a \\* / / /** .".split(" "),
  " ",
  "\\ ",
);
const pattern = fc
  .tuple(fc.constantFrom("", "", "!", "/", "**/"), fc.array(piece, { minLength: 1, maxLength: 5 }))
  .map(([start, pieces]) => start + pieces.join(""))
  // Git reads `a**/b` as `a` followed by `**/b`, which its documentation does not mention.
  .filter((text) => !/[^/!]\*\*|\*\*[^/]/.test(text));
const name = fc.constantFrom("a", "b", "ab", "c", "a*", "#", "!a", "a ", ".a", "abc");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));

it("ignores what git ignores", () => {
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(path, { minLength: 8, maxLength: 20 }),
      (patterns, paths) => {
        const text = patterns.join("\n");
        expect(ignored(text, paths)).toEqual(ignoredByGit(text, paths));
      },
    ),
    { numRuns: 80 },
  );
});

it("treats line ends, byte-order marks, comments and escapes as git does", () => {
  const paths = ["dist/a", "b", "#c", "!d", "e ", "x/keep.log", "y.log"];
  const text = "\uFEFFdist/\r\n# b\n\\#c\n\\!d\ne\\ \n*.log\n!keep.log";
  expect(ignored(text, paths)).toEqual(ignoredByGit(text, paths));
  expect(ignored(text, paths)).toEqual(["dist/a", "#c", "!d", "e ", "y.log"]);
});

it("takes no longer for a pattern that is made to take long", () => {
  const stars = "*a".repeat(400);
  const deep = `${"**/a/".repeat(190)}b`;
  const rules = parseIgnoreRules(`${stars}b\n${deep}\n`);
  const began = performance.now();
  expect(rules.match(["a".repeat(255)], false)).toBeUndefined();
  expect(
    rules.match(
      Array.from({ length: 200 }, () => "a"),
      false,
    ),
  ).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(1_000);
});
