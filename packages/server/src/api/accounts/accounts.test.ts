import { once } from "node:events";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import type { Accounts, Person } from "@treadle/accounts";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
let accounts: Accounts;
let origin: string;
let port: number;
beforeAll(async () => {
  server = await startTestServer(undefined, { team: true });
  accounts = server.accounts!;
  ({ url: origin, port } = await server.listen());
});
afterAll(() => server.close());

/** A request of a browser with this session, or of a program with this token. */
async function ask(
  path: string,
  {
    as,
    json,
    method,
    token,
  }: { as?: string; json?: unknown; method?: string; token?: string } = {},
) {
  return server.treadle.fetch(
    new Request(`${origin}${path}`, {
      method: method ?? (json === undefined ? "GET" : "POST"),
      headers: {
        ...(token === undefined ? { origin } : { authorization: `Bearer ${token}` }),
        ...(as === undefined ? {} : { cookie: `treadle-${port}=${as}` }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }),
  );
}
const codeOf = async (response: Response) =>
  ((await response.json()) as { error?: { code: string } }).error?.code;
/** What the answer makes the browser's cookie hold. */
const cookieOf = (response: Response) =>
  /^treadle-\d+=([\w-]*);/.exec(response.headers.get("set-cookie") ?? "")?.[1] ?? "";

let count = 0;
async function member(
  role: Person["role"] = "member",
): Promise<{ person: Person; session: string; email: string }> {
  const email = `person${++count}@example.com`;
  const person = await accounts.people.add({ name: "Ada", email, role });
  return { person, session: await accounts.sessions.open(person.id, "test"), email };
}
const projectOf = async (session: string) => {
  const response = await ask("/api/projects", { as: session, json: {} });
  return ((await response.json()) as { id: string }).id;
};

describe("signing in", () => {
  it("lets the owner in by the terminal's link, once", async () => {
    const link = new URL(await server.treadle.ownerLink!()).searchParams.get("link")!;
    const first = await ask("/api/sign-in/link/use", { json: { link } });
    expect(first.status).toBe(200);
    const me = await ask("/api/me", { as: cookieOf(first) });
    expect(await me.json()).toMatchObject({ role: "owner", via: "session", accounts: true });
    const again = await ask("/api/sign-in/link/use", { json: { link } });
    expect([again.status, await codeOf(again)]).toEqual([404, "link-used"]);
  });

  it("A180 opens the account of an invitation for one of two who use it at once", async () => {
    const { secret } = await accounts.links.create(
      { purpose: "invitation", role: "member" },
      { validMs: 60_000 },
    );
    const answers = await Promise.all(
      ["one", "two"].map((name) =>
        ask("/api/sign-in/link/use", {
          json: { link: secret, name, email: `${name}@example.com` },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  it("uses no link up by opening its page, and takes it from the page's form", async () => {
    const { person } = await member();
    const { secret } = await accounts.links.create(
      { purpose: "sign-in", person: person.id },
      { validMs: 60_000 },
    );
    for (let time = 0; time < 2; time++)
      expect((await ask(`/enter?link=${secret}`)).status).toBe(200);
    const sent = await server.treadle.fetch(
      new Request(`${origin}/enter`, {
        method: "POST",
        headers: { origin, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ link: secret }),
      }),
    );
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/"]);
    expect((await ask("/api/me", { as: cookieOf(sent) })).status).toBe(200);
    expect((await ask(`/enter?link=${secret}`)).status).toBe(404);
  });

  it("needs the password, and the code of an authenticator app once", async () => {
    const { person, session, email } = await member();
    const password = "correct horse battery";
    await ask("/api/me/password", { as: session, method: "PUT", json: { password } });
    const enter = (more: object) =>
      ask("/api/sign-in/password", { json: { email, password, ...more } });
    expect(await codeOf(await enter({ password: "wrong horse battery" }))).toBe("wrong-password");
    expect((await enter({})).status).toBe(200);

    const begun = await ask("/api/me/code", { as: session, json: {} });
    const { secret } = (await begun.json()) as { secret: string };
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const at = Date.now();
    const confirmed = app.generate({ timestamp: at });
    const set = await ask("/api/me/code", {
      as: session,
      method: "PUT",
      json: { code: confirmed },
    });
    expect(set.status).toBe(200);
    expect(await codeOf(await enter({}))).toBe("code-needed");
    expect(await codeOf(await enter({ code: confirmed }))).toBe("wrong-code");
    const next = app.generate({ timestamp: at + 30_000 });
    expect((await enter({ code: next })).status).toBe(200);
    expect(await codeOf(await enter({ code: next }))).toBe("wrong-code");
    expect(await accounts.credentials.list(person.id)).toHaveLength(2);
  });

  it("A181 gives a browser a new session and ends the one that it had, which somebody may have planted", async () => {
    const planted = await member();
    const victim = await member();
    const { secret } = await accounts.links.create(
      { purpose: "sign-in", person: victim.person.id },
      { validMs: 60_000 },
    );
    const entered = await ask("/api/sign-in/link/use", {
      as: planted.session,
      json: { link: secret },
    });
    expect(cookieOf(entered)).not.toBe(planted.session);
    expect((await ask("/api/me", { as: planted.session })).status).toBe(401);
  });

  it("A182 slows down who guesses a password, also of nobody", async () => {
    const guess = () =>
      ask("/api/sign-in/password", {
        json: { email: "nobody@example.com", password: "guessed password" },
      });
    const statuses = [];
    for (let time = 0; time < 10; time++) statuses.push((await guess()).status);
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  });

  it("takes neither the start-up token as a cookie, nor a session as a program's token", async () => {
    const { session } = await member();
    expect((await ask("/api/me", { as: server.treadle.token })).status).toBe(401);
    expect((await ask("/api/me", { token: session })).status).toBe(401);
    expect((await ask(`/?token=${server.treadle.token}`)).status).toBe(401);
    expect((await ask("/api/me", { token: server.treadle.token })).status).toBe(200);
  });
});

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
