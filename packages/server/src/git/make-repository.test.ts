/**
 * Creating repositories, with servers in place of GitHub, GitLab and Gitea that follow their
 * documented APIs.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

interface Asked {
  line: string;
  headers: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
}

const TOKEN = "tok-of-ada";
let forge: Server;
let origin: string;
let asked: Asked[] = [];
/** A response in place of the server's normal one. */
let instead: ((line: string) => [number, unknown] | undefined) | undefined;
let server: TestServer;
let id: string;

const authorized = ({ authorization, "private-token": own }: Record<string, unknown>) =>
  authorization === `Bearer ${TOKEN}` || authorization === `token ${TOKEN}` || own === TOKEN;

function answerOf({ line, headers, body }: Asked): [number, unknown] {
  const other = instead?.(line);
  if (other) return other;
  if (!authorized(headers)) return [401, { message: "Bad credentials" }];
  const at = (owner: string) => `${origin}/${owner}/${String(body?.["name"])}.git`;
  switch (line) {
    case "POST /api/v3/user/repos":
    case "POST /api/v1/user/repos":
      return [201, { clone_url: at("ada"), owner: { login: "ada" } }];
    case "POST /api/v3/orgs/mills/repos":
    case "POST /api/v1/orgs/mills/repos":
      return [201, { clone_url: at("mills"), owner: { login: "mills" } }];
    case "GET /api/v4/namespaces/mills":
      return [200, { id: 42 }];
    case "POST /api/v4/projects":
      return [201, { http_url_to_repo: at(body?.["namespace_id"] === 42 ? "mills" : "ada") }];
    default:
      return [404, { message: "Not Found" }];
  }
}

beforeAll(async () => {
  forge = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => forge.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(forge.address() as AddressInfo).port}`;
  server = await startTestServer();
  id = await server.project();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const piece of request) text += String(piece);
  const one: Asked = {
    line: `${request.method} ${request.url}`,
    headers: request.headers,
    body: text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>),
  };
  asked.push(one);
  const [status, body] = answerOf(one);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
afterAll(async () => {
  forge.close();
  await server.close();
});
afterEach(() => {
  asked = [];
  instead = undefined;
});

async function create(more: Record<string, unknown>) {
  const response = await server.api(`/api/projects/${id}/git/create`, {
    json: { server: origin, name: "shop", token: TOKEN, local: true, ...more },
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    ...(JSON.parse(text) as { url?: string; error?: { code: string; message: string } }),
  };
}

it.each([
  ["github", "ada", "POST /api/v3/user/repos", { name: "shop", private: true, auto_init: false }],
  ["gitea", "ada", "POST /api/v1/user/repos", { name: "shop", private: true, auto_init: false }],
  ["gitlab", "ada", "POST /api/v4/projects", { path: "shop", visibility: "private" }],
])(
  "creates a private repository on %s, to which the project is pushed from then on",
  async (kind, owner, line, body) => {
    const made = await create({ kind });
    expect(made).toMatchObject({ status: 200, url: `${origin}/${owner}/shop.git` });
    expect(asked.map((one) => one.line)).toEqual([line]);
    expect(asked[0]!.body).toMatchObject(body);
    const { git } = (await (await server.api(`/api/projects/${id}/git`)).json()) as { git: object };
    expect(git).toEqual({ url: made.url, branch: "main", local: true, synced: false });
    const { logins } = (await (await server.api("/api/git/logins")).json()) as { logins: { host: string }[] }; // prettier-ignore
    expect(logins).toContainEqual(expect.objectContaining({ host: new URL(origin).host }));
    expect(JSON.stringify([made, git, logins])).not.toContain(TOKEN);
  },
);

it.each(["github", "gitea", "gitlab"])(
  "creates one for an organisation on %s, public on request",
  async (kind) => {
    expect((await create({ kind, owner: "mills", private: false })).url).toBe(
      `${origin}/mills/shop.git`,
    );
    const { body } = asked.at(-1)!;
    expect(body?.["visibility"] ?? body?.["private"]).toEqual(kind === "gitlab" ? "public" : false);
  },
);

it.each([
  ["a token that is not taken", { kind: "gitea", token: "other" }, "git-login"],
  ["an owner that there is not", { kind: "gitlab", owner: "nobody" }, "git-owner"],
  ["no address of a server", { kind: "gitea", server: undefined }, "git-address"],
  [
    "a server of this network where that was not said",
    { kind: "gitea", local: false },
    "git-local",
  ],
  ["a cloud's own service", { kind: "gitea", server: "http://169.254.169.254" }, "git-refused"],
])("reports what is wrong with %s, and stores nothing", async (_what, more, code) => {
  await server.api(`/api/projects/${id}/git`, { method: "DELETE" });
  const { error, text } = await create(more);
  expect(error?.code).toBe(code);
  expect(text).not.toContain(TOKEN);
  expect(await (await server.api(`/api/projects/${id}/git`)).json()).toEqual({ git: null });
});

it("reports that the name is taken, as each server indicates it", async () => {
  const cases: [string, [number, unknown]][] = [
    [
      "github",
      [
        422,
        {
          message: "Repository creation failed.",
          errors: [{ message: "name already exists on this account" }],
        },
      ],
    ],
    ["gitlab", [400, { message: { path: ["has already been taken"] } }]],
    ["gitea", [409, { message: "The repository with the same name already exists." }]],
  ];
  for (const [kind, answer] of cases) {
    instead = () => answer;
    expect((await create({ kind })).error?.code).toBe("git-taken");
  }
});

it("A39 sends the token nowhere else: neither after a redirect, nor to an address in the response", async () => {
  instead = () => [302, {}];
  expect((await create({ kind: "gitea" })).error?.code).toBe("git-refused");
  instead = () => [
    201,
    { clone_url: "https://evil.example/ada/shop.git", owner: { login: "ada" } },
  ];
  expect((await create({ kind: "gitea" })).error?.code).toBe("git-odd");
  instead = () => [200, "a page"];
  expect((await create({ kind: "gitea" })).error?.code).toBe("git-odd");
});
