import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@treadle/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksPostgres, startDatabases } from "../../../store/src/postgres/database.test-support.ts"; // prettier-ignore
import { openAccounts } from "../open-accounts.ts";
import { monthBudgetReached } from "./month-budget-reached.ts";
import { monthOf } from "./spending.ts";

/** The last second of November. */
const NOVEMBER = Date.UTC(2026, 10, 30, 23, 59, 59);
const usage = (inputTokens: number, outputTokens: number, costUsd?: number) => ({
  inputTokens,
  cachedInputTokens: 0,
  outputTokens,
  ...(costUsd === undefined ? {} : { costUsd }),
});

const databases: Awaited<ReturnType<typeof startDatabases>>[] = [];
const postgres = async () => {
  databases.push(await startDatabases());
  return databases[0]!.create();
};

describe.each([
  { name: "SQLite", database: async () => undefined, skip: false },
  { name: "PostgreSQL", database: postgres, skip: lacksPostgres },
])("the ledger in $name", ({ database, skip }) => {
  describe.skipIf(skip)("", () => {
    const directory = mkdtempSync(join(tmpdir(), "treadle-spending-"));
    let at = NOVEMBER;
    let store: Store;
    let accounts: ReturnType<typeof openAccounts>["accounts"];
    beforeAll(async () => {
      store = await openStore({ directory, database: await database() });
      ({ accounts } = openAccounts(store, { now: () => at }));
    });
    afterAll(async () => {
      await store.close();
      for (const one of databases) await one.close();
      rmSync(directory, { recursive: true });
    });
    const record = (person: string, more: object, used: ReturnType<typeof usage>) =>
      accounts.spending.record({ person, model: "a:one", usage: used, ...more });

    it("sums calls up by person, team, project and model, and counts those without a price", async () => {
      await record("ada", { project: "p", team: "t" }, usage(100, 10, 0.5));
      await record("ada", { project: "p", team: "t" }, usage(50, 5));
      await record("bob", { model: "b:two" }, usage(7, 3));
      const sums = await accounts.spending.sums({ from: at, to: at + 1 });
      expect(sums).toEqual([
        { person: "ada", team: "t", project: "p", model: "a:one", calls: 2, inputTokens: 150, cachedInputTokens: 0, outputTokens: 15, costUsd: 0.5, unpriced: 1 }, // prettier-ignore
        { person: "bob", model: "b:two", calls: 1, inputTokens: 7, cachedInputTokens: 0, outputTokens: 3, unpriced: 1 }, // prettier-ignore
      ]);
      expect(await accounts.spending.sums({ person: "bob" })).toHaveLength(1);
      expect(await accounts.spending.sums({ project: "p", model: "b:two" })).toEqual([]);
    });

    it("lists single calls in order, also more than are read at once", async () => {
      for (let count = 0; count < 1_005; count++) await record("eve", {}, usage(1, 1));
      const ids = new Set<string>();
      for await (const { id } of accounts.spending.entries({ person: "eve" })) ids.add(id);
      expect(ids.size).toBe(1_005);
    });

    it("a budget opens, warns and is used up by its nearer limit, and starts anew with the month", async () => {
      const state = async () => (await accounts.budgets.readFor({ person: "dan" }))[0]?.state;
      expect(await state()).toBeUndefined();
      await accounts.budgets.set({ kind: "person", subject: "*", costUsd: 10, tokens: 100 });
      await record("dan", {}, usage(70, 9, 1));
      expect(await state()).toBe("open");
      await record("dan", {}, usage(1, 0));
      expect(await state()).toBe("warning");
      await record("dan", {}, usage(20, 0));
      expect(await state()).toBe("used-up");
      at = NOVEMBER + 1_000;
      expect(await state()).toBe("open");
      await accounts.budgets.set({ kind: "person", subject: "*" });
      expect(await state()).toBeUndefined();
    });

    it("compares budgets with exactly the sum of the month's calls, whatever calls are recorded at the same time", async () => {
      // Multiples of a power of two, so that the order of additions does not change a sum.
      const amounts = fc.record({
        person: fc.constantFrom("p1", "p2"),
        team: fc.constantFrom("t1", "t2", undefined),
        project: fc.constantFrom("x1", "x2", undefined),
        input: fc.nat(5_000),
        output: fc.nat(5_000),
        cost: fc.option(fc.nat(4_096), { nil: undefined }),
        days: fc.nat(60),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(amounts, { maxLength: 12 }), async (calls) => {
          const [first] = calls;
          at = Date.UTC(2030, 0, 1 + (first?.days ?? 0));
          await Promise.all(
            calls.map(
              ({ person, team, project, input, output, cost }) =>
              record(person, { team, project }, usage(input, output, cost === undefined ? undefined : cost / 1_024)), // prettier-ignore
            ),
          );
          for (const filter of [
            { person: "p1" },
            { person: "p2" },
            { team: "t1" },
            { team: "t2" },
            { project: "x1" },
            { project: "x2" },
          ]) {
            // prettier-ignore
            const [[kind, subject]] = Object.entries(filter) as [["person", string]];
            const sums = await accounts.spending.sums({ ...filter, ...monthOf(at) });
            expect(await accounts.spending.thisMonth(kind, subject)).toEqual({
              tokens: sums.reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0),
              costUsd: sums.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
            });
          }
        }),
        { numRuns: 15 },
      );
    });

    it("an own budget replaces that of everybody, and the sentence says whose is used up and until when", async () => {
      at = NOVEMBER;
      const { id } = await accounts.members.addTeam("Kitchen");
      await accounts.budgets.set({ kind: "team", subject: "*", costUsd: 100 });
      await accounts.budgets.set({ kind: "team", subject: id, costUsd: 2 });
      const states = () => accounts.budgets.readFor({ person: "ada", team: id });
      await record("ada", { team: id }, usage(1, 1, 1));
      expect(monthBudgetReached(await states())).toBeUndefined();
      await record("bob", { team: id }, usage(1, 1, 1.5));
      expect(monthBudgetReached(await states())?.coded).toEqual({
        code: "month-budget-team",
        values: { name: "Kitchen", limit: "$2.00", until: "2026-12-01" },
      });
    });
  });
});
