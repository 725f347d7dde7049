import { Secret, TOTP } from "otpauth";
import type { AuditEntry } from "@treadle/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  codeOf,
  describeInStores,
  startAccountServer,
  type AccountServer,
} from "./accounts.test-support.ts";

let late = 0;
let at: AccountServer;
const PASSWORD = "correct horse battery";
const enter = (email: string, code?: string) =>
  at.ask("/api/sign-in/password", { json: { email, password: PASSWORD, code } });

async function withPassword() {
  const ada = await at.member();
  await at.accounts.credentials.setPassword(ada.person.id, PASSWORD);
  return ada;
}

/** Sets an authenticator app up, as of a minute ago, so that the present code is not used yet. */
async function setUp(session: string) {
  const begun = await at.ask("/api/me/code", { as: session, json: {} });
  const { secret } = (await begun.json()) as { secret: string };
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = app.generate({ timestamp: Date.now() + late - 30_000 });
  const set = await at.ask("/api/me/code", { as: session, method: "PUT", json: { code } });
  const { recoveryCodes } = (await set.json()) as { recoveryCodes: string[] };
  return { recoveryCodes, next: () => app.generate({ timestamp: Date.now() + late }) };
}

describeInStores((createDatabase) => {
  beforeAll(async () => {
    late = 0;
    const database = await createDatabase();
    at = await startAccountServer({ now: () => Date.now() + late, database });
  });
  afterAll(() => at.server.close());

  describe("a recovery code", () => {
    it("takes the place of the app's code once, in any spelling, also of two requests at once", async () => {
      const ada = await withPassword();
      const { recoveryCodes } = await setUp(ada.session);
      expect(recoveryCodes).toHaveLength(10);
      const [first, second] = recoveryCodes;
      const both = await Promise.all([enter(ada.email, first), enter(ada.email, first)]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
      const spelled = second!.toUpperCase().replaceAll("-", " ");
      expect((await enter(ada.email, spelled)).status).toBe(200);
      expect(await codeOf(await enter(ada.email, spelled))).toBe("wrong-code");
      const methods = await at.accounts.credentials.list(ada.person.id);
      expect(methods.find(({ kind }) => kind === "recovery")).toMatchObject({ left: 8 });
    });

    it("is only that of its person, is stored as a digest, and goes with the app", async () => {
      const [ada, bob] = [await withPassword(), await withPassword()];
      const { recoveryCodes } = await setUp(ada.session);
      await setUp(bob.session);
      expect(await codeOf(await enter(bob.email, recoveryCodes[0]))).toBe("wrong-code");
      const rows = await at.server.store.accounts.selectFrom("credentials").selectAll().execute();
      for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code);
      const app = rows.find(({ person, kind }) => person === ada.person.id && kind === "totp")!;
      await at.ask(`/api/me/sign-ins/${app.id}`, { as: ada.session, method: "DELETE" });
      const left = await at.accounts.credentials.list(ada.person.id);
      expect(left.map(({ kind }) => kind)).toEqual(["password"]);
    });

    it("A226 is only replaced in a session that has just begun, and the earlier ones end", async () => {
      const ada = await withPassword();
      const none = await at.ask("/api/me/recovery-codes", { as: ada.session, json: {} });
      expect(await codeOf(none)).toBe("code-missing");
      const { recoveryCodes } = await setUp(ada.session);
      const renewed = await at.ask("/api/me/recovery-codes", { as: ada.session, json: {} });
      expect(renewed.status).toBe(201);
      expect(await codeOf(await enter(ada.email, recoveryCodes[0]))).toBe("wrong-code");
      late += 11 * 60_000;
      const old = await at.ask("/api/me/recovery-codes", { as: ada.session, json: {} });
      expect(await codeOf(old)).toBe("sign-in-again");
    });

    it("A227 is guessed no more often than a password", async () => {
      const ada = await withPassword();
      await setUp(ada.session);
      const codes = [];
      for (let time = 0; time < 9; time++)
        codes.push(await codeOf(await enter(ada.email, "aaaa-bbbb-cccc-dddd")));
      expect([codes.at(0), codes.at(-1)]).toEqual(["wrong-code", "too-many-tries"]);
    });
  });

  describe("a required second factor", () => {
    it("lets no password in alone, and whoever has an app as before", async () => {
      const [ada, bob, admin] = [
        await withPassword(),
        await withPassword(),
        await at.member("admin"),
      ];
      const require = (as: string, secondFactor: boolean) =>
        at.ask("/api/sign-in-rules", { as, method: "PUT", json: { secondFactor } });
      expect((await require(ada.session, true)).status).toBe(403);
      expect((await require(admin.session, true)).status).toBe(200);
      const rules = await at.ask("/api/sign-in-rules", { as: ada.session });
      expect(await rules.json()).toEqual({ secondFactor: true });
      expect(await codeOf(await enter(ada.email))).toBe("second-factor-missing");
      const { next } = await setUp(bob.session);
      expect((await enter(bob.email, next())).status).toBe(200);
      const wrong = { email: ada.email, password: "wrong horse battery" };
      const guessed = await at.ask("/api/sign-in/password", { json: wrong });
      expect(await codeOf(guessed)).toBe("wrong-password");
      await require(admin.session, false);
      expect((await enter(ada.email)).status).toBe(200);
    });

    it("is reset by an administrator, which ends the sessions and is in the audit log", async () => {
      const [ada, admin, owner] = [await withPassword(), await at.member("admin"), await at.member("owner")]; // prettier-ignore
      await setUp(ada.session);
      const reset = (person: string) =>
        at.ask(`/api/people/${person}/sign-ins`, { as: admin.session, method: "DELETE" });
      expect((await reset(owner.person.id)).status).toBe(403);
      expect((await reset(ada.person.id)).status).toBe(200);
      expect((await at.ask("/api/me", { as: ada.session })).status).toBe(401);
      expect((await enter(ada.email)).status).toBe(200);
      const response = await at.ask("/api/audit?action=people.manage", { as: owner.session });
      const { entries } = (await response.json()) as { entries: AuditEntry[] };
      expect(entries[0]).toMatchObject({
        person: admin.person.id,
        what: "DELETE /api/people/:person/sign-ins",
        values: { person: ada.person.id },
      });
    });
  });
});
