import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
let port: number;
let project: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ port } = await server.listen());
  project = await server.project();
});
afterAll(() => server.close());

/** Sends exactly these bytes, and returns the status of every response in order. */
async function statuses(lines: string[], body = ""): Promise<number[]> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (piece: Buffer) => (text += piece.toString("latin1")));
  socket.on("error", () => undefined);
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  await once(socket, "close");
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}

const login = () => `Authorization: Bearer ${server.treadle.token}`;
const cookie = () => `Cookie: treadle-${port}=${server.treadle.token}`;
const own = () => `Host: localhost:${port}`;
const bye = "Connection: close";

describe("A68 requests with an unusual Host", () => {
  it.each([
    ["two Hosts, the own one first", (host: string) => [host, "Host: evil.com"]],
    ["two Hosts, the own one last", (host: string) => ["Host: evil.com", host]],
    ["two Hosts in one", (host: string) => [`${host}, evil.com`]],
    ["a Host with a trailing dot", () => [`Host: localhost.:${port}`]],
    ["a Host with a user in it", () => [`Host: localhost@localhost:${port}`]],
    ["a Host with a path", () => [`Host: localhost:${port}/x`]],
    ["a Host with another port", () => [`Host: localhost:${port + 1}`]],
    ["a Host without a port", () => ["Host: localhost"]],
    ["the address in another spelling", () => [`Host: 127.1:${port}`]],
    ["the address as a number", () => [`Host: 2130706433:${port}`]],
    ["an IPv4 address in an IPv6 one", () => [`Host: [::ffff:127.0.0.1]:${port}`]],
    ["a host that was forwarded", () => [`Host: evil.com`, `X-Forwarded-Host: localhost:${port}`]],
    ["a host by RFC 7239", () => [`Host: evil.com`, `Forwarded: host=localhost:${port}`]],
    ["no Host", () => []],
  ])("refuses %s, with and without a token", async (_what, hosts) => {
    for (const who of [login(), cookie()]) {
      const [status] = await statuses(["GET /api/health HTTP/1.1", ...hosts(own()), who, bye]);
      expect([400, 403]).toContain(status);
    }
  });

  it("does not accept an absolute target in place of a Host, or a Host in place of a target", async () => {
    const ask = (target: string, host: string) =>
      statuses([`GET ${target} HTTP/1.1`, host, login(), bye]);
    expect(await ask(`http://localhost:${port}/api/health`, "Host: evil.com")).toEqual([403]);
    expect(await ask("http://evil.com/api/health", own())).toEqual([200]);
    expect(await ask("*", own())).not.toEqual([200]);
  });

  it.each(["X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"])(
    "%s has no effect",
    async (header) => {
      const path = `/api/projects/${project}`;
      expect(
        await statuses([`GET ${path} HTTP/1.1`, own(), login(), `${header}: DELETE`, bye]),
      ).toEqual([200]);
      expect(await statuses([`GET ${path}?_method=DELETE HTTP/1.1`, own(), login(), bye])).toEqual([
        200,
      ]);
      expect(await server.store.projects.get(project)).toBeDefined();
    },
  );

  it("never interprets two lengths differently: what follows is not a separate request", async () => {
    const inner = `DELETE /api/projects/${project} HTTP/1.1\r\n${own()}\r\n${login()}\r\n\r\n`;
    for (const lengths of [
      ["Content-Length: 0", `Content-Length: ${inner.length}`],
      [`Content-Length: ${inner.length}`, "Transfer-Encoding: chunked"],
      ["Transfer-Encoding: chunked, identity"],
      ["Transfer-Encoding : chunked"],
    ]) {
      const head = [`POST /api/projects HTTP/1.1`, own(), login(), ...lengths];
      const answered = await statuses(head, inner);
      expect(
        answered.every((status) => status >= 400),
        lengths.join(),
      ).toBe(true);
    }
    expect(await server.store.projects.get(project)).toBeDefined();
  });
});

describe("A68 paths in unusual spellings", () => {
  it.each([
    "/%61pi/projects",
    "/%2561pi/projects",
    "/a%70i/health",
    "/x/../api/projects",
    "/x/%2e%2e/api/projects",
    "/%2e/api/health",
  ])("guards %s like the path that it resolves to", async (path) => {
    // A page on another port of this machine is same-site, so its requests have the cookie.
    const head = [`GET ${path} HTTP/1.1`, own(), cookie(), "Sec-Fetch-Site: same-site", bye];
    const [status] = await statuses(head);
    expect([400, 403, 404]).toContain(status);
  });

  it.each([
    (id: string) => `/api/projects/${id}/files/a/../../${"x".repeat(40)}`,
    (id: string) => `/api/projects/${id}/files/%2e%2e/%2e%2e/${"x".repeat(40)}`,
    (id: string) => `/%61pi/projects/${id}/files/src/a.ts`,
    (id: string) => `/api/projects/%${id.charCodeAt(0).toString(16)}${id.slice(1)}/files/src/a.ts`,
    (id: string) => `//api/projects/${id}/files/src/a.ts`,
    (id: string) => `/api/projects/${id}//files/src/a.ts`,
    (id: string) => `/api/projects/${id}/files/a%00b`,
    (id: string) => `/api/projects/${id}/files/..%5c..%5cx`,
    (id: string) => `/api/projects/${id}/files/%252e%252e%252fx`,
    (id: string) => `/api/projects/${id}/files/%e0%80%ae`,
  ])("%s writes the file that it names, or nothing", async (path) => {
    const { files } = server.workspace(project);
    const listed = async () => (await files.list()).files.map((file) => file.path).toSorted();
    const before = await listed();
    const asked = path(project);
    const head = [
      `PUT ${asked} HTTP/1.1`,
      own(),
      login(),
      "If-None-Match: *",
      "Content-Length: 1",
      bye,
    ];
    const [status = 0] = await statuses(head, "x");
    const added = (await listed()).filter((one) => !before.includes(one));
    if (status >= 400) expect(added).toEqual([]);
    // The written path is the part of the address after `files/`, decoded once.
    else expect(added).toEqual([decodeURIComponent(asked.slice(asked.indexOf("/files/") + 7))]);
    expect(added.every((one) => !one.includes(".."))).toBe(true);
    for (const one of added) await files.remove(one);
  });
});

describe("A68 requests with an unusual origin", () => {
  const post = { method: "POST", body: JSON.stringify({ prompt: "Build a thing" }) };
  const raw = (headers: Record<string, string>, init: RequestInit = post) =>
    server.treadle.fetch(
      new Request(`http://localhost:${port}/api/projects`, { ...init, headers }),
    );

  it.each([
    "null",
    "NULL",
    "http://localhost",
    "http://localhost:1",
    "http://LOCALHOST.evil.com",
    "http://127.0.0.1",
    "http://[::1]",
    "https://localhost",
    "file://",
    "",
    " ",
  ])("refuses Origin %j with the cookie, for any type of body", async (origin) => {
    const before = (await server.store.projects.list()).length;
    for (const type of [
      "application/json",
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain; application/json",
      "application/csp-report",
    ])
      for (const site of ["cross-site", "same-site", "none", "same-origin"]) {
        const answered = await raw({
          host: `localhost:${port}`,
          "content-type": type,
          cookie: `treadle-${port}=${server.treadle.token}`,
          "sec-fetch-site": site,
          origin,
        });
        expect(answered.status).toBe(403);
        expect(answered.headers.get("access-control-allow-origin")).toBeNull();
      }
    expect((await server.store.projects.list()).length).toBe(before);
  });
});
