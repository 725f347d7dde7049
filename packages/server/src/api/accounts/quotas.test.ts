import type { QuotaUsage } from "@treadle/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codeOf, startAccountServer, type AccountServer } from "./accounts.test-support.ts";

let at: AccountServer;
beforeAll(async () => {
  at = await startAccountServer();
});
afterAll(() => at.server.close());

const setQuotas = async (json: object) => {
  const admin = await at.member("admin");
  const response = await at.ask("/api/quotas", { as: admin.session, method: "PUT", json });
  expect(response.status).toBe(200);
};
const send = (session: string, project: string) =>
  at.ask(`/api/projects/${project}/messages`, { as: session, json: { text: "Build it" } });
const positionOf = async (session: string, project: string) => {
  const response = await at.ask(`/api/projects/${project}/line`, { as: session });
  return ((await response.json()) as { position?: number }).position;
};

it("refuses a project beyond the quota, says how many there are, and takes one again after a deletion", async () => {
  const ada = await at.member();
  await setQuotas({ projectsPerPerson: 1 });
  const create = () => at.ask("/api/projects", { as: ada.session, json: {} });
  expect((await create()).status).toBe(201);
  const refused = await create();
  expect([refused.status, await codeOf(refused)]).toEqual([403, "quota-reached"]);
  await setQuotas({ projectsPerPerson: 2 });
  expect((await create()).status).toBe(201);
});

it("refuses a project once the disk of the person is used up, and shows what is used of what is allowed", async () => {
  const ada = await at.member();
  await setQuotas({ diskGibPerPerson: 1 });
  const project = await at.projectOf(ada.session);
  const { usage } = at.server;
  usage.set(project, 2 * 1024 ** 3);
  const refused = await at.ask("/api/projects", { as: ada.session, json: {} });
  expect([refused.status, await codeOf(refused)]).toEqual([403, "quota-reached"]);
  const admin = await at.member("admin");
  const response = await at.ask("/api/quotas/usage", { as: admin.session });
  const { usage: uses } = (await response.json()) as { usage: QuotaUsage[] };
  expect(uses.find(({ id }) => id === ada.person.id)).toMatchObject({
    kind: "person",
    projects: 1,
    awake: 0,
    published: 0,
    disk: 2 * 1024 ** 3,
  });
  await setQuotas({});
});

it("opens no sandbox of a person beyond the quota while their others are in use", async () => {
  await setQuotas({ awakePerPerson: 1 });
  const [ada, bob] = [await at.member(), await at.member()];
  const [first, second] = [await at.projectOf(ada.session), await at.projectOf(ada.session)];
  const other = await at.projectOf(bob.session);
  const open = (as: string, project: string) => at.ask(`/api/projects/${project}/files`, { as });
  expect((await open(ada.session, first)).status).toBe(200);
  const refused = await open(ada.session, second);
  expect([refused.status, await codeOf(refused)]).toEqual([403, "quota-reached"]);
  expect((await open(bob.session, other)).status).toBe(200);
  await setQuotas({});
  expect((await open(ada.session, second)).status).toBe(200);
});

it("takes no further project into a team beyond its quota, and shows what the team uses", async () => {
  await setQuotas({ projectsPerTeam: 1 });
  const ada = await at.member();
  const { id: team } = await at.accounts.members.addTeam("Kitchen");
  await at.accounts.members.setTeamMember(team, ada.person.id, "owner");
  const join = async (role: string, project: string) =>
    at.ask(`/api/projects/${project}/members/team/${team}`, { as: ada.session, method: "PUT", json: { role } }); // prettier-ignore
  const [first, second] = [await at.projectOf(ada.session), await at.projectOf(ada.session)];
  expect((await join("editor", first)).status).toBe(200);
  expect((await join("viewer", first)).status).toBe(200);
  const refused = await join("editor", second);
  expect([refused.status, await codeOf(refused)]).toEqual([403, "quota-reached"]);
  const admin = await at.member("admin");
  const response = await at.ask("/api/quotas/usage", { as: admin.session });
  const { usage: uses } = (await response.json()) as { usage: QuotaUsage[] };
  expect(uses.find(({ id }) => id === team)).toMatchObject({ kind: "team", projects: 1 });
  await setQuotas({});
});

it("leaves a project of the disk what the other projects of its people and teams do not take", async () => {
  const { quotas } = at.accounts;
  const ada = await at.member();
  const [first, second] = [await at.projectOf(ada.session), await at.projectOf(ada.session)];
  expect(await quotas.allowanceOf(first)).toBeUndefined();
  await setQuotas({ diskGibPerPerson: 3, diskGibPerTeam: 2 });
  at.server.usage.set(first, 1024 ** 3);
  at.server.usage.set(second, 0.5 * 1024 ** 3);
  expect(await quotas.allowanceOf(first)).toMatchObject({
    bytes: 2.5 * 1024 ** 3,
    why: { coded: { code: "quota-disk" } },
  });
  const { id } = await at.accounts.members.addTeam("Garden");
  for (const project of [first, second])
    await at.accounts.members.set(project, { kind: "team", id, role: "editor" });
  expect(await quotas.allowanceOf(first)).toMatchObject({
    bytes: 1.5 * 1024 ** 3,
    why: { coded: { code: "quota-team-disk" } },
  });
  await setQuotas({});
});

it("lets a run wait in line while the sandboxes of its person are in use, and says its place", async () => {
  await setQuotas({ awakePerPerson: 1 });
  const ada = await at.member();
  const [first, second] = [await at.projectOf(ada.session), await at.projectOf(ada.session)];
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  at.server.turns.splice(0, Infinity, async () => finished);
  await send(ada.session, first);
  await at.server.until(first, ({ type }) => type === "run-start");
  await send(ada.session, second);
  await expect.poll(() => positionOf(ada.session, second)).toBe(1);
  await setQuotas({});
  await at.server.until(second, ({ type }) => type === "run-start");
  expect(await positionOf(ada.session, second)).toBeUndefined();
  finish();
  await at.server.until(second, ({ type }) => type === "run-end");
});

it("tells a person their place in the line, and lets them leave it", async () => {
  await setQuotas({ runs: 1 });
  const [ada, bob] = [await at.member(), await at.member()];
  const [first, second] = [await at.projectOf(ada.session), await at.projectOf(bob.session)];
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  at.server.turns.splice(0, Infinity, async () => finished);
  await send(ada.session, first);
  await at.server.until(first, ({ type }) => type === "run-start");
  await send(bob.session, second);
  await expect.poll(() => positionOf(bob.session, second)).toBe(1);
  expect(await positionOf(ada.session, first)).toBeUndefined();
  await at.ask(`/api/projects/${second}/stop`, { as: bob.session, json: {} });
  await at.server.until(second, ({ type }) => type === "run-end");
  expect(await positionOf(bob.session, second)).toBeUndefined();
  finish();
  await at.server.until(first, ({ type }) => type === "run-end");
});
