import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Author } from "@treadle/protocol";
import { openStore, type Store } from "@treadle/store";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lacksPostgres, startDatabases } from "../../../store/src/postgres/database.test-support.ts"; // prettier-ignore
import { openAccounts, type Accounts } from "../open-accounts.ts";
import type { Person } from "../people/people.ts";

const databases: Awaited<ReturnType<typeof startDatabases>>[] = [];
const postgres = async () => {
  databases.push(await startDatabases());
  return databases[0]!.create();
};
const nothing = { apply: async () => "done" as const };

describe.each([
  { name: "SQLite", database: async () => undefined, skip: false },
  { name: "PostgreSQL", database: postgres, skip: lacksPostgres },
])("packages of teams in $name", ({ database, skip }) => {
  describe.skipIf(skip)("", () => {
    const directory = mkdtempSync(join(tmpdir(), "treadle-packages-"));
    let store: Store;
    let accounts: Accounts;
    let ada: Person;
    let bob: Person;
    let team: string;
    let project: string;
    let count = 0;
    let asker: { by: Author; run: string } | undefined;
    let named: string[] = [];
    let described: string[] = [];
    const notices: string[] = [];

    beforeAll(async () => {
      store = await openStore({ directory, database: await database() });
      ({ accounts } = openAccounts(store, { now: () => Date.now() }));
      ada = await accounts.people.add({ name: "Ada", role: "owner" });
      bob = await accounts.people.add({ name: "Bob", role: "member" });
      accounts.packages.connect({
        async describe(name, version) {
          described.push(`${name}@${version}`);
          return { name, version: "1.2.3", license: "MIT", brings: [`${name}-core`] };
        },
        templates: async () => new Set(["react"]),
        askerOf: async () => asker,
        namedBy: async () => named,
        onNotice: (text) => notices.push(text),
      });
      const apply = async (review: Parameters<typeof accounts.packages.approve>[0]) => {
        await accounts.packages.approve(review);
        return "done" as const;
      };
      await accounts.reviews.connect({ publish: nothing, host: nothing, "tool-server": nothing, package: { apply } }); // prettier-ignore
    });
    beforeEach(async () => {
      [asker, named, described] = [{ by: bob, run: "r1" }, [], []];
      team = (await accounts.members.addTeam(`Team ${++count}`)).id;
      await accounts.members.setTeamMember(team, bob.id, "owner");
      project = await addProject();
      await accounts.reviews.rules.set({ team, kinds: ["package"] });
    });
    afterAll(async () => {
      await store.close();
      for (const one of databases) await one.close();
      rmSync(directory, { recursive: true });
    });
    async function addProject(): Promise<string> {
      const id = `p${++count}`;
      await store.projects.create({ id, name: id, capability: id, createdAt: 1, updatedAt: 1 });
      await accounts.members.set(id, { kind: "team", id: team, role: "owner" });
      return id;
    }
    const may = (name?: string, version?: string, at = project) =>
      accounts.packages.mayInstall(at, { ...(name && { name }), ...(version && { version }) });
    const asked = async () =>
      (await accounts.reviews.ofProject(project)).map(({ subject }) => subject.what[0]).toSorted();
    const waiting = async () => (await accounts.reviews.ofProject(project))[0];
    const isAskedFor = (...names: string[]) => expect.poll(asked).toEqual(names);

    it("refuses what is new to the team and asks for it, and lets all of its projects install it with what it brings once somebody else approved", async () => {
      expect(await may("react")).toBe(true);
      expect(await may("left-pad")).toBe(false);
      expect(await may("left-pad")).toBe(false);
      await isAskedFor("left-pad");
      const review = (await waiting())!;
      expect(review).toMatchObject({
        kind: "package",
        state: "requested",
        by: { id: bob.id },
        subject: { package: { version: "1.2.3", license: "MIT", run: "r1" } },
      });
      await accounts.reviews.approve(review.id, ada, false);
      expect(await accounts.reviews.stateOf(review.id)).toBe("done");
      const other = await addProject();
      expect(await may("left-pad", undefined, other)).toBe(true);
      expect(await may("left-pad-core", "9.0.0", other)).toBe(true);
      expect(await may("left-pad-extra", "1.0.0", other)).toBe(false);
      await expect.poll(() => described).toContain("left-pad-extra@1.0.0");
    });

    it("does not ask again for what was refused because an install is repeated, but a person may", async () => {
      await may("odd");
      await isAskedFor("odd");
      await accounts.reviews.refuse((await waiting())!.id, ada, "No.");
      expect(await may("odd")).toBe(false);
      await may("another");
      await isAskedFor("another", "odd");
      expect(described).toEqual(["odd@latest", "another@latest"]);
      await accounts.packages.ask(project, "odd", bob, "We need it.");
      await isAskedFor("another", "odd", "odd");
      await expect(accounts.packages.ask(project, "react", bob)).rejects.toMatchObject({
        code: "package-known",
      });
    });

    it("asks for what package.json names where an install follows a lock file, not for what that brings", async () => {
      named = ["react", "chart"];
      expect(await may("chart-core", "2.0.0")).toBe(false);
      await isAskedFor("chart");
      expect(await may("chart", "4.0.0")).toBe(false);
      await isAskedFor("chart");
    });

    it("asks for nobody outside of a run, and refuses nothing in projects without the rule", async () => {
      asker = undefined;
      expect(await may("lonely")).toBe(false);
      expect(await may()).toBe(false);
      await accounts.reviews.rules.set({ team, kinds: ["host"] });
      expect(await may("lonely")).toBe(true);
      expect(await may()).toBe(true);
      expect(await asked()).toEqual([]);
      expect(notices.filter((notice) => notice.includes("lonely"))).toEqual([]);
    });
  });
});
