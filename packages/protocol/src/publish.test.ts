/**
 * Tests the package as others install it, with its only dependency: both packed and installed from
 * tarballs, offline.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPacked, REPOSITORY } from "../../dialects/src/install-packed.test-support.ts";

const execute = promisify(execFile);
const scratch = mkdtempSync(join(tmpdir(), "treadle-publish-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let project = "";
beforeAll(async () => {
  project = await installPacked(["dialects", "protocol"], scratch);
}, 120_000);

async function printed(code: string): Promise<string> {
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", code], {
    cwd: project,
  });
  return stdout;
}

test("depends on @treadle/dialects only", () => {
  const manifest = JSON.parse(
    readFileSync(join(project, "node_modules/@treadle/protocol/package.json"), "utf8"),
  );
  expect(Object.keys(manifest.dependencies)).toEqual(["@treadle/dialects"]);
});

test("its entry exports the parsers under their stable names", async () => {
  const names = await printed(
    `console.log(Object.keys(await import("@treadle/protocol")).toSorted().join(" "))`,
  );
  expect(names.trim()).toBe(
    "applyEdits applyPatch createArtifactParser createToolTagParser parsePatch parseSearchReplace",
  );
});

test("each part can be imported separately, including those of dialects", async () => {
  const parts = await printed(
    `for (const part of ["apply-patch", "artifact", "data-stream", "diff", "edits", "json-arguments", "meant", "modifications", "search-replace", "tool-tags", "build-result", "evidence", "fold"])
      if (Object.keys(await import("@treadle/protocol/" + part)).length === 0) console.log(part);
    const { applyEdits } = await import("@treadle/protocol/edits");
    console.log(applyEdits("a", [{ old: "a", new: "b" }]).content);`,
  );
  expect(parts).toBe("b\n");
});

test("its types work in a project without its source", { timeout: 90_000 }, async () => {
  writeFileSync(
    join(project, "use.ts"),
    `import { applyEdits, createArtifactParser, type ArtifactEvent, type EditResult, type LogEvent } from "@treadle/protocol";
import { parseModifications } from "@treadle/protocol/modifications";
const seen: ArtifactEvent[] = [];
createArtifactParser({ onEvent: (event) => seen.push(event) }).end();
export const result: EditResult = applyEdits("a", [{ old: "a", new: "b" }]);
export const types: LogEvent["type"][] = [];
export const changed = parseModifications("").length;
// @ts-expect-error an edit has an old text
applyEdits("a", [{ new: "b" }]);
`,
  );
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--types", ""];
  await execute(process.execPath, [join(REPOSITORY, "node_modules/typescript/bin/tsc"), ...options, "use.ts"], { cwd: project }); // prettier-ignore
});
