import { asSentence } from "@treadle/protocol/sentences";
import { toProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError } from "@treadle/workspace";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

/** A run that writes its number into `a.txt`, and answers. */
function turn(n: number) {
  server.turns.push(async ({ run }, ports, { emit, workspace }) => {
    const call = `${run}-c`;
    emit({ type: "call-open", run, call, tool: "write_file" });
    workspace.put("a.txt", `${n}`);
    emit({ type: "call-end", call, status: "ok", title: "", result: "", ms: 1 });
    await ports.save({
      id: `${run}-a`,
      role: "assistant",
      parts: [{ type: "text", text: `${n}` }],
    });
    return { revision: await ports.workspace.revision() };
  });
}
async function send(id: string, text: string): Promise<void> {
  const sent = await server.api(`/api/projects/${id}/messages`, { json: { text } });
  const { run } = (await sent.json()) as { run: string };
  await server.until(id, (event) => event.type === "checkpoint" && event.run === run);
}
/** Runs three turns; returns the checkpoint of each. */
async function threeTurns(): Promise<{ id: string; checkpoints: string[] }> {
  // The last turn is repeated.
  turn(1);
  const id = await server.project("First");
  for (const n of [2, 3]) {
    server.turns.length = 0;
    turn(n);
    await send(id, `Turn ${n}`);
  }
  const checkpoints = (await server.events(id)).flatMap((event) =>
    event.type === "checkpoint" ? [event.checkpoint] : [],
  );
  return { id, checkpoints };
}
const restore = (id: string, json: object) => server.api(`/api/projects/${id}/restore`, { json });
const text = (id: string) =>
  new TextDecoder().decode(server.workspace(id).contents.get(toProjectPath("a.txt")));
async function toldNext(id: string): Promise<string[]> {
  server.turns.length = 0;
  turn(9);
  await send(id, "Next");
  const { history } = server.requests.at(-1)!;
  return history.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
}

it("restoring data changes nothing if none were saved, and reports that", async () => {
  const { id, checkpoints } = await threeTurns();
  const refused = await restore(id, { checkpoint: checkpoints[0], data: true });
  expect([refused.status, (await refused.json()) as object]).toEqual([
    409,
    expect.objectContaining({ error: expect.objectContaining({ code: "no-data" }) }),
  ]);
  expect(text(id)).toBe("3");
});

it("restoring only the files leaves the conversation unchanged", async () => {
  const { id, checkpoints } = await threeTurns();
  expect((await restore(id, { checkpoint: checkpoints[0] })).status).toBe(200);
  expect(text(id)).toBe("1");
  expect(await toldNext(id)).toEqual(["First", "1", "Turn 2", "2", "Turn 3", "3"]);
});

it("saves what someone writes during a restore as a checkpoint, and continues", async () => {
  const { id, checkpoints } = await threeTurns();
  const workspace = server.workspace(id);
  const back = workspace.restore.bind(workspace);
  let tries = 0;
  workspace.restore = async (checkpoint) => {
    if (++tries > 1) return back(checkpoint);
    workspace.put("a.txt", "theirs");
    throw new WorkspaceError("conflict", asSentence('"a.txt" was changed by somebody else'));
  };
  expect((await restore(id, { checkpoint: checkpoints[0] })).status).toBe(200);
  expect(text(id)).toBe("1");
  const last = (await server.events(id)).findLast((event) => event.type === "checkpoint");
  expect(last?.label).toBe("Changed while going back");
  expect((await restore(id, { checkpoint: last!.checkpoint })).status).toBe(200);
  expect(text(id)).toBe("theirs");
});

it("reports that a program keeps writing a file during a restore", async () => {
  const { id, checkpoints } = await threeTurns();
  server.workspace(id).restore = () =>
    Promise.reject(
      new WorkspaceError("conflict", asSentence('"a.txt" was changed by somebody else')),
    );
  const answer = await restore(id, { checkpoint: checkpoints[0] });
  expect([answer.status, await answer.json()]).toMatchObject([409, { error: { code: "changed" } }]);
});

it("restoring the conversation hides later messages from the model, and treats the files as left by that turn", async () => {
  const { id, checkpoints } = await threeTurns();
  expect((await restore(id, { checkpoint: checkpoints[0], conversation: true })).status).toBe(200);
  expect(text(id)).toBe("1");
  expect(await toldNext(id)).toEqual(["First", "1"]);
  expect(server.requests.at(-1)!.changes).toEqual([]);
});

it("can be undone by restoring the last state: files and conversation, also after a restart", async () => {
  const { id, checkpoints } = await threeTurns();
  server.workspace(id).put("a.txt", "by hand");
  await restore(id, { checkpoint: checkpoints[0], conversation: true });
  const went = (await server.events(id)).findLast(({ type }) => type === "restored");
  const left = (went as { left: { checkpoint: string; head: string } }).left;
  const again = await restore(id, { ...left, conversation: true });
  expect(again.status).toBe(200);
  expect(text(id)).toBe("by hand");
  expect(await toldNext(id)).toEqual(["First", "1", "Turn 2", "2", "Turn 3", "3"]);
});

it("refuses an unknown conversation, and changes nothing", async () => {
  const { id, checkpoints } = await threeTurns();
  const answer = await restore(id, {
    checkpoint: checkpoints[0],
    conversation: true,
    head: "nobody",
  });
  expect(answer.status).toBe(409);
  expect(text(id)).toBe("3");
});

it("stores and reports a checkpoint's name; refuses an empty one", async () => {
  const { id, checkpoints } = await threeTurns();
  const name = (json: object, checkpoint = checkpoints[1]) =>
    server.api(`/api/projects/${id}/checkpoints/${checkpoint}`, { method: "PATCH", json });
  expect(await (await name({ name: " Works\n well " })).json()).toMatchObject({
    checkpoint: checkpoints[1],
    name: "Works well",
  });
  expect((await name({ name: " " })).status).toBe(400);
  expect((await name({ name: "x" }, "c99-00000000")).status).toBe(404);
  const named = async () =>
    (await server.events(id)).filter(({ type }) => type === "checkpoint-named");
  expect(await named()).toEqual([
    { type: "checkpoint-named", checkpoint: checkpoints[1], name: "Works well" },
  ]);
  expect((await (await name({ name: null })).json()).name).toBeUndefined();
});
