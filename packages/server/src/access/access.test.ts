import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ORIGIN, startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await startTestServer();
  cookie = `treadle-0=${server.treadle.token}`;
});
afterAll(() => server.close());

/** Sends a request exactly as given. */
const raw = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  server.treadle.fetch(new Request(`${ORIGIN}${path}`, { ...init, headers }));

const json = { "content-type": "application/json" };
const post = { method: "POST", body: JSON.stringify({ prompt: "Build a thing" }) };
const count = async () => (await server.store.projects.list()).length;

describe("access", () => {
  it.each([
    "evil.com",
    "localhost.evil.com",
    "evil.com:4173",
    "127.0.0.1.nip.io",
    "localhost@evil.com",
    "kabc.localhost:4173",
    "[::2]",
    "",
  ])("A1 refuses Host %j, with and without a valid token", async (host) => {
    for (const path of ["/api/health", "/", "/build-result"]) {
      const authorization = `Bearer ${server.treadle.token}`;
      expect((await raw(path, { host, authorization })).status).toBe(403);
      expect((await raw(path, { host, cookie })).status).toBe(403);
      expect((await raw(path, { host })).status).toBe(403);
    }
  });

  it.each(["192.168.1.5", "localhost:1"])(
    "tells a visitor of %s the address under which it answers, port included",
    async (host) => {
      const other = await startTestServer();
      try {
        const { url } = await other.listen();
        const words = `This address is not Treadle's own. Open it as ${url}.`;
        const ask = (path: string, headers: Record<string, string> = {}) =>
          other.treadle.fetch(new Request(`${url}${path}`, { headers: { host, ...headers } }));
        expect(await (await ask("/api/health")).json()).toMatchObject({
          error: { message: words },
        });
        const page = await ask("/", { accept: "text/html", "accept-language": "pt-BR" });
        expect(await page.text()).toContain(`Abra-o como ${url}.`);
      } finally {
        await other.close();
      }
    },
  );

  it.each(["localhost:4173", "LOCALHOST:4173", "127.0.0.1:4173", "[::1]:4173"])(
    "answers on its own name %s",
    async (host) => {
      expect((await raw("/api/health", { host, cookie })).status).toBe(200);
    },
  );

  it.each(["127.0.0.1:4173", "[::1]:4173"])(
    "A170 moves a page at %s to localhost, whose cookies no published app can push out",
    async (host) => {
      const answer = await raw("/p/abc?token=x", { host, accept: "text/html" });
      expect(answer.status).toBe(307);
      expect(answer.headers.get("location")).toBe("http://localhost:4173/p/abc?token=x");
      expect(answer.headers.get("set-cookie")).toBeNull();
    },
  );

  it.each([
    "http://evil.com",
    "null",
    "http://localhost:9999",
    "http://kabc.localhost:4173",
    "https://localhost:4173",
  ])(
    "A2 A3 refuses a POST from Origin %s with a valid cookie, as JSON and as text, without any effect",
    async (origin) => {
      const before = await count();
      for (const type of ["application/json", "text/plain"]) {
        const headers = { "content-type": type, origin, cookie };
        expect((await raw("/api/projects", headers, post)).status).toBe(403);
      }
      expect(await count()).toBe(before);
    },
  );

  it("A6 refuses a change without Origin or token", async () => {
    const before = await count();
    expect((await raw("/api/projects", { ...json, cookie }, post)).status).toBe(403);
    expect((await raw("/api/projects", json, post)).status).toBe(403);
    expect(await count()).toBe(before);
  });

  it("accepts a POST of its own page", async () => {
    const headers = { ...json, cookie, origin: ORIGIN };
    expect((await raw("/api/projects", headers, post)).status).toBe(201);
  });

  it.each(["missing", "empty", "wrong", "shorter", "longer"])(
    "A5 refuses a token that is %s",
    async (how) => {
      const { token } = server.treadle;
      const given = {
        missing: undefined,
        empty: "",
        wrong: token.replace(/./g, "A"),
        shorter: token.slice(0, -1),
        longer: `${token}A`,
      }[how];
      const headers = given === undefined ? {} : { cookie: `treadle-0=${given}` };
      expect((await raw("/api/projects", headers as Record<string, string>)).status).toBe(401);
      if (given !== undefined) {
        const authorization = `Bearer ${given}`;
        expect((await raw("/api/projects", { authorization })).status).toBe(401);
        expect((await raw("/api/projects", { authorization, cookie })).status).toBe(401);
        expect((await raw(`/?token=${given}`, {})).status).toBe(401);
      }
    },
  );

  it.each(["http://evil.com", "http://localhost:9999"])(
    "A7 grants a preflight from %s no permission",
    async (origin) => {
      const headers = { origin, "access-control-request-method": "POST" };
      const response = await raw("/api/projects", headers, { method: "OPTIONS" });
      expect(response.status).toBe(403);
      expect(
        [...response.headers.keys()].filter((name) => name.startsWith("access-control")),
      ).toEqual([]);
    },
  );

  it("refuses a request that the browser says comes from another site", async () => {
    for (const site of ["cross-site", "same-site"])
      expect((await raw("/api/health", { cookie, "sec-fetch-site": site })).status).toBe(403);
    expect((await raw("/api/health", { cookie, "sec-fetch-site": "same-origin" })).status).toBe(
      200,
    );
  });

  it("exchanges the token in the address for a cookie and removes it from the address", async () => {
    const response = await raw(`/projects/x?a=1&token=${server.treadle.token}`, {});
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("/projects/x?a=1");
    expect(response.headers.get("set-cookie")).toMatch(
      /^treadle-0=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it("A11 the exchange never leads to another host", async () => {
    for (const path of ["//evil.com", "/\\evil.com", "///evil.com/x"]) {
      const response = await raw(`${path}?token=${server.treadle.token}`, {});
      expect(new URL(response.headers.get("location") ?? "", ORIGIN).origin).toBe(ORIGIN);
    }
  });

  it("continues with a page of its own after a link from another site, because the cookie would not be sent", async () => {
    const response = await raw(`/?token=${server.treadle.token}`, {
      "sec-fetch-site": "cross-site",
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toContain("treadle-0=");
    expect(await response.text()).toContain('content="0;url=/"');
  });

  it("tells a visitor without a cookie where to go, on a page without scripts", async () => {
    const response = await raw("/", {});
    expect(response.status).toBe(401);
    expect(await response.text()).toContain("Open the address that Treadle printed");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("serves only name and icons of the installed app to local requests without a token", async () => {
    // The test's server has no page: requests that pass the guard get 404.
    for (const path of ["/manifest.webmanifest", "/icon-192.png", "/mark.svg"]) {
      const open = await raw(path, {});
      expect(open.status).toBe(404);
      expect(open.headers.get("x-content-type-options")).toBe("nosniff");
      expect((await raw(path, { "sec-fetch-site": "cross-site" })).status).toBe(401);
      expect((await raw(path, { host: "evil.com" })).status).toBe(403);
      expect((await raw(path, {}, { method: "POST" })).status).toBe(403);
    }
    for (const path of ["/icon-192.png/..", "/api/mark.svg", "/mark.svg/", "/assets/a.js"])
      expect((await raw(path, {})).status).toBe(401);
  });

  it("A9 no GET changes anything", async () => {
    const id = await server.project();
    const workspace = server.workspace(id);
    const before = [await server.store.log.head(id), workspace.contents.size, await count()];
    const paths = [
      "",
      "/files",
      "/checkpoints",
      "/changes?from=c1",
      "/export.zip",
      "/messages",
      "/stop",
      "/continue",
      "/restore",
      "/server",
      "/check",
    ];
    for (const path of paths)
      await (await raw(`/api/projects/${id}${path}`, { cookie })).arrayBuffer();
    for (const path of ["/api/models", "/api/health", "/api/openapi.json", "/api/models/choice"])
      await (await raw(path, { cookie })).arrayBuffer();
    expect([await server.store.log.head(id), workspace.contents.size, await count()]).toEqual(
      before,
    );
    expect(workspace.started).toEqual([]);
  });

  it("sends its security headers with every response, and no secret with health", async () => {
    const response = await server.api("/api/health");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
    expect(await response.text()).not.toContain(server.treadle.token);
    for (const path of ["/api/health", "/"]) {
      const refused = await raw(path, {});
      expect(refused.status).toBe(401);
      expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
      expect(refused.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
  });

  it.each(["%0a", "%0d", "%E2%80%A8", "a%0a/b"])(
    "A5 A6 guards addresses that contain a line end (%s) like any other",
    async (odd) => {
      const id = await server.project();
      for (const path of [`/api/health${odd}`, `/api/projects/${id}/files/${odd}`, `/${odd}`]) {
        expect((await raw(path, {})).status).toBe(401);
        expect((await raw(path, { host: "evil.com", cookie })).status).toBe(403);
        expect((await raw(path, { cookie }, { method: "DELETE" })).status).toBe(403);
      }
    },
  );

  it("keeps its token over a restart, readable only by its owner", async () => {
    const { statSync } = await import("node:fs");
    const { loadToken } = await import("./token.ts");
    expect(loadToken(server.directory)).toBe(server.treadle.token);
    expect(statSync(`${server.directory}/token`).mode & 0o777).toBe(0o600);
  });

  it("A54 a ticket opens the page once; the address that opened a browser is useless afterwards", async () => {
    const ticket = server.treadle.ticket();
    const enter = (words: string) => raw(`/?ticket=${words}`, { host: "localhost:4173" });
    expect((await enter(`${ticket.slice(1)}x`)).status).toBe(401);
    const first = await enter(ticket);
    expect(first.status).toBe(302);
    expect(first.headers.get("set-cookie")).toContain(cookie);
    expect(first.headers.get("location")).toBe("/");
    const second = await enter(ticket);
    expect([second.status, second.headers.get("set-cookie")]).toEqual([401, null]);
    expect(
      (await raw(`/api/health?ticket=${server.treadle.ticket()}`, { host: "localhost:4173" }))
        .status,
    ).toBe(401);
  });
});
