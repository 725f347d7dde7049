/**
 * A stand-in for GitHub: repositories served by git's `http-backend`, and the part of the API at
 * https://docs.github.com/en/rest/pages/pages that is used: a token, a source for the pages, builds
 * of the branch's commit.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStandIn, type Answer, type Asked, type StandIn } from "./stand-in.test-support.ts";

export const GITHUB_API = "https://api.github.com";
export const GITHUB = "https://github.com";

interface Pages {
  source: { branch: string; path: string };
  build_type: string;
}

export interface GitHubStandIn extends StandIn {
  /** The address for git. */
  web: string;
  /** Creates an empty repository. */
  create(name: string): void;
  /** Runs git in the repository and returns its output. */
  git(name: string, words: string[], input?: string): string;
  pages: Map<string, Pages>;
  /** The error of the next builds. */
  refusal: string | undefined;
}

const ENV = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Other",
  GIT_AUTHOR_EMAIL: "other@example.com",
  GIT_COMMITTER_NAME: "Other",
  GIT_COMMITTER_EMAIL: "other@example.com",
};

export async function startGitHub(token: string): Promise<GitHubStandIn> {
  const root = mkdtempSync(join(tmpdir(), "treadle-github-"));
  const looked = new Map<string, number>();
  /** Commits whose build failed, and which are rebuilt on request. */
  const broken = new Set<string>();
  const at = (name: string) => join(root, `${name}.git`);
  const git = (name: string, words: string[], input?: string) =>
    execFileSync("git", words, { cwd: at(name), env: ENV, encoding: "utf8", input, stdio: ["pipe", "pipe", "ignore"] }).trim(); // prettier-ignore
  const headOf = (name: string, branch: string) => {
    try {
      return git(name, ["rev-parse", "--verify", `refs/heads/${branch}`]);
    } catch {
      return undefined;
    }
  };
  const known = new Set<string>();

  function answer(asked: Asked): Answer {
    if (asked.headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { message: "Bad credentials" } };
    const [, name = "", what = ""] = /^\/repos\/([^/]+\/[^/]+)(?:\/(.*))?$/.exec(asked.path) ?? [];
    if (!known.has(name)) return { status: 404, body: { message: "Not Found" } };
    if (what === "") return { status: 200, body: { full_name: name } };
    const pages = standIn.pages.get(name);
    if (asked.method === "POST" && what === "pages/builds") {
      if (!pages) return { status: 404, body: { message: "Not Found" } };
      const head = headOf(name, pages.source.branch) ?? "";
      looked.delete(head);
      broken.delete(head);
      return { status: 201, body: { status: "queued" } };
    }
    if (asked.method === "POST") {
      const wantedPages = asked.body() as unknown as Pages;
      if (pages) return { status: 409, body: { message: "There are pages already." } };
      if (headOf(name, wantedPages.source.branch) === undefined)
        return { status: 422, body: { message: "The branch must exist before Pages can be built." } }; // prettier-ignore
      standIn.pages.set(name, wantedPages);
      return { status: 201, body: {} };
    }
    if (!pages) return { status: 404, body: { message: "Not Found" } };
    const commit = headOf(name, pages.source.branch);
    if (what === "pages/builds/latest") {
      const times = looked.get(commit ?? "") ?? 0;
      looked.set(commit ?? "", times + 1);
      if (times >= 2 && standIn.refusal) broken.add(commit ?? "");
      const status = ["queued", "building"][times] ?? (broken.has(commit ?? "") ? "errored" : "built"); // prettier-ignore
      return { status: 200, body: { status, commit, error: { message: standIn.refusal ?? null } } };
    }
    const [owner = "", repository = ""] = name.split("/");
    const path = repository === `${owner}.github.io` ? "" : `${repository}/`;
    return { status: 200, body: { ...pages, html_url: `https://${owner}.github.io/${path}` } };
  }

  const backend = createServer((request, response) => {
    const url = new URL(request.url!, "http://git");
    const expected = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
    if (request.headers.authorization !== expected)
      return response.writeHead(401, { "www-authenticate": "Basic" }).end();
    const child = spawn("git", ["http-backend"], {
      env: {
        ...ENV,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method!,
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        HTTP_GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
        REMOTE_USER: "ada",
        REMOTE_ADDR: "127.0.0.1",
      },
    });
    request.pipe(child.stdin).on("error", () => undefined);
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.on("close", () => {
      const received = Buffer.concat(pieces);
      const end = received.indexOf("\r\n\r\n");
      const lines = received.subarray(0, end).toString().split("\r\n");
      let status = 200;
      for (const line of lines) {
        const [name = "", value = ""] = line.split(": ");
        if (/^status$/i.test(name)) status = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.writeHead(status).end(received.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));

  const api = await startStandIn(answer);
  const { close } = api;
  const standIn: GitHubStandIn = Object.assign(api, {
    web: `http://127.0.0.1:${(backend.address() as AddressInfo).port}`,
    pages: new Map<string, Pages>(),
    refusal: undefined,
    create(name: string) {
      execFileSync("git", ["init", "-q", "--bare", "-b", "main", at(name)], { env: ENV });
      git(name, ["config", "http.receivepack", "true"]);
      known.add(name);
    },
    git,
    close: async () => {
      backend.closeAllConnections();
      await new Promise((resolve) => backend.close(resolve));
      await close();
      rmSync(root, { recursive: true, force: true });
    },
  });
  return standIn;
}
