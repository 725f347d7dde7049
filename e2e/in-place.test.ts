import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runTreadle } from "./support/run-treadle.ts";
import { startTreadle, type RunningTreadle } from "./support/treadle.ts";

const around = realpathSync(mkdtempSync(join(tmpdir(), "treadle-in-place-")));
const folder = join(around, "theirs");
const data = join(around, "data");
let treadle: RunningTreadle;
let project: string;
let repository: string[];

const git = (...words: string[]) =>
  execFileSync(
    "git",
    ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "safe.directory=*", ...words],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );
/** Every file of the user's repository, with its content. */
const repositoryNow = () =>
  readdirSync(join(folder, ".git"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "index")
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${readFileSync(path, "base64")}`;
    })
    .toSorted();
async function start(): Promise<void> {
  treadle = await startTreadle({
    data,
    args: ["--open", folder],
    env: { TREADLE_PREPARE: "none" },
  });
  project = new URL(treadle.address).pathname.slice("/p/".length);
}
const api = async (path: string, body?: object, method = body ? "POST" : "GET") => {
  const answer = await treadle.api(`/api/projects/${project}${path}`, {
    method,
    body: body ? JSON.stringify(body) : undefined,
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
};
const textOf = async (path: string) => (await api(`/files/${path}`)).body["text"];

beforeAll(async () => {
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src/a.txt"), "one\n");
  writeFileSync(join(around, "secret.txt"), "not theirs to see\n");
  symlinkSync("../secret.txt", join(folder, "out.txt"));
  symlinkSync("..", join(folder, "up"));
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  repository = repositoryNow();
  await start();
});
afterAll(async () => {
  await treadle.kill("SIGTERM");
  rmSync(around, { recursive: true, force: true });
});

it("opens the folder as a project with its name, at the printed address", async () => {
  expect(project).toMatch(/^[a-z0-9]+$/);
  expect((await api("")).body).toMatchObject({ name: "theirs" });
  expect(await textOf("src/a.txt")).toBe("one\n");
});

it("shows immediately what an external editor writes, and writes the page's changes into the folder", async () => {
  writeFileSync(join(folder, "src/.a.txt.swp"), "two\n");
  renameSync(join(folder, "src/.a.txt.swp"), join(folder, "src/a.txt"));
  const { body } = await api("/files/src/a.txt");
  expect(body["text"]).toBe("two\n");
  const written = await treadle.api(`/api/projects/${project}/files/src/a.txt`, {
    method: "PUT",
    headers: { "if-match": String(body["version"]) },
    body: JSON.stringify({ text: "three\n" }),
  });
  expect(written.ok).toBe(true);
  expect(readFileSync(join(folder, "src/a.txt"), "utf8")).toBe("three\n");
  const old = await treadle.api(`/api/projects/${project}/files/src/a.txt`, {
    method: "PUT",
    headers: { "if-match": String(body["version"]) },
    body: JSON.stringify({ text: "over it\n" }),
  });
  expect(old.status).toBe(409);
  expect(readFileSync(join(folder, "src/a.txt"), "utf8")).toBe("three\n");
});

it("follows no link that leads outside the folder", async () => {
  for (const path of ["out.txt", "up/secret.txt", "up/data/token"]) {
    const { status, body } = await api(`/files/${path}`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body)).not.toContain("not theirs");
    const put = await treadle.api(`/api/projects/${project}/files/${path}`, {
      method: "PUT",
      headers: { "if-match": "*" },
      body: JSON.stringify({ text: "x" }),
    });
    expect(put.ok).toBe(false);
  }
  expect(readFileSync(join(around, "secret.txt"), "utf8")).toBe("not theirs to see\n");
});

it("lists a folder that a command checked meanwhile, with its verdict, and opens it", async () => {
  const other = join(around, "checked");
  mkdirSync(other);
  writeFileSync(join(other, "index.html"), "<!doctype html><title>Milk</title><h1>Milk</h1>");
  await runTreadle(["check", other, "--data", data]);
  const listed = await (await treadle.api("/api/projects")).json();
  const { projects } = listed as { projects: { id: string; name: string; verdict?: string }[] };
  const found = projects.find(({ name }) => name === "checked");
  expect(found).toMatchObject({ verdict: "runs" });
  const files = await treadle.api(`/api/projects/${found!.id}/files`);
  expect(await files.json()).toMatchObject({ files: [{ path: "index.html" }] });
  // For exactly the files that were looked at.
  const detail = await treadle.api(`/api/projects/${found!.id}`);
  expect(await detail.json()).toMatchObject({ verdict: "runs", evidence: { pages: [{}] } });
});

it("leaves nothing of its own in the folder when it ends, and the user's repository unchanged", async () => {
  await treadle.kill("SIGTERM");
  expect(readdirSync(folder).toSorted()).toEqual([".git", "out.txt", "src", "up"]);
  expect(readdirSync(join(folder, "src"))).toEqual(["a.txt"]);
  expect(repositoryNow()).toEqual(repository);
  expect(git("status", "--porcelain").trim()).toBe("M src/a.txt");
  await start();
  expect(await textOf("src/a.txt")).toBe("three\n");
});

it("deletes the project, and never the folder", async () => {
  const before = project;
  expect((await treadle.api(`/api/projects/${before}`, { method: "DELETE" })).ok).toBe(true);
  expect(existsSync(join(folder, ".git"))).toBe(true);
  expect(readFileSync(join(folder, "src/a.txt"), "utf8")).toBe("three\n");
});
