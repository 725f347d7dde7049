import { createServer, request as ask, type RequestListener } from "node:http";
import { duplexPair } from "node:stream";
import type { NewShare, Share, Shares } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
let port: number;
beforeEach(async () => {
  server = await startTestServer();
  ({ port } = await server.listen());
});
afterEach(() => server.close());

/** A project with a running app that responds like this. */
async function running(answer: RequestListener): Promise<string> {
  server.driver.answer = () => answer;
  server.turns.splice(0, Infinity, async (_, { workspace }) => {
    await workspace.start("npm run dev");
  });
  return server.project("Build it");
}

async function share(project: string, json: NewShare): Promise<Share> {
  const answer = await server.api(`/api/projects/${project}/shares`, { json });
  expect(answer.status, await answer.clone().text()).toBe(201);
  return (await answer.json()) as Share;
}

const list = async (project: string) =>
  (await (await server.api(`/api/projects/${project}/shares`)).json()) as Shares;

const revoke = (project: string, { id }: Share) =>
  server.api(`/api/projects/${project}/shares/${id}`, { method: "DELETE" });

interface Answer {
  status: number;
  text: string;
  headers: Record<string, string | string[] | undefined>;
}

const PAGE = { accept: "text/html", "accept-language": "en" };

function get(
  host: string,
  path: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = ask(
      { host: "127.0.0.1", port, path, method, headers: { host, ...PAGE, ...headers } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        answer.on("error", reject);
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, text, headers: answer.headers }),
        );
      },
    );
    asked.on("error", reject).end(body);
  });
}

const cookieOf = ({ headers }: Answer) => headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";

/**
 * Opens a link as a browser would.
 * @returns its destination, and the cookie that was set
 */
async function open({ link }: Share): Promise<{ host: string; cookie: string }> {
  const { host, pathname } = new URL(link);
  const answer = await get(host, pathname);
  expect(answer.status, answer.text).toBe(303);
  expect(answer.headers.location).toBe("/");
  return { host, cookie: cookieOf(answer) };
}

const hello: RequestListener = (request, response) =>
  response.writeHead(200, { "content-type": "text/html" }).end(`<h1>Hello</h1>${request.url}`);

describe("a link to the running app", () => {
  it("opens without an account, at a host of its own, and is counted", async () => {
    const id = await running(hello);
    const made = await share(id, { kind: "preview", days: 1 });
    expect(made.link).toMatch(
      new RegExp(`^http://share-[a-z2-7]{16}\\.localhost:${port}/__treadle/open/[\\w-]{26}$`),
    );
    const { host, cookie } = await open(made);
    const page = await get(host, "/todos?all", { headers: { cookie } });
    expect(page).toMatchObject({ status: 200, text: "<h1>Hello</h1>/todos?all" });
    expect(page.headers["x-robots-tag"]).toMatch(/noindex/);
    // The link's secret is in no address that the app, its logs or other sites could see.
    expect(page.headers["referrer-policy"]).toBe("same-origin");
    const { shares } = await list(id);
    expect(shares).toMatchObject([{ kind: "preview", uses: 1, locked: false }]);
    expect(shares[0]!.until! - shares[0]!.at).toBe(24 * 60 * 60 * 1000);
  });

  it("is only stored as a hash: the store contains no secret that opens it", async () => {
    const id = await running(hello);
    const made = await share(id, { kind: "preview", password: "correct horse" });
    const stored = JSON.stringify(await server.store.lists.all("shares"));
    expect(stored).toContain(made.id);
    expect(stored).not.toContain(made.link.split("/").at(-1)!);
    expect(stored).not.toContain("correct horse");
  });

  it("gives the same response for guessed, incomplete, expired and revoked links as for missing ones (A130, A131)", async () => {
    const id = await running(hello);
    const [active, revoked, ended] = [
      await share(id, { kind: "preview" }),
      await share(id, { kind: "preview" }),
      await share(id, { kind: "preview", days: 1e-9 }),
    ];
    const { cookie } = await open(revoked);
    expect((await revoke(id, revoked)).status).toBe(200);
    const addressOf = ({ link }: Share) => new URL(link);
    const unknown = `share-${"a".repeat(16)}.localhost:${port}`;
    const wrong = `/__treadle/open/${"A".repeat(26)}`;
    const answers = await Promise.all([
      get(unknown, wrong),
      get(addressOf(active).host, wrong),
      get(addressOf(active).host, "/"),
      get(addressOf(active).host, `${addressOf(active).pathname.slice(0, -1)}`),
      get(addressOf(active).host, "/", { headers: { cookie: "treadle-share=9999999999999.abc" } }),
      // Another link's cookie.
      get(addressOf(active).host, "/", { headers: { cookie } }),
      get(addressOf(revoked).host, addressOf(revoked).pathname),
      get(addressOf(revoked).host, "/", { headers: { cookie } }),
      get(addressOf(ended).host, addressOf(ended).pathname),
      // The secret of one link at the host of another.
      get(addressOf(active).host, addressOf(revoked).pathname),
    ]);
    const summary = ({ status, text, headers }: Answer) => {
      const { date: _, ...rest } = headers;
      return { status, text, rest };
    };
    expect(answers[0]!.status).toBe(404);
    expect(answers[0]!.text).toContain("This link does not work");
    for (const answer of answers) expect(summary(answer)).toEqual(summary(answers[0]!));
  });

  it("closes open streams and WebSockets when it is revoked (A131)", async () => {
    const id = await running(hello);
    const made = await share(id, { kind: "preview" });
    const app = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
    });
    const sockets = new WebSocketServer({ server: app });
    server.workspace(id).connect = async () => {
      const [near, far] = duplexPair();
      app.emit("connection", far);
      return near;
    };
    const { host, cookie } = await open(made);
    const stream = await new Promise<{ ended: Promise<unknown> }>((resolve) => {
      ask({ host: "127.0.0.1", port, path: "/events", headers: { host, cookie } }, (answer) => {
        const ended = new Promise((resolve) => answer.on("close", resolve));
        answer.on("error", () => undefined).once("data", () => resolve({ ended }));
      }).end();
    });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host, cookie } });
    await new Promise((resolve) => socket.once("open", resolve));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await revoke(id, made);
    await Promise.all([stream.ended, closed]);
    sockets.close();
  });

  it("stops working for a deleted project, and works again when that is restored", async () => {
    const id = await running(hello);
    const made = await share(id, { kind: "preview" });
    const { host, cookie } = await open(made);
    await server.api(`/api/projects/${id}?undo=true`, { method: "DELETE" });
    expect((await get(host, "/", { headers: { cookie } })).status).toBe(404);
    await server.api(`/api/projects/${id}/put-back`, { method: "POST" });
    expect((await get(host, "/", { headers: { cookie } })).status).not.toBe(404);
    await server.api(`/api/projects/${id}`, { method: "DELETE" });
    expect((await get(host, "/", { headers: { cookie } })).status).toBe(404);
    expect((await server.api(`/api/projects/${id}/shares`)).status).toBe(404);
  });

  it("shows a page of Treadle's while the app sleeps, in the visitor's language", async () => {
    server.turns.splice(0, Infinity, async () => undefined);
    const id = await server.project("Build it");
    const { host, cookie } = await open(await share(id, { kind: "preview" }));
    const answer = await get(host, "/", { headers: { cookie, "accept-language": "pt-BR,pt" } });
    expect(answer.status).toBe(503);
    expect(answer.text).toContain("O app não está rodando agora");
    expect(answer.text).toContain('<html lang="pt-BR">');
  });
});

describe("a guest cannot reach", () => {
  it("files of keys, settings and data, in any spelling (A132)", async () => {
    const asked: string[] = [];
    const id = await running((request, response) => {
      asked.push(request.url ?? "");
      response.end("SECRET");
    });
    const { host, cookie } = await open(await share(id, { kind: "preview" }));
    for (const path of [
      "/.env",
      "/.env.local?raw",
      "/%2eenv",
      "/%252eenv",
      "/src/../.env",
      "/@fs/project/.env",
      "/@id/.env?import",
      "/..%2f.git/config",
      "/.git/HEAD",
      "/.treadle/checks.md",
      "/data/app.sqlite",
      "/data/app.sqlite/",
      "/@fs/project/app.db/.",
      "/app.db/x/..",
      "/server.key//",
      "/app.db-wal",
      "/.data/x",
      "/server.pem",
      "/a\\.env",
      "/%",
      "/x#/../.env",
      "/#/../.git/config",
    ]) {
      const answer = await get(host, path, { headers: { cookie } });
      // The HTTP server itself answers 400 to an invalid path.
      expect([/[\\#]|%$/.test(path) ? 400 : 404, path]).toEqual([answer.status, path]);
      expect(answer.text).not.toContain("SECRET");
    }
    expect(asked).toEqual([]);
    for (const path of [
      "/node_modules/.vite/deps/react.js",
      "/a.b/c.d",
      "/100%25",
      "/.well-known/x",
    ])
      expect((await get(host, path, { headers: { cookie } })).status).toBe(200);
  });

  it("the workbench: neither by the link's host, nor from its pages (A133)", async () => {
    const id = await running((request, response) =>
      response.end(JSON.stringify({ url: request.url, headers: request.headers })),
    );
    const { host, cookie } = await open(await share(id, { kind: "preview" }));
    // Every address at that host belongs to the app.
    const workbench = { authorization: `Bearer ${server.treadle.token}` };
    const api = await get(host, "/api/projects", { headers: { cookie, ...workbench } });
    expect(JSON.parse(api.text)).toMatchObject({ url: "/api/projects" });
    expect(api.text).not.toContain(server.treadle.token);
    expect(api.text).not.toContain("treadle-share");
    const full = await get(host, `http://localhost:${port}/api/projects`, { headers: { cookie } });
    expect(JSON.parse(full.text)).toMatchObject({ url: "/api/projects" });
    for (const path of ["/__treadle/probe.js", "/__treadle/report", "/__treadle/state"])
      expect((await get(host, path, { headers: { cookie } })).status).toBe(404);
    // Its pages contain no script of Treadle's.
    expect(api.text).not.toContain("<script");
    // A page of that origin cannot use the workbench either, whatever its cookies.
    const foreign: Record<string, string>[] = [
      { origin: `http://${host}`, ...workbench },
      { "sec-fetch-site": "same-site", cookie: `treadle-${port}=${server.treadle.token}` },
    ];
    for (const headers of foreign) {
      const answer = await get(`localhost:${port}`, "/api/projects", { headers });
      expect(answer.status).toBe(403);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
    // It cannot be framed (clickjacking).
    const framed = await get(`localhost:${port}`, "/");
    expect(framed.headers["x-frame-options"]).toBe("DENY");
    expect(framed.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });

  it("another port of the project, or its preview's own address (A133)", async () => {
    const id = await running((_, response) => response.end("app"));
    const { host, cookie } = await open(await share(id, { kind: "preview" }));
    const { capability } = (await server.store.projects.get(id))!;
    const label = host.split(".")[0]!;
    const answer = await get(`${label}--9999.localhost:${port}`, "/", { headers: { cookie } });
    expect([403, 404]).toContain(answer.status);
    const page = await get(host, "/", { headers: { cookie } });
    expect(JSON.stringify(page)).not.toContain(capability);
  });

  it("the shared app from pages of other apps, whose requests carry the cookie (A133)", async () => {
    const id = await running((_, response) => response.end("app"));
    const { host, cookie } = await open(await share(id, { kind: "preview" }));
    const foreign = [
      { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
      { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
      { origin: `http://shop.localhost:${port}` },
    ] as Record<string, string>[];
    for (const headers of foreign)
      expect((await get(host, "/", { headers: { cookie, ...headers } })).status).toBe(404);
    const followed = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    expect((await get(host, "/", { headers: { cookie, ...followed } })).status).toBe(200);
  });
});

describe("a link with a password", () => {
  const form = (password: string) => ({
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ password }).toString(),
  });

  it("asks for it before anything is shown", async () => {
    const id = await running(hello);
    const made = await share(id, { kind: "preview", password: "correct horse" });
    const { host, pathname } = new URL(made.link);
    const asked = await get(host, pathname);
    expect(asked.status).toBe(401);
    expect(asked.text).toContain('type="password"');
    expect(asked.headers["set-cookie"]).toBeUndefined();
    expect(asked.headers["x-frame-options"]).toBe("DENY");
    const wrong = await get(host, pathname, form("correct horsf"));
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain("That is not the password.");
    const right = await get(host, pathname, form("correct horse"));
    expect(right.status).toBe(303);
    expect(right.headers["set-cookie"]![0]).toMatch(/HttpOnly; SameSite=Lax$/);
    const cookie = cookieOf(right);
    expect((await get(host, "/", { headers: { cookie } })).text).toContain("Hello");
    const { shares } = await list(id);
    expect(shares).toMatchObject([{ locked: true, uses: 1 }]);
    expect(JSON.stringify(shares)).not.toContain("correct horse");
  });

  it("cannot be guessed: after ten attempts even the right one has to wait (A134)", async () => {
    const id = await running(hello);
    const made = await share(id, { kind: "preview", password: "correct horse" });
    const { host, pathname } = new URL(made.link);
    const tried = await Promise.all(
      Array.from({ length: 24 }, (_, index) => get(host, pathname, form(`guess number ${index}`))),
    );
    const refused = tried.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(12);
    expect(refused[0]!.text).toContain("Too many tries");
    // One per minute, minus the time since the first.
    for (const { headers } of refused) {
      expect(headers["retry-after"]).toMatch(/^\d+$/);
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
      expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
    }
    expect((await get(host, pathname, form("correct horse"))).status).toBe(429);
    // Without the link nobody can try, or block others from trying.
    const other = await share(id, { kind: "preview", password: "correct horse" });
    const place = new URL(other.link);
    const strange = Array.from({ length: 12 }, () =>
      get(place.host, `${pathname}x`, form("correct horse")),
    );
    for (const { status } of await Promise.all(strange)) expect(status).toBe(404);
    expect((await get(place.host, place.pathname, form("correct horse"))).status).toBe(303);
  });

  it("accepts no form from another site's page", async () => {
    const id = await running(hello);
    const made = await share(id, { kind: "preview", password: "correct horse" });
    const { host, pathname } = new URL(made.link);
    const { headers, ...rest } = form("correct horse");
    const sent = await get(host, pathname, {
      ...rest,
      headers: { ...headers, origin: "https://evil.example" },
    });
    expect(sent.status).toBe(401);
    expect(sent.headers["set-cookie"]).toBeUndefined();
  });

  it("needs at least eight characters", async () => {
    const id = await running(hello);
    const answer = await server.api(`/api/projects/${id}/shares`, {
      json: { kind: "preview", password: "short" },
    });
    expect(answer.status).toBe(400);
  });
});

describe("a link to a release", () => {
  it("is refused if nothing is published", async () => {
    const id = await running(hello);
    const answer = await server.api(`/api/projects/${id}/shares`, { json: { kind: "release" } });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("not published");
  });

  it("shows the live release, or an older site by its number", async () => {
    const site = (text: string) => async () => {
      server.turns.splice(0, Infinity, async (_, { workspace }) => {
        await workspace.files.write(toProjectPath("index.html"), text);
        return { verdict: "verified" };
      });
    };
    await site("<h1>First</h1>")();
    const id = await server.project("Build it");
    const publish = async () => {
      await server.api(`/api/projects/${id}/publication`, { json: {} });
      await expect
        .poll(async () => {
          const answer = await server.api(`/api/projects/${id}/publication`);
          const { releases } = (await answer.json()) as {
            releases: { state: string; gate?: { looking?: boolean } }[];
          };
          return `${releases[0]?.state} ${releases[0]?.gate?.looking ?? false}`;
        })
        .toBe("ready false");
    };
    await publish();
    await site("<h1>Second</h1>")();
    await server.api(`/api/projects/${id}/messages`, { json: { text: "Change it" } });
    await expect
      .poll(async () => {
        const answer = await server.api(`/api/projects/${id}`);
        return ((await answer.json()) as { working: boolean }).working;
      })
      .toBe(false);
    await publish();
    const current = await open(await share(id, { kind: "release" }));
    const first = await open(await share(id, { kind: "release", release: 1 }));
    const page = ({ host, cookie }: typeof first) => get(host, "/", { headers: { cookie } });
    expect((await page(current)).text).toContain("Second");
    expect((await page(first)).text).toContain("First");
    expect((await page(first)).headers["x-robots-tag"]).toMatch(/noindex/);
    const gone = await server.api(`/api/projects/${id}/shares`, {
      json: { kind: "release", release: 7 },
    });
    expect(gone.status).toBe(409);
    // Once the release is no longer stored, its link has expired, and visitors are not told to come
    // back.
    for (let number = 3; number <= 6; number++) await publish();
    expect((await page(first)).status).toBe(404);
    expect((await page(first)).text).toContain("does not work");
    expect((await page(current)).text).toContain("Second");
    expect((await list(id)).shares).toHaveLength(1);
  });
});
