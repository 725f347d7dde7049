import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server/src/server.test-support.ts";
import type { McpOffers, McpOverview } from "@treadle/protocol";
import { startHttpToolServer, type HttpToolServer } from "./http-server.test-support.ts";

let server: TestServer;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  server = await startTestServer();
  closers.push(() => server.close());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
const start = async (options?: Parameters<typeof startHttpToolServer>[0]) => {
  const remote = await startHttpToolServer(options);
  closers.push(() => remote.close());
  return remote;
};

async function send<T = McpOverview>(method: string, path: string, json?: unknown): Promise<T> {
  const response = await server.api(path, { method, json });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as T;
}
const add = (remote: HttpToolServer, more: object = {}) =>
  send("PUT", "/api/mcp", {
    text: JSON.stringify({ mcpServers: { docs: { url: remote.url, ...more } } }),
  });
const restart = () => send("POST", "/api/mcp/docs/restart", {});

describe("tool servers over HTTP", () => {
  it.each([{ type: "http" }, { type: "sse" }])(
    "are called at their address ($type)",
    async ({ type }) => {
      const remote = await start({ open: true, sse: type === "sse" });
      await add(remote, { type, headers: { Authorization: "Bearer key-12345678" } });
      const { servers } = await restart();
      expect(servers).toMatchObject([{ state: "connected", tools: [{ name: "say" }] }]);
      expect(JSON.stringify(servers)).not.toContain("key-12345678");
      expect(
        remote.seen.every(({ authorization }) => authorization === "Bearer key-12345678"),
      ).toBe(true);
    },
  );

  it("provide prompts and resources for messages through the API; errors are reported", async () => {
    const project = `/api/projects/${await server.project()}`;
    await add(await start({ open: true }));
    const offers = () => send<McpOffers>("POST", `${project}/mcp-offers`);
    expect(await send<McpOffers>("GET", `${project}/mcp-offers`)).toMatchObject({
      servers: [{ name: "docs", prompts: [] }],
    });
    await expect
      .poll(async () => (await offers()).servers)
      .toEqual([
        {
          name: "docs",
          state: "connected",
          completes: false,
          prompts: [{ name: "say", arguments: [{ name: "text", required: true }] }],
          resources: [{ uri: "note://1", name: "A note" }],
        },
      ]);
    const filled = { prompt: "say", values: { text: "hi" } };
    expect(await send("POST", `${project}/mcp/docs/prompt`, filled)).toEqual({
      ok: true,
      text: "Say hi.",
      message: expect.stringContaining("```text\nSay hi.\n```"),
      pictures: [],
    });
    const typed = { prompt: "say", argument: { name: "text", value: "h" } };
    expect(await send("POST", `${project}/mcp/docs/complete`, typed)).toEqual({ values: [] });
    const read = `${project}/mcp/docs/resource?uri=note%3A%2F%2F1`;
    expect(await send("GET", read)).toEqual({
      ok: true,
      text: "[note://1 a/b, 5 bytes, which is not shown]",
    });
    const none = await server.api(`${project}/mcp/none/prompt`, { method: "POST", json: filled });
    expect(none.status).toBe(404);
    const long = { prompt: "say", values: { text: "x".repeat(20_001) } };
    const much = await server.api(`${project}/mcp/docs/prompt`, { method: "POST", json: long });
    expect(much.status).toBe(400);
  });

  it("are signed in to with code and PKCE, through the page, and the token is stored here", async () => {
    const remote = await start();
    await add(remote);
    expect((await restart()).servers).toMatchObject([{ state: "sign-in" }]);
    const { address } = await send<{ address: string }>("POST", "/api/mcp/docs/sign-in", {});
    const page = await fetch(address, { redirect: "manual" });
    const back = new URL(page.headers.get("location")!);
    expect(back.pathname).toBe("/mcp/sign-in");
    const given = { code: back.searchParams.get("code"), state: back.searchParams.get("state") };
    // The redirect alone does nothing, and leads to a page to which the cookie is sent (A9).
    const look = await server.treadle.fetch(new Request(back, { headers: { host: back.host } }));
    expect(await look.text()).toContain("again=1");
    const forged = await server.api("/api/mcp-sign-in", {
      method: "POST",
      json: { ...given, state: "guessed" },
    });
    expect(forged.status).toBe(400);
    await send<unknown>("POST", "/api/mcp-sign-in", given);
    const overview = await send("GET", "/api/mcp");
    expect(overview.servers).toMatchObject([{ state: "connected", title: "over-http 2" }]);
    expect(JSON.stringify(overview)).not.toMatch(/token-/);
    expect(remote.seen.at(-1)?.authorization).toMatch(/^Bearer token-/);
    // The same code cannot be used twice.
    const again = await server.api("/api/mcp-sign-in", { method: "POST", json: given });
    expect(again.status).toBe(400);
  });

  it("A33 a token is only sent to the server that issued it, and not to another configured under its name", async () => {
    const remote = await start();
    await add(remote);
    await restart();
    const { address } = await send<{ address: string }>("POST", "/api/mcp/docs/sign-in", {});
    const back = new URL((await fetch(address, { redirect: "manual" })).headers.get("location")!)
      .searchParams;
    await send<unknown>("POST", "/api/mcp-sign-in", {
      code: back.get("code"),
      state: back.get("state"),
    });
    expect((await send("GET", "/api/mcp")).servers).toMatchObject([{ state: "connected" }]);
    const other = await start({ open: true });
    await add(other);
    expect((await restart()).servers).toMatchObject([{ state: "connected" }]);
    expect(other.seen.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
  });

  it("that do not exist, or redirect elsewhere, are reported", async () => {
    const remote = await start({ open: true });
    await remote.close();
    await add(remote);
    expect((await restart()).servers).toMatchObject([
      {
        state: "failed",
        problem: {
          code: "unreachable",
          message: `Nothing answers at ${new URL(remote.url).host} (ECONNREFUSED).`,
          tried: `Called ${remote.url} (streamable HTTP).`,
        },
      },
    ]);
    await send("PUT", "/api/mcp", {
      text: JSON.stringify({ mcpServers: { docs: { url: "http://127.0.0.1:9" } } }),
    });
    expect((await restart()).servers).toMatchObject([
      {
        state: "failed",
        problem: {
          code: "unreachable",
          message: "Port 9 is kept for another service, so nothing was sent there.",
          next: "Let the server listen at another port, and change its address with Edit.",
        },
      },
    ]);
    const missing = await server.api("/api/mcp/none/restart", { method: "POST", json: {} });
    expect(missing.status).toBe(404);
  });

  it.each([
    [
      { status: 404, body: "<html><title>x</title><p>No such page</p></html>" },
      { code: "http", message: "The server answered HTTP 404.", said: "x No such page" },
    ],
    [{ status: 503 }, { code: "http", message: "The server answered HTTP 503." }],
    [
      { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Hello</h1>" },
      { code: "not-mcp", message: expect.stringContaining("text/html") },
    ],
    [
      { status: 200, headers: { "content-type": "application/json" }, body: "{}" },
      { code: "not-mcp" },
    ],
  ])("that answer %j are not tool servers, with the reason", async (instead, problem) => {
    await add(await start({ open: true, instead }));
    expect((await restart()).servers).toMatchObject([{ state: "failed", problem }]);
  });

  it.each([
    [{ status: 401 }, undefined],
    [{ status: 401, body: '{"message":"Missing API key"}' }, '{"message":"Missing API key"}'],
    [{ status: 401, headers: { "www-authenticate": "Bearer" }, body: "No" }, "No"],
  ])("that need a key, and have no sign-in, are reported as such: %j", async (instead, message) => {
    for (const onlyThere of [true, false]) {
      await add(await start({ instead, onlyThere }));
      const [shown] = (await restart()).servers;
      expect(shown).toMatchObject({
        state: "failed",
        problem: {
          code: "refused",
          message: "The server refused the key that it was sent, or wants one.",
          next: expect.stringContaining("Put its key into"),
        },
        log: "The server refused the key that it was sent, or wants one.\n",
      });
      expect(shown?.problem?.said).toBe(message);
    }
  });

  it.each(["http", "sse"])(
    "that reject their key are reported as such, without a sign-in (%s)",
    async (type) => {
      const project = `/api/projects/${await server.project()}`;
      await add(await start({ instead: { status: 401 } }), {
        type,
        headers: { Authorization: "Bearer key-12345678" },
      });
      expect((await restart()).servers).toMatchObject([
        { state: "failed", problem: { code: "refused" } },
      ]);
      expect(await send<McpOffers>("GET", `${project}/mcp-offers`)).toMatchObject({
        servers: [{ name: "docs", state: "failed" }],
      });
    },
  );

  it("report why a sign-in failed", async () => {
    await add(await start({ metadata: { response_types_supported: ["token"] } }));
    const [shown] = (await restart()).servers;
    expect(shown).toMatchObject({ state: "failed", problem: { code: "refused" } });
    expect(shown?.problem?.message).toMatch(/^Signing in did not work: .*code/);
  });

  it.each([{ error: { code: 403, message: "no" } }, { error: "no" }])(
    "that refuse with %j are logged once",
    async (body) => {
      const headers = { "content-type": "application/json" };
      const instead = { status: 403, headers, body: JSON.stringify(body) };
      await add(await start({ open: true, instead }));
      expect((await restart()).servers).toMatchObject([
        { problem: { code: "http" }, log: "The server answered HTTP 403.\n" },
      ]);
    },
  );

  it("A33 that repeat their key are shown without it", async () => {
    const instead = { status: 403, body: "key-12345678 may not" };
    await add(await start({ open: true, instead }), {
      headers: { Authorization: "Bearer key-12345678" },
    });
    expect((await restart()).servers).toMatchObject([
      { problem: { code: "http", said: "[Authorization] may not" } },
    ]);
  });

  it.each(["http", "sse"])("A39 redirects are not followed (%s)", async (type) => {
    const inner = await start({ open: true, sse: type === "sse" });
    const headers = { location: inner.url };
    await add(await start({ instead: { status: 307, headers } }), {
      type,
      headers: { Authorization: "Bearer key-12345678" },
    });
    expect((await restart()).servers).toMatchObject([
      { state: "failed", problem: { code: "redirect" } },
    ]);
    expect(inner.seen).toEqual([]);
  });

  it("A39 with a sign-in page at a file or script address lead nowhere", async () => {
    for (const hostile of [
      { authority: "file:///etc/passwd" },
      { metadata: { authorization_endpoint: "file:///etc/passwd" } },
      { metadata: { authorization_endpoint: "javascript:alert(1)" } },
    ]) {
      await add(await start(hostile));
      expect((await restart()).servers).toMatchObject([{ tools: [] }]);
      const begun = await server.api("/api/mcp/docs/sign-in", { method: "POST", json: {} });
      expect(await begun.text(), JSON.stringify(hostile)).not.toContain("address");
      await send("DELETE", "/api/mcp/docs");
    }
  });
});
