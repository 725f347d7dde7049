import { toProjectPath } from "@treadle/protocol/project-path";
import { hunksOf, readUnifiedDiff, type Hunk } from "@treadle/dialects/diff";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
let id: string;
let from: string;
const OLD = "one\ntwo\nthree\nfour\nfive\n";
const FRESH = "ONE\ntwo\nthree\nfour\nfive\nsix\n";

beforeAll(async () => {
  server = await startTestServer();
  id = await server.project();
});
afterAll(() => server.close());

/** Saves a checkpoint of these files, and then writes others. */
async function change(before: Record<string, string>, after: Record<string, string | undefined>) {
  const workspace = server.workspace(id);
  for (const [path, text] of Object.entries(before)) workspace.put(path, text);
  from = (await workspace.checkpoint("before")).checkpoint;
  for (const [path, text] of Object.entries(after))
    if (text === undefined) await server.api(at(path), { method: "DELETE" });
    else workspace.put(path, text);
}
const at = (path: string) => `/api/projects/${id}/files/${path}`;
interface Seen {
  now: string;
  difference?: { diff: string };
  before?: { text?: string };
  after?: { text?: string };
}
async function see(path: string, to?: string): Promise<Seen & { hunks: Hunk[] }> {
  const query = new URLSearchParams({ path, from, ...(to !== undefined && { to }) });
  const seen = (await (
    await server.api(`/api/projects/${id}/changes/file?${query}`)
  ).json()) as Seen;
  return { ...seen, hunks: hunksOf(readUnifiedDiff(seen.difference?.diff ?? "")) };
}
const undo = (path: string, more: object) =>
  server.api(`/api/projects/${id}/changes/undo`, { json: { path, from, ...more } });
async function read(path: string): Promise<string | undefined> {
  const response = await server.api(at(path));
  return response.ok ? ((await response.json()) as { text: string }).text : undefined;
}

it("returns a file before and after a change, with its current version", async () => {
  await change({ "a.txt": OLD }, { "a.txt": FRESH });
  const seen = await see("a.txt");
  expect([seen.before?.text, seen.after?.text]).toEqual([OLD, FRESH]);
  expect(seen.hunks).toHaveLength(2);
  expect((await see("nothing.txt")).now).toBe("absent");
});

it("returns the differences of all files, or of one", async () => {
  await change({ "a.txt": OLD, "b.txt": OLD }, { "a.txt": FRESH, "b.txt": FRESH });
  const changed = async (more: string) => {
    const answer = await server.api(`/api/projects/${id}/changes?from=${from}${more}`);
    const { files } = (await answer.json()) as { files: { path: string }[] };
    return files.map(({ path }) => path);
  };
  expect(await changed("")).toEqual(["a.txt", "b.txt"]);
  expect(await changed("&path=b.txt")).toEqual(["b.txt"]);
  expect(await changed("&path=nothing.txt")).toEqual([]);
});

it("undoes one change, and undoes the undo", async () => {
  await change({ "a.txt": OLD }, { "a.txt": FRESH });
  const { now, hunks } = await see("a.txt");
  const done = await undo("a.txt", { version: now, hunks: [hunks[0]] });
  const { version, kept: checkpoint } = (await done.json()) as { version: string; kept: string };
  expect(await read("a.txt")).toBe(`${OLD}six\n`);
  const back = await server.api(`/api/projects/${id}/changes/undo`, {
    json: { path: "a.txt", from: checkpoint, version },
  });
  expect(back.status).toBe(200);
  expect(await read("a.txt")).toBe(FRESH);
});

it("counts as the person's own edit, which the model is told about", async () => {
  const { promise, resolve } = Promise.withResolvers<[string, string | undefined]>();
  server.turns.push(async (request, _ports, { emit }) => {
    emit({ type: "call-open", run: request.run, call: "c", tool: "run_command" });
    emit({ type: "call-start", call: "c" });
    await change({ "b.txt": OLD }, { "b.txt": FRESH });
    const done = await undo("b.txt", { version: (await see("b.txt")).now });
    const { version } = (await done.json()) as { version: string };
    resolve([version, request.personWrites.get(toProjectPath("b.txt"))]);
  });
  await server.api(`/api/projects/${id}/messages`, { json: { text: "Go on" } });
  const [version, known] = await promise;
  server.turns.length = 0;
  expect([await read("b.txt"), known]).toEqual([OLD, version]);
});

it("leaves files alone that are in no checkpoint", async () => {
  await change({ "a.txt": OLD }, { "a.txt": FRESH, ".env": "KEY=1\n" });
  const { now } = await see(".env");
  expect([(await undo(".env", { version: now })).status, await read(".env")]).toEqual([
    409,
    "KEY=1\n",
  ]);
});

it("removes a created file, and restores a deleted one", async () => {
  await change({ "gone.txt": "mine\n" }, { "gone.txt": undefined, "fresh.txt": "new\n" });
  expect((await undo("fresh.txt", { version: (await see("fresh.txt")).now })).status).toBe(200);
  expect((await undo("gone.txt", { version: "absent" })).status).toBe(200);
  expect([await read("fresh.txt"), await read("gone.txt")]).toEqual([undefined, "mine\n"]);
});

it("does not overwrite later changes", async () => {
  await change({ "a.txt": OLD }, { "a.txt": FRESH });
  const { now, hunks } = await see("a.txt");
  server.workspace(id).put("a.txt", "another\n");
  for (const more of [{}, { hunks }]) {
    const answer = await undo("a.txt", { version: now, ...more });
    expect([answer.status, await read("a.txt")]).toEqual([409, "another\n"]);
  }
});

it("does not trust line numbers: refuses a change that is not in the file", async () => {
  await change({ "a.txt": OLD }, { "a.txt": FRESH });
  const { now, hunks } = await see("a.txt");
  const moved = { ...hunks[0]!, before: 3, after: 3 };
  const answer = await undo("a.txt", { version: now, hunks: [moved] });
  expect([answer.status, await read("a.txt")]).toEqual([409, FRESH]);
});

it("undoes a change of an earlier span in the current file", async () => {
  await change({ "a.txt": OLD }, { "a.txt": FRESH });
  const to = (await server.workspace(id).checkpoint("after")).checkpoint;
  server.workspace(id).put("a.txt", `ONE\ntwo\nTHREE\nfour\nfive\nsix\n`);
  const { now, hunks } = await see("a.txt", to);
  expect((await undo("a.txt", { to, version: now, hunks: [hunks[1]] })).status).toBe(200);
  expect(await read("a.txt")).toBe("ONE\ntwo\nTHREE\nfour\nfive\n");
  server.workspace(id).put("a.txt", "else\n");
  const later = await see("a.txt", to);
  expect((await undo("a.txt", { to, version: later.now })).status).toBe(409);
  expect(await read("a.txt")).toBe("else\n");
});

it("undoes changes of binary files as a whole, and returns their earlier bytes", async () => {
  await change({ "dot.png": "\0old" }, { "dot.png": "\0new!" });
  const raw = await server.api(`/api/projects/${id}/changes/raw?path=dot.png&at=${from}`);
  expect([raw.headers.get("content-type"), await raw.text()]).toEqual(["image/png", "\0old"]);
  expect(raw.headers.get("content-security-policy")).toContain("sandbox");
  const { now, before } = await see("dot.png");
  expect(before?.text).toBeUndefined();
  expect((await undo("dot.png", { version: now })).status).toBe(200);
  const back = await server.api(`${at("dot.png")}?raw=1`);
  expect(await back.text()).toBe("\0old");
});

it("finds the checkpoints in which a file changed", async () => {
  await change({ "story.txt": "1\n" }, { "story.txt": "2\n" });
  await server.workspace(id).checkpoint("second");
  const answer = await server.api(`/api/projects/${id}/changes/history?path=story.txt`);
  const { moments } = (await answer.json()) as { moments: { kind: string; label: string }[] };
  expect(moments.map(({ kind, label }) => [kind, label])).toEqual([
    ["added", "before"],
    ["changed", "second"],
  ]);
});

it("refuses paths outside of the project, and unknown checkpoints", async () => {
  for (const path of ["../x", "/etc/passwd"]) {
    const query = new URLSearchParams({ path, from });
    expect((await server.api(`/api/projects/${id}/changes/file?${query}`)).status).toBe(400);
    expect((await undo(path, { version: "absent" })).status).toBe(400);
  }
  expect(
    (await server.api(`/api/projects/${id}/changes/raw?path=a.txt&at=${"x".repeat(99)}`)).status,
  ).toBe(400);
  const none = await undo("a.txt", { from: "nonsense", version: (await see("a.txt")).now });
  expect(none.status).toBe(404);
});

it("A17 content from a checkpoint runs on no origin of ours", async () => {
  const text = "<script>alert(1)</script>";
  await change({ "evil.html": text, "evil.svg": text, "evil.png": text, 'a".html': text }, {});
  for (const path of ["evil.html", "evil.svg", "evil.png", 'a".html']) {
    const query = new URLSearchParams({ path, at: from });
    const { status, headers } = await server.api(`/api/projects/${id}/changes/raw?${query}`);
    expect([path, status, headers.get("x-content-type-options")]).toEqual([path, 200, "nosniff"]);
    expect(headers.get("content-security-policy")).toMatch(/sandbox/);
    expect(headers.get("content-disposition")).toMatch(
      path.endsWith("png") ? /^inline$/ : /^attachment; /,
    );
  }
});

it("A107 does not compute single changes of a very large file", async () => {
  const large = (line: string) => `${line}\n${"ab\n".repeat(800_000)}`;
  await change({ "large.txt": large("one") }, { "large.txt": large("two") });
  const { now, hunks } = await see("large.txt");
  const refused = await undo("large.txt", { version: now, hunks });
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { error: expect.objectContaining({ code: "too-large" }) as unknown },
  ]);
  expect((await undo("large.txt", { version: now })).status).toBe(200);
});
