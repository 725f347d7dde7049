import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Evidence } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTestServer, type TestServer, type Turn } from "../server.test-support.ts";
import { FOLDERS, readListFolders } from "./listed-folders.ts";

/** A running server, and a folder that a command uses with the same data folder. */
async function stage(data = mkdtempSync(join(tmpdir(), "treadle-listed-"))) {
  const directory = mkdtempSync(join(tmpdir(), "treadle-theirs-"));
  const server = await startTestServer(data);
  onTestFinished(async () => {
    await server.close();
    for (const folder of [data, directory]) rmSync(folder, { recursive: true, force: true });
  });
  const own = join(data, FOLDERS, "key");
  mkdirSync(own, { recursive: true });
  /** Works in the folder as `treadle run` does. */
  const command = async (
    work: (one: TestServer, project: string) => Promise<void>,
    env: Record<string, string> = {},
  ) => {
    const one = await startTestServer(own, { sharedDirectory: data, env });
    try {
      const { id } = await one.treadle.projects.open({ directory });
      await work(one, id);
    } finally {
      await one.treadle.close();
    }
  };
  const list = async () => {
    const answer = await server.api("/api/projects");
    return ((await answer.json()) as { projects: Record<string, unknown>[] }).projects;
  };
  return { server, directory, command, list };
}

const seen = (revision: string, state: "held" | "failed"): Evidence => {
  const evidence = untriedEvidence(revision);
  for (const part of Object.values(evidence.parts)) part.state = "held";
  evidence.parts.page = { state, summary: state };
  return evidence;
};
const leaves =
  (state: "held" | "failed"): Turn =>
  async (_request, _ports, { emit, workspace }) => {
    await workspace.files.write(toProjectPath("index.html"), state);
    emit({ type: "evidence", evidence: seen(await workspace.revision(), state) });
  };
const build = (state: "held" | "failed") => async (one: TestServer, project: string) => {
  one.turns.splice(0, one.turns.length, leaves(state));
  const { run } = await one.treadle.projects.send(project, { text: "A list of milk" });
  await one.until(project, (event) => event.type === "run-end" && event.run === run);
};

describe("a folder used by the command line", () => {
  it("is in the server's list with its verdict, and can be opened", async () => {
    const { server, directory, command, list } = await stage();
    await command(build("failed"));
    const [project, ...more] = await list();
    expect(more).toEqual([]);
    expect(project).toMatchObject({ name: "List of milk", verdict: "failed" });
    const id = String(project?.["id"]);
    expect(await server.store.projects.get(id)).toMatchObject({ directory });
    // The verdict is for the current files, which are read first.
    const opened = async () => (await (await server.api(`/api/projects/${id}`)).json()) as object;
    await expect
      .poll(opened)
      .toMatchObject({ verdict: "failed", evidence: { parts: { page: { state: "failed" } } } });
  });

  it("has the same hashes of its .env files as in the command, so that its verification applies here", async () => {
    const { server, command, list } = await stage();
    let ofCommand: string | undefined;
    await command(async (one, project) => {
      await build("held")(one, project);
      ofCommand = one.workspace(project).options.secretKey;
    });
    const [project] = await list();
    const id = String(project?.["id"]);
    await server.treadle.projects.send(id, { text: "Look at it" });
    await expect.poll(() => server.driver.opened.has(id)).toBe(true);
    expect(ofCommand).toMatch(/^[0-9a-f]{64}$/);
    expect(server.workspace(id).options.secretKey).toBe(ofCommand);
    const another = await server.project("A clock");
    expect(server.workspace(another).options.secretKey).toBeUndefined();
  });

  it("is not published if its files changed since, and leaves no checkpoint of them", async () => {
    const { server, command, list } = await stage();
    await command(build("held"));
    const [project] = await list();
    const at = `/api/projects/${String(project?.["id"])}`;
    // The sandbox of these tests contains none of the folder's files, so they differ here.
    const refused = await server.api(`${at}/publication`, { json: {} });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { error: { code: "not-verified" } },
    ]);
    expect(await (await server.api(`${at}/publication`)).status).toBe(404);
    expect(await server.events(String(project?.["id"]))).not.toContainEqual(
      expect.objectContaining({ type: "checkpoint" }),
    );
  });

  it("keeps the name of its conversation when it is opened by the server", async () => {
    const { server, directory, command, list } = await stage();
    await command(build("held"));
    const { id } = await server.treadle.projects.open({ directory, name: "theirs" });
    expect(await list()).toMatchObject([{ id, name: "List of milk", verdict: "runs" }]);
  });

  it("is the same project after the next command, with its new state", async () => {
    const { command, list } = await stage();
    await command(build("failed"));
    const [before] = await list();
    await command(build("held"));
    const after = await list();
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: before?.["id"] });
    expect(after[0]).toMatchObject({ verdict: "runs" });
    expect(after[0]?.["updatedAt"]).toBeGreaterThanOrEqual(Number(before?.["updatedAt"]));
  });

  it("stays deleted until a command works there again", async () => {
    const { server, command, list } = await stage();
    await command(build("held"));
    const [project] = await list();
    await server.api(`/api/projects/${String(project?.["id"])}`, { method: "DELETE" });
    expect(await list()).toEqual([]);
    await command(build("held"));
    expect(await list()).toHaveLength(1);
  });

  it("is not listed if that is switched off, as for benchmarks", async () => {
    const { command, list } = await stage();
    await command(build("held"), { TREADLE_LIST_FOLDERS: "no" });
    expect(await list()).toEqual([]);
    expect(() => readListFolders("perhaps")).toThrow("TREADLE_LIST_FOLDERS");
  });

  it("is not listed without any message or check", async () => {
    const { command, list } = await stage();
    await command(async () => {});
    expect(await list()).toEqual([]);
  });

  it("is not listed by a server with another data folder, nor once the folder is gone", async () => {
    const other = await stage();
    const { directory, command, list } = await stage();
    await command(build("held"));
    expect(await other.list()).toEqual([]);
    rmSync(directory, { recursive: true });
    expect(await list()).toEqual([]);
  });
});
