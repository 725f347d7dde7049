import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { expect, it } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { isMigration, migrate, withNumber } from "./migrations.ts";

it("those of a folder of the project are run, if it is the only one that has some", async () => {
  const files: Record<string, string> = {
    "package.json": "{}",
    "backend/migrations/0001_tasks.sql": "",
    "dist/migrations/0001_tasks.sql": "",
    "frontend/migrations/notes.sql": "",
  };
  const signal = new AbortController().signal;
  const ran = async () => {
    const workspace = createFakeWorkspace({ files });
    const migration = await migrate(workspace, { seed: false, signal });
    return [migration.kind, workspace.commands];
  };
  expect(await ran()).toEqual(["ran", ["treadle-db migrate"]]);
  expect(isMigration("backend/migrations/0002_more.sql")).toBe(true);
  expect(isMigration("backend/migrations/more.sql")).toBe(false);
  expect(await withNumber(toProjectPath("backend/migrations/more.sql"), createFakeWorkspace({ files }))).toBe("backend/migrations/more.sql"); // prettier-ignore
  files["jobs/migrations/0001_jobs.sql"] = "";
  expect(await ran()).toEqual(["none", []]);
});

it("a migration that does not come to an end is told with the time it had, and what to do", async () => {
  const file = { kind: "file", path: toProjectPath("migrations/0001_x.sql"), size: 1 };
  const workspace = {
    files: { list: async () => ({ files: [file] }), search: async () => ({ matches: [] }) },
    run: async () => ({ kind: "quiet", ms: 60_200, output: "Ran migrations/0000_w.sql.\n" }),
  } as unknown as Workspace;
  expect(await migrate(workspace, { seed: false, signal: new AbortController().signal })).toEqual({
    kind: "failed",
    output:
      "treadle-db migrate was ended after 60 seconds, and nothing of the file that ran then was kept. Let each migration do less.\nRan migrations/0000_w.sql.",
  });
});
