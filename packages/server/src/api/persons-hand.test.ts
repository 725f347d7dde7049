import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it("F13 what the person does in the page while a command runs is theirs, although the watcher is faster than the answer", async () => {
  let known: [string, string][] = [];
  server.turns.push(async (request, ports, { emit, workspace }) => {
    for (const [path, text] of [
      ["old/a.txt", "a"],
      ["old/b.txt", "b"],
      ["gone/c.txt", "c"],
    ] as const)
      workspace.put(path, text);
    await server.until(id, (event) => event.type === "files" && event.changes.length > 0);
    emit({ type: "call-open", run: request.run, call: "c", tool: "run_command" });
    emit({ type: "call-start", call: "c" });
    // The watcher tells at once, and the answer to what it saw comes only then.
    workspace.notice = (event) => {
      for (const listener of workspace.listeners) listener(event);
    };
    const at = (path: string) => `/api/projects/${id}/files/${path}`;
    const fresh = { "if-none-match": "*" };
    await server.api(at("saved.txt"), { method: "PUT", json: { text: "mine" }, headers: fresh });
    await server.api(at("up.bin"), {
      method: "PUT",
      body: new Uint8Array([0, 1]),
      headers: fresh,
    });
    await server.api(at("rename"), { json: { from: "old", to: "new" } });
    await server.api(at("gone"), { method: "DELETE" });
    workspace.put("built.txt", "by the command");
    await server.until(
      id,
      (event) => event.type === "files" && event.changes[0]?.path === "built.txt",
    );
    known = [...request.personWrites];
    await ports.personSettled?.([toProjectPath("saved.txt")]);
  });
  const made = await server.api("/api/projects", { json: { prompt: "One" } });
  const { id } = (await made.json()) as { id: string };
  await server.until(id, ({ type }) => type === "run-end");
  const changes = (await server.events(id))
    .flatMap((event) => (event.type === "files" ? event.changes : []))
    .slice(3);
  expect(changes.map(({ path, kind, by }) => `${by} ${kind} ${path}`)).toEqual([
    "person written saved.txt",
    "person written up.bin",
    "person removed old/a.txt",
    "person written new/a.txt",
    "person removed old/b.txt",
    "person written new/b.txt",
    "person removed gone/c.txt",
    "command written built.txt",
  ]);
  expect(known.filter(([, version]) => version !== "").map(([path]) => path)).toEqual(
    expect.arrayContaining(["saved.txt", "up.bin", "new/a.txt", "new/b.txt"]),
  );
});
