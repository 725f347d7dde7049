import { expect, it } from "vitest";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { withRevisionBefore } from "./revision-before.ts";

const FILES = { "package.json": '{"scripts":{"dev":"node server.js"}}', "server.js": "" };

/** Counts the copies opened to serve the revision before the turn. */
async function copiesFor(before: Record<string, string>) {
  const workspace = createFakeWorkspace({ files: before });
  const { checkpoint } = await workspace.checkpoint("Before this turn");
  for (const [path, text] of Object.entries(FILES)) workspace.put(path, text);
  let copies = 0;
  const lend = () => Promise.reject(new Error(`copy ${++copies}`));
  const { signal } = new AbortController();
  await withRevisionBefore(
    { workspace },
    { lend, checkpoint, own: workspace, signal },
    async () => {},
  ).catch(() => {});
  return copies;
}

it("opens no copy for a project that had no files before the turn", async () => {
  expect(await copiesFor({})).toBe(0);
});

it.each([
  ["other files", { "notes.txt": "hi" }],
  ["the same file, with other text", { "server.js": "old" }],
])("a project that had %s is served in a copy", async (_, before) => {
  expect(await copiesFor(before)).toBe(1);
});
