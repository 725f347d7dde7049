import { once } from "node:events";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { startAccountServer, type AccountServer } from "./accounts.test-support.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
let time = 1_900_000_000_000;
let { server, origin, port, ask, cookieOf, member, projectOf } = {} as AccountServer;
beforeAll(async () => {
  const started = await startAccountServer({ now: () => time });
  ({ server, origin, port, ask, cookieOf, member, projectOf } = started);
});
afterAll(() => server.close());

type Terms = { role: string; days?: number; nameless?: boolean };

async function setUp(terms: Terms) {
  const owner = await member();
  const id = await projectOf(owner.session);
  const path = `/api/projects/${id}/access-links`;
  const made = await ask(path, { as: owner.session, json: { days: 7, ...terms } });
  const link = (await made.json()) as { id: string; link: string };
  return { owner, id, path, made, link };
}

/** What the form of the page behind a link sends; answers with the cookie that the browser gets. */
async function join(link: string, { as, name = "" }: { as?: string; name?: string }) {
  const secret = new URL(link).searchParams.get("link")!;
  const response = await server.treadle.fetch(
    new Request(`${origin}/join`, {
      method: "POST",
      headers: { origin, ...(as !== undefined && { cookie: `treadle-${port}=${as}` }) },
      body: new URLSearchParams({ link: secret, name }),
    }),
  );
  return { status: response.status, session: cookieOf(response) };
}

const statusOf = async (path: string, given: Parameters<AccountServer["ask"]>[1]) =>
  (await ask(path, given)).status;

/** A page that follows the project, until it is disconnected. */
async function follow(id: string, session: string) {
  const socket = new WebSocket(`ws://localhost:${port}/api/projects/${id}/events`, {
    headers: { origin, cookie: `treadle-${port}=${session}` },
  });
  const closed = once(socket, "close");
  await once(socket, "open");
  return { closed };
}

describe("an access link", () => {
  it("lets a guest in with a name alone, to view one project and nothing else", async () => {
    const { id, link } = await setUp({ role: "viewer", nameless: true });
    await ask(`/api/projects/${id}/files`, { as: (await member("admin")).session });
    server.workspace(id).contents.set(toProjectPath(".env"), Buffer.from("KEY=1"));
    const { status, session } = await join(link.link, { name: "  Grace\u0007 " });
    expect(status).toBe(303);
    expect(await (await ask("/api/me", { as: session })).json()).toMatchObject({ name: "Grace" });
    const project = `/api/projects/${id}`;
    expect(await statusOf(project, { as: session })).toBe(200);
    const refused: [string, string, unknown?][] = [
      ["POST", `${project}/messages`, { text: "x" }],
      ["POST", `${project}/comments`, { text: "x" }],
      ["GET", `${project}/files/.env`],
      ["GET", `${project}/export.zip`],
      ["GET", `${project}/terminals`],
      ["GET", `${project}/access-links`],
      ["POST", `${project}/access-links`, { role: "editor", days: 1 }],
      ["PUT", `${project}/members/person/x`, { role: "owner" }],
      ["POST", `${project}/shares`, { kind: "preview" }],
      ["POST", "/api/projects", {}],
      // No account grows out of it.
      ["POST", "/api/me/tokens", { name: "x", scopes: ["read"] }],
      ["PUT", "/api/me/password", { password: "correct horse battery" }],
    ];
    for (const [method, path, json] of refused)
      expect(await statusOf(path, { as: session, method, json }), path).toBe(403);
    const foreign = await projectOf((await member()).session);
    expect(await statusOf(`/api/projects/${foreign}`, { as: session })).toBe(404);
    const { projects } = (await (await ask("/api/projects", { as: session })).json()) as {
      projects: { id: string }[];
    };
    expect(projects.map((one) => one.id)).toEqual([id]);
  });

  it("for comments lets comment, and for editing lets a signed-in guest edit without terminals, pushing or publishing", async () => {
    const comments = await setUp({ role: "commenter", nameless: true });
    const { session } = await join(comments.link.link, { name: "Eve" });
    const anchor = { kind: "element", page: "/", tag: "p", label: "p", text: "", path: [] };
    const path = `/api/projects/${comments.id}`;
    expect(await statusOf(`${path}/comments`, { as: session, json: { anchor, text: "x" } })).toBe(
      201,
    );
    expect(await statusOf(`${path}/comments/send`, { as: session, json: { threads: ["x"] } })).toBe(
      403,
    );

    const { id, link } = await setUp({ role: "editor" });
    const guest = await member("guest");
    expect((await join(link.link, { name: "Nobody" })).status).toBe(403);
    expect((await join(link.link, { as: guest.session })).status).toBe(303);
    const project = `/api/projects/${id}`;
    const asked = (rest: string, json?: unknown) =>
      statusOf(`${project}/${rest}`, { as: guest.session, json });
    expect(await asked("todo")).toBe(200);
    expect(await asked("export.zip")).toBe(200);
    for (const [rest, json] of [
      ["terminals"],
      ["git/push", {}],
      ["shares"],
      ["access-links"],
      ["files/.env"],
    ] as const)
      expect(await asked(rest, json), rest).toBe(403);
  });

  it("gives no more than an editor's role, no right without a name to an editor, and none for ever", async () => {
    const terms: Terms[] = [
      { role: "owner" },
      { role: "editor", nameless: true },
      { role: "viewer", days: 366 },
    ];
    for (const one of terms) expect((await setUp(one)).made.status).toBe(400);
  });

  it("that was guessed, or is another project's, opens and changes nothing", async () => {
    const { link, owner } = await setUp({ role: "viewer", nameless: true });
    const guessed = link.link.slice(0, -1) + (link.link.endsWith("A") ? "B" : "A");
    expect((await join(guessed, { name: "Eve" })).status).toBe(404);
    expect((await join(guessed, { as: (await member()).session })).status).toBe(404);
    const other = await setUp({ role: "viewer" });
    const foreign = `${other.path}/${link.id}`;
    expect(await statusOf(foreign, { as: other.owner.session, method: "DELETE" })).toBe(404);
    expect(await statusOf(`${foreign}/rotate`, { as: other.owner.session, json: {} })).toBe(404);
    expect(await statusOf(`/join?again=1&link=${guessed}`, { as: owner.session })).toBe(404);
  });

  it("that is revoked ends what its guests have open, and their right", async () => {
    const { id, path, link, owner } = await setUp({ role: "viewer", nameless: true });
    const { session } = await join(link.link, { name: "Eve" });
    const guest = await member();
    await join(link.link, { as: guest.session });
    const open = await Promise.all([session, guest.session].map((one) => follow(id, one)));
    expect(await (await ask(path, { as: owner.session })).json()).toMatchObject({
      links: [{ uses: 2 }],
    });
    expect(await statusOf(`${path}/${link.id}`, { as: owner.session, method: "DELETE" })).toBe(200);
    await Promise.all(open.map(({ closed }) => closed));
    expect(await statusOf(`/api/projects/${id}`, { as: session })).toBe(401);
    expect(await statusOf(`/api/projects/${id}`, { as: guest.session })).toBe(404);
    expect((await join(link.link, { name: "Eve" })).status).toBe(404);
  });

  it("that expires ends what its guests have open at its date, and their right", async () => {
    const validMs = 200;
    const days = validMs / DAY_MS;
    const { id, link } = await setUp({ role: "viewer", nameless: true, days });
    const { session } = await join(link.link, { name: "Eve" });
    const { closed } = await follow(id, session);
    time += validMs;
    const passedMs = performance.now();
    await closed;
    // The regular check is every thirty seconds.
    expect(performance.now() - passedMs).toBeLessThan(5_000);
    expect(await statusOf(`/api/projects/${id}`, { as: session })).toBe(401);
    expect((await join(link.link, { name: "Eve" })).status).toBe(404);
  });

  it("that is rotated has another address, and forgets who came by the old one", async () => {
    const { id, path, link, owner } = await setUp({ role: "viewer", nameless: true });
    const { session } = await join(link.link, { name: "Eve" });
    const rotated = await ask(`${path}/${link.id}/rotate`, { as: owner.session, json: {} });
    const { link: next } = (await rotated.json()) as { link: string };
    expect(await statusOf(`/api/projects/${id}`, { as: session })).toBe(401);
    expect((await join(link.link, { name: "Eve" })).status).toBe(404);
    expect((await join(next, { name: "Eve" })).status).toBe(303);
  });
});
