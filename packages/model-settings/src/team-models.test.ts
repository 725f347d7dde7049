import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asPrincipal, createModelRules, type ModelRules, type Principal } from "@treadle/accounts";
import { openAccounts } from "@treadle/accounts/open";
import type { Model } from "@treadle/agent";
import type { ServerRole } from "@treadle/protocol";
import { openStore } from "@treadle/store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { teamModels } from "./team-models.ts";
import type { ModelSettings, ModelUse } from "./model-source.ts";

const directory = mkdtempSync(join(tmpdir(), "treadle-team-models-"));
let opened: ReturnType<typeof openAccounts>;
let rules: ModelRules;
let models: ModelSettings;
/** What the server's models were asked for last. */
let used: ModelUse | undefined;

const provider = (id: string, names: string[]) => ({
  id,
  name: id,
  source: "environment" as const,
  needsKey: true,
  needsAddress: false,
  models: names.map((name) => ({ id: `${id}:${name}`, label: name })),
});

beforeAll(async () => {
  opened = openAccounts(await openStore({ directory }), { now: () => Date.now() });
  const { accounts, store } = opened;
  rules = createModelRules(store, accounts);
  const server = {
    chosen: async () => "a:large",
    info: async () => ({
      chosen: "a:large",
      providers: [provider("a", ["large", "small"]), provider("b", ["one"])],
      demos: [],
    }),
    async resolve(id: string, use?: ModelUse) {
      used = use;
      return { id, languageModel: {}, dialect: "native", takesTemperature: true } as Model;
    },
  } as unknown as ModelSettings;
  models = teamModels(server, { accounts, rules, store, onNotice: () => {} });
});
afterAll(async () => {
  await opened.store.close();
  rmSync(directory, { recursive: true });
});

async function member(role: ServerRole = "member"): Promise<Principal> {
  const { id } = await opened.accounts.people.add({ name: "Ada", role });
  return { person: id, role, via: "session" };
}
const listed = async (principal: Principal) => {
  const { providers, chosen } = await asPrincipal(principal, () => models.info());
  return { ids: providers.flatMap((one) => one.models.map(({ id }) => id)), chosen };
};

it("lists and answers only what the role and one of the teams allow, and chooses among these", async () => {
  const [ada, boss] = [await member(), await member("admin")];
  const team = (await opened.accounts.members.addTeam("Kitchen")).id;
  await opened.accounts.members.setTeamMember(team, ada.person, "editor");
  await rules.setRule({ kind: "role", subject: "member", models: ["a:*"] });
  expect((await listed(ada)).ids).toEqual(["a:large", "a:small"]);
  await rules.setRule({ kind: "team", subject: team, models: ["a:small", "b:one"] });
  expect(await listed(ada)).toEqual({ ids: ["a:small"], chosen: "a:small" });
  expect((await listed(boss)).ids).toHaveLength(3);
  const refused = models.resolve("b:one", { person: ada.person });
  await expect(refused).rejects.toMatchObject({ status: 403, code: "model-not-allowed" });
  expect((await models.resolve("a:small", { person: ada.person })).id).toBe("a:small");
  await rules.forget({ kind: "team", id: team });
  await rules.setRule({ kind: "role", subject: "member", models: [] });
  expect((await listed(ada)).ids).toHaveLength(3);
});

it("asks with the person's key, then the team's, then the server's, and stores each encrypted", async () => {
  const ada = await member();
  const { accounts, store } = opened;
  const team = (await accounts.members.addTeam("Kitchen")).id;
  await accounts.members.setTeamMember(team, ada.person, "editor");
  await store.projects.create({ id: "p", name: "P", createdAt: 1, updatedAt: 1, capability: "kp" });
  await accounts.members.set("p", { kind: "team", id: team, role: "editor" });
  const keyOf = async (project?: string) => {
    await models.resolve("a:small", { person: ada.person, project });
    return used?.key?.key;
  };
  expect(await keyOf("p")).toBeUndefined();
  await rules.setKey({ kind: "team", id: team }, "a", "sk-team");
  expect([await keyOf("p"), await keyOf()]).toEqual(["sk-team", undefined]);
  await rules.setKey({ kind: "person", id: ada.person }, "a", "sk-own");
  expect([await keyOf("p"), await keyOf()]).toEqual(["sk-own", "sk-own"]);
  expect(await rules.keyProviders({ kind: "person", id: ada.person })).toEqual(["a"]);
  const rows = await opened.store.accounts
    .selectFrom("settings" as never)
    .select("value" as never)
    .execute();
  expect(JSON.stringify(rows)).not.toContain("sk-");
  await rules.forget({ kind: "person", id: ada.person });
  expect(await keyOf("p")).toBe("sk-team");
});

it("uses an administrator's price where none is known", async () => {
  const ada = await member();
  await rules.setPrice("b:one", { input: 2, output: 8 });
  const { price } = await models.resolve("b:one", { person: ada.person });
  expect(price).toEqual({ input: 2, cachedInput: 2, cacheWrite: 2, output: 8 });
});
