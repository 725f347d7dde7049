import type { Publication } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await server.listen();
});
afterEach(() => server.close());

const path = (id: string) => `/api/projects/${id}/publication`;
const state = async (id: string) => (await (await server.api(path(id))).json()) as Publication;
const begin = (id: string, name: string) => server.api(path(id), { json: { name } });

const turn = (files: Record<string, string>) =>
  server.turns.splice(0, Infinity, async (_, { workspace }) => {
    for (const [file, text] of Object.entries(files))
      await workspace.files.write(toProjectPath(file), text);
    return { verdict: "verified" };
  });

async function verified(files: Record<string, string>): Promise<string> {
  turn(files);
  return server.project("Build it");
}

async function change(id: string, files: Record<string, string>): Promise<void> {
  const seen = (await server.events(id)).length;
  turn(files);
  await server.api(`/api/projects/${id}/messages`, { json: { text: "Change it" } });
  await expect
    .poll(async () => (await server.events(id)).slice(seen).some(({ type }) => type === "run-end"))
    .toBe(true);
}

const settled = (id: string) =>
  expect.poll(async () => (await state(id)).releases[0]!.state).not.toBe("building");

it("gives a name that two projects request at the same moment to only one", async () => {
  const one = await verified({ "index.html": "one" });
  const two = await verified({ "index.html": "two" });
  const answers = await Promise.all([begin(one, "shop"), begin(two, "shop")]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  const refused = answers.find(({ status }) => status === 409)!;
  expect(await refused.json()).toMatchObject({
    error: { code: "name-taken", messageCode: { code: "app-name-taken" } },
  });
});

it("a new name applies once its release is live; a failed release leaves the address unchanged", async () => {
  const id = await verified({ "index.html": "one" });
  await begin(id, "shop");
  await settled(id);
  await change(id, { "package.json": "{" });
  expect((await begin(id, "store")).status).toBe(202);
  await settled(id);
  expect(await state(id)).toMatchObject({
    name: "shop",
    current: 1,
    releases: [{ state: "failed" }, { state: "ready" }],
  });
  await change(id, { "package.json": "{}" });
  expect((await begin(id, "store")).status).toBe(202);
  await settled(id);
  expect(await state(id)).toMatchObject({ name: "store", current: 3 });
});

it("reserves the name of a held release", async () => {
  const key = ["sk", "live", "9fKq2WmZ7bXc4Rt8YpL3"].join("_");
  const id = await verified({ "index.html": "one" });
  await begin(id, "shop");
  await settled(id);
  await change(id, { "index.html": key });
  await begin(id, "store");
  await settled(id);
  expect(await state(id)).toMatchObject({ name: "shop", releases: [{ state: "held" }, {}] });
  const other = await verified({ "index.html": "other" });
  expect((await begin(other, "store")).status).toBe(409);
  await server.api(`${path(id)}/releases/2/anyway`, { json: { by: "Ada" } });
  await settled(id);
  expect(await state(id)).toMatchObject({ name: "store", current: 2 });
});
