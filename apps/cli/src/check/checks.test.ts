import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckReport } from "@treadle/protocol";
import { parseChecks } from "@treadle/server/checks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lineOf, listOf, statusOf } from "./checks.ts";
import { readInside } from "../folders/read-inside.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-checks-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const report = (state: CheckReport["state"], more: Partial<CheckReport> = {}): CheckReport => ({
  name: "Adds a task",
  state,
  steps: [
    { ok: true, said: 'typed "Milk"' },
    { ok: state === "held", said: 'there is no "Milk"' },
  ],
  ...more,
});

it("lists checks with their steps, and reports if there are none", () => {
  const text = 'run: by hand\n\n## Adds\u001b[2J\n- reload\n- expect "A"\n\n## Loads\n- reload\n';
  const list = listOf(parseChecks(text), true);
  expect(list).toMatch(/^ {2}Adds\S* \(2 steps\)\n {2}Loads \(1 step\)\nThey run only by hand/);
  expect(list).not.toContain("\u001b");
  expect(listOf(parseChecks(""), false)).toBe("There is no .treadle/checks.md.\n");
  expect(listOf(parseChecks("# Words"), true)).toMatch(/There is no check in/);
});

it("shows the steps of a failed check, and only the name of others", () => {
  expect(lineOf(report("held", { ms: 1_234 }))).toBe("  ✓ Adds a task (1.2 s)\n");
  expect(lineOf(report("failed"))).toBe(
    '  × Adds a task\n      ✓ typed "Milk"\n      × there is no "Milk"\n',
  );
  expect(lineOf(report("failed", { was: { how: "changed", by: "model" } }))).toMatch(
    /as it stood before it was changed/,
  );
});

it("exits with 0 if all passed, 1 if one failed, 3 if nothing ran", () => {
  expect(statusOf([report("held"), report("held")])).toBe(0);
  expect(statusOf([report("held"), report("untried"), report("failed")])).toBe(1);
  expect(statusOf([report("held"), report("untried")])).toBe(3);
  expect(statusOf([])).toBe(3);
});

it("reads a file inside of a folder, and follows no links", async () => {
  const inside = join(folder, "project");
  mkdirSync(join(inside, ".treadle"), { recursive: true });
  writeFileSync(join(folder, "secret.md"), "## Secret\n- reload\n");
  writeFileSync(join(inside, ".treadle/checks.md"), "## Mine\n");
  expect(await readInside(inside, ".treadle/checks.md", 5)).toBe("## Mi");
  expect(await readInside(inside, ".treadle/none.md", 5)).toBeUndefined();
  expect(await readInside(join(inside, ".treadle/checks.md"), ".treadle/x", 5)).toBeUndefined();
  symlinkSync(join(folder, "secret.md"), join(inside, ".treadle/link.md"));
  expect(await readInside(inside, ".treadle/link.md", 50)).toBeUndefined();
  symlinkSync(folder, join(inside, "up"));
  expect(await readInside(inside, "up/secret.md", 50)).toBeUndefined();
});
