import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface Answer {
  projects: { id: string; name: string; files: number; notes: { text: string }[] }[];
  error?: { code: string; message: string };
}

async function send(body: unknown): Promise<Answer & { status: number }> {
  const response = await server.api("/api/import/chat", {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as Answer) };
}

const read = async (id: string, path: string) => {
  const { bytes } = await server.workspace(id).files.read(toProjectPath(path));
  return new TextDecoder().decode(bytes);
};
const conversation = async (id: string) =>
  (await server.api(`/api/projects/${id}/conversation.md`)).text();

const artifact = (...actions: string[]) =>
  `Here it is.\n<boltArtifact id="a" title="A shop">${actions.join("\n")}</boltArtifact>\nDone.`;
const file = (path: string, text: string) =>
  `<boltAction type="file" filePath="${path}">${text}</boltAction>`;

it("a chat of bolt.diy becomes a project with its latest files and its messages", async () => {
  const { status, projects } = await send({
    description: "A shop",
    exportDate: "2026-01-01",
    messages: [
      {
        id: "1",
        role: "user",
        content: "[Model: gpt-4o]\n\n[Provider: OpenAI]\n\nBuild a shop",
      },
      {
        id: "2",
        role: "assistant",
        content: artifact(
          file("package.json", '{ "name": "shop" }'),
          file("src/old.ts", "old"),
          '<boltAction type="shell">npm install</boltAction>',
        ),
      },
      { id: "3", role: "user", content: "Now in blue" },
      { id: "4", role: "assistant", content: artifact(file("/home/project/src/blue.ts", "blue")) },
    ],
  });
  expect({ status, projects }).toMatchObject({
    status: 201,
    projects: [{ name: "A shop", files: 3, notes: [] }],
  });
  const { id } = projects[0]!;
  expect(await read(id, "src/blue.ts")).toContain("blue");
  expect(await read(id, "package.json")).toContain("shop");
  const texts = await conversation(id);
  for (const part of [
    "Build a shop",
    "OpenAI:gpt-4o",
    "Here it is.",
    "Wrote `src/blue.ts`",
    "Ran `npm install`",
  ])
    // prettier-ignore
    expect(texts).toContain(part);
  expect(texts).not.toContain("[Model:");
  const messages = await server.store.messages.list(id);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(JSON.stringify(messages)).not.toContain("boltAction");
});

it("the snapshot's files have precedence over the messages, and binary ones are reported", async () => {
  const { projects } = await send([
    { role: "user", content: "Go" },
    { role: "assistant", content: artifact(file("a.txt", "of the model")) },
  ]);
  expect(projects[0]).toMatchObject({ name: "Go", files: 1 });
  const more = await send({
    messages: [
      { role: "user", content: "Go" },
      { role: "assistant", content: artifact(file("a.txt", "of the model")) },
    ],
    snapshot: {
      files: {
        "/home/project/a.txt": { type: "file", content: "of the person" },
        "/home/project/logo.png": { type: "file", content: "", isBinary: true },
        "/home/project/src": { type: "folder" },
      },
    },
  });
  const { id, notes } = more.projects[0]!;
  expect(await read(id, "a.txt")).toBe("of the person");
  expect(notes.map(({ text }) => text).join()).toContain("logo.png is not text");
});

it("a person's manual changes in bolt.new are in the files", async () => {
  const { projects } = await send([
    { role: "user", content: "Go" },
    { role: "assistant", content: artifact(file("a.txt", "one")) },
    {
      role: "user",
      content:
        '<bolt_file_modifications>\n<file path="/home/project/b.txt">\nby hand\n</file>\n</bolt_file_modifications>\n\nGo on',
    },
  ]);
  expect(await read(projects[0]!.id, "b.txt")).toContain("by hand");
  expect(await conversation(projects[0]!.id)).not.toContain("bolt_file_modifications");
});

it("each chat of a file becomes a project, and names that lead outside are reported and not written", async () => {
  const { projects } = await send({
    chats: [
      { description: "One", messages: [{ role: "user", content: "1" }] },
      {
        description: "Two",
        messages: [
          { role: "user", content: "2" },
          {
            role: "assistant",
            content: artifact(file("../../evil.txt", "x"), file("ok.txt", "y")),
          },
        ],
      },
    ],
  });
  expect(projects.map(({ name, files }) => [name, files])).toEqual([
    ["One", 0],
    ["Two", 1],
  ]);
  expect(projects[1]!.notes.map(({ text }) => text).join()).toContain("evil.txt");
});

it.each([
  ["is no JSON", "{", "it is no JSON"],
  ["holds no messages", { hello: 1 }, "messages"],
  ["holds no chat", { chats: [] }, "0 chats"],
  ["has messages of nobody", { messages: [{ role: "robot", content: "x" }] }, "role"],
])(
  "refuses a file that %s with the reason, and leaves nothing behind",
  async (_what, body, why) => {
    const folder = join(server.directory, "projects");
    const before = existsSync(folder) ? readdirSync(folder) : [];
    const { status, error } = await send(body);
    expect(status).toBe(422);
    expect(error).toMatchObject({ code: "bad-chat", message: expect.stringContaining(why) });
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual(before);
  },
);
