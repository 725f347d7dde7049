import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { toProjectPath } from "@treadle/protocol/project-path";
import { zipSync, type Zippable } from "fflate";
import { afterEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const text = (words: string) => new TextEncoder().encode(words);
const zip = (files: Zippable) => Buffer.from(zipSync(files));

async function send(archive: Uint8Array, name = "Shop") {
  server ??= await startTestServer();
  const response = await server.api(`/api/import?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { "content-type": "application/zip" },
    body: new Uint8Array(archive),
  });
  const body = (await response.json()) as {
    id: string;
    files: number;
    error?: { message: string };
  };
  return { status: response.status, ...body };
}

const read = async (id: string, path: string) => {
  const { bytes } = await server!.workspace(id).files.read(toProjectPath(path));
  return new TextDecoder().decode(bytes);
};

/** Nothing is left behind: no project and no files. */
async function expectNothing() {
  const { projects } = (await (await server!.api("/api/projects")).json()) as { projects: [] };
  expect(projects).toEqual([]);
  const folder = join(server!.directory, "projects");
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
}

describe("a ZIP", () => {
  it("becomes a project, without its enclosing folder and installed packages", async () => {
    const { status, id, files } = await send(
      zip({
        "shop-main/package.json": text("{}"),
        "shop-main/src/größe.ts": [text("export {}\n"), { level: 0 }],
        "shop-main/empty.txt": text(""),
        "shop-main/src/": text(""),
        "shop-main/node_modules/a/index.js": text("no"),
        "shop-main/.git/config": text("no"),
      }),
    );
    expect({ status, files }).toEqual({ status: 201, files: 3 });
    expect(await read(id, "src/größe.ts")).toBe("export {}\n");
    const listed = await server!.workspace(id).files.list();
    expect(
      listed.files
        .filter(({ kind }) => kind === "file")
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(["empty.txt", "package.json", "src/größe.ts"]);
    const { projects } = (await (await server!.api("/api/projects")).json()) as {
      projects: { name: string }[];
    };
    expect(projects.map(({ name }) => name)).toEqual(["Shop"]);
    // The uploaded file is not stored beside the project.
    expect(existsSync(join(server!.directory, "projects", id, "import.zip"))).toBe(false);
  });

  it("becomes a project without ignored files, unless a source imports them or git tracks them", async () => {
    // Version 2 of git's index, with one entry: fixed fields, then the name.
    const name = "built/kept.js";
    const entry = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
    entry.writeUInt16BE(name.length, 60);
    entry.write(name, 62);
    const index = Buffer.concat([Buffer.from("DIRC\0\0\0\x02\0\0\0\x01", "latin1"), entry]);
    const { id } = await send(
      zip({
        "shop/.gitignore": text("generated\nbuilt\n*.gen.js\n"),
        "shop/.git/index": new Uint8Array(index),
        "shop/src/app.js": text('import "../generated/client.js";'),
        "shop/src/x.gen.js": text(""),
        "shop/generated/client.js": text(""),
        "shop/built/kept.js": text(""),
        "shop/built/other.js": text(""),
        "shop/dist/index.html": text(""),
      }),
    );
    const { files } = await server!.workspace(id).files.list();
    const paths = files.filter(({ kind }) => kind === "file").map(({ path }) => String(path));
    expect(paths.toSorted()).toEqual([
      ".gitignore",
      "built/kept.js",
      "dist/index.html",
      "generated/client.js",
      "src/app.js",
    ]);
  });

  /** An archive of names in one encoding, whose files are empty and stored. */
  function zipOf(names: readonly { bytes: Buffer; extra?: Buffer }[]): Buffer {
    const heads: Buffer[] = [];
    const entries: Buffer[] = [];
    let at = 0;
    for (const { bytes, extra = Buffer.alloc(0) } of names) {
      const head = Buffer.alloc(30);
      head.writeUInt32LE(0x04034b50);
      head.writeUInt16LE(bytes.length, 26);
      const entry = Buffer.alloc(46);
      entry.writeUInt32LE(0x02014b50);
      entry.writeUInt16LE(bytes.length, 28);
      entry.writeUInt16LE(extra.length, 30);
      entry.writeUInt32LE(at, 42);
      heads.push(head, bytes);
      entries.push(entry, bytes, extra);
      at += head.length + bytes.length;
    }
    const directory = Buffer.concat(entries);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50);
    end.writeUInt16LE(names.length, 8);
    end.writeUInt16LE(names.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(at, 16);
    return Buffer.concat([...heads, directory, end]);
  }
  const paths = async (id: string) =>
    (await server!.workspace(id).files.list()).files
      .filter(({ kind }) => kind === "file")
      .map(({ path }) => path);

  it("reads names in the encoding of the computer that packed it, and creates no folder for a backslash in a character", async () => {
    // "資料/表.txt" and "資料/ソース.txt" in Shift-JIS, where the second byte of 表 and of ソ is that of a
    // backslash.
    const names = ["8e9197bf2f955c2e747874", "8e9197bf2f835c815b83582e747874"];
    const made = await send(zipOf(names.map((hex) => ({ bytes: Buffer.from(hex, "hex") }))));
    expect(await paths(made.id)).toEqual(["ソース.txt", "表.txt"]);
  });

  it("uses the UTF-8 names that the archive has beside the others", async () => {
    const bytes = Buffer.from("?.txt");
    const head = Buffer.alloc(9);
    const unicode = Buffer.from("größe.txt");
    head.writeUInt16LE(0x7075);
    head.writeUInt16LE(5 + unicode.length, 2);
    head.writeUInt8(1, 4);
    head.writeUInt32LE(crc32(bytes), 5);
    const stale = Buffer.from(head);
    stale.writeUInt32LE(1, 5);
    const made = await send(
      zipOf([
        { bytes, extra: Buffer.concat([head, unicode]) },
        { bytes: Buffer.from("plain.txt"), extra: Buffer.concat([stale, unicode]) },
      ]),
    );
    expect(await paths(made.id)).toEqual(["größe.txt", "plain.txt"]);
  });

  it("is refused if its names are ambiguous, and both readings are shown", async () => {
    const { status, error } = await send(zipOf([{ bytes: Buffer.from("b0a1b0a2", "hex") }]));
    expect(status).toBe(400);
    expect(error!.message).toMatch(/"\S+" in \S+ or "\S+" in /);
    await expectNothing();
  });

  it.each([
    ["leads out", { "../evil.txt": text("x") }],
    ["leads out by the name of what is left out", { "node_modules/../../evil.txt": text("x") }],
    ["leads out with the other slash", { "..\\evil.txt": text("x") }],
    ["leads to a place of the machine", { "/etc/evil": text("x"), "a.txt": text("x") }],
    ["leads to a drive", { "C:/evil.txt": text("x") }],
    ["holds a file that is a folder as well", { a: text("x"), "a/b.txt": text("y") }],
    ["holds nothing", {}],
    ["holds nothing but what is left out", { "node_modules/a.js": text("x") }],
    [
      "holds a link",
      { "src/link": [text("/etc/passwd"), { os: 3, attrs: 0o120777 * 65_536 }] as const },
    ],
    ["holds a device", { "src/tty": [text(""), { os: 3, attrs: 0o020666 * 65_536 }] as const }],
  ] satisfies [string, unknown][])(
    "that %s is refused, and nothing is left (A81)",
    async (_, files) => {
      const { status, error } = await send(zip(files as Zippable));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(error?.message).toMatch(/\w/);
      await expectNothing();
    },
  );

  it("in ZIP64 format becomes a project", async () => {
    const plain = zip({ "a.txt": text("hello") });
    const [end, at] = [Buffer.from(plain.subarray(-22)), plain.length - 22];
    // The two records of ZIP64 before the end, whose own numbers then refer to them.
    const large = Buffer.alloc(76);
    large.write("PK\x06\x06", 0, "latin1");
    large.write("PK\x06\x07", 56, "latin1");
    const [length, from] = [end.readUInt32LE(12), end.readUInt32LE(16)];
    for (const [offset, value] of [
      [4, 44],
      [24, 1],
      [32, 1],
      [40, length],
      [48, from],
      [64, at],
    ] as const)
      // prettier-ignore
      large.writeBigUInt64LE(BigInt(value), offset);
    const answer = await send(Buffer.concat([plain.subarray(0, at), large, end.fill(0xff, 8, 20)]));
    expect(answer.status).toBe(201);
  });

  it("is refused if it unpacks to more, less or something other than declared (A81)", async () => {
    const good = zip({ "a.txt": text("a".repeat(5_000)) });
    const entry = good.indexOf(Buffer.from("PK\x01\x02", "latin1"));
    const change = (at: number, value: number) => {
      const bad = Buffer.from(good);
      bad.writeUInt32LE(value, entry + at);
      return bad;
    };
    for (const bad of [change(24, 10), change(24, 6_000), change(16, 1), change(20, 3)]) {
      expect((await send(bad)).error?.message).toContain("is not what its list of files says");
      await expectNothing();
    }
  });

  it("is refused if it is a declared bomb, truncated, overlapping, encrypted or not a ZIP (A81)", async () => {
    const good = zip({ "a.txt": text("hello"), "b.txt": text("hello") });
    const first = good.indexOf(Buffer.from("PK\x01\x02", "latin1"));
    const changed = (change: (bad: Buffer) => void) => {
      const bad = Buffer.from(good);
      change(bad);
      return bad;
    };
    const messageOf = async (archive: Uint8Array) => (await send(archive)).error?.message;
    expect(await messageOf(changed((bad) => bad.writeUInt32LE(2 ** 31, first + 24)))).toContain(
      "1 GB",
    );
    expect(await messageOf(changed((bad) => bad.writeUInt32LE(200, first + 20)))).toContain(
      "overlap",
    );
    expect(await messageOf(changed((bad) => bad.writeUInt16LE(1, first + 8)))).toContain(
      "encrypted",
    );
    expect(await messageOf(changed((bad) => bad.writeUInt16LE(12, first + 10)))).toContain(
      "cannot be read here",
    );
    expect(await messageOf(good.subarray(0, good.length - 30))).toContain("not a ZIP");
    expect(await messageOf(good.subarray(20))).toContain("archive was not imported");
    expect(await messageOf(text("hello"))).toContain("not a ZIP");
    expect(await messageOf(text(""))).toContain("not a ZIP");
    const end = good.length - 22;
    expect(await messageOf(changed((bad) => bad.writeUInt16LE(30_000, end + 10)))).toContain(
      "20,000 files",
    );
    await expectNothing();
  });
});
