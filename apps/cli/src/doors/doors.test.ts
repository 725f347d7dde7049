import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { toProjectPath } from "@treadle/protocol/project-path";
import { unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readArguments } from "../arguments/read-arguments.ts";
import { checkpoints } from "./checkpoints.ts";
import { exportProject } from "./export.ts";
import { importProject } from "./import.ts";
import {
  startTestServer,
  type TestServer,
} from "../../../../packages/server/src/server.test-support.ts";

let server: TestServer;
let project: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-doors-"));
  server = await startTestServer();
  await server.listen();
  server.turns.push(async ({ run }, { workspace }, { emit }) => {
    await workspace.files.write(toProjectPath("index.html"), "<h1>Clock</h1>");
    await workspace.files.write(toProjectPath(".env"), "KEY=1");
    emit({ type: "text", run, id: "t", text: "Here is a clock." });
  });
  project = await server.project("Clock: for the wall");
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const main = join(import.meta.dirname, "..", "main.ts");

/** Runs the command as a person types it, in a temporary folder and a separate process. */
const typed = async (...words: string[]) => {
  const env = { ...process.env, CI: "true", TREADLE_DATA: server.directory };
  const args = ["--conditions=treadle-source", main, ...words];
  return promisify(execFile)(process.execPath, args, { env, cwd: folder });
};

/** The same in this process, which takes a twentieth of the time. */
async function treadle(...words: string[]): Promise<{ status: number; out: string; err: string }> {
  const command = readArguments([...words, "--data", server.directory]);
  let out = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((piece, ...more) => {
    out += typeof piece === "string" ? piece : Buffer.from(piece).toString();
    const done = more.find((one) => typeof one === "function");
    done?.();
    return true;
  });
  const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const status =
      command.kind === "export"
        ? await exportProject(command)
        : command.kind === "import"
          ? await importProject(command)
          : command.kind === "checkpoints"
            ? await checkpoints(command)
            : Number.NaN;
    return { status, out, err: "" };
  } catch (error) {
    return { status: 2, out, err: (error as Error).message };
  } finally {
    write.mockRestore();
    errors.mockRestore();
  }
}

const projects = async () =>
  ((await (await server.api("/api/projects")).json()) as { projects: { name: string }[] }).projects;
const inFolder = (name: string) => join(folder, name);
const idIn = (out: string) => /the project (\w+),/.exec(out)?.[1] ?? "";
const read = async (id: string, path: string) => {
  const { bytes } = await server.workspace(id).files.read(toProjectPath(path));
  return new TextDecoder().decode(bytes);
};
const place = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return inFolder(name);
};

describe("treadle export", () => {
  it("writes everything to a ZIP that only the person can read, without secrets on request", async () => {
    const { stdout } = await typed("export", "clock");
    expect(stdout).toContain("keep it as safe as those");
    const file = / is in (.+\.zip)\. /.exec(stdout)?.[1] ?? "";
    expect(dirname(file)).toBe(folder);
    expect(statSync(file).mode & 0o077).toBe(0);
    const all = unzipSync(readFileSync(file));
    expect(Object.keys(all).toSorted()).toEqual([".env", "index.html"]);
    await treadle("export", project, inFolder("less.zip"), "--without-secrets");
    const less = Object.keys(unzipSync(readFileSync(join(folder, "less.zip"))));
    expect(less).not.toContain(".env");
    expect(less).toContain("index.html");
  });

  it("writes the chat as Markdown and JSON, and the log as lines, to a file or to standard output", async () => {
    expect((await treadle("export", project, "-", "--as", "markdown")).out).toContain(
      "Here is a clock.",
    );
    const { out } = await treadle("export", project, "-", "--as", "json");
    expect(JSON.parse(out)).toMatchObject({ messages: [{ role: "user" }] });
    await treadle("export", project, inFolder("log.jsonl"), "--as", "log");
    expect(readFileSync(join(folder, "log.jsonl"), "utf8")).toMatch(/^\{"treadle":1/);
  });

  it("never overwrites a file, and says so", async () => {
    place("mine.zip", "mine");
    const { status, err } = await treadle("export", project, inFolder("mine.zip"));
    expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining("already exists") }); // prettier-ignore
    expect(readFileSync(join(folder, "mine.zip"), "utf8")).toBe("mine");
  });
});

describe("treadle import", () => {
  it("imports a folder without installed packages, and lists what it left out", async () => {
    const shop = join(folder, "shop");
    mkdirSync(join(shop, "src"), { recursive: true });
    mkdirSync(join(shop, "node_modules/a"), { recursive: true });
    writeFileSync(join(shop, "src/größe.ts"), "export {};\n");
    writeFileSync(join(shop, "package.json"), "{}");
    writeFileSync(join(shop, "empty.txt"), "");
    writeFileSync(join(shop, "node_modules/a/index.js"), "no");
    symlinkSync("/etc/passwd", join(shop, "link"));
    const { out, err } = await treadle("import", shop);
    expect(err).toBe("");
    expect(out).toMatch(/^It is the project \w+, with 3 files\. /);
    expect(out).toContain("Left out, because they are links or not files: link.");
    expect(await read(idIn(out), "src/größe.ts")).toBe("export {};\n");
    expect((await projects()).map(({ name }) => name)).toContain("shop");
  });

  it("imports what git tracks or a source imports, and nothing else that git ignores", async () => {
    const tracked = join(folder, "tracked");
    const put = (path: string, content = "") => {
      mkdirSync(dirname(join(tracked, path)), { recursive: true });
      writeFileSync(join(tracked, path), content);
    };
    put("index.html", '<script src="./built/app.js"></script>');
    for (const path of ["built/app.js", "kept/a.js", "kept/b.js"]) put(path);
    const git = (...args: string[]) => promisify(execFile)("git", args, { cwd: tracked });
    await git("init", "-q");
    await git("add", "kept/a.js");
    put(".gitignore", "built\nkept\nother\n");
    put("other/c.js");
    const { out, err } = await treadle("import", tracked);
    expect(err).toBe("");
    const { files } = await server.workspace(idIn(out)).files.list();
    expect(files.flatMap(({ path, kind }) => (kind === "file" ? [String(path)] : [])).toSorted()).toEqual([".gitignore", "built/app.js", "index.html", "kept/a.js"]); // prettier-ignore
  });

  // A name that is not UTF-8 is decoded to another one, which does not exist; other systems have no
  // such names.
  it.runIf(process.platform === "linux")(
    "names the unreadable file instead of reporting a lost server",
    async () => {
      const odd = join(folder, "odd");
      mkdirSync(odd);
      writeFileSync(Buffer.concat([Buffer.from(`${odd}/caf`), Buffer.from([0xe9])]), "x");
      expect((await treadle("import", odd)).err).toMatch(/ENOENT.*odd\/caf/);
    },
  );

  it("imports a ZIP, a chat of bolt's and a log, recognised by content", async () => {
    const zip = place("a.bin", zipSync({ "a.txt": new TextEncoder().encode("a") }));
    const fromZip = await treadle("import", zip, "--name", "From a ZIP");
    expect(await read(idIn(fromZip.out), "a.txt")).toBe("a");
    const chat = place(
      "chat.json",
      JSON.stringify({
        description: "Of bolt",
        messages: [
          { role: "user", content: "Go" },
          { role: "assistant", content: '<boltArtifact id="a" title="A"><boltAction type="file" filePath="b.txt">b</boltAction></boltArtifact>' }, // prettier-ignore
        ],
      }),
    );
    const fromChat = await treadle("import", chat);
    expect(fromChat.out).toMatch(/^Of bolt: the project \w+, with 1 file\./);
    expect(await read(idIn(fromChat.out), "b.txt")).toContain("b");
    await treadle("export", project, inFolder("again.jsonl"), "--as", "log");
    const fromLog = await treadle("import", inFolder("again.jsonl"));
    const response = await treadle("export", idIn(fromLog.out), "-", "--as", "markdown");
    expect(response.out).toContain("Here is a clock.");
  });

  it("lists the possible types, or why a repository was refused, and leaves nothing behind", async () => {
    const before = await projects();
    const other = place("notes.txt", "hello");
    for (const [word, why] of [
      ["nowhere", "There is no “nowhere” here"],
      [other, "is not a ZIP"],
      ["http://127.0.0.1:9/a.git", "--local confirms it"],
    ]) {
      const { status, err } = await treadle("import", word!);
      expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining(why!) });
    }
    expect(await projects()).toEqual(before);
  });
});

describe("treadle checkpoints", () => {
  it("lists them, shows differences, and restores one in a way that can be undone", async () => {
    const workspace = server.workspace(project);
    const first = await workspace.checkpoint("first");
    await workspace.files.write(toProjectPath("index.html"), "<h1>Other</h1>");
    const { out } = await treadle("checkpoints", project);
    expect(out).toContain(`${first.checkpoint}  `);
    const rows = (await treadle("checkpoints", project, "--json")).out.trim().split("\n");
    expect(JSON.parse(rows[0]!)).toHaveProperty("checkpoint");
    const differs = await treadle("checkpoints", project, first.checkpoint);
    expect(differs.out).toContain("index.html: changed");
    const back = await treadle("checkpoints", project, first.checkpoint, "--restore");
    expect(back).toMatchObject({ status: 0, out: expect.stringContaining("The files are as at") });
    expect(await read(project, "index.html")).toBe("<h1>Clock</h1>");
    const none = await treadle("checkpoints", project, "nosuch", "--restore");
    expect(none).toMatchObject({ status: 2, err: expect.stringContaining("Nothing was changed") });
  });
});

it("leaves no file behind if the server is not running", async () => {
  const failed = await promisify(execFile)(process.execPath, ["--conditions=treadle-source", main, "export", project, inFolder("gone.zip"), "--data", "/nowhere"]).catch((error: { code: number; stderr: string }) => error); // prettier-ignore
  const { code: status, stderr: err } = failed as { code: number; stderr: string };
  expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining("treadle serve") }); // prettier-ignore
  expect(existsSync(join(folder, "gone.zip"))).toBe(false);
});
