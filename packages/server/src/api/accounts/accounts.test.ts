import { once } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Scope } from "@treadle/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { startTestServer } from "../../server.test-support.ts";
import { codeOf, startAccountServer, type AccountServer } from "./accounts.test-support.ts";

let { server, accounts, origin, port, ask, member, projectOf } = {} as AccountServer;
beforeAll(
  async () =>
    void ({ server, accounts, origin, port, ask, member, projectOf } = await startAccountServer()),
);
afterAll(() => server.close());

describe("API tokens", () => {
  it("A183 do what their scopes allow, not more, and make no others", async () => {
    const { session } = await member();
    const id = await projectOf(session);
    const made = await ask("/api/me/tokens", {
      as: session,
      json: { name: "CI", scopes: ["read"], days: 1 },
    });
    const { token } = (await made.json()) as { token: string };
    expect((await ask(`/api/projects/${id}`, { token })).status).toBe(200);
    expect((await ask("/api/projects", { token, json: {} })).status).toBe(403);
    expect((await ask(`/api/projects/${id}`, { token, method: "DELETE" })).status).toBe(403);
    const more = { name: "more", scopes: ["manage"] };
    expect((await ask("/api/me/tokens", { token, json: more })).status).toBe(403);
    expect((await ask("/api/tickets", { token, json: {} })).status).toBe(403);
  });

  it("end with their time and with their person", async () => {
    const { person } = await member();
    const late = { name: "late", scopes: ["read"] as const, expiresAt: Date.now() - 1 };
    const { token } = await accounts.tokens.create(person.id, late);
    expect((await ask("/api/me", { token })).status).toBe(401);
    const valid = await accounts.tokens.create(person.id, { name: "now", scopes: ["read"] });
    expect((await ask("/api/me", { token: valid.token })).status).toBe(200);
    await accounts.people.remove(person.id, (await accounts.owner()).id);
    expect((await ask("/api/me", { token: valid.token })).status).toBe(401);
  });
});

it("A184 a tool of Treadle's tool server does what its caller may do", async () => {
  const [ada, bob] = [await member(), await member()];
  const id = await projectOf(ada.session);
  const callTool = async (person: string, scopes: Scope[]) => {
    const { token } = await accounts.tokens.create(person, { name: "agent", scopes });
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL("/mcp", origin), { requestInit }),
    );
    try {
      const called = await client.callTool({ name: "status", arguments: { project: id } });
      return called.isError === true ? "refused" : "answered";
    } finally {
      await client.close();
    }
  };
  expect(await callTool(ada.person.id, ["read"])).toBe("answered");
  expect(await callTool(bob.person.id, ["read", "write", "publish", "manage"])).toBe("refused");
});

describe("projects", () => {
  it("A184 belong to whoever creates them, and are not there for others", async () => {
    const [ada, bob] = [await member(), await member()];
    const id = await projectOf(ada.session);
    for (const path of ["", "/files", "/events", "/export.zip", "/settings", "/members"])
      expect((await ask(`/api/projects/${id}${path}`, { as: bob.session })).status, path).toBe(404);
    const listed = await (await ask("/api/projects", { as: bob.session })).json();
    expect(listed).toEqual({ projects: [], deleted: [] });
    const compared = await ask("/api/comparisons", {
      as: bob.session,
      json: { project: id, text: "Build", models: ["fake:one", "fake:two"] },
    });
    expect(compared.status).toBe(404);
  });

  it("are shared by a role, which a team's member has at most as the team has", async () => {
    const [ada, bob] = [await member(), await member()];
    const id = await projectOf(ada.session);
    const { id: team } = await accounts.members.addTeam("Class");
    await accounts.members.setTeamMember(team, bob.person.id, "owner");
    const path = `/api/projects/${id}/members/team/${team}`;
    const set = await ask(path, { as: ada.session, method: "PUT", json: { role: "viewer" } });
    expect(set.status).toBe(200);
    expect((await ask(`/api/projects/${id}`, { as: bob.session })).status).toBe(200);
    const stopped = await ask(`/api/projects/${id}/stop`, { as: bob.session, json: {} });
    expect([stopped.status, await codeOf(stopped)]).toEqual([403, "not-permitted"]);
  });

  it("go to somebody else when their owner is removed, and always belong to somebody", async () => {
    const [ada, bob, owner] = [await member(), await member(), await member("owner")];
    const id = await projectOf(ada.session);
    const own = `/api/projects/${id}/members/person/${ada.person.id}`;
    expect(await codeOf(await ask(own, { as: ada.session, method: "DELETE" }))).toBe("last-owner");
    const removed = await ask(`/api/people/${ada.person.id}?heir=${bob.person.id}`, {
      as: owner.session,
      method: "DELETE",
    });
    expect(removed.status).toBe(200);
    expect((await ask(`/api/projects/${id}`, { as: bob.session })).status).toBe(200);
    expect((await ask("/api/me", { as: ada.session })).status).toBe(401);
  });

  it("A185 closes a socket when its person loses their role or session", async () => {
    const [ada, bob] = [await member(), await member()];
    const id = await projectOf(ada.session);
    /** Resolves once it is open, with what resolves once it is closed. */
    const open = async (session: string) => {
      const socket = new WebSocket(`ws://localhost:${port}/api/projects/${id}/events`, {
        headers: { cookie: `treadle-${port}=${session}`, origin },
      });
      socket.on("error", () => undefined);
      await once(socket, "open");
      return { closed: once(socket, "close") };
    };
    const role = `/api/projects/${id}/members/person/${bob.person.id}`;
    await ask(role, { as: ada.session, method: "PUT", json: { role: "viewer" } });
    const [adas, bobs] = [await open(ada.session), await open(bob.session)];
    await ask(role, { as: ada.session, method: "DELETE" });
    await bobs.closed;
    await ask("/api/sign-out", { as: ada.session, json: {} });
    await adas.closed;
  });
});

describe("people", () => {
  it("A186 cannot raise themselves or others above their own role", async () => {
    const [admin, owner, guest] = [await member("admin"), await member("owner"), await member()];
    const set = (who: string, role: string) =>
      ask(`/api/people/${who}`, { as: admin.session, method: "PATCH", json: { role } });
    expect((await set(admin.person.id, "owner")).status).toBe(403);
    expect((await set(owner.person.id, "guest")).status).toBe(403);
    expect((await set(guest.person.id, "admin")).status).toBe(200);
    const invited = await ask("/api/invitations", { as: admin.session, json: { role: "owner" } });
    expect(invited.status).toBe(403);
    expect((await ask("/api/invitations", { as: guest.session, json: { role: "guest" } })).status).toBe(201); // prettier-ignore
  });

  it("are named in the audit log with what they changed", async () => {
    const [admin, owner] = [await member("admin"), await member("owner")];
    await ask(`/api/people/${admin.person.id}`, {
      as: owner.session,
      method: "PATCH",
      json: { name: "Grace" },
    });
    const { entries } = (await (await ask("/api/audit", { as: admin.session })).json()) as {
      entries: object[];
    };
    expect(entries[0]).toMatchObject({
      person: owner.person.id,
      action: "people.manage",
      what: "PATCH /api/people/:person",
      values: { person: admin.person.id },
    });
    expect((await ask("/api/audit", { as: (await member()).session })).status).toBe(403);
  });
});

it("has no people where there is one, who needs no account", async () => {
  const alone = await startTestServer();
  try {
    const me = await (await alone.api("/api/me")).json();
    expect(me).toMatchObject({ id: "local", role: "owner", via: "local", accounts: false });
    expect(await codeOf(await alone.api("/api/people"))).toBe("no-accounts");
    expect(alone.treadle.ownerLink).toBeUndefined();
  } finally {
    await alone.close();
  }
});
