import { expect, it } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { bringUp } from "./bring-up.ts";

const lock = (version: string) =>
  JSON.stringify({ packages: { "": { name: "app" }, "node_modules/a": { version } } });

/**
 * Starts a server whose package manager reaches no registry.
 * @param there the content of node_modules
 */
async function start(there: Record<string, string>) {
  const workspace = createFakeWorkspace({
    files: {
      "package.json": JSON.stringify({ dependencies: { a: "^1.0.0" } }),
      "package-lock.json": lock("1.3.0"),
      ...there,
    },
    command: (command) => (command.startsWith("npm install") ? { code: 1 } : undefined),
    serve: () => (_request, response) => void response.end(),
  });
  const { signal } = new AbortController();
  const { state } = await bringUp(workspace, { command: "node server.js", signal });
  return [state, workspace.commands.filter((one) => one.startsWith("npm install")).length];
}

it("uses packages that suit package.json where those of the lock file cannot be had", async () => {
  const there = {
    "node_modules/a/package.json": JSON.stringify({ version: "1.2.0" }),
    "node_modules/.package-lock.json": lock("1.2.0"),
  };
  expect(await start(there)).toEqual(["up", 1]);
});

it("starts nothing where packages are missing and cannot be had", async () => {
  expect(await start({})).toEqual(["no-packages", 1]);
});
