import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { MemoryWorkspace } from "@treadle/workspace/testing";
import { createAuthors } from "@treadle/trust";
import { fillFrom } from "./restore-files.ts";

it("attributes a new project's initial files to nobody, even if the watcher reports them late", async () => {
  let now = 0;
  const authors = createAuthors(() => now);
  const workspace = new MemoryWorkspace();
  workspace.put(toProjectPath("a.txt"), "1");
  const { checkpoint } = await workspace.checkpoint("First");
  await fillFrom(
    {
      workspace: async () => workspace,
      trust: {
        authors,
        restoring: () => authors.restoring?.(),
        restored: async () => undefined,
      } as unknown as Parameters<typeof fillFrom>[0]["trust"],
      record: async () => ({ id: "p", name: "P", createdAt: 0, updatedAt: 0, capability: "c" }),
    },
    checkpoint,
  );
  authors.runBegins();
  now = 200;
  const notice = { path: toProjectPath("a.txt"), kind: "written" as const, size: 1, version: "v" };
  expect(authors.attribute(notice).by).toBe("command");
  expect([...authors.personWrites]).toEqual([]);
});
