import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AS_SOCKET, AS_TAB, HOST, startPublicServer } from "./public.test-support.ts";

let world: Awaited<ReturnType<typeof startPublicServer>>;
let owner: Awaited<ReturnType<typeof world.person>>;
beforeAll(async () => {
  world = await startPublicServer();
  owner = await world.person("owner");
});
afterAll(() => world.server.close());

describe("a server with a public address", () => {
  it("signs its owner in by a link at that address, with cookies of this host alone", async () => {
    const { server, send } = world;
    const link = new URL(await server.treadle.ownerLink!());
    expect(link.origin).toBe(`https://${HOST}`);
    const used = await send(HOST, "/api/sign-in/link/use", {
      json: { link: link.searchParams.get("link") },
      headers: { origin: link.origin },
    });
    expect(used.status).toBe(200);
    for (const cookie of used.headers["set-cookie"]!) {
      expect(cookie).toMatch(/^__Host-treadle(?:-browser)?=/);
      for (const attribute of ["Path=/", "HttpOnly", "Secure", "SameSite=Strict"])
        expect(cookie.split("; ")).toContain(attribute);
    }
    const cookie = used.headers["set-cookie"]![0]!.split(";", 1)[0]!;
    expect((await send(HOST, "/api/me", { headers: { cookie } })).status).toBe(200);
  });

  it.each([
    "evil.example",
    "evil.example:443",
    `${HOST}.evil.example`,
    `${HOST}:4173`,
    `${HOST}.`,
    `evil.${HOST}`,
    "127.0.0.1",
    "203.0.113.7",
  ])("A211 refuses Host %s, whatever resolves to it, with every credential", async (host) => {
    const { send, server } = world;
    const bearer = { authorization: `Bearer ${server.treadle.token}` };
    for (const headers of [owner.headers, bearer]) {
      expect((await send(host, "/api/me", { headers })).status).toBe(403);
      expect((await send(host, "/", { headers: { ...AS_TAB, ...headers } })).status).toBe(403);
      const socket = { ...AS_SOCKET, ...headers };
      expect((await send(host, "/api/projects/abc/events", { headers: socket })).status).toBe(403);
    }
  });

  it.each([
    "https://evil.example",
    "null",
    `http://${HOST}`,
    `https://${HOST}:4173`,
    "https://kabc.apps.example.net",
  ])("A211 refuses a change by a page of %s", async (origin) => {
    const headers = { ...owner.headers, origin };
    expect((await world.send(HOST, "/api/projects", { headers, json: {} })).status).toBe(403);
    const socket = { ...headers, ...AS_SOCKET };
    expect((await world.send(HOST, "/api/projects/abc/events", { headers: socket })).status).toBe(
      403,
    );
  });

  it("lets programs of this machine in at its port, and no browser", async () => {
    const { send, port, server } = world;
    const local = `localhost:${port}`;
    const bearer = { authorization: `Bearer ${server.treadle.token}` };
    const plain = { https: false };
    expect((await send(local, "/api/me", { ...plain, headers: bearer })).status).toBe(200);
    expect((await send(local, "/api/me", { ...plain, headers: owner.headers })).status).toBe(403);
    for (const path of ["/", `/?ticket=${server.treadle.ticket()}`, "/enter", "/preview-pass"]) {
      const answer = await send(local, path, { ...plain, headers: AS_TAB });
      expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
    }
  });

  it("A212 answers its public hosts only over https, and believes no stranger about that", async () => {
    const { send } = world;
    const headers = owner.headers;
    expect((await send(HOST, "/api/me", { headers, https: false })).status).toBe(403);
    const stranger = await startPublicServer({ TREADLE_PROXIES: "203.0.113.9" });
    try {
      const given = { headers: { "x-forwarded-host": HOST } };
      for (const host of [HOST, "localhost", "kabc.apps.example.net"])
        expect((await stranger.send(host, "/", given)).status).toBe(403);
    } finally {
      await stranger.server.close();
    }
  });

  it("takes the Host that a named proxy replaced, from that proxy", async () => {
    const behind = await startPublicServer({ TREADLE_PROXIES: "127.0.0.1" });
    try {
      const { headers } = await behind.person();
      const replaced = { ...headers, "x-forwarded-host": HOST };
      expect((await behind.send("upstream:4173", "/api/me", { headers: replaced })).status).toBe(
        200,
      );
      expect((await behind.send("upstream:4173", "/api/me", { headers })).status).toBe(403);
    } finally {
      await behind.server.close();
    }
  });

  it("A213 shows previews at this machine's own names to nobody", async () => {
    const { send, port, project } = world;
    const { host } = await project(owner);
    const local = `${host.split(".")[0]}.localhost:${port}`;
    for (const headers of [{}, AS_TAB, AS_SOCKET, owner.headers])
      expect((await send(local, "/", { headers, https: false })).status).toBe(403);
  });

  it("slows guesses down by the address that the proxy forwards", async () => {
    const guess = async (address: string, email: string) => {
      const headers = { origin: `https://${HOST}`, "x-forwarded-for": address };
      const json = { email, password: "guessed password" };
      return (await world.send(HOST, "/api/sign-in/password", { headers, json })).status;
    };
    const statuses = [];
    for (let time = 0; time < 21; time++)
      statuses.push(await guess("198.51.100.66", `nobody${time}@example.com`));
    expect([statuses.at(0), statuses.at(-1)]).toEqual([401, 429]);
    expect(await guess("198.51.100.67", "nobody20@example.com")).toBe(401);
  });

  it("has certificates for its own hosts, which only a web server in front may ask for", async () => {
    const { send, project } = world;
    const { host } = await project(owner);
    const ask = async (domain: string, headers: Record<string, string> = {}) =>
      (await send("treadle:4173", `/published-domain?domain=${domain}`, { https: false, headers })).status; // prettier-ignore
    expect(await ask(HOST)).toBe(200);
    expect(await ask(host)).toBe(200);
    for (const domain of ["kabc.apps.example.net", "evil.example", "apps.example.net"])
      expect(await ask(domain)).toBe(404);
    expect(await ask(host, { "x-forwarded-for": "198.51.100.7" })).toBe(403);
  });
});
