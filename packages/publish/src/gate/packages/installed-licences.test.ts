import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ProjectFacts } from "@treadle/agent";
import { afterAll, expect, it } from "vitest";
import { FakeDriver } from "../../../../workspace/src/testing/fake-workspace.test-support.ts";
import { lookOver } from "../look-over.ts";
import { locked, lockFileText } from "../planted.test-support.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-licences-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const install = (name: string, manifest: object, files: Record<string, string> = {}) => {
  const all = { "package.json": JSON.stringify({ name, version: "1.0.0", ...manifest }), ...files };
  for (const [file, text] of Object.entries(all)) {
    const path = join(folder, "node_modules", name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
};

const bare = (name: string) => locked(name, { license: undefined });
const GNU =
  "                    GNU AFFERO GENERAL PUBLIC LICENSE\n                       Version 3";

it("fills in missing licences of the lock file from the installed packages", async () => {
  install("in-a-list", { licenses: [{ type: "MIT" }] });
  install("in-its-file", {}, { "LICENSE.md": "Permission is hereby granted, free of charge" });
  install("in-its-readme", {}, { "readme.md": "## License\n\nISC" });
  install("of-gnu", {}, { COPYING: GNU });
  install("either", {}, { LICENSE: `Under MIT, or the ${GNU.trim()}` });
  install("nowhere", {}, { "README.md": "Draws roses." });
  install("@shop/nobodys", { license: "" });
  const release = await new FakeDriver().open({
    project: "r",
    directory: "/r",
    stateDirectory: "/r.state",
    settings: { hosts: [], staticHosts: true, secrets: [] },
  });
  release.put(
    "package-lock.json",
    lockFileText({
      ...bare("in-a-list"),
      ...bare("in-its-file"),
      ...bare("in-its-readme"),
      ...bare("of-gnu"),
      ...bare("either"),
      ...bare("nowhere"),
      ...bare("@shop/nobodys"),
      ...bare("for-another-system"),
      ...locked("said-to-be-none", { license: "UNLICENSED" }),
      ...locked("builder", { license: undefined, dev: true }),
    }),
  );
  release.run = async (command, { onOutput } = {}) => {
    const env = { TREADLE_NODE: process.execPath };
    onOutput?.(execFileSync("sh", ["-c", command], { cwd: folder, env, encoding: "utf8" }));
    return { kind: "exited", code: 0, ms: 1, output: "" };
  };
  const looking = await lookOver(release, [], async () => ({}));
  looking.ask({} as ProjectFacts, new AbortController().signal);
  const { gate } = await looking.done();
  expect(
    gate.findings.map(({ severity, title, where }) => `${severity} ${title} ${where}`),
  ).toEqual([
    "serious A package is under GNU AFFERO GENERAL PUBLIC LICENSE, which asks for your sources too. package-lock.json: of-gnu@1.0.0",
    "minor A package has no licence. package-lock.json: nowhere@1.0.0",
    "minor A package has no licence. package-lock.json: @shop/nobodys@1.0.0",
    "minor A package has no licence. package-lock.json: said-to-be-none@1.0.0",
  ]);
});
