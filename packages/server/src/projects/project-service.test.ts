import { toProjectPath } from "@treadle/protocol/project-path";
import { untriedEvidence } from "@treadle/protocol/evidence";
import { expect, it, onTestFinished } from "vitest";
import { startTestServer } from "../server.test-support.ts";

it("refuses to open a folder with an unavailable model for planning", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const { directory } = server;
  const open = (planModel: string) => server.treadle.projects.open({ directory, planModel });
  await expect(open("fake:none")).rejects.toMatchObject({ code: "model-unknown" });
  const { id } = await open("fake:two");
  expect(await server.store.projects.get(id)).toMatchObject({ planModel: "fake:two" });
});

it("reports the verdict of a turn for unchanged files, and none for files that changed since", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  server.turns.push(
    async (_request, _ports, { emit, workspace }) => {
      await workspace.files.write(toProjectPath("index.html"), "broken");
      const evidence = untriedEvidence(await workspace.revision());
      evidence.parts.page = { state: "failed", summary: "the page is blank" };
      emit({ type: "evidence", evidence });
      return { verdict: "failed" as const };
    },
    async () => {},
  );
  const id = await server.project();
  await server.treadle.projects.send(id, { text: "Just talk" });
  await server.until(id, (event) => event.type === "run-end" && server.requests.length === 2);
  expect(await server.treadle.projects.standing(id)).toEqual({
    verdict: "failed",
    reason: "the page is blank",
  });
  server.workspace(id).put("index.html", "other");
  await server.treadle.projects.send(id, { text: "Talk on" });
  await server.until(id, (event) => event.type === "run-end" && server.requests.length === 3);
  expect(await server.treadle.projects.standing(id)).toMatchObject({ verdict: "unverified" });
});

it("reports no verdict for a project that was never checked", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const id = await server.project();
  expect(await server.treadle.projects.standing(id)).toBeUndefined();
});

it("reports renamed repositories, also after the project is stopped (A23)", async () => {
  const server = await startTestServer();
  const id = await server.project();
  const workspace = server.workspace(id);
  const emit = (path: string) => {
    for (const listener of workspace.listeners)
      listener({ type: "repositories-set-aside", paths: [path] });
  };
  emit("one/.git-made-in-sandbox");
  const stop = workspace.stop.bind(workspace);
  workspace.stop = async () => {
    emit("two/\u202e.git-made-in-sandbox");
    await stop();
  };
  await server.close();
  const notices = server.notices.filter((text) => text.includes("set aside"));
  expect(notices).toHaveLength(2);
  expect(notices[0]).toContain("one/.git-made-in-sandbox");
  expect(notices[1]).not.toContain("\u202e");
});

it("refuses a cache setting that the model's provider lacks, and starts nothing", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const { id } = await server.treadle.projects.create({ name: "Todo" });
  await expect(
    server.treadle.projects.send(id, { text: "Build it", cache: "long" }),
  ).rejects.toMatchObject({ code: "cache-unknown" });
  expect(server.requests).toEqual([]);
});
