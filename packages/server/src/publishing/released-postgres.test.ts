import type { Publication } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppsPostgres } from "@treadle/app-database";
import { startTestServer, type TestServer } from "../server.test-support.ts";

/** Names of sandboxes that have a database. */
const there = new Set<string>();
/** Sandboxes that were running while their database was removed: they can no longer connect. */
const shutOut: string[] = [];
let isReached = true;

const postgres: AppsPostgres = {
  take: () => (connection) => connection.destroy(),
  has: async (sandbox) => there.has(sandbox),
  copy: async (_, to) => void there.add(to),
  copyOut: async () => false,
  openCopy: async () => ({
    take: (connection) => connection.destroy(),
    digest: async () => undefined,
    drop: async () => {},
  }),
  removeLeftCopies: async () => undefined,
  async remove(sandboxed) {
    const sandbox = server.driver.opened.get(sandboxed);
    // As the real server does.
    if (sandbox && !sandbox.stopped) shutOut.push(sandboxed);
    if (!isReached) throw new Error("connect ECONNREFUSED 10.0.0.7:5432");
    there.delete(sandboxed);
  },
  removeProject: async () => undefined,
  probe: async () => ({ ok: true, detail: "" }),
  ofOthers: async () => [],
  claim: async () => undefined,
  takeOver: async () => undefined,
  close: async () => undefined,
};

let server: TestServer;
beforeEach(async () => {
  there.clear();
  shutOut.length = 0;
  isReached = true;
  server = await startTestServer(undefined, { appsPostgres: postgres });
  server.driver.answer = () => (_, response) => response.end("Shop");
});
afterEach(() => server.close());

/** A project with a verified app. */
function verified(): Promise<string> {
  server.turns.splice(0, Infinity, async (_, { workspace }) => {
    const files = {
      "package.json": JSON.stringify({ scripts: { start: "node server.js" } }),
      "server.js": "1",
    };
    for (const [path, text] of Object.entries(files))
      await workspace.files.write(toProjectPath(path), text);
    return { verdict: "verified" };
  });
  return server.project("Build it");
}

const path = (id: string) => `/api/projects/${id}/publication`;
const state = async (id: string) => (await (await server.api(path(id))).json()) as Publication;

async function publish(id: string): Promise<Publication> {
  const answer = await server.api(path(id), { json: { name: "shop" } });
  expect(answer.status, await answer.clone().text()).toBe(202);
  await expect.poll(async () => (await state(id)).releases[0]?.state).not.toBe("building");
  return state(id);
}

describe("the PostgreSQL database of a release", () => {
  it("is removed when the release is taken down", async () => {
    const id = await verified();
    await publish(id);
    there.add(`${id}-release-1`);
    expect((await server.api(path(id), { method: "DELETE" })).status).toBe(200);
    expect([...there]).toEqual([]);
  });

  it("left by an earlier one with its number is not used: it begins without a database", async () => {
    const id = await verified();
    there.add(`${id}-release-1`);
    expect((await publish(id)).releases).toMatchObject([{ number: 1, state: "ready" }]);
    expect([...there, ...shutOut]).toEqual([]);
  });

  it("that is unavailable fails the release of an app that needs it, without revealing its address", async () => {
    const id = await verified();
    isReached = false;
    const { releases } = await publish(id);
    const saidCode = { code: "release-data-failed", values: { step: "remade" } };
    expect(releases).toMatchObject([{ state: "failed", saidCode }]);
    expect(JSON.stringify(releases)).not.toContain("10.0.0.7");
    expect(server.notices.join()).toContain("10.0.0.7");
  });
});
