import { once } from "node:events";
import type { TogetherFromPage, TogetherToPage } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, expect, it } from "vitest";
import WebSocket from "ws";
import * as Y from "yjs";
import { startAccountServer, type AccountServer } from "./accounts/accounts.test-support.ts";

let { server, accounts, origin, port, ask, member, projectOf } = {} as AccountServer;
beforeAll(
  async () =>
    void ({ server, accounts, origin, port, ask, member, projectOf } = await startAccountServer()),
);
afterAll(() => server.close());

/** A page's connection, and what it has received. */
async function connect(project: string, session: string) {
  const socket = new WebSocket(`ws://localhost:${port}/api/projects/${project}/together`, {
    headers: { origin, cookie: `treadle-${port}=${session}` },
  });
  const received: TogetherToPage[] = [];
  socket.on("message", (data) => received.push(JSON.parse(String(data)) as TogetherToPage));
  socket.on("error", () => {});
  const [answer] = (await Promise.race([
    once(socket, "open").then(() => [101]),
    once(socket, "unexpected-response").then(([, { statusCode }]) => [statusCode]),
  ])) as [number];
  const send = (message: TogetherFromPage) => socket.send(JSON.stringify(message));
  const until = (is: (message: TogetherToPage) => boolean) =>
    expect.poll(() => received.find(is)).toBeDefined();
  return { socket, received, answer, send, until };
}

const typed = (word: string): string => {
  const doc = new Y.Doc();
  doc.getText("text").insert(0, word);
  return Buffer.from(Y.encodeStateAsUpdate(doc)).toString("base64");
};

it("names who is there, takes edits of editors only, and lets nobody in who has no role", async () => {
  const [ada, bob, eve] = [await member(), await member(), await member()];
  await accounts.people.update(bob.person.id, { name: "Bob" });
  const id = await projectOf(ada.session);
  await accounts.members.set(id, { kind: "person", id: bob.person.id, role: "viewer" });
  await ask(`/api/projects/${id}/files`, { as: ada.session });
  server.workspace(id).contents.set(toProjectPath("notes.md"), Buffer.from("one\n"));

  expect((await connect(id, eve.session)).answer).toBe(404);
  const owner = await connect(id, ada.session);
  const viewer = await connect(id, bob.session);
  viewer.send({ type: "place", place: { path: "notes.md" } });
  await owner.until(
    (message) =>
      message.type === "people" &&
      message.people.some(
        ({ person, place }) => person.name === "Bob" && place.path === "notes.md",
      ),
  );

  for (const one of [owner, viewer]) {
    one.send({ type: "open", path: "notes.md" });
    await one.until(({ type }) => type === "opened");
  }
  viewer.send({ type: "edit", path: "notes.md", update: typed("viewer") });
  owner.send({ type: "edit", path: "notes.md", update: typed("owner") });
  await viewer.until(({ type }) => type === "edit");
  await owner.until(
    (message) => message.type === "state" && message.state === "synced" && message.taken === 1,
  );
  const read = await ask(`/api/projects/${id}/files/notes.md`, { as: ada.session });
  const { text } = (await read.json()) as { text: string };
  expect(text).toContain("owner");
  expect(text).not.toContain("viewer");

  for (const path of [".env", "../notes.md", "nothing.md"]) {
    owner.send({ type: "open", path });
    await owner.until((message) => message.type === "refused" && message.path === path);
  }

  const ended = once(owner.socket, "close");
  await ask("/api/sign-out", { as: ada.session, json: {} });
  await ended;
  viewer.socket.close();
});
