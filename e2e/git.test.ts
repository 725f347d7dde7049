import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGitServer, type GitServer } from "./support/git-server.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import type { RunningTreadle } from "./support/treadle.ts";

/** The file that a repository would create if anything in it were executed. */
const OWNED = join(tmpdir(), `treadle-owned-${randomUUID()}`);
const LOGIN = { user: "ada", password: "correct horse" };
/** A picture of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const FILES = {
  "index.html": "<!doctype html><title>Milk</title><h1>Milk</h1>\n",
  "src/odd name é.txt": "one\ntwo\nthree\n",
  ".gitattributes": "*.html filter=evil\n* text eol=crlf\n",
  ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = https://example.com/x\n',
  "dist/built.js": "built\n",
  ".env": "KEY=theirs\n",
};

let treadle: RunningTreadle;
let server: GitServer;
beforeAll(async () => {
  server = await startGitServer(LOGIN);
});
afterAll(() => server.close());
setStage(
  { own: true, script: scriptNamed("git"), page: false },
  (stage: Stage) => void ({ treadle } = stage),
);

async function ask(path: string, body?: object, method = body ? "POST" : "GET") {
  const response = await treadle.api(
    path,
    body ? { method, body: JSON.stringify(body) } : { method },
  );
  return (await response.json()) as Record<string, never> & { error?: { code: string } };
}

/** Imports it, and returns the last line of the progress. */
async function clone(name: string, more: object = {}) {
  const body = JSON.stringify({ url: server.url(name), local: true, login: LOGIN, ...more });
  const response = await treadle.api("/api/import/git", { method: "POST", body });
  const lines = (await response.text()).trim().split("\n");
  return {
    lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    last: JSON.parse(lines.at(-1)!) as {
      id: string;
      files: number;
      branch: string;
      notes: string[];
      error?: { code: string; message: string };
    },
  };
}

interface Overview {
  branches: object[];
  commits: { side: string; author: string }[];
}

const text = async (id: string, path: string) =>
  ((await ask(`/api/projects/${id}/files/${encodeURI(path)}`)) as { text?: string }).text;
const put = (id: string, path: string, content: string) =>
  ask(`/api/projects/${id}/files/${encodeURI(path)}`).then(({ version }) =>
    treadle.api(`/api/projects/${id}/files/${encodeURI(path)}`, {
      method: "PUT",
      headers: version ? { "if-match": version } : { "if-none-match": "*" },
      body: JSON.stringify({ text: content }),
    }),
  );
const projects = async () =>
  ((await ask("/api/projects")) as unknown as { projects: { id: string }[] }).projects.length;

describe("a repository that becomes a project", () => {
  it("A26 has its files byte by byte, and nothing in it is executed", async () => {
    server.create("clone", FILES);
    const { last, lines } = await clone("clone");
    expect(last).toMatchObject({ branch: "main", files: 6, notes: [] });
    expect(lines.some(({ doing }) => doing === "Unpacking files")).toBe(true);
    for (const [path, content] of Object.entries(FILES))
      if (path !== "dist/built.js")
        expect([path, await text(last.id, path)]).toEqual([path, content]);
    expect(existsSync(OWNED)).toBe(false);
    // The person's login is with the server, and nowhere in the project or in an address.
    const projectFolder = join(treadle.data, "projects", last.id);
    expect(readFileSync(join(projectFolder, "remote.git", "config"), "utf8")).not.toContain(
      "horse",
    );
    expect(existsSync(join(projectFolder, "files", ".git", "config"))).toBe(false);
    expect(JSON.stringify(await ask("/api/git/logins"))).toBe(
      JSON.stringify({ logins: [{ host: server.host, user: "ada" }] }),
    );
  });

  it.each([
    ["a wrong password", { login: { user: "ada", password: "wrong" } }, "git-login"],
    ["a branch that is not there", { branch: "none" }, "git-not-found"],
    ["an address of this network that was not meant", { local: false }, "git-local"],
  ])("A39 %s is reported, and nothing is left", async (_, more, code) => {
    const before = await projects();
    expect((await clone("clone", more)).last.error?.code).toBe(code);
    expect(await projects()).toBe(before);
  });

  it.each([
    "--upload-pack=touch /tmp/owned",
    "-x",
    "ext::sh -c touch% /tmp/owned",
    "file:///etc",
    "/etc",
    "git://a.com/x",
    "ssh://-oProxyCommand=touch/x",
  ])("A26 %s is rejected as an address", async (url) => {
    // With this run's name: the one in the table may belong to another run.
    const named = url.replace("/tmp/owned", OWNED);
    const answer = await ask("/api/import/git", { url: named, local: true });
    expect(answer.error?.code).toBe("git-address");
    expect(existsSync(OWNED)).toBe(false);
  });

  it("A26 submodules that would run something are refused, with the whole repository", async () => {
    const before = await projects();
    const modules = `[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch\${IFS}${OWNED}\n`;
    server.create("modules", { ...FILES, ".gitmodules": modules });
    expect((await clone("modules")).last.error?.code).toBe("git-bad-objects");
    expect(existsSync(OWNED)).toBe(false);
    expect(await projects()).toBe(before);
  });

  it("an interrupted or stopped import leaves nothing", async () => {
    const before = await projects();
    server.create("large", {
      "a.bin": "x".repeat(10).concat(String(Math.random())).repeat(50_000),
    });
    server.cut(2_000);
    expect((await clone("large")).last.error?.code).toMatch(/git-(cut|failed)/);
    server.cut();
    const stop = new AbortController();
    const body = JSON.stringify({ url: server.url("large"), local: true });
    const asked = treadle.api("/api/import/git", { method: "POST", body, signal: stop.signal });
    stop.abort();
    await asked.catch(() => undefined);
    await expect.poll(projects).toBe(before);
  });
});

describe("a project that is pushed and pulled", () => {
  let id: string;
  const git = (action: string, body: object = {}) => ask(`/api/projects/${id}/git/${action}`, body);
  /** Sends a message, and waits until its turn has ended. */
  async function turn(message: string): Promise<void> {
    await ask(`/api/projects/${id}/messages`, { text: message });
    const events = await treadle.api(`/api/projects/${id}/events`);
    const sent = `"text":${JSON.stringify(message)}`;
    let heard = "";
    for await (const piece of events.body!.pipeThrough(new TextDecoderStream())) {
      heard += piece;
      if (heard.split(sent).slice(1).at(-1)?.includes('"type":"run-end"')) break;
    }
    await expect
      .poll(async () => ((await ask(`/api/projects/${id}`)) as { working?: boolean }).working)
      .toBe(false);
  }
  beforeAll(async () => {
    server.create("ada/work", FILES);
    ({ id } = (await clone("ada/work")).last);
  });

  it("becomes one commit per turn, with the request, the changes and the verdict as trailers", async () => {
    await turn("Build it blue\n\nTreadle-Verdict: runs");
    await put(id, "by-hand.txt", "mine\n");
    expect(await git("push")).toMatchObject({ pushed: 2 });
    const log = server.git("ada/work", "log", "--format=%s%x09%(trailers:key=Treadle-Verdict,valueonly,separator=%x2C)", "main"); // prettier-ignore
    expect(log.split("\n").map((line) => line.split("\t")[0])).toEqual([
      "Changes by hand",
      "Build it blue Treadle-Verdict: runs",
      "First",
    ]);
    const message = server.git("ada/work", "log", "-1", "--format=%B", "main~1");
    expect(message).toMatch(/^Treadle-Evidence: \w+ \w+/m);
    // Text of the request is not mistaken for evidence.
    expect(log.split("\n")[1]).not.toMatch(/\truns,runs/);
    expect(server.git("ada/work", "show", "main:blue.css")).toContain("blue");
    // Files that checkpoints omit are unchanged in the repository.
    expect(server.git("ada/work", "show", "main:dist/built.js")).toBe("built");
    expect(server.git("ada/work", "show", "main:.env")).toBe("KEY=theirs");
    expect(await git("push")).toMatchObject({ pushed: 0 });
  });

  it("a moved branch is not overwritten; what others pushed is pulled, and then pushing works", async () => {
    server.commit("ada/work", { "theirs.txt": "theirs\n", "by-hand.txt": null });
    await put(id, "mine.txt", "mine too\n");
    expect((await git("push")).error?.code).toBe("git-moved");
    expect(await git("pull")).toMatchObject({ state: "pulled" });
    expect(await text(id, "theirs.txt")).toBe("theirs\n");
    expect(await text(id, "by-hand.txt")).toBeUndefined();
    expect(await text(id, "mine.txt")).toBe("mine too\n");
    expect(await git("pull")).toMatchObject({ state: "current" });
    expect((await git("push")).error).toBeUndefined();
    expect(server.git("ada/work", "show", "main:mine.txt")).toBe("mine too");
    expect(server.git("ada/work", "show", "main:theirs.txt")).toBe("theirs");
  });

  it("a conflict is shown with both texts, and merged as the user decides", async () => {
    const path = "src/odd name é.txt";
    server.commit("ada/work", { [path]: "one\ntheirs\nthree\n" });
    await put(id, path, "one\nmine\nthree\n");
    const report = (await git("pull")) as unknown as { state: string; conflicts: object[] };
    expect(report.state).toBe("conflicts");
    expect(report.conflicts).toEqual([
      expect.objectContaining({
        path,
        base: "one\ntwo\nthree\n",
        ours: "one\nmine\nthree\n",
        theirs: "one\ntheirs\nthree\n",
        merged: expect.stringContaining("<<<<<<<") as string,
      }),
    ]);
    expect(await text(id, path)).toBe("one\nmine\nthree\n");
    const resolutions = { [path]: { text: "one\nmine and theirs\nthree\n" } };
    expect(await git("pull", { resolutions })).toMatchObject({ state: "pulled" });
    expect(await text(id, path)).toBe("one\nmine and theirs\nthree\n");
    expect((await git("push")).error).toBeUndefined();
    expect(server.git("ada/work", "show", `main:${path}`)).toBe("one\nmine and theirs\nthree");
  });

  it("switches to its own branch and back, without losing unpushed work", async () => {
    await put(id, "unpushed.txt", "mine\n");
    const before = (await git("fetch")) as unknown as Overview;
    expect(before).toMatchObject({ branch: "main", ahead: 1, behind: 0 });
    expect(before.commits[0]).toMatchObject({ side: "both", author: "Treadle" });
    expect((await git("branches", { name: "main" })).error?.code).toBe("git-branch-taken");
    expect((await git("branches", { name: "-x" })).error?.code).toBe("git-branch");
    await git("branches", { name: "cart/one" });
    expect(await git("push")).toMatchObject({ pushed: 1 });
    expect(server.git("ada/work", "show", "cart/one:unpushed.txt")).toBe("mine");
    await put(id, "later.txt", "not pushed\n");
    await put(id, ".env", "KEY=mine\n");

    expect(await git("switch", { branch: "main" })).toMatchObject({ files: 2 });
    expect(await text(id, "unpushed.txt")).toBeUndefined();
    expect(await text(id, ".env")).toBe("KEY=mine\n");
    server.commit("ada/work", { "others.txt": "theirs\n" });
    expect(await git("fetch")).toMatchObject({ branch: "main", ahead: 0, behind: 1 });
    expect(await git("pull")).toMatchObject({ state: "pulled" });

    expect(await git("switch", { branch: "cart/one" })).toMatchObject({ files: 3 });
    expect(await text(id, "later.txt")).toBe("not pushed\n");
    expect(await text(id, "others.txt")).toBeUndefined();
    const after = (await git("fetch")) as unknown as Overview;
    expect(after).toMatchObject({ branch: "cart/one", ahead: 1, behind: 0 });
    expect(after.branches).toEqual([
      { name: "cart/one", here: true, there: true },
      { name: "main", here: true, there: true },
    ]);
    expect((await git("switch", { branch: "none" })).error?.code).toBe("git-not-found");
    expect(await git("push")).toMatchObject({ pushed: 1 });
    expect(await git("switch", { branch: "main" })).toMatchObject({ files: 3 });
  });

  it("opens a pull request with the user's text, and sets verdicts as commit statuses", async () => {
    const api = server.serveApi("gitea", "ada/work");
    await turn("Build a cart");
    await put(id, "cart.txt", "a cart\n");
    const facts = await ask(`/api/projects/${id}/git/pull-request`);
    expect(facts).toMatchObject({ kind: "gitea", base: "main", isNew: true, isSignedIn: true });
    const draft = { title: "A cart", body: "It was asked for.", base: "main" };
    expect((await git("pull-request", draft)).error?.code).toBe("git-branch");
    const branch = "treadle/cart";
    const opened = (await git("pull-request", { ...draft, branch })) as { address?: string };
    expect(opened).toMatchObject({ existed: false, statuses: { set: 1 }, address: expect.stringMatching(/pulls\/1$/) as string }); // prettier-ignore
    expect(api.pulls).toEqual([{ number: 1, title: "A cart", body: draft.body, head: branch, base: "main" }]); // prettier-ignore
    expect(server.git("ada/work", "show", `${branch}:cart.txt`)).toBe("a cart");
    expect(await git("pull-request", draft)).toMatchObject({ address: opened.address, existed: true, pushed: 0 }); // prettier-ignore
    const [status] = api.statuses;
    expect(status).toMatchObject({ name: "treadle/verdict", state: expect.not.stringMatching("success") as string }); // prettier-ignore
    expect(server.git("ada/work", "log", "-1", "--format=%s", status!.commit)).toBe("Build a cart");
    await git("switch", { branch: "main" });
  });

  it("pushes a picture to a separate branch if the server accepts no files, beside earlier ones", async () => {
    server.create("ada/photo", FILES);
    const api = server.serveApi("github", "ada/photo");
    const photo = (await clone("ada/photo")).last.id;
    await ask(`/api/projects/${photo}/messages`, { text: "Look", pictures: [PIXEL] }); // prettier-ignore
    const events = await treadle.api(`/api/projects/${photo}/events`);
    let hash: string | undefined;
    for await (const piece of events.body!.pipeThrough(new TextDecoderStream())) {
      hash = /"hash":"([0-9a-f]+)"/.exec(piece)?.[1];
      if (hash !== undefined) break;
    }
    for (const branch of ["one", "two"]) {
      await put(photo, `${branch}.txt`, branch);
      const draft = { title: branch, body: "Text", base: "main", branch, picture: hash };
      expect(await ask(`/api/projects/${photo}/git/pull-request`, draft)).toMatchObject({
        existed: false,
        hasPicture: true,
      });
      const [, commit = "", file] =
        /ada\/photo\/raw\/([0-9a-f]{40})\/(\S+)\)/.exec(api.pulls.at(-1)!.body) ?? [];
      expect(server.git("ada/photo", "ls-tree", "--name-only", commit)).toBe(file);
    }
    const held = server.git("ada/photo", "rev-list", "--count", "treadle-pictures");
    expect(held).toBe("2");
  });

  it("an interrupted push changes nothing, and the next one succeeds", async () => {
    await put(id, "cut.txt", "whole\n");
    server.cut(10);
    expect((await git("push")).error?.code).toMatch(/^git-/);
    server.cut();
    expect((await git("push")).error).toBeUndefined();
    expect(server.git("ada/work", "show", "main:cut.txt")).toBe("whole");
    expect(server.git("ada/work", "fsck", "--strict")).toBe("");
  });

  it("can push to an empty repository as one commit; the user's own .git stays unchanged", async () => {
    server.create("empty");
    const made = (await ask("/api/projects", {})) as unknown as { id: string };
    await put(made.id, "a.txt", "a\n");
    const own = join(treadle.data, "projects", made.id, "files", ".git");
    const before = existsSync(own);
    await ask(`/api/projects/${made.id}/git`, { url: server.url("empty"), branch: "main", local: true, author: { name: "Ada", email: "ada@example.com" } }, "PUT"); // prettier-ignore
    expect(await ask(`/api/projects/${made.id}/git/push`, { squash: true })).toMatchObject({
      pushed: 1,
    });
    expect(server.git("empty", "log", "--format=%an <%ae> %s", "main")).toBe("Ada <ada@example.com> Changes by hand"); // prettier-ignore
    expect(existsSync(own)).toBe(before);
  });
});
