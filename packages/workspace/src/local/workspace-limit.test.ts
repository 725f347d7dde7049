import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { WorkspaceDriver } from "../types.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();

let folder: string;
let driver: WorkspaceDriver;
const create = (most: string) =>
  createLocalDriver({
    cacheDirectory: join(folder, "cache"),
    env: { ...process.env, TREADLE_WORKSPACES: most },
  });
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-workspaces-"));
  driver = create("2");
});
afterAll(async () => {
  await driver.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (name: string) =>
  driver.open({
    project: `${name}-${process.pid}`,
    directory: join(folder, name, "files"),
    stateDirectory: join(folder, name, "state"),
  });

it("refuses a project beyond the machine's limit with a message, and accepts it after another one has stopped", async () => {
  const [first, second] = await Promise.all([open("first"), open("second")]);
  await expect(open("third")).rejects.toMatchObject({
    name: "WorkspaceError",
    code: "full",
    message:
      "2 projects run already, as many as this machine is set up for (TREADLE_WORKSPACES); published apps count too. This one was not started: close the page of another one, or set it higher.",
  });
  expect(await open("first")).toBe(first);
  expect((await second.run("echo well")).output).toBe("well\n");
  await first.stop();
  const third = await open("third");
  expect((await third.run("echo well")).output).toBe("well\n");
  await expect(open("first")).rejects.toMatchObject({ code: "full" });
  const { checks } = await driver.probe();
  expect(checks.find(({ name }) => name === "projects")?.detail).toContain(
    "2 run at the same time",
  );
});

it.each(["0", "many", "1.5"])("rejects “%s” as a number of projects", (text) => {
  expect(() => create(text)).toThrow(`TREADLE_WORKSPACES is “${text}”`);
});
