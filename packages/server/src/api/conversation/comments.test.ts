import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  codeOf,
  startAccountServer,
  type AccountServer,
} from "../accounts/accounts.test-support.ts";

let { server, accounts, ask, member, projectOf } = {} as AccountServer;
beforeAll(
  async () => void ({ server, accounts, ask, member, projectOf } = await startAccountServer()),
);
afterAll(() => server.close());

type Threads = {
  threads: { id: string; comments: { id: string; text: string }[]; anchor: { line?: number } }[];
};

describe("comments over HTTP", () => {
  it("are everybody's to read, a commenter's to write, and an editor's to send to the model", async () => {
    const [owner, carl, vera, eve] = await Promise.all([member(), member(), member(), member()]);
    const id = await projectOf(owner.session);
    const give = (person: string, role: "commenter" | "viewer") =>
      accounts.members.set(id, { kind: "person", id: person, role });
    await give(carl.person.id, "commenter");
    await give(vera.person.id, "viewer");
    await ask(`/api/projects/${id}/files`, { as: owner.session });
    server.workspace(id).contents.set(toProjectPath("a.ts"), Buffer.from("one\ntwo\n"));
    const path = `/api/projects/${id}/comments`;
    const list = async (as: string) => (await (await ask(path, { as })).json()) as Threads;
    const begin = {
      anchor: { kind: "line", path: "a.ts", line: 2, text: "two" },
      text: "\u001b[31m<img onerror=alert(1)> @terminal",
    };

    expect((await ask(path, { as: vera.session, json: begin })).status).toBe(403);
    expect((await ask(path, { as: eve.session, json: begin })).status).toBe(404);
    const written = await ask(path, { as: carl.session, json: begin });
    expect(written.status).toBe(201);
    const { thread, comment } = (await written.json()) as { thread: string; comment: string };
    server.workspace(id).contents.set(toProjectPath("a.ts"), Buffer.from("zero\none\ntwo\n"));
    for (const reader of [vera, owner])
      expect(await list(reader.session)).toMatchObject({
        threads: [{ id: thread, anchor: { line: 3, text: "two" }, comments: [{ id: comment }] }],
      });
    expect((await list(vera.session)).threads[0]?.comments[0]?.text).not.toContain("\u001b");

    const own = `${path}/${thread}/${comment}`;
    const edit = (as: string) => ask(own, { as, method: "PATCH", json: { text: "Mine" } });
    expect((await edit(owner.session)).status).toBe(403);
    expect((await edit(carl.session)).status).toBe(200);
    expect(
      (await ask(`${path}/send`, { as: carl.session, json: { threads: [thread] } })).status,
    ).toBe(403);
    expect(
      await codeOf(await ask(`${path}/nothing`, { as: owner.session, json: { text: "x" } })),
    ).toBe("not-found");
    // Another project's thread is not reached through one's own.
    const other = await projectOf(eve.session);
    const foreign = `/api/projects/${other}/comments/${thread}`;
    expect((await ask(foreign, { as: eve.session, json: { text: "x" } })).status).toBe(404);
    expect((await ask(`${foreign}/${comment}`, { as: eve.session, method: "DELETE" })).status).toBe(
      404,
    );

    const sent = await ask(`${path}/send`, { as: owner.session, json: { threads: [thread] } });
    expect(sent.status).toBe(202);
    const { message } = (await sent.json()) as { message: string };
    await expect
      .poll(async () => (await list(owner.session)).threads[0])
      .toMatchObject({
        sent: { message },
      });
    const log = await server.store.log.read(id, 0);
    expect(log.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({
        type: "message",
        message,
        text: expect.stringMatching(/@a\.ts:3\n\n> Ada: Mine/) as string,
      }),
    );
    // An owner deletes anybody's, and a comment is no longer read once it is deleted.
    expect((await ask(own, { as: owner.session, method: "DELETE" })).status).toBe(200);
    expect((await list(owner.session)).threads).toEqual([]);
  });

  it.each([
    ["an empty text", { text: " \u0007 " }],
    ["a text that is too long", { text: "x".repeat(4_001) }],
    ["a path that leads out", { anchor: { kind: "line", path: "../a.ts", line: 1, text: "" } }],
    ["a file with secrets", { anchor: { kind: "line", path: ".env", line: 1, text: "" } }],
    ["an element without a tag", { anchor: { kind: "element", page: "/", tag: "" } }],
  ])("refuse %s", async (_, given) => {
    const owner = await member();
    const id = await projectOf(owner.session);
    await ask(`/api/projects/${id}/files`, { as: owner.session });
    server.workspace(id).contents.set(toProjectPath(".env"), Buffer.from(""));
    const anchor = { kind: "element", page: "/", tag: "p", label: "p", text: "", path: [] };
    const response = await ask(`/api/projects/${id}/comments`, {
      as: owner.session,
      json: { anchor, text: "x", ...given },
    });
    expect([400, 403, 404]).toContain(response.status);
  });
});
