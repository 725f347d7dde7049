import { toProjectPath } from "@treadle/protocol/project-path";
import type { ProjectSummary, Verdict } from "@treadle/protocol";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it, onTestFinished } from "vitest";
import { WORKS } from "../../../browser/src/look/page-report.test-support.ts";
import { startTestServer, type TestServer, type Turn } from "../server.test-support.ts";

/** The only entry of the list of projects. */
async function listed(server: TestServer): Promise<ProjectSummary> {
  const response = await server.api("/api/projects");
  const { projects } = (await response.json()) as { projects: ProjectSummary[] };
  return projects[0]!;
}

it("the list does not show verified after files have changed, also if the project is not open", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  server.turns.push(async (_request, _ports, { emit, workspace }) => {
    await workspace.files.write(toProjectPath("index.html"), "good");
    const evidence = untriedEvidence(await workspace.revision());
    for (const part of Object.values(evidence.parts)) part.state = "held";
    emit({ type: "evidence", evidence });
    return { verdict: "runs" as const };
  });
  const id = await server.project();
  await server.until(id, ({ type }) => type === "checkpoint");
  expect((await listed(server)).verdict).toBe("runs");
  const mark = await server.store.log.head(id);
  const workspace = server.workspace(id);
  const [good] = await workspace.checkpoints();
  const revision = await (workspace.put("index.html", "by hand"), workspace.revision());
  await server.until(id, (event) => event.type === "files" && event.revision === revision);
  expect((await listed(server)).verdict).toBe("unverified");
  await server.treadle.projects.release(id);
  expect((await listed(server)).verdict).toBe("unverified");
  const restored = await server.api(`/api/projects/${id}/restore`, {
    json: { checkpoint: good!.checkpoint },
  });
  expect(restored.status).toBe(200);
  expect((await listed(server)).verdict).toBe("runs");
  await server.treadle.projects.release(id);
  expect(await server.store.log.head(id)).toBeGreaterThan(mark);
  expect((await listed(server)).verdict).toBe("runs");
  expect(server.driver.opened.get(id)?.stopped).toBe(true);
});

it("restored files have the verdict of the turn that left them", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const turn = (text: string, verdict: Verdict): Turn =>
    async function (_request, _ports, { workspace }) {
      await workspace.files.write(toProjectPath("index.html"), text);
      return { verdict };
    };
  server.turns.push(turn("good", "verified"), turn("bad", "failed"), async () => {});
  const id = await server.project();
  await server.treadle.projects.send(id, { text: "Worse" });
  await server.until(id, (event) => event.type === "run-end" && event.verdict === "failed");
  expect((await listed(server)).verdict).toBe("failed");
  const [good] = await server.workspace(id).checkpoints();
  await server.api(`/api/projects/${id}/restore`, { json: { checkpoint: good!.checkpoint } });
  expect((await listed(server)).verdict).toBe("verified");
});

it("the list shows that a project waits for the person", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  server.turns.push(async ({ run }, _ports, { emit }) => {
    const question = {
      kind: "approval" as const,
      id: "c1.approval",
      call: "c1",
      tool: "run_command",
      why: "Commands need approval in this project.",
      subject: { kind: "command" as const, what: ["npm test"] },
      digest: "d1",
      mayRemember: true,
    };
    emit({ type: "question", run, question });
    return "waits" as const;
  });
  const made = await server.api("/api/projects", { json: { prompt: "Test it" } });
  const { id } = (await made.json()) as { id: string };
  await server.until(id, ({ type }) => type === "question");
  expect(await listed(server)).toMatchObject({ working: true, waits: true });
});

it("the list has the latest screenshot, also if the project is not open and nothing checked its files since", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const picture = { hash: "ab".repeat(32), mediaType: "image/jpeg" };
  server.turns.push(async (_request, _ports, { emit, workspace }) => {
    const evidence = untriedEvidence(await workspace.revision());
    emit({ type: "evidence", evidence: { ...evidence, pages: [{ ...WORKS, picture }] } });
  });
  const id = await server.project();
  await server.until(id, ({ type }) => type === "run-end");
  expect((await listed(server)).picture).toBe(picture.hash);
  server.workspace(id).put("index.html", "by hand");
  await server.until(id, ({ type }) => type === "files");
  await server.treadle.projects.release(id);
  expect((await listed(server)).picture).toBe(picture.hash);
});

it("the list counts turns and their cost, also if the project is not open", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, costUsd: 0.25 };
  server.turns.push(
    async () => ({ verdict: "runs", usage }),
    async () => ({ verdict: "runs", usage }),
  );
  const id = await server.project();
  await server.until(id, ({ type }) => type === "run-end");
  await server.treadle.projects.send(id, { text: "More" });
  await expect.poll(() => listed(server)).toMatchObject({ turns: 2, costUsd: 0.5 });
  await server.treadle.projects.release(id);
  expect(await listed(server)).toMatchObject({ turns: 2, costUsd: 0.5 });
  expect(await listed(server)).not.toHaveProperty("live");
});

it("a deleted project can be restored, and cannot be accessed meanwhile", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const id = await server.project();
  const other = await server.project();
  const list = async () =>
    (await (await server.api("/api/projects")).json()) as {
      projects: ProjectSummary[];
      deleted: { id: string; name: string }[];
    };
  // The end of a turn still changes the record.
  await server.treadle.projects.release(id);
  const before = (await list()).projects.find((project) => project.id === id)!;
  const gone = await server.api(`/api/projects/${id}?undo=true`, { method: "DELETE" });
  expect(gone.status).toBe(200);
  expect((await list()).projects.map((project) => project.id)).toEqual([other]);
  expect((await list()).deleted).toMatchObject([{ id, name: before.name }]);
  const described = await (await server.api("/api/openapi.json")).json();
  const { paths } = described as { paths: Record<string, Record<string, unknown>> };
  const asked = Object.keys(paths).filter((path) => "get" in paths[path]! && path.includes("{id}"));
  expect(asked.length).toBeGreaterThan(10);
  const answered: string[] = [];
  for (const path of asked) {
    const query = "?from=a&width=800&height=600&path=/&q=x&query=x";
    const address = path.replace("{id}", id).replaceAll(/\{[^}]+\}/g, "x");
    const { status } = await server.api(`${address}${query}`);
    if (status < 400) answered.push(`${path}: ${status}`);
  }
  expect(answered).toEqual([]);
  expect((await server.api(`/api/projects/${id}/put-back`, { json: {} })).status).toBe(200);
  expect((await list()).projects.find((project) => project.id === id)).toEqual(before);
  expect((await list()).deleted).toEqual([]);
});

it("an archived project is marked as such, and otherwise normal", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const id = await server.project();
  const patch = (archived: boolean) =>
    server.api(`/api/projects/${id}`, { method: "PATCH", json: { archived } });
  expect((await patch(true)).status).toBe(200);
  expect(await listed(server)).toMatchObject({ id, archived: true });
  expect((await patch(false)).status).toBe(200);
  expect(await listed(server)).not.toHaveProperty("archived");
});
