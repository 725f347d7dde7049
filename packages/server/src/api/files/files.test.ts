import { asSentence } from "@treadle/protocol/sentences";
import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { randomBytes } from "node:crypto";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WorkspaceError } from "@treadle/workspace";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startTestServer();
  id = await server.project("Build it");
});
afterAll(() => server.close());

const at = (path: string) => `/api/projects/${id}/files/${path}`;
const put = (path: string, text: string, headers: Record<string, string>) =>
  server.api(at(path), { method: "PUT", json: { text }, headers });

describe("files", () => {
  it("reads and writes by version, with all kinds of names (F24)", async () => {
    for (const name of [
      "a.txt",
      "ü ß.txt",
      "with%25percent.txt",
      "emoji-😀.md",
      "two\nlines.txt",
      "folder\r/\u2028.txt",
      "-rf",
      "__proto__",
    ]) {
      const path = encodeURIComponent(name);
      const created = await put(path, "one", { "if-none-match": "*" });
      expect(created.status).toBe(201);
      const { version } = (await created.json()) as { version: string };
      expect(created.headers.get("etag")).toBe(`"${version}"`);
      const read = await server.api(at(path));
      expect(await read.json()).toEqual({
        path: name,
        version,
        size: 3,
        text: "one",
        binary: false,
      });
      const known = await server.api(at(path), { headers: { "if-none-match": `"${version}"` } });
      expect(known.status).toBe(304);
    }
  });

  it("F12 reports a conflict with the current version to the second of two tabs; nothing is lost", async () => {
    const first = await put("two.txt", "start", { "if-none-match": "*" });
    const { version } = (await first.json()) as { version: string };
    const response = await put("two.txt", "mine", { "if-match": `"${version}"` });
    expect(response.status).toBe(200);
    const theirs = await put("two.txt", "theirs", { "if-match": `"${version}"` });
    expect(theirs.status).toBe(409);
    const body = (await theirs.json()) as { error: { code: string }; version: string };
    expect(body.error.code).toBe("conflict");
    expect(response.headers.get("etag")).toBe(`"${body.version}"`);
    expect(await (await server.api(at("two.txt"))).json()).toMatchObject({ text: "mine" });
    const again = await put("two.txt", "new", { "if-none-match": "*" });
    expect(again.status).toBe(409);
    const removed = await server.api(at("two.txt"), {
      method: "DELETE",
      headers: { "if-match": `"${version}"` },
    });
    expect(removed.status).toBe(409);
  });

  it("finds no file at a path that ends in a slash, which belongs to a folder", async () => {
    const workspace = server.workspace(id);
    workspace.put("slashed.txt", "as it was");
    const responses = [
      await server.api(at("slashed.txt/")),
      await server.api(`${at("slashed.txt/")}?raw`),
      await put("slashed.txt/", "new", { "if-none-match": "*" }),
    ];
    for (const response of responses)
      expect(await response.json()).toMatchObject({ error: { code: "not-a-file" } });
    expect(await (await server.api(at("slashed.txt"))).json()).toMatchObject({ text: "as it was" });
  });

  it("does not write without an expected version", async () => {
    const response = await put("new.txt", "text", {});
    expect(response.status).toBe(428);
    expect(server.workspace(id).contents.has(toProjectPath("new.txt"))).toBe(false);
  });

  it.each([
    "..%2f..%2fetc%2fx",
    "%2fetc%2fx",
    "C:%5cx",
    "..%5cx",
    "a%2f..%2f..%2fx",
    "%00",
    "a%00b",
    "%ff",
  ])("A18 refuses the path %s", async (path) => {
    const before = server.workspace(id).contents.size;
    expect((await put(path, "x", { "if-none-match": "*" })).status).toBe(400);
    expect((await server.api(at(path))).status).toBe(400);
    expect((await server.api(at(path), { method: "DELETE" })).status).toBe(400);
    expect(server.workspace(id).contents.size).toBe(before);
  });

  it("A18 a dotted path that the URL itself resolves reaches no file", async () => {
    for (const path of ["%2e%2e/x", "../x", "./../../x"])
      expect((await put(path, "x", { "if-none-match": "*" })).status).toBe(404);
  });

  it.each([
    ["page.html", "<script>alert(1)</script>"],
    ["picture.svg", "<svg onload='alert(1)'/>"],
    ["data.bin", "\u0000"],
  ])("A17 raw %s is sandboxed, sent as a download, and not sniffed", async (name, content) => {
    server.workspace(id).put(name, content);
    const response = await server.api(`${at(name)}?raw=1`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toMatch(
      /^sandbox;.*default-src 'none'/,
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(await response.text()).toBe(content);
  });

  it("A17 only a PDF is shown in place, recognised by its name and first bytes, for pages of ours", async () => {
    server.workspace(id).put("paper.pdf", "%PDF-1.4\n");
    server.workspace(id).put("page.pdf", "<script>alert(1)</script>");
    server.workspace(id).put("paper.html", "%PDF-1.4<script>alert(1)</script>");
    const shown = await server.api(`${at("paper.pdf")}?raw=1&shown=1`);
    expect(shown.headers.get("content-type")).toBe("application/pdf");
    expect(shown.headers.get("content-disposition")).toBe("inline");
    expect(shown.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
    expect(shown.headers.get("content-security-policy")).toMatch(
      /script-src 'none'.*frame-ancestors 'self'/,
    );
    for (const other of ["paper.pdf?raw=1", "page.pdf?raw=1&shown=1", "paper.html?raw=1&shown=1"]) {
      const { headers } = await server.api(at(other));
      expect(headers.get("content-disposition"), other).toMatch(/^attachment/);
      expect(headers.get("x-frame-options"), other).toBe("DENY");
      expect(headers.get("content-security-policy"), other).toMatch(/^sandbox;/);
    }
  });

  it("F21 F22 reports a binary file as such, without text", async () => {
    const bytes = [new Uint8Array([0xff, 0xfe, 0x41]), new Uint8Array([0x41, 0, 0x42])];
    for (const [index, content] of bytes.entries()) {
      server.workspace(id).put(`b${index}`, content);
      const body = (await (await server.api(at(`b${index}`))).json()) as object;
      expect(body).toMatchObject({ binary: true, size: 3 });
      expect(body).not.toHaveProperty("text");
    }
  });

  it("F23 keeps BOM, CRLF and a missing final newline", async () => {
    const text = "\ufeffa\r\nb";
    await put("crlf.txt", text, { "if-none-match": "*" });
    expect(await (await server.api(at("crlf.txt"))).json()).toMatchObject({ text });
  });

  it.each(["big.bin", "big%0a.bin"])("refuses a body over the limit for %s", async (path) => {
    const response = await server.api(at(path), {
      method: "PUT",
      body: "x",
      headers: { "if-none-match": "*", "content-length": String(1024 ** 3 + 1) },
    });
    expect(response.status).toBe(413);
    const text = await put(path, "x", {
      "if-none-match": "*",
      "content-length": String(41 * 1024 * 1024),
    });
    expect(text.status).toBe(413);
    expect(
      [...server.workspace(id).contents.keys()].map(String).includes(decodeURIComponent(path)),
    ).toBe(false);
  });

  it("writes bytes unchanged", async () => {
    const response = await server.api(at("raw.bin"), {
      method: "PUT",
      body: new Uint8Array([1, 2, 255]),
      headers: { "if-none-match": "*", "content-type": "application/octet-stream" },
    });
    expect(response.status).toBe(201);
    expect([...(server.workspace(id).contents.get(toProjectPath("raw.bin")) ?? [])]).toEqual([
      1, 2, 255,
    ]);
  });

  const LARGE = 200;
  const piece = new Uint8Array(1024 * 1024).fill(7);

  it("F20 streams a long file at the client's pace with a few pieces in memory, and stops when the client does", async () => {
    const { files } = server.workspace(id);
    const real = { ...files };
    let read = 0;
    let closed = 0;
    files.read = async () => {
      throw new WorkspaceError("too-large", asSentence("large.mp4 is too large."));
    };
    files.readStream = async () => ({
      size: LARGE * piece.length,
      pieces: (async function* () {
        try {
          for (; read < LARGE; read++) yield piece;
        } finally {
          closed++;
        }
      })(),
      close: async () => void closed++,
    });
    try {
      const complete = await server.api(`${at("large.mp4")}?raw=1`);
      expect([complete.status, complete.headers.get("content-length")]).toEqual([200, "209715200"]);
      expect(complete.headers.get("content-security-policy")).toMatch(/^sandbox;/);
      let taken = 0;
      for await (const part of complete.body!) {
        taken += part.length;
        expect(read * piece.length - taken).toBeLessThan(4 * piece.length);
      }
      expect(taken).toBe(LARGE * piece.length);
      read = 0;
      closed = 0;
      const left = (await server.api(`${at("large.mp4")}?raw=1`)).body!.getReader();
      await left.read();
      await left.cancel();
      expect(read).toBeLessThan(4);
      expect(closed).toBeGreaterThan(0);
      closed = 0;
      await server.api(`${at("large.mp4")}?raw=1`, { method: "HEAD" });
      await expect.poll(() => closed).toBeGreaterThan(0);
      expect((await server.api(at("large.mp4"))).status).toBe(413);
    } finally {
      Object.assign(files, real);
    }
  });

  it("sends the requested range of a file, streaming it if it is long", async () => {
    const { files } = server.workspace(id);
    const real = { ...files };
    const part = (range: string, path = "parts.txt") =>
      server.api(`${at(path)}?raw=1`, { headers: { range } });
    await put("parts.txt", "0123456789", { "if-none-match": "*" });
    const short = await part("bytes=2-4");
    expect([short.status, short.headers.get("content-range"), await short.text()]).toEqual([
      206,
      "bytes 2-4/10",
      "234",
    ]);
    expect(await (await part("bytes=8-99")).text()).toBe("89");
    expect(await (await part("bytes=-3")).text()).toBe("789");
    expect(await (await part("bytes=0-1,3-4")).text()).toBe("0123456789");
    expect((await part("bytes=10-")).status).toBe(416);
    let closed = 0;
    files.read = async () => {
      throw new WorkspaceError("too-large", asSentence("long.txt is too large."));
    };
    files.readStream = async () => ({
      size: 30,
      pieces: (async function* () {
        try {
          for (const text of ["0123456789", "abcdefghij", "ABCDEFGHIJ"]) yield Buffer.from(text);
        } finally {
          closed++;
        }
      })(),
      close: async () => void closed++,
    });
    try {
      const long = await part("bytes=8-11", "long.txt");
      expect([long.status, long.headers.get("content-length"), await long.text()]).toEqual([
        206,
        "4",
        "89ab",
      ]);
      expect(await (await part("bytes=25-", "long.txt")).text()).toBe("FGHIJ");
      expect(closed).toBe(2);
      expect((await part("bytes=30-", "long.txt")).status).toBe(416);
      expect(closed).toBe(3);
    } finally {
      Object.assign(files, real);
    }
  });

  it("F20 receives a long file at the speed of the disk, with a few pieces in memory", async () => {
    const { files } = server.workspace(id);
    const real = { ...files };
    let sent = 0;
    let most = 0;
    files.writeStream = async (_, pieces) => {
      let size = 0;
      for await (const part of pieces) {
        size += part.length;
        most = Math.max(most, sent * piece.length - size);
      }
      return { version: "v", size, created: true };
    };
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < LARGE) controller.enqueue(piece);
        else controller.close();
      },
    });
    try {
      const response = await server.api(at("upload.mp4"), {
        method: "PUT",
        body,
        duplex: "half",
        headers: { "if-none-match": "*", "content-type": "video/mp4" },
      } as RequestInit);
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject({ size: LARGE * piece.length });
      expect(most).toBeLessThan(4 * piece.length);
    } finally {
      Object.assign(files, real);
    }
  });

  it("does not replace a file by renaming another one", async () => {
    await put("taken.txt", "stands", { "if-none-match": "*" });
    await put("other.txt", "x", { "if-none-match": "*" });
    const response = await server.api(`/api/projects/${id}/files/rename`, {
      json: { from: "other.txt", to: "taken.txt" },
    });
    expect(response.status).toBe(409);
    expect(await (await server.api(at("taken.txt"))).json()).toMatchObject({ text: "stands" });
    expect((await server.api(at("other.txt"))).status).toBe(200);
  });

  it("renames", async () => {
    await put("old.txt", "x", { "if-none-match": "*" });
    const response = await server.api(`/api/projects/${id}/files/rename`, {
      json: { from: "old.txt", to: "b/new.txt" },
    });
    expect(response.status).toBe(200);
    expect(server.workspace(id).contents.has(toProjectPath("b/new.txt"))).toBe(true);
  });

  it("exports everything except secrets as a ZIP", async () => {
    const workspace = server.workspace(id);
    workspace.put(".env", "KEY=1");
    workspace.put("sub/.env.local", "KEY=1");
    workspace.put(".env.example", "KEY=");
    workspace.put("src/main.ts", "export {};\n");
    const response = await server.api(`/api/projects/${id}/export.zip`);
    expect(response.headers.get("content-disposition")).toContain("Build it.zip");
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(files)).toEqual(expect.arrayContaining([".env.example", "src/main.ts"]));
    expect(Object.keys(files).filter((name) => /\.env($|\.local)/.test(name))).toEqual([]);
    expect(new TextDecoder().decode(files["src/main.ts"])).toBe("export {};\n");
    const archive = await server.api(`/api/projects/${id}/export.zip?secrets=true`);
    const all = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    expect(new TextDecoder().decode(all["sub/.env.local"])).toBe("KEY=1");
    expect(Object.keys(all)).toEqual(expect.arrayContaining([".env", "src/main.ts"]));
    expect(all["LEFT-OUT.txt"]).toBeUndefined();
  });

  it("adds files to the export for running it in a container, if it has none", async () => {
    const path = `/api/projects/${id}/export.zip?container=true`;
    const refused = await server.api(path);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("no-container");
    const workspace = server.workspace(id);
    workspace.put("package.json", '{"scripts":{"start":"node a.js"}}');
    workspace.put("compose.yaml", "services: {}\n");
    const files = unzipSync(new Uint8Array(await (await server.api(path)).arrayBuffer()));
    const text = (name: string) => new TextDecoder().decode(files[name]);
    expect(text("Dockerfile")).toContain("CMD npm run start");
    expect(text("compose.yaml")).toBe("services: {}\n");
    expect(text("package.json")).toContain("node a.js");
  });
});

it("A54 leaves unreadable files and names that lead elsewhere out of a ZIP, and lists them with the reason", async () => {
  const workspace = server.workspace(id);
  workspace.put("before.txt", "x");
  workspace.put("closed.txt", "x");
  // A compromised guest may list such a name.
  workspace.contents.set("..\\..\\x.txt" as ProjectPath, new Uint8Array([120]));
  workspace.put("zz.txt", "x");
  const { read } = workspace.files;
  workspace.files.read = async (path, options) => {
    if (path === "closed.txt") throw new WorkspaceError("failed", asSentence("it may not be read"));
    return read.call(workspace.files, path, options);
  };
  const response = await server.api(`/api/projects/${id}/export.zip`);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  workspace.files.read = read;
  expect(Object.keys(files)).toEqual(expect.arrayContaining(["before.txt", "zz.txt"]));
  expect(Object.keys(files).filter((name) => /closed|\\/.test(name))).toEqual([]);
  const note = new TextDecoder().decode(files["LEFT-OUT.txt"]);
  expect(note).toContain("closed.txt: it may not be read");
  expect(note).toContain("x.txt: its name would lead elsewhere");
});

it("A79 adds files a second time to a ZIP if another system cannot store their names, or confuses them, and lists them", async () => {
  const own = await server.project("Names");
  const workspace = server.workspace(own);
  const odd = {
    "src/aux.ts": "device",
    CON: "device",
    "README.md": "first",
    "readme.md": "second",
    "caf\u00e9.txt": "one way",
    "cafe\u0301.txt": "another",
    a: "a file",
    "A/b.txt": "in a folder",
    "dot.": "dot",
    "what?.txt": "sign",
    "LEFT-OUT.txt": "the project's own",
    "OTHER-NAMES/x.txt": "own as well",
  };
  for (const [path, text] of Object.entries(odd))
    workspace.contents.set(path as ProjectPath, new TextEncoder().encode(text));
  workspace.put(".env", "KEY=1");
  const response = await server.api(`/api/projects/${own}/export.zip`);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const text = (name: string) => new TextDecoder().decode(files[name]);
  for (const [path, content] of Object.entries(odd)) expect(text(path)).toBe(content);
  const list = text("OTHER-NAMES-2/LIST.txt");
  const again = [...list.matchAll(/^(\d+-\S+) is (.*): /gm)];
  expect(again.map(([, , path]) => path).toSorted()).toHaveLength(9);
  for (const [, name, path] of again)
    if (Object.hasOwn(odd, path!)) expect(text(`OTHER-NAMES-2/${name}`)).toBe(odd[path as "a"]);
  expect(list).toContain("aux.ts: Windows keeps the name for a device");
  expect(list).toMatch(/where case does not count it is the same as (?:README|readme)\.md/);
  // After unpacking on a case-insensitive system, a file is only overwritten by one that the ZIP
  // also contains under another name.
  const stored = new Map(
    Object.keys(files).map((name) => [name.normalize("NFC").toLowerCase(), name]),
  );
  const held = new Set([...stored.values()].map(text));
  for (const content of Object.values(odd)) expect(held).toContain(content);
  expect(text("LEFT-OUT-2.txt")).toContain(".env: it may hold secrets");
});

it("A73 handles other requests while a large file is packed into a ZIP, which contains it unchanged", async () => {
  const own = await server.project("Large");
  const large = randomBytes(8 * 1024 * 1024 + 5);
  server.workspace(own).put("large.bin", large);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  const response = await server.api(`/api/projects/${own}/export.zip`);
  setImmediate(count);
  const bytes = new Uint8Array(await response.arrayBuffer());
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(20);
  expect(Buffer.from(unzipSync(bytes)["large.bin"]!).equals(large)).toBe(true);
});

describe("checkpoints", () => {
  it("reports that a name is not a checkpoint's", async () => {
    const response = await server.api(`/api/projects/${id}/restore`, {
      method: "POST",
      json: { checkpoint: "../x" },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { messageCode: { values: { why: "“checkpoint”: That is not a checkpoint" } } },
    });
  });

  it("restores, saves the previous state, and shows the differences", async () => {
    const own = await server.project("Other");
    const workspace = server.workspace(own);
    workspace.put("a.txt", "one");
    const { checkpoint } = await workspace.checkpoint("One");
    workspace.put("a.txt", "two");
    const changes = await server.api(`/api/projects/${own}/changes?from=${checkpoint}`);
    expect(await changes.json()).toMatchObject({ files: [{ path: "a.txt", kind: "changed" }] });
    const restored = await server.api(`/api/projects/${own}/restore`, { json: { checkpoint } });
    expect(restored.status).toBe(200);
    expect(new TextDecoder().decode(workspace.contents.get(toProjectPath("a.txt")))).toBe("one");
    const { checkpoints } = (await (
      await server.api(`/api/projects/${own}/checkpoints`)
    ).json()) as {
      checkpoints: { label: string }[];
    };
    expect(checkpoints.map(({ label }) => label)).toContain("Before going back");
    expect(await server.events(own)).toContainEqual(
      expect.objectContaining({ type: "restored", checkpoint }),
    );
    expect(
      (await server.api(`/api/projects/${own}/restore`, { json: { checkpoint: "nosuch" } })).status,
    ).toBe(404);
  });
});
