import { asSentence } from "@treadle/protocol/sentences";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { DatabaseQuestion, ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type Pipe, type RunOptions, type Workspace } from "@treadle/workspace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresThere, usesPostgres } from "./ask-postgres.ts";
import { createDatabases } from "./databases.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-databases-"));
  mkdirSync(join(folder, "data"));
  const database = new DatabaseSync(join(folder, "data/app.db"));
  database.exec("CREATE TABLE guests (name TEXT); INSERT INTO guests VALUES ('Ada')");
  database.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program here in place of one in a sandbox. */
async function pipe(command: string, options?: { env?: Record<string, string> }): Promise<Pipe> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn("sh", ["-c", command], { cwd: folder, env: { ...options?.env, PATH: path } });
  const ended = new Promise<{ code: number }>((resolve) =>
    child.once("close", (code) => resolve({ code: code ?? 1 })),
  );
  return {
    write: (data) => void child.stdin.write(data),
    onData: (listener) => void child.stdout.on("data", listener),
    onErrors: (listener) => void child.stderr.on("data", (text) => listener(String(text))),
    ended,
    kill: async () => void child.kill(),
  };
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

const treadleDb = join(import.meta.dirname, "../../../app-database/src/inside/main.ts");
async function run(command: string, { env }: RunOptions = {}) {
  const words = ["--no-warnings", treadleDb, ...command.split(" ").slice(1)];
  const child = spawn(process.execPath, words, { cwd: folder, env: { ...process.env, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => (output += String(text)));
  const [code] = (await once(child, "close")) as [number];
  return { kind: "exited" as const, code, ms: 1, output };
}

const listed = (kind: string, path: string) => ({ kind, path: path as ProjectPath, size: 4096 });
const workspace = {
  files: {
    list: async () => ({
      files: [
        listed("file", "data/app.db"),
        listed("symlink", "data/passwd.db"),
        listed("file", "server.js"),
      ],
      more: false,
    }),
    async readStream(path: string) {
      const bytes = readFileSync(join(folder, path));
      const pieces = (async function* () {
        yield bytes;
      })();
      return { size: bytes.length, pieces, close: async () => undefined };
    },
    async writeStream(path: string, pieces: AsyncIterable<Uint8Array>) {
      mkdirSync(join(folder, ".data"), { recursive: true });
      writeFileSync(join(folder, path), await gather(pieces));
    },
    remove: async (path: string) => rmSync(join(folder, path)),
  },
  fileHashes: async () => new Map([["data/app.db", "1"]]),
  run,
  pipe,
} as unknown as Workspace;

const open = (preview: Partial<Workspace> = {}) =>
  createDatabases({
    preview: (_, work) => work({ ...workspace, ...preview } as Workspace),
    published: async () => undefined,
  });
const ask = (path: string, question: DatabaseQuestion, given: Partial<Workspace> = {}) =>
  open(given).ask("p", "preview", path, question);

/** A program of the project that answers in place of ours. */
const saying = (text: string) => ({
  pipe: () => pipe(`head -1 >/dev/null; printf '%s' '${text}'`),
});

it.each([
  ['{"bytes":null}', false],
  ['{"bytes":7000}', true],
  // It has a client, but the server does not answer.
  ['{"problem":"PostgreSQL cannot be reached"}', true],
  ["no answer", true],
])("decides whether an app uses PostgreSQL if its sandbox answers %s", async (message, uses) => {
  expect(await usesPostgres(saying(message) as Partial<Workspace> as Workspace)).toBe(uses);
});

it.each([
  ['{"problem":"PostgreSQL cannot be reached"}', {}],
  ['{"bytes":7}', { bytes: 7 }],
  ['{"bytes":null}', undefined],
  ["sh: treadle-db: not found", undefined],
])("lists the PostgreSQL database of an app whose sandbox answers %s", async (message, there) => {
  expect(await postgresThere(saying(message) as Partial<Workspace> as Workspace)).toEqual(there);
});

describe("the databases of a project", () => {
  it("are its SQLite files, without links that lead elsewhere", async () => {
    expect(await open().list("p")).toEqual([
      { environment: "preview", kind: "sqlite", path: "data/app.db", bytes: 4096 },
    ]);
  });

  it("come before their saved copies", async () => {
    const { files: listedNow } = await workspace.files.list();
    const copy = listed("file", ".data/copies/app-before-0002_x.db");
    const list = async () => ({ files: [copy, ...listedNow], more: false });
    const files = { ...workspace.files, list } as Workspace["files"];
    expect((await open({ files }).list("p")).map(({ path }) => path)).toEqual([
      "data/app.db",
      ".data/copies/app-before-0002_x.db",
    ]);
  });

  it("include those beside a built server", async () => {
    mkdirSync(join(folder, "dist"));
    writeFileSync(join(folder, "dist/shop.db"), "a database");
    const fileHashes = async () =>
      new Map<ProjectPath, string>([
        ["data/app.db" as ProjectPath, "1"],
        ["dist/shop.db" as ProjectPath, "2"],
        ["dist/server.js" as ProjectPath, "3"],
      ]);
    expect((await open({ fileHashes }).list("p")).map(({ path, bytes }) => [path, bytes])).toEqual([
      ["data/app.db", 4096],
      ["dist/shop.db", 10],
    ]);
  });

  it("leave out one that a build removes while they are listed", async () => {
    const fileHashes = async () => new Map([["dist/gone.db" as ProjectPath, "2"]]);
    const readStream = async (path: string) => {
      throw new WorkspaceError("missing", asSentence(`${path} is not there`));
    };
    const files = { ...workspace.files, readStream };
    expect((await open({ fileHashes, files }).list("p")).map(({ path }) => path)).toEqual([
      "data/app.db",
    ]);
  });

  it("are queried by a program in the sandbox", async () => {
    expect(await ask("data/app.db", { ask: "rows", table: "guests", offset: 0 })).toMatchObject({
      columns: ["name"],
      rows: [["Ada"]],
    });
    await expect(ask("data/app.db", { ask: "sql", sql: "SELECT" })).rejects.toMatchObject({
      status: 422,
      message: "incomplete input",
    });
  });

  it.each(["data/passwd.db", "server.js", "data/none.db"])("do not include %s", async (path) => {
    await expect(ask(path, { ask: "tables" })).rejects.toMatchObject({ status: 404 });
  });

  it("are empty for an environment that the project does not have", async () => {
    const asked = open().ask("p", "published", "data/app.db", { ask: "tables" });
    await expect(asked).rejects.toMatchObject({ status: 404 });
  });

  it("A112 are only searched in the project, and opened nowhere else", async () => {
    for (const path of ["../other/app.db", "/etc/app.db", "data/../../app.db"])
      await expect(ask(path, { ask: "tables" }), path).rejects.toMatchObject({ code: "path" });
    const load = "SELECT load_extension('/tmp/x.so')";
    await expect(ask("data/app.db", { ask: "sql", sql: load })).rejects.toThrow("not authorized");
  });

  it("A112 rejects invalid answers, which another program may have written", async () => {
    for (const message of ["", "null", "[]", "{", '{"answer":1}', '{"problem":{"a":1}}'])
      await expect(
        ask("data/app.db", { ask: "tables" }, saying(message)),
        message,
      ).rejects.toMatchObject({
        code: "database",
      });
  });
});

describe("a database as a file", () => {
  const left = () => readdirSync(join(folder, ".data")).filter((name) => name !== "copies");
  const download = async (table?: string) => {
    const { pieces } = await open().download("p", "preview", "data/app.db", table);
    return await gather(pieces);
  };
  async function* sent(content: string | Uint8Array) {
    yield Buffer.from(content);
  }
  const upload = (content: string | Uint8Array, table?: string) =>
    open().upload("p", "preview", "data/app.db", sent(content), table);

  it("is downloaded, and uploaded again, without leftovers", async () => {
    const before = await download();
    expect(before.subarray(0, 15).toString()).toBe("SQLite format 3");
    expect((await download("guests")).toString()).toBe("name\r\nAda\r\n");
    expect(await upload("name\nGrace\n", "guests")).toBe("Added 1 row to guests.");
    expect((await download("guests")).toString()).toBe("name\r\nAda\r\nGrace\r\n");
    expect(await upload(before)).toMatch(/is kept in \.data\/copies/);
    expect((await download("guests")).toString()).toBe("name\r\nAda\r\n");
    expect(left()).toEqual([]);
  });

  it("can be restored from its saved copy, and from nothing else", async () => {
    const copy = ".data/copies/app-before-import.db";
    const { files: listedNow } = await workspace.files.list();
    const list = async () => ({ files: [...listedNow, listed("file", copy)], more: false });
    const files = { ...workspace.files, list } as Workspace["files"];
    const back = (checkpoint: string) =>
      open({ files }).goBack("p", "preview", "data/app.db", checkpoint);
    const before = await download();
    await upload("name\nGrace\n", "guests");
    await upload(before);
    expect(await back(copy)).toMatch(/data\/app\.db holds what was given/);
    expect((await download("guests")).toString()).toBe("name\r\nAda\r\nGrace\r\n");
    for (const none of ["data/app.db", ".data/copies/other.db", "data/none.db"])
      await expect(back(none), none).rejects.toMatchObject({ status: 404 });
    await expect(back(".data/copies/../../app.db")).rejects.toMatchObject({ code: "path" });
    expect((await download("guests")).toString()).toBe("name\r\nAda\r\nGrace\r\n");
  });

  it("is unchanged after a refused upload, which gives a reason", async () => {
    await expect(upload("<html>")).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/no SQLite database that can be used.*Nothing was changed/),
    });
    await expect(upload("age\n3\n", "guests")).rejects.toThrow("has no column “age”");
    async function* cut() {
      yield Buffer.from("name\n");
      throw new Error("too much");
    }
    const given = open().upload("p", "preview", "data/app.db", cut(), "guests");
    await expect(given).rejects.toThrow("too much");
    expect(left()).toEqual([]);
    expect((await download("guests")).toString()).toBe("name\r\nAda\r\n");
  });

  it("A112 passes through no shell, and is only searched in the project", async () => {
    const odd = `x'"; touch ${join(folder, "shell")} #`;
    await expect(download(odd)).rejects.toMatchObject({ status: 422 });
    expect(existsSync(join(folder, "shell"))).toBe(false);
    await expect(open().download("p", "preview", "../app.db")).rejects.toMatchObject({
      code: "path",
    });
  });
});
