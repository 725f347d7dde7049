/**
 * Takes the place of GitHub, GitLab and Gitea (Forgejo): the parts of their APIs that Treadle uses,
 * with the responses in their documentation. See `github.ts`, `gitlab.ts` and `gitea.ts` for links.
 */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { ForgeKind } from "./types.ts";

/** A request as received by the stand-in. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** An answer with a body that is sent as JSON. */
export type Answer = [status: number, body: unknown, headers?: Record<string, string>];

interface Pull {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
}

/** What a stand-in has received. */
export interface ForgeStandIn {
  origin: string;
  asked: Asked[];
  pulls: Pull[];
  statuses: { commit: string; state: unknown; name: unknown; description: unknown }[];
  /** Contents of the uploaded files. */
  files: Buffer[];
  /** State of the device flow; undefined: disabled. Its token is the stand-in's. */
  device: { hasAgreed: boolean } | undefined;
  /** Replaces the stand-in's response. */
  fault: ((asked: Asked) => Answer | undefined) | undefined;
  /** Undefined for an unknown path. */
  answer(asked: Asked): Answer | undefined;
}

/** @param repository its path, such as `ada/shop` */
export function createForge(
  kind: ForgeKind,
  { origin, token, repository }: { origin: string; token: string; repository: string },
): ForgeStandIn {
  const api = { github: "/api/v3", gitlab: "/api/v4", gitea: "/api/v1" }[kind];
  const at = kind === "gitlab" ? `/projects/${encodeURIComponent(repository)}` : `/repos/${repository}`; // prettier-ignore
  const page = kind === "gitlab" ? "/-/merge_requests/" : kind === "github" ? "/pull/" : "/pulls/";
  const scheme = kind === "gitea" ? "token" : "Bearer";
  const addressOf = ({ number }: Pull) => `${origin}/${repository}${page}${number}`;
  const asAnswer = (pull: Pull) =>
    kind === "gitlab"
      ? { iid: pull.number, web_url: addressOf(pull), source_branch: pull.head }
      : { number: pull.number, html_url: addressOf(pull), head: { ref: pull.head }, base: { ref: pull.base } }; // prettier-ignore
  const unauthorized: Record<ForgeKind, Answer> = {
    github: [
      401,
      { message: "Bad credentials", documentation_url: "https://docs.github.com/rest" },
    ],
    gitlab: [401, { message: "401 Unauthorized" }],
    gitea: [401, { message: "invalid username, password or token", url: `${origin}/api/swagger` }],
  };
  const existing: Record<ForgeKind, Answer> = {
    github: [422, { message: "Validation Failed", errors: [{ message: "ada:x has one." }] }], // prettier-ignore
    gitlab: [409, { message: ["Another open merge request already exists for this source branch: !1"] }], // prettier-ignore
    gitea: [409, { message: "pull request already exists for these targets", url: `${origin}/api/swagger` }], // prettier-ignore
  };

  function open(body: Record<string, string>): Answer {
    const { title = "", head = body["source_branch"]!, base = body["target_branch"]! } = body;
    const text = body["body"] ?? body["description"] ?? "";
    if (standIn.pulls.some((one) => one.head === head && one.base === base)) return existing[kind];
    const pull = { number: standIn.pulls.length + 1, title, body: text, head, base };
    standIn.pulls.push(pull);
    return [201, asAnswer(pull)];
  }
  function list(query: URLSearchParams): Answer {
    const head = query.get("head")?.replace(/^[^:]*:/, "") ?? query.get("source_branch");
    const base = query.get("base") ?? query.get("target_branch");
    const found = standIn.pulls.filter(
      (pull) => (head === null || pull.head === head) && (base === null || pull.base === base),
    );
    return [200, found.map(asAnswer)];
  }
  function upload(bytes: Buffer): Answer {
    standIn.files.push(bytes);
    const url = "/uploads/66dbcd21ec5d24ed6ea225176098d52b/app.png";
    return [201, { url, markdown: `![app](${url})`, browser_download_url: `${origin}/attachments/1` }]; // prettier-ignore
  }

  const standIn: ForgeStandIn = {
    origin,
    asked: [],
    pulls: [],
    statuses: [],
    files: [],
    device: undefined,
    fault: undefined,
    answer(asked) {
      const { method, path, query, headers, bytes } = asked;
      if (standIn.device && path === "/login/device/code") {
        const verification_uri = `${origin}/login/device`;
        return [200, { device_code: "3584d8", user_code: "WDJB-MJHT", verification_uri, expires_in: 900, interval: 1 }]; // prettier-ignore
      }
      if (standIn.device && path === "/login/oauth/access_token")
        return [200, standIn.device.hasAgreed ? { access_token: token } : { error: "authorization_pending" }]; // prettier-ignore
      if (!path.startsWith(`${api}/`)) return undefined;
      standIn.asked.push(asked);
      const fault = standIn.fault?.(asked);
      if (fault) return fault;
      const line = `${method} ${path.slice(api.length)}`;
      if (kind === "gitea" && line === "GET /version") return [200, { version: "1.22.0" }];
      if (kind === "github" && line === "GET /")
        return [200, { current_user_url: `${origin}${api}/user`, repository_url: `${origin}${api}/repos/{owner}/{repo}` }]; // prettier-ignore
      if (headers.authorization !== `${scheme} ${token}`) return unauthorized[kind];
      const isJson = headers["content-type"]?.startsWith("application/json") === true;
      const body = isJson ? (JSON.parse(bytes.toString()) as Record<string, string>) : {};
      const pulls = `${at}/${kind === "gitlab" ? "merge_requests" : "pulls"}`;
      const commit = new RegExp(`^POST ${at}/statuses/([0-9a-f]{40})$`).exec(line)?.[1];
      if (commit !== undefined) {
        const { state, description, context, name = context } = body;
        standIn.statuses.push({ commit, state, name, description });
        return [201, {}];
      }
      if (line === `POST ${pulls}`) return open(body);
      if (line === `GET ${pulls}`) return list(query);
      if (kind === "gitlab" && line === `POST ${at}/uploads`) return upload(bytes);
      if (kind === "gitea" && line.startsWith(`POST ${at}/issues/`)) return upload(bytes);
      if (kind === "gitea" && line.startsWith(`PATCH ${pulls}/`)) {
        const pull = standIn.pulls[Number(line.split("/").at(-1)) - 1]!;
        pull.body = body["body"] ?? pull.body;
        return [201, asAnswer(pull)];
      }
      return [404, { message: "Not Found" }];
    },
  };
  return standIn;
}

/** Serves HTTP on loopback until it is closed. */
export async function serve(
  answer: (asked: Asked) => Answer | undefined,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const url = new URL(request.url!, "http://stand-in");
      const { method = "", headers } = request;
      const asked = { method, path: url.pathname, query: url.searchParams, headers, bytes };
      const [status, body, more] = answer(asked) ?? [404, undefined];
      response
        .writeHead(status, {
          "content-type": body === undefined ? "text/html" : "application/json",
          ...more,
        }) // prettier-ignore
        .end(body === undefined ? "<h1>Not found</h1>" : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
