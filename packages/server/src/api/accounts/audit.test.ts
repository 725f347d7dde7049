import type { AuditEntry } from "@treadle/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(undefined, { team: true });
});
afterAll(() => server.close());

const append = (person: string, action: string) =>
  server.accounts!.audit.append({
    person,
    name: person,
    via: "session",
    action,
    what: `POST /api/${action}`,
    values: {},
  });

async function read(query = ""): Promise<AuditEntry[]> {
  const response = await server.api(`/api/audit?${query}`);
  return ((await response.json()) as { entries: AuditEntry[] }).entries;
}

describe("the audit log", () => {
  it("is read by person, action and time, and goes on before an entry", async () => {
    for (const person of ["ada", "bob", "ada"]) await append(person, "people.manage");
    await append("ada", "project.publish");
    expect((await read("person=ada")).map(({ action }) => action)).toEqual([
      "project.publish",
      "people.manage",
      "people.manage",
    ]);
    const [newest] = await read("person=ada&limit=1");
    expect(await read(`person=ada&action=people.manage&before=${newest!.id}`)).toHaveLength(2);
    expect(await read(`to=${newest!.at - 60_000}`)).toEqual([]);
    expect(await read(`from=${newest!.at + 60_000}`)).toEqual([]);
  });

  it("is exported whole as JSON Lines, also when it is longer than what is read at once", async () => {
    for (let count = 0; count < 600; count++) await append("eve", "projects.create");
    const response = await server.api("/api/audit/export?person=eve");
    expect(response.headers.get("content-disposition")).toContain("treadle-audit.jsonl");
    const lines = (await response.text()).trimEnd().split("\n");
    expect(lines).toHaveLength(600);
    expect(new Set(lines.map((line) => (JSON.parse(line) as AuditEntry).id)).size).toBe(600);
  });
});

it("lists what a person may do in a project, which follows from their role there", async () => {
  const { people, members, sessions } = server.accounts!;
  const { url, port } = await server.listen();
  const created = await server.api("/api/projects", { json: {}, method: "POST" });
  const { id } = (await created.json()) as { id: string };
  const ada = await people.add({ name: "Ada", role: "guest" });
  const cookie = `treadle-${port}=${await sessions.open(ada.id, "test")}`;
  const mayDo = async () => {
    const response = await fetch(`${url}/api/projects/${id}/access`, { headers: { cookie } });
    return response.ok ? ((await response.json()) as { actions: string[] }).actions : undefined;
  };
  expect(await mayDo()).toBeUndefined();
  await members.set(id, { kind: "person", id: ada.id, role: "viewer" });
  const ofViewers = ["project.view", "project.secrets", "project.export"];
  expect(await mayDo()).toEqual(ofViewers);
  await members.set(id, { kind: "person", id: ada.id, role: "editor" });
  expect(await mayDo()).toEqual([
    ...ofViewers,
    "project.comment",
    "project.edit",
    "project.push",
    "project.terminals",
    "project.request",
  ]);
});

it("lets a person rename themselves", async () => {
  const { people, sessions } = server.accounts!;
  const { url, port } = await server.listen();
  const bob = await people.add({ name: "Bob", role: "guest" });
  const cookie = `treadle-${port}=${await sessions.open(bob.id, "test")}`;
  const renamed = await fetch(`${url}/api/me`, {
    method: "PATCH",
    headers: { cookie, origin: url, "content-type": "application/json" },
    body: JSON.stringify({ name: "Robert" }),
  });
  expect(renamed.status).toBe(200);
  expect((await people.get(bob.id))?.name).toBe("Robert");
});
