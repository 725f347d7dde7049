import { expect, it } from "vitest";
import { FakeDriver } from "../../../workspace/src/testing/fake-workspace.test-support.ts";
import { migrateRelease } from "./migrate-release.ts";

async function migrated(files: Record<string, string>): Promise<string[]> {
  const driver = new FakeDriver();
  const workspace = await driver.open({
    project: "p-release-1",
    directory: "/nowhere/files",
    stateDirectory: "/nowhere/state",
  });
  for (const [path, text] of Object.entries(files)) workspace.put(path, text);
  const done: string[] = [];
  workspace.perform = (command) => {
    done.push(command);
    return { code: 0, output: "" };
  };
  await migrateRelease(workspace, {
    signal: new AbortController().signal,
    file: undefined,
    onRun: () => void done.push("told"),
  });
  return done;
}

it("announces migrations before they run, and only if there are any", async () => {
  expect(await migrated({ "server.js": "1" })).toEqual([]);
  expect(await migrated({ "migrations/0001_rows.sql": "CREATE TABLE rows (id)" })).toEqual([
    "told",
    "treadle-db migrate --no-copy",
  ]);
});
