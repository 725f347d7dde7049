import { toProjectPath } from "@treadle/protocol/project-path";
import type { Workspace } from "@treadle/workspace";
import { expect, it } from "vitest";
import { migrate } from "./migrations.ts";

it("a migration that does not come to an end is told with the time it had, and what to do", async () => {
  const file = { kind: "file", path: toProjectPath("migrations/0001_x.sql"), size: 1 };
  const workspace = {
    files: { list: async () => ({ files: [file] }), search: async () => ({ matches: [] }) },
    run: async () => ({ kind: "quiet", ms: 60_200, output: "Ran migrations/0000_w.sql.\n" }),
  } as unknown as Workspace;
  expect(await migrate(workspace, { seed: false, signal: new AbortController().signal })).toEqual({
    kind: "failed",
    said: "treadle-db migrate was ended after 60 seconds, and nothing of the file that ran then was kept. Let each migration do less.\nRan migrations/0000_w.sql.",
  });
});
