/**
 * A git server on loopback: bare repositories behind git's own `http-backend`, with a login, that can be cut off. With a login
 * it also makes repositories as Forgejo's API does, where the password is the token.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, json } from "node:stream/consumers";
import {
  createForge,
  type ForgeStandIn,
} from "../../packages/git/src/forges/stand-in.test-support.ts";
import type { ForgeKind } from "../../packages/git/src/forges/types.ts";
import { bareRepositories, GIT_ENV, type BareRepositories } from "./bare-repositories.ts";

export interface GitServer extends BareRepositories {
  /** Address of a repository. */
  url(name: string): string;
  host: string;
  /** Ends each answer after this many bytes; absent: no longer. */
  cut(bytes?: number): void;
  /** Gives a repository the API of a server, where the password is the token. */
  serveApi(kind: ForgeKind, name: string): ForgeStandIn;
  /** Requests so far, with what they said of who asks. */
  asked: { path: string; authorization: string | undefined }[];
  close(): Promise<void>;
}

export async function startGitServer(login?: {
  user: string;
  password: string;
}): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), "treadle-git-"));
  const asked: GitServer["asked"] = [];
  let limit = Infinity;
  const repositories = bareRepositories(root);
  let forge: ForgeStandIn | undefined;
  const expected =
    login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;

  /** As git sends a token. */
  const byToken = `Basic ${Buffer.from(`x-access-token:${login?.password ?? ""}`).toString("base64")}`;

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
    if (forge && /^\/(?:api|login)\//.test(url.pathname)) {
      void answerByApi(forge, request, url).then(([status, body]) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify(body)),
      );
      return;
    }
    if (expected !== undefined && authorization !== expected && authorization !== byToken) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const backend = spawn("git", ["http-backend"], {
      env: {
        ...GIT_ENV,
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

  async function makeByToken(request: IncomingMessage, known: boolean): Promise<[number, object]> {
    const { name } = (await json(request)) as { name: string };
    if (!known) return [401, { message: "token does not exist" }];
    if (existsSync(join(root, `${name}.git`))) return [409, { message: "already exists" }];
    repositories.create(name);
    return [201, { clone_url: urlOf(name), owner: { login: login?.user } }];
  }

  async function answerByApi(api: ForgeStandIn, request: IncomingMessage, url: URL) {
    const { method = "", headers } = request;
    const bytes = await buffer(request);
    const asked = { method, path: url.pathname, query: url.searchParams, headers, bytes };
    return api.answer(asked) ?? [404, { message: "Not Found" }];
  }

  return {
    serveApi(kind, repository) {
      const origin = `http://127.0.0.1:${port}`;
      forge = createForge(kind, { origin, token: login?.password ?? "", repository });
      return forge;
    },
    url: urlOf,
    host: `127.0.0.1:${port}`,
    ...repositories,
    cut: (bytes = Infinity) => void (limit = bytes),
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}
