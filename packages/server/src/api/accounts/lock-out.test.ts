import type { AuditEntry } from "@treadle/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, startAccountServer, type AccountServer } from "./accounts.test-support.ts";

let late = 0;
let { server, accounts, origin, ask, member } = {} as AccountServer;
beforeAll(
  async () =>
    void ({ server, accounts, origin, ask, member } = await startAccountServer({
      now: () => Date.now() + late,
    })),
);
beforeAll(() => accounts.owner());
afterAll(() => server.close());

const suspend = (as: string, person: string, suspended: boolean) =>
  ask(`/api/people/${person}/suspension`, { as, method: "PUT", json: { suspended } });

describe("a suspended person", () => {
  it("loses sessions and API tokens at once, cannot sign in, and can again once restored", async () => {
    const [admin, ada] = [await member("admin"), await member()];
    const password = "correct horse battery";
    await accounts.credentials.setPassword(ada.person.id, password);
    const { token } = await accounts.tokens.create(ada.person.id, { name: "CI", scopes: ["read"] });
    expect((await suspend(admin.session, ada.person.id, true)).status).toBe(200);
    expect((await ask("/api/me", { as: ada.session })).status).toBe(401);
    expect((await ask("/api/me", { token })).status).toBe(401);
    const enter = () => ask("/api/sign-in/password", { json: { email: ada.email, password } });
    expect(await codeOf(await enter())).toBe("suspended");
    const people = (await (await ask("/api/people", { as: admin.session })).json()) as object;
    expect(JSON.stringify(people)).toContain('"suspended":"administrator"');
    await suspend(admin.session, ada.person.id, false);
    expect((await ask("/api/me", { token })).status).toBe(401);
    expect((await enter()).status).toBe(200);
  });

  it("is never the last owner, nor of a higher role than whoever suspends", async () => {
    const [owner, admin] = [await member("owner"), await member("admin")];
    expect((await suspend(admin.session, owner.person.id, true)).status).toBe(403);
    const first = await accounts.owner();
    expect((await suspend(owner.session, first.id, true)).status).toBe(200);
    expect(await codeOf(await suspend(owner.session, owner.person.id, true))).toBe("last-owner");
  });
});

describe("a new password", () => {
  it("A196 takes the present one, or a session that has only begun", async () => {
    const { person, session } = await member();
    const set = (json: object) => ask("/api/me/password", { as: session, method: "PUT", json });
    const password = "correct horse battery";
    expect((await set({ password })).status).toBe(200);
    late += 11 * 60_000;
    expect(await codeOf(await set({ password: "another horse battery" }))).toBe("sign-in-again");
    const wrong = await set({ password: "another horse battery", current: "wrong horse battery" });
    expect(await codeOf(wrong)).toBe("wrong-password");
    expect((await set({ password: "another horse battery", current: password })).status).toBe(200);
    await accounts.credentials.confirmPassword(person.id, "another horse battery");
  });
});

it("records failed sign-ins, and nothing that may be a password in the wrong field", async () => {
  const ada = await member();
  const tryAs = (email: string) =>
    server.treadle.fetch(
      new Request(`${origin}/enter`, {
        method: "POST",
        headers: { origin },
        body: new URLSearchParams({ email, password: "wrong horse battery" }),
      }),
    );
  await tryAs(ada.email);
  await tryAs("my secret password");
  const owner = await member("owner");
  const response = await ask("/api/audit?action=sign-in.failed", { as: owner.session });
  const { entries } = (await response.json()) as { entries: AuditEntry[] };
  expect(entries.slice(0, 2)).toMatchObject([
    { person: "", name: "", values: { code: "wrong-password" } },
    { person: ada.person.id, name: "Ada", what: "password", values: { code: "wrong-password" } },
  ]);
  expect(JSON.stringify(entries)).not.toContain("secret");
});
