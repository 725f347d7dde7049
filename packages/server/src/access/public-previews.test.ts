import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AS_FRAME, AS_SOCKET, AS_TAB, HOST, startPublicServer } from "./public.test-support.ts";

let world: Awaited<ReturnType<typeof startPublicServer>>;
let ada: Awaited<ReturnType<typeof world.person>>;
let app: Awaited<ReturnType<typeof world.project>>;
beforeAll(async () => {
  world = await startPublicServer();
  ada = await world.person();
  app = await world.project(ada);
});
afterAll(() => world.server.close());

/** What a browser gets with this cookie: in a tab, by a script, on a socket. */
async function seen(cookie: string, host = app.host) {
  const { send } = world;
  const headers = { cookie };
  return [
    (await send(host, "/", { headers: { ...AS_TAB, ...headers } })).status,
    (await send(host, "/", { headers: { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty", ...headers } })).status, // prettier-ignore
    (await send(host, "/", { headers: { ...AS_SOCKET, ...headers } })).status,
  ];
}
const OPEN = [200, 200, 101];
const CLOSED = [303, 401, 401];

describe("a preview at its public host", () => {
  it("is entered by a ticket in the frame's first address, and open from then on", async () => {
    const { send, ticketPath } = world;
    const { host, path } = await ticketPath(ada, app.id, { path: "/a?b#c" });
    const entered = await send(host, path, { headers: AS_FRAME });
    expect([entered.status, entered.headers.location]).toEqual([303, "/a?b#c"]);
    const [cookie = ""] = entered.headers["set-cookie"]!;
    expect(cookie).toMatch(/^__Host-treadle-preview=\S+; /);
    for (const attribute of ["Path=/", "HttpOnly", "Secure", "SameSite=None", "Partitioned"])
      expect(cookie.split("; ")).toContain(attribute);
    expect(await seen(cookie.split(";", 1)[0]!)).toEqual(OPEN);
  });

  it("A214 shows nothing without a pass, and answers no WebSocket", async () => {
    expect(await seen("")).toEqual(CLOSED);
    const framed = await world.send(app.host, "/", { headers: AS_FRAME });
    expect(framed.status).toBe(401);
    expect(framed.headers["content-security-policy"]).toContain(`frame-ancestors https://${HOST}`);
    expect(framed.text).not.toContain("app at");
  });

  it("leads a tab to Treadle's own host and back, if its person may see the project", async () => {
    const { send } = world;
    const led = await send(app.host, "/deep?x=1", { headers: AS_TAB });
    const to = new URL(led.headers.location!);
    expect(to.origin).toBe(`https://${HOST}`);
    // The first answer opens the address again, as browsers send the cookie only then.
    const { cookie } = ada.headers;
    const first = await send(HOST, to.pathname + to.search, { headers: AS_TAB });
    expect([first.status, first.headers.location]).toEqual([200, undefined]);
    to.searchParams.set("again", "1");
    const back = await send(HOST, to.pathname + to.search, { headers: { ...AS_TAB, cookie } });
    const enter = new URL(back.headers.location!);
    expect(enter.host).toBe(app.host);
    const entered = await send(app.host, enter.pathname + enter.search, { headers: AS_TAB });
    expect([entered.status, entered.headers.location]).toEqual([303, "/deep?x=1"]);

    const stranger = (await world.person()).headers.cookie;
    const refused = await send(HOST, to.pathname + to.search, { headers: { ...AS_TAB, cookie: stranger } }); // prettier-ignore
    expect([refused.status, refused.headers.location]).toEqual([404, undefined]);
    expect((await send(HOST, to.pathname + to.search, { headers: AS_TAB })).status).toBe(401);
  });

  it("vouches for the host of another port of its project, in a frame as well", async () => {
    const { send } = world;
    const pass = await world.passOf(ada, app.id);
    const port = app.host.replace(".", "--8787.");
    const led = await send(port, "/x", { headers: AS_FRAME });
    const vouch = new URL(led.headers.location!);
    expect(vouch.host).toBe(app.host);
    const vouched = await send(app.host, vouch.pathname + vouch.search, { headers: { ...AS_FRAME, cookie: pass } }); // prettier-ignore
    const enter = new URL(vouched.headers.location!);
    expect(enter.host).toBe(port);
    const entered = await send(port, enter.pathname + enter.search, { headers: AS_FRAME });
    const cookie = entered.headers["set-cookie"]![0]!.split(";", 1)[0]!;
    expect(await seen(cookie, port)).toEqual(OPEN);
    const unvouched = await send(app.host, vouch.pathname + vouch.search, { headers: AS_FRAME });
    expect(unvouched.status).toBe(401);
  });
});

describe("a ticket", () => {
  it("A215 lets in once", async () => {
    const { host, path } = await world.ticketPath(ada, app.id);
    expect((await world.send(host, path, { headers: AS_FRAME })).status).toBe(303);
    const again = await world.send(host, path, { headers: AS_FRAME });
    expect([again.status, again.headers["set-cookie"]]).toEqual([401, undefined]);
  });

  it("A216 is worth nothing at another host, and is used up by that", async () => {
    const other = await world.project(ada);
    const { host, path } = await world.ticketPath(ada, app.id);
    for (const at of [other.host, host.replace(".", "--80."), host])
      expect((await world.send(at, path, { headers: AS_FRAME })).headers["set-cookie"]).toBe(
        undefined,
      );
  });

  it("is given to no program, and leads nowhere else", async () => {
    const { send, server } = world;
    const asked = { headers: { authorization: `Bearer ${server.treadle.token}` }, json: {} };
    expect((await send(HOST, `/api/projects/${app.id}/preview-pass`, asked)).status).toBe(403);
    for (const path of ["//evil.example/", "https://evil.example/", "/\\evil.example"]) {
      const ticket = await world.ticketPath(ada, app.id, { path });
      const { location = "" } = (await send(ticket.host, ticket.path, { headers: AS_FRAME })).headers; // prettier-ignore
      expect(new URL(location, app.origin).origin).toBe(app.origin);
    }
  });
});

describe("a pass", () => {
  it("A217 is worth nothing at another preview, at another port, or at Treadle's own host", async () => {
    const other = await world.project(ada);
    const pass = await world.passOf(ada, app.id);
    expect(await seen(pass, other.host)).toEqual(CLOSED);
    expect(await seen(pass, app.host.replace(".", "--80."))).toEqual(CLOSED);
    const value = pass.slice(pass.indexOf("=") + 1);
    for (const cookie of [pass, `__Host-treadle=${value}`, `__Host-treadle=${value.split(".")[0]}`])
      expect((await world.send(HOST, "/api/me", { headers: { cookie } })).status).toBe(401);
  });

  it("A218 has no part in what another project's page requests", async () => {
    const cookie = await world.passOf(ada, app.id);
    const origin = app.origin.replace(/\/\/[^.]+/, "//xyz");
    const headers = { cookie, origin, "sec-fetch-site": "same-site" };
    expect((await world.send(app.host, "/", { headers })).status).toBe(401);
    expect((await world.send(app.host, "/", { headers: { ...headers, ...AS_SOCKET } })).status).toBe(401); // prettier-ignore
  });

  it("A219 ends with its session, and with its person's role, and closes what is open", async () => {
    const { accounts, person, passOf, open, send } = world;
    const bob = await person();
    await accounts.members.set(app.id, { kind: "person", id: bob.id, role: "viewer" });
    const cookie = await passOf(bob, app.id);
    const stream = await open(app.host, "/stream", { headers: { cookie } });
    expect(stream.statusCode).toBe(200);
    const closed = stream.toArray().catch(() => "cut off");
    await accounts.members.remove(app.id, { kind: "person", id: bob.id });
    accounts.changed();
    expect(await closed).toBe("cut off");
    expect(await seen(cookie)).toEqual(CLOSED);

    await accounts.members.set(app.id, { kind: "person", id: bob.id, role: "viewer" });
    expect(await seen(cookie)).toEqual(OPEN);
    await send(HOST, "/api/sign-out", { headers: bob.headers, json: {} });
    expect(await seen(cookie)).toEqual(CLOSED);
  });
});
