import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReviewState } from "@treadle/protocol";
import { openStore, type Store } from "@treadle/store";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lacksPostgres, startDatabases } from "../../../store/src/postgres/database.test-support.ts"; // prettier-ignore
import { openAccounts, type Accounts } from "../open-accounts.ts";
import type { Person } from "../people/people.ts";
import type { ReviewAct, Reviews } from "./reviews.ts";
import type { StoredReview } from "./review-rows.ts";

const databases: Awaited<ReturnType<typeof startDatabases>>[] = [];
const postgres = async () => {
  databases.push(await startDatabases());
  return databases[0]!.create();
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: { code?: string }) => error.code ?? error,
  );

describe.each([
  { name: "SQLite", database: async () => undefined, skip: false },
  { name: "PostgreSQL", database: postgres, skip: lacksPostgres },
])("requests in $name", ({ database, skip }) => {
  describe.skipIf(skip)("", () => {
    const directory = mkdtempSync(join(tmpdir(), "treadle-reviews-"));
    let store: Store;
    let accounts: Accounts;
    let reviews: Reviews;
    let [ada, bob, eve] = [] as unknown as [Person, Person, Person];
    let team: string;
    let count = 0;
    let project: string;
    /** What was carried out and discarded, by request. */
    let applied: string[] = [];
    let discarded: string[] = [];
    let beforeApply: () => Promise<void> = async () => {};

    const act: ReviewAct = {
      async apply({ id }, checkStill) {
        await beforeApply();
        await checkStill();
        applied.push(id);
        return "done";
      },
      discard: async ({ id }) => void discarded.push(id),
    };
    beforeAll(async () => {
      store = await openStore({ directory, database: await database() });
      ({ accounts } = openAccounts(store, { now: () => Date.now() }));
      ({ reviews } = accounts);
      ada = await accounts.people.add({ name: "Ada", role: "owner" });
      [bob, eve] = [
        await accounts.people.add({ name: "Bob", role: "member" }),
        await accounts.people.add({ name: "Eve", role: "member" }),
      ];
      team = (await accounts.members.addTeam("Kitchen")).id;
      await reviews.connect({ publish: act, host: act, "tool-server": act, package: act });
    });
    /** A new project of the team, in which Bob is an owner as well. */
    async function begin(): Promise<void> {
      [applied, discarded] = [[], []];
      project = `p${++count}`;
      const at = { createdAt: count, updatedAt: count };
      await store.projects.create({ id: project, name: project, capability: project, ...at });
      await accounts.members.set(project, { kind: "team", id: team, role: "owner" });
      await accounts.members.setTeamMember(team, bob.id, "owner");
    }
    beforeEach(async () => {
      beforeApply = async () => {};
      await begin();
      await accounts.members.setTeamMember(team, eve.id, "editor");
      await reviews.rules.set({ team, kinds: ["publish", "host"] });
    });
    afterAll(async () => {
      await store.close();
      for (const one of databases) await one.close();
      rmSync(directory, { recursive: true });
    });
    const ask = (by: Person = eve, what: string[] = []): Promise<StoredReview> =>
      reviews.request({ project, kind: "publish", by, subject: { what } }, true);
    const stateOf = async ({ id }: StoredReview) => (await reviews.get(id))?.state;

    it("carries out what a second person approves, and remembers who it was", async () => {
      const review = await ask();
      await reviews.approve(review.id, bob, false);
      expect(await reviews.get(review.id)).toMatchObject({
        state: "done",
        by: { id: eve.id },
        answer: { by: { id: bob.id } },
      });
      expect(applied).toEqual([review.id]);
      expect(await codeOf(reviews.refuse(review.id, ada, "no"))).toBe("review-answered");
    });

    it("lets nobody answer their own request, not even the server's owner, nor without the role", async () => {
      const review = await ask(ada);
      expect(await codeOf(reviews.approve(review.id, ada, false))).toBe("own-request");
      expect(await codeOf(reviews.refuse(review.id, ada, ""))).toBe("own-request");
      expect(await codeOf(reviews.approve(review.id, eve, false))).toBe("not-permitted");
      expect(await codeOf(reviews.withdraw(review.id, bob))).toBe("not-permitted");
      await reviews.withdraw(review.id, ada);
      expect(await stateOf(review)).toBe("withdrawn");
      expect([applied, discarded]).toEqual([[], [review.id]]);
    });

    it("lets a newer request for the same overtake an open one, and leaves others open", async () => {
      const [first, other] = [await ask(), await ask(bob, ["api.example.com"])];
      const second = await ask(bob);
      expect(await Promise.all([first, other, second].map(stateOf))).toEqual([
        "overtaken",
        "requested",
        "requested",
      ]);
      expect(discarded).toEqual([first.id]);
    });

    it("does not count an approval of somebody who lost the role before it was carried out", async () => {
      const review = await ask();
      beforeApply = () => accounts.members.setTeamMember(team, bob.id, "editor");
      await reviews.approve(review.id, bob, false);
      expect(await reviews.get(review.id)).toMatchObject({
        state: "failed",
        failure: { messageCode: { code: "approval-lapsed" } },
      });
      expect([applied, discarded]).toEqual([[], [review.id]]);
    });

    it("does not count it either if whoever asked is no member any more", async () => {
      const review = await ask();
      beforeApply = () => accounts.members.removeTeamMember(team, eve.id);
      await reviews.approve(review.id, bob, false);
      expect(await stateOf(review)).toBe("failed");
    });

    it("approves later requests of others by a standing approval, until its giver loses the role", async () => {
      await reviews.approve((await ask()).id, bob, true);
      const later = await ask();
      expect(later).toMatchObject({
        state: "done",
        answer: { by: { id: bob.id }, standing: true },
      });
      expect(await reviews.isNeeded(project, "publish", eve.id)).toBe(false);
      // Not one's own, and no other kind.
      expect(await reviews.isNeeded(project, "publish", bob.id)).toBe(true);
      expect((await ask(bob)).state).toBe("requested");
      expect(await reviews.isNeeded(project, "host", eve.id)).toBe(true);
      await accounts.members.setTeamMember(team, bob.id, "editor");
      expect((await ask()).state).toBe("requested");
      await reviews.endStanding(project, "publish");
      expect(await reviews.standing(project)).toEqual([]);
    });

    it("is not switched on where only one person could answer, and says who", async () => {
      await accounts.members.setTeamMember(team, bob.id, "editor");
      await reviews.rules.set({ team, kinds: [] });
      const refused = await reviews.rules.set({ team, kinds: ["publish"] }).catch((error) => error); // prettier-ignore
      expect(refused).toMatchObject({ code: "no-second-person", message: expect.stringContaining("Ada") as string }); // prettier-ignore
      expect(await reviews.rules.kindsIn(project)).toEqual([]);
    });

    it("refuses a request that nobody else could answer any more", async () => {
      await accounts.members.setTeamMember(team, bob.id, "editor");
      expect(await codeOf(ask(ada))).toBe("nobody-to-answer");
      expect(await reviews.ofProject(project)).toEqual([]);
    });

    it.each([
      { outcome: "done", state: "done", times: 0 },
      { outcome: "failed", state: "failed", times: 0 },
      { outcome: "open", state: "done", times: 1 },
    ] as const)(
      "ends what a stopped server was carrying out: $outcome",
      async ({ outcome, state, times }) => {
        const all = (publish: ReviewAct) => ({
          publish,
          host: act,
          "tool-server": act,
          package: act,
        });
        await reviews.connect(all({ ...act, apply: async () => "begun" }));
        const review = await ask();
        await reviews.approve(review.id, bob, false);
        expect(await stateOf(review)).toBe("approved");
        await reviews.connect(all({ ...act, outcome: () => outcome }));
        expect(await stateOf(review)).toBe(state);
        expect(applied).toHaveLength(times);
        await reviews.connect(all(act));
      },
    );

    it("keeps its promises when everybody acts at once", async () => {
      const ends = ["done", "refused", "withdrawn", "overtaken", "failed"];
      const action = fc.constantFrom("approve", "refuse", "withdraw", "overtake", "lose", "ask");
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 6 }), async (actions) => {
          await begin();
          const { id } = await ask();
          const acts: Record<(typeof actions)[number], () => Promise<unknown>> = {
            approve: () => reviews.approve(id, bob, false),
            refuse: () => reviews.refuse(id, ada, undefined),
            withdraw: () => reviews.withdraw(id, eve),
            overtake: () => reviews.obsolete(id),
            lose: () => accounts.members.setTeamMember(team, bob.id, "editor"),
            ask: () => ask(),
          };
          await Promise.allSettled(actions.map((name) => acts[name]()));
          const state: ReviewState = (await reviews.get(id))!.state;
          expect(applied.filter((one) => one === id)).toHaveLength(state === "done" ? 1 : 0);
          const isDiscarded = ends.includes(state) && state !== "done";
          expect(discarded.filter((one) => one === id)).toHaveLength(isDiscarded ? 1 : 0);
          const open = (await reviews.ofProject(project)).filter((one) => one.state === "requested"); // prettier-ignore
          expect(open.length).toBeLessThanOrEqual(1);
        }),
        { numRuns: 25 },
      );
    });
  });
});
