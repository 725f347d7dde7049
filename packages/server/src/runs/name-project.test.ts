import { afterEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
afterEach(() => server.close());

const nameOf = async (id: string) =>
  ((await (await server.api(`/api/projects/${id}`)).json()) as { name: string }).name;

/** A project whose model ends its first turn with this name; `before` runs during the turn. */
async function named(
  name: string | undefined,
  before: (id: string) => Promise<unknown> = async () => {},
  titles: string[] = [],
) {
  server = await startTestServer();
  let goOn = () => {};
  const waits = new Promise<void>((resolve) => (goOn = resolve));
  server.turns.push(async ({ run }, { log }) => {
    for (const title of titles) log.append({ type: "group", run, id: `${run}.1.${title}`, title });
    await waits;
    return { outcome: "done", said: { done: "Fertig.", name } };
  });
  const made = await server.api("/api/projects", { json: { prompt: "Build a todo app" } });
  const { id } = (await made.json()) as { id: string };
  expect(await nameOf(id)).toBe("Todo app");
  await before(id);
  goOn();
  await server.until(id, ({ type }) => type === "run-end");
  // Waits for the follow-up work of the run.
  await server.treadle.projects.release(id);
  return id;
}

it("takes the name that the model gives, as one line without hidden characters (A42)", async () => {
  const id = await named("Meine\nAuf\u202egaben");
  expect(await nameOf(id)).toBe("Meine Aufgaben");
  const renamed = (await server.events(id)).filter(({ type }) => type === "project-renamed");
  expect(renamed).toEqual([{ type: "project-renamed", name: "Meine Aufgaben" }]);
});

it("keeps a name that the person gave", async () => {
  const id = await named("Aufgaben", (project) =>
    server.api(`/api/projects/${project}`, { method: "PATCH", json: { name: "Mine" } }),
  );
  expect(await nameOf(id)).toBe("Mine");
});

it("takes the title of the first artifact without a name from the model, as one line without hidden characters (A42)", async () => {
  const id = await named(undefined, undefined, [
    "",
    "index.html",
    "Meine\nAuf\u202egaben",
    "Later",
  ]);
  expect(await nameOf(id)).toBe("Meine Aufgaben");
});

it("prefers the model's name over its artifact's title", async () => {
  expect(await nameOf(await named("Aufgaben", undefined, ["A title"]))).toBe("Aufgaben");
});

it("does not replace a person's name by a title", async () => {
  const rename = (project: string) =>
    server.api(`/api/projects/${project}`, { method: "PATCH", json: { name: "Mine" } });
  expect(await nameOf(await named(undefined, rename, ["A title"]))).toBe("Mine");
});

it("does not take titles that Treadle itself gives", async () => {
  expect(await nameOf(await named(undefined, undefined, ["Shell Command", "main.ts"]))).toBe(
    "Todo app",
  );
});
