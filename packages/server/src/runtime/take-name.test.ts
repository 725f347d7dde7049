import { afterEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
afterEach(() => server.close());

const nameOf = async (id: string) =>
  ((await (await server.api(`/api/projects/${id}`)).json()) as { name: string }).name;

/** A project whose model ends its first turn with this name; `before` is done while the turn goes on. */
async function named(name: string, before: (id: string) => Promise<unknown> = async () => {}) {
  server = await startTestServer();
  let goOn = () => {};
  const waits = new Promise<void>((resolve) => (goOn = resolve));
  server.turns.push(async () => {
    await waits;
    return { outcome: "done", said: { done: "Fertig.", name } };
  });
  const made = await server.api("/api/projects", { json: { prompt: "Build a todo app" } });
  const { id } = (await made.json()) as { id: string };
  expect(await nameOf(id)).toBe("Todo app");
  await before(id);
  goOn();
  await server.until(id, ({ type }) => type === "run-end");
  // Until what follows the end is done as well.
  await server.treadle.projects.release(id);
  return id;
}

it("a project takes the name that its model gives it, as one line that is seen (A42)", async () => {
  const id = await named("Meine\nAuf\u202egaben");
  expect(await nameOf(id)).toBe("Meine Aufgaben");
  const renamed = (await server.events(id)).filter(({ type }) => type === "project-renamed");
  expect(renamed).toEqual([{ type: "project-renamed", name: "Meine Aufgaben" }]);
});

it("a name that the person gave stays", async () => {
  const id = await named("Aufgaben", (project) =>
    server.api(`/api/projects/${project}`, { method: "PATCH", json: { name: "Mine" } }),
  );
  expect(await nameOf(id)).toBe("Mine");
});
