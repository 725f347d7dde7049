/**
 * A git server on loopback: bare repositories behind git's own `http-backend`, with a login, that can be cut off. With a login
 * it also makes repositories as Forgejo's API does, where the password is the token.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";

export interface GitServer {
  /** Address of a repository. */
  url(name: string): string;
  host: string;
  /** Makes one, with a first commit of these files on `main`. */
  create(name: string, files?: Record<string, string>): void;
  /** Commits to it as somebody else does. @param files `null`: the file goes */
  commit(name: string, files: Record<string, string | null>, message?: string): void;
  /** What git prints, asked in the repository. */
  git(name: string, ...words: string[]): string;
  /** Ends each answer after so many bytes; absent: not any more. */
  cut(bytes?: number): void;
  /** Requests so far, with what they said of who asks. */
  asked: { path: string; authorization: string | undefined }[];
  close(): Promise<void>;
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

export async function startGitServer(login?: {
  user: string;
  password: string;
}): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), "treadle-git-"));
  const asked: GitServer["asked"] = [];
  let limit = Infinity;
  const run = (words: string[], cwd = root) =>
    execFileSync("git", words, { cwd, env: { ...ENV, HOME: root }, encoding: "utf8" }).trim();
  const wanted =
    login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const { authorization } = request.headers;
    asked.push({ path: url.pathname, authorization });
    if (login && request.method === "POST" && url.pathname === "/api/v1/user/repos") {
      void makeByToken(request, authorization === `token ${login.password}`).then(
        ([status, body]) =>
          response
            .writeHead(status, { "content-type": "application/json" })
            .end(JSON.stringify(body)),
      );
      return;
    }
    if (wanted !== undefined && authorization !== wanted) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const backend = spawn("git", ["http-backend"], {
      env: {
        ...ENV,
        HOME: root,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? "GET",
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        REMOTE_USER: login?.user ?? "somebody",
        REMOTE_ADDR: "127.0.0.1",
        ...(request.headers["content-encoding"]
          ? { HTTP_CONTENT_ENCODING: request.headers["content-encoding"] }
          : {}),
        ...(request.headers["git-protocol"]
          ? { GIT_PROTOCOL: String(request.headers["git-protocol"]) }
          : {}),
      },
    });
    request.pipe(backend.stdin).on("error", () => undefined);
    let head = "";
    let sent = 0;
    let begun = false;
    const send = (bytes: Buffer) => {
      response.write(bytes.subarray(0, Math.max(0, limit - sent)));
      sent += bytes.length;
      if (sent > limit) {
        backend.kill();
        response.destroy();
      }
    };
    backend.stdout.on("data", (bytes: Buffer) => {
      if (begun) return send(bytes);
      head += bytes.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      begun = true;
      const lines = head.slice(0, end).split("\r\n");
      const status = lines.find((line) => /^status:/i.test(line))?.slice(7);
      const headers = lines
        .filter((line) => !/^status:/i.test(line))
        .map((line) => [
          line.slice(0, line.indexOf(":")),
          line.slice(line.indexOf(":") + 1).trim(),
        ]);
      response.writeHead(Number.parseInt(status ?? "200", 10), Object.fromEntries(headers));
      send(Buffer.from(head.slice(end + 4), "latin1"));
    });
    backend.on("close", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const urlOf = (name: string) => `http://127.0.0.1:${port}/${name}.git`;

  function create(name: string, files?: Record<string, string>): void {
    const bare = join(root, `${name}.git`);
    run(["init", "-q", "--bare", "-b", "main", bare]);
    run(["config", "http.receivepack", "true"], bare);
    if (files) commit(name, files, "First");
  }

  async function makeByToken(request: IncomingMessage, known: boolean): Promise<[number, object]> {
    const { name } = (await json(request)) as { name: string };
    if (!known) return [401, { message: "token does not exist" }];
    if (existsSync(join(root, `${name}.git`))) return [409, { message: "already exists" }];
    create(name);
    return [201, { clone_url: urlOf(name), owner: { login: login?.user } }];
  }

  function commit(
    name: string,
    files: Record<string, string | null>,
    message = "By another",
  ): void {
    const work = mkdtempSync(join(root, "work-"));
    run(["clone", "-q", join(root, `${name}.git`), work]);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      if (text === null) rmSync(join(work, path));
      else writeFileSync(join(work, path), text);
    }
    run(["add", "-A", "-f"], work);
    run(["commit", "-q", "-m", message], work);
    run(["push", "-q", "origin", "HEAD:main"], work);
    rmSync(work, { recursive: true });
  }

  return {
    url: urlOf,
    host: `127.0.0.1:${port}`,
    create,
    commit,
    git: (name, ...words) => run(words, join(root, `${name}.git`)),
    cut: (bytes = Infinity) => void (limit = bytes),
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}
