import type { MonthBudgetState, SpendingRow } from "@treadle/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codeOf, startAccountServer, type AccountServer } from "./accounts.test-support.ts";

let at: AccountServer;
beforeAll(async () => {
  at = await startAccountServer();
});
afterAll(() => at.server.close());

const usage = { inputTokens: 900, cachedInputTokens: 100, outputTokens: 50, costUsd: 2 };
const spend = (person: string, project?: string) =>
  at.accounts.spending.record({ person, project, model: "fake:one", usage });
const rows = async (as: string, query = "") => {
  const response = await at.ask(`/api/spending?${query}`, { as });
  return ((await response.json()) as { rows: SpendingRow[] }).rows;
};

it("shows an administrator what everybody spent, and others what they spent themselves or in a project of theirs", async () => {
  const [admin, ada, bob] = [await at.member("admin"), await at.member(), await at.member()];
  const project = await at.projectOf(ada.session);
  await spend(ada.person.id, project);
  await spend(bob.person.id, project);
  expect(await rows(admin.session, `project=${project}`)).toHaveLength(2);
  expect(await rows(ada.session)).toMatchObject([
    { person: ada.person.id, personName: "Ada", projectName: "New project", calls: 1, costUsd: 2 },
  ]);
  expect(await rows(ada.session, `project=${project}`)).toHaveLength(2);
  expect(await rows(bob.session, `project=${project}`)).toHaveLength(1);
  const foreign = await at.ask(`/api/spending?person=${ada.person.id}`, { as: bob.session });
  expect(foreign.status).toBe(403);
});

it("exports single calls as CSV in which no cell is a formula", async () => {
  const [admin, eve] = [await at.member("admin"), await at.member()];
  await at.accounts.people.update(eve.person.id, { name: '=HYPERLINK("x")' });
  await spend(eve.person.id);
  const response = await at.ask(`/api/spending/export?person=${eve.person.id}`, {
    as: admin.session,
  });
  const [head, line, end] = (await response.text()).split("\r\n");
  expect(head).toContain("cached input tokens");
  expect(line).toMatch(/^\d{4}-.*Z,"'=HYPERLINK\(""x""\)",.*,fake:one,900,100,50,2$/);
  expect(end).toBe("");
});

it("refuses a message of somebody whose budget is used up, and says so until it is raised", async () => {
  const [admin, ada] = [await at.member("admin"), await at.member()];
  const project = await at.projectOf(ada.session);
  const address = `/api/budgets/person/${ada.person.id}`;
  const set = (costUsd: number, as = admin.session) =>
    at.ask(address, { as, method: "PUT", json: { costUsd } });
  expect((await set(9, ada.session)).status).toBe(403);
  await set(2.2);
  await spend(ada.person.id, project);
  const answered = await at.ask(`/api/budgets/mine?project=${project}`, { as: ada.session });
  expect(((await answered.json()) as { budgets: MonthBudgetState[] }).budgets).toMatchObject([
    { kind: "person", state: "warning", used: { costUsd: 2, tokens: 950 } },
  ]);
  const send = () =>
    at.ask(`/api/projects/${project}/messages`, { as: ada.session, json: { text: "Build it" } });
  await set(2);
  const refused = await send();
  expect([refused.status, await codeOf(refused)]).toEqual([409, "budget"]);
  await set(3);
  expect((await send()).status).toBe(202);
});
