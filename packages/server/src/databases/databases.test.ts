import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { DatabaseQuestion, ProjectPath } from "@treadle/protocol";
import type { Pipe, Workspace } from "@treadle/workspace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

/** A program beside this one in the place of one in a sandbox. */
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
  },
  pipe,
} as unknown as Workspace;

const open = (preview: Partial<Workspace> = {}) =>
  createDatabases({
    preview: (_, work) => work({ ...workspace, ...preview } as Workspace),
    published: async () => undefined,
  });
const ask = (path: string, question: DatabaseQuestion, given: Partial<Workspace> = {}) =>
  open(given).ask("p", "preview", path, question);

/** A program of the project that answers in the place of ours. */
const saying = (text: string) => ({
  pipe: () => pipe(`head -1 >/dev/null; printf '%s' '${text}'`),
});

describe("the databases of a project", () => {
  it("are its SQLite files; links that lead elsewhere are none", async () => {
    expect(await open().list("p")).toEqual([
      { environment: "preview", path: "data/app.db", bytes: 4096 },
    ]);
  });

  it("are asked by a program in the sandbox", async () => {
    expect(await ask("data/app.db", { ask: "rows", table: "guests", offset: 0 })).toMatchObject({
      columns: ["name"],
      rows: [["Ada"]],
    });
    await expect(ask("data/app.db", { ask: "sql", sql: "SELECT" })).rejects.toMatchObject({
      status: 422,
      message: "incomplete input",
    });
  });

  it.each(["data/passwd.db", "server.js", "data/none.db"])("are not there: %s", async (path) => {
    await expect(ask(path, { ask: "tables" })).rejects.toMatchObject({ status: 404 });
  });

  it("are none of an environment that the project does not have", async () => {
    const asked = open().ask("p", "published", "data/app.db", { ask: "tables" });
    await expect(asked).rejects.toMatchObject({ status: 404 });
  });

  it("A112 are looked for in the project alone, and opened nowhere else", async () => {
    for (const path of ["../other/app.db", "/etc/app.db", "data/../../app.db"])
      await expect(ask(path, { ask: "tables" }), path).rejects.toMatchObject({ code: "path" });
    const load = "SELECT load_extension('/tmp/x.so')";
    await expect(ask("data/app.db", { ask: "sql", sql: load })).rejects.toThrow("not authorized");
  });

  it("A112 are told by nobody else: what is no answer is none", async () => {
    for (const said of ["", "null", "[]", "{", '{"answer":1}', '{"problem":{"a":1}}'])
      await expect(ask("data/app.db", { ask: "tables" }, saying(said)), said).rejects.toMatchObject(
        {
          code: "database",
        },
      );
  });
});
