import { createHash } from "node:crypto";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer, type Turn } from "../server.test-support.ts";

let server: TestServer;
let id: string;
/** The content of these files that the latest run would be told. */
let report: Record<string, boolean>;

const hash = (text: string) => createHash("sha1").update(text).digest("hex");

beforeEach(async () => {
  server = await startTestServer();
  const look: Turn = async (_request, { isAccepted }, { workspace }) => {
    report = Object.fromEntries(
      [...workspace.contents].map(([path, bytes]) => [
        path,
        isAccepted?.(path, createHash("sha1").update(bytes).digest("hex")) ?? true,
      ]),
    );
  };
  server.turns.push(look);
  id = await server.project();
});
afterEach(() => server.close());

const api = async (path: string, json?: unknown) => {
  const response = await server.api(`/api/projects/${id}/${path}`, json ? { json } : {});
  return { status: response.status, body: await response.json() };
};
const save = (path: string, text: string, headers: Record<string, string>) =>
  server.api(`/api/projects/${id}/files/${path}`, { method: "PUT", json: { text }, headers });
const accept = (file: { path: string; version: string; left?: string }) =>
  api("rules/accept", file);

/**
 * Runs one more turn to its end.
 * @returns its events
 */
async function turn() {
  const runs = server.requests.length;
  const { body } = await api("messages", { text: "Go on" });
  await server.until(id, (event) => event.type === "run-end" && event.run === body.run);
  expect(server.requests.length).toBe(runs + 1);
  return (await server.events(id)).filter((event) => "run" in event && event.run === body.run);
}

describe("files that outside programs obey, between turns", () => {
  it("are not passed on as a program of the project left them, which is reported once (A24)", async () => {
    await save("AGENTS.md", "Be kind.", { "if-none-match": "*" });
    await turn();
    expect(report).toEqual({ "AGENTS.md": true });
    const workspace = server.workspace(id);
    workspace.put("AGENTS.md", "evil");
    workspace.put(".npmrc", "evil");
    workspace.put("package.json", '{"scripts":{"dev":"vite"}}');
    workspace.put("packages/a/package.json", '{"scripts":{"postinstall":"evil"}}');
    workspace.put("src/a.ts", "1");
    const events = await turn();
    expect(report["AGENTS.md"]).toBe(false);
    expect(events.find(({ type }) => type === "protected-changed")).toMatchObject({
      state: "stands",
      files: [
        { path: ".npmrc", version: hash("evil"), told: false },
        { path: "AGENTS.md", version: hash("evil"), told: true },
        { path: "packages/a/package.json", told: false },
      ],
    });
    // Reporting the change of a rule would reveal it: it is not among the person's changes for the
    // model.
    const changes = server.requests.at(-1)?.changes.map(({ path }) => path);
    expect(changes).toEqual(["package.json", "src/a.ts"]);
    expect((await turn()).map(({ type }) => type)).not.toContain("protected-changed");
  });

  it("are not reported as removed if the person saved settings that only concern the layout of dependencies", async () => {
    await turn();
    await save(".npmrc", "engine-strict=true\n", { "if-none-match": "*" });
    await save("pnpm-workspace.yaml", "packages:\n  - a\n", { "if-none-match": "*" });
    expect((await turn()).map(({ type }) => type)).not.toContain("protected-changed");
    expect(await api("rules")).toMatchObject({ body: { changed: [] } });
    server.workspace(id).put(".npmrc", "registry=https://evil.example");
    expect((await turn()).find(({ type }) => type === "protected-changed")).toMatchObject({
      files: [{ path: ".npmrc", version: hash("registry=https://evil.example") }],
    });
  });

  it("are passed on once exactly that version was approved (A24)", async () => {
    const workspace = server.workspace(id);
    workspace.put("AGENTS.md", "one");
    workspace.put("AGENTS.md", "two");
    const change = { path: "AGENTS.md", version: hash("two"), told: true };
    expect(await api("rules")).toMatchObject({
      body: { rules: [{ path: "AGENTS.md", state: "changed" }], changed: [change] },
    });
    const old = await accept({ path: "AGENTS.md", version: hash("one") });
    expect(old).toMatchObject({ status: 409, body: { error: { code: "changed" } } });
    const accepted = await accept({ path: "AGENTS.md", version: hash("two") });
    expect(accepted).toMatchObject({
      status: 200,
      body: { rules: [{ state: "told" }], changed: [] },
    });
    await turn();
    expect(report).toEqual({ "AGENTS.md": true });
    workspace.put("AGENTS.md", "one");
    await turn();
    expect(report).toEqual({ "AGENTS.md": false });
  });

  it("are all approved in their current version on request (A24)", async () => {
    server.workspace(id).put("AGENTS.md", "one");
    server.workspace(id).put(".cursorrules", "two");
    await server.treadle.projects.acceptChanged(id);
    await turn();
    expect(report).toEqual({ "AGENTS.md": true, ".cursorrules": true });
  });

  it("are passed on with changes made while nothing of the project was running, and not as a program left them (A24)", async () => {
    await save("AGENTS.md", "Be kind.", { "if-none-match": "*" });
    const { contents } = server.workspace(id);
    contents.set(toProjectPath(".cursorrules"), Buffer.from("evil"));
    await server.treadle.projects.release(id);
    contents.set(toProjectPath("AGENTS.md"), Buffer.from("By hand."));
    await turn();
    expect(report).toEqual({ "AGENTS.md": true, ".cursorrules": false });
  });

  it("are not attributed to the person if a program would not end, or its end is unknown (A24)", async () => {
    const ends = [async () => false, () => Promise.reject(new Error("no answer"))];
    for (const [index, endProcesses] of ends.entries()) {
      const workspace = server.workspace(id);
      workspace.endProcesses = endProcesses;
      await server.treadle.projects.release(id);
      workspace.contents.set(toProjectPath("AGENTS.md"), Buffer.from(`evil ${index}`));
      await turn();
      expect(report).toEqual({ "AGENTS.md": false });
    }
  });

  it("are restored with a checkpoint if approved earlier, and not otherwise (A24)", async () => {
    await save("AGENTS.md", "Be kind.", { "if-none-match": "*" });
    await turn();
    const workspace = server.workspace(id);
    const kind = await workspace.checkpoint("kind");
    workspace.put("AGENTS.md", "evil");
    const evil = await workspace.checkpoint("evil");
    await save("AGENTS.md", "Be quick.", { "if-match": hash("evil") });
    await api("restore", { checkpoint: kind.checkpoint });
    await turn();
    expect(report).toEqual({ "AGENTS.md": true });
    await api("restore", { checkpoint: evil.checkpoint });
    await turn();
    expect(report).toEqual({ "AGENTS.md": false });
  });

  it("are passed on as the model wrote them with an approval, in any spelling of the path (A24)", async () => {
    server.turns.unshift(async (_request, { wrote }, { workspace }) => {
      wrote(toProjectPath("./AGENTS.md"), workspace.put("AGENTS.md", "Approved."));
    });
    await turn();
    await turn();
    expect(report).toEqual({ "AGENTS.md": true });
  });

  it("keep their approval when the person renames them in the page", async () => {
    await save("rules/a.md", "A", { "if-none-match": "*" });
    await api("files/rename", { from: "rules/a.md", to: ".clinerules/a.md" });
    await turn();
    expect(report).toEqual({ ".clinerules/a.md": true });
    expect((await api("rules")).body).toMatchObject({ changed: [] });
  });
});

describe("a folder that the person renames in the page", () => {
  it("keeps the approvals of its files, and approves no others (A24)", async () => {
    await save("src/AGENTS.md", "Be kind.", { "if-none-match": "*" });
    const workspace = server.workspace(id);
    workspace.put("src/a/AGENTS.md", "evil");
    workspace.put("src/package.json", '{"scripts":{"postinstall":"evil"}}');
    // One file at a time, because the fake has no folders.
    for (const name of ["AGENTS.md", "a/AGENTS.md", "package.json"])
      await workspace.files.rename(toProjectPath(`src/${name}`), toProjectPath(`app/${name}`));
    workspace.files.rename = async () => {};
    await api("files/rename", { from: "src", to: "app" });
    await turn();
    expect(report).toMatchObject({ "app/AGENTS.md": true, "app/a/AGENTS.md": false });
    const { body } = await api("rules");
    expect(body.changed).toMatchObject([{ path: "app/a/AGENTS.md" }, { path: "app/package.json" }]);
  });
});

describe("a reverted file", () => {
  /** A turn in which a file was reverted from `became` to the current version. */
  async function keepPutBack(became: string): Promise<void> {
    server.turns.unshift(async (_request, { approvals }) => {
      expect(await approvals?.keepPutBack?.(Buffer.from(became))).toBe(true);
    });
    await turn();
  }

  it("gets its changed version back on request, which approves it (A24)", async () => {
    await save("AGENTS.md", "Be kind.", { "if-none-match": "*" });
    await keepPutBack("Be rude.");
    const file = { path: "AGENTS.md", version: hash("Be rude."), left: hash("Be kind.") };
    expect(await accept(file)).toMatchObject({ status: 200, body: { changed: [] } });
    const { contents } = server.workspace(id);
    expect(Buffer.from(contents.get(toProjectPath("AGENTS.md"))!).toString()).toBe("Be rude.");
    await turn();
    expect(report).toEqual({ "AGENTS.md": true });
    expect(await server.events(id)).toContainEqual({
      type: "protected-accepted",
      path: "AGENTS.md",
      version: hash("Be rude."),
    });
  });

  it("is left alone if it was changed since, or the version is not stored (A24)", async () => {
    await save("AGENTS.md", "Be kind.", { "if-none-match": "*" });
    await keepPutBack("Be rude.");
    const file = { path: "AGENTS.md", version: hash("Be rude."), left: hash("another") };
    expect((await accept(file)).status).toBe(409);
    const lost = { ...file, version: hash("never kept"), left: hash("Be kind.") };
    expect((await accept(lost)).status).toBe(404);
    expect((await accept({ ...lost, version: "../../../etc/passwd" })).status).toBe(404);
    expect((await accept({ ...lost, version: "", left: hash("another") })).status).toBe(409);
    const { contents } = server.workspace(id);
    expect(Buffer.from(contents.get(toProjectPath("AGENTS.md"))!).toString()).toBe("Be kind.");
  });

  it("is removed if it had been removed, and created if it had been added", async () => {
    await save("AGENTS.md", "Be kind.", { "if-none-match": "*" });
    const gone = { path: "AGENTS.md", version: "", left: hash("Be kind.") };
    expect((await accept(gone)).status).toBe(200);
    expect(server.workspace(id).contents.has(toProjectPath("AGENTS.md"))).toBe(false);
    await keepPutBack("Added.");
    const added = { path: ".cursorrules", version: hash("Added."), left: "absent" };
    expect((await accept(added)).status).toBe(200);
    await turn();
    expect(report).toEqual({ ".cursorrules": true });
  });
});
