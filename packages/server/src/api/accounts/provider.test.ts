import type { ExternalIdentity, GroupRule } from "@treadle/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf } from "./accounts.test-support.ts";
import { startProviderServers, type ProviderServers } from "./provider.test-support.ts";

let servers: ProviderServers;
let { idp, one, trusting, account, visit, flowOf, sessionOf, signIn, me, pass } =
  {} as ProviderServers;
beforeAll(async () => {
  servers = await startProviderServers();
  ({ idp, one, trusting, account, visit, flowOf, sessionOf, signIn, me, pass } = servers);
});
afterAll(() => servers.close());

const setRules = async (rules: GroupRule[]) => {
  const { session } = await one.member("owner");
  const path = "/api/identity-provider/rules";
  expect((await one.ask(path, { as: session, method: "PUT", json: { rules } })).status).toBe(200);
};
/** What an administrator sees of an account at the provider. */
async function seen(subject: string, at = one): Promise<ExternalIdentity | undefined> {
  const { session } = await at.member("admin");
  const response = await at.ask("/api/identity-provider", { as: session });
  const { identities } = (await response.json()) as { identities: ExternalIdentity[] };
  return identities.find((identity) => identity.subject === subject);
}

describe("signing in at the identity provider", () => {
  it("creates an account with the role of the groups, and shows what the token said", async () => {
    const ada = account({ email: "ada@corp.example", email_verified: true, groups: ["staff", "tea"] }); // prettier-ignore
    const { session } = await signIn(ada);
    expect(await me(session)).toMatchObject({ name: "Ada", email: "ada@corp.example", role: "member" }); // prettier-ignore
    const own = (await (await one.ask("/api/me/identities", { as: session })).json()) as object;
    expect(own).toMatchObject({
      provider: "Example",
      identities: [
        {
          subject: ada,
          report: {
            groups: ["staff", "tea"],
            claims: expect.arrayContaining(["groups", "email", "nonce"]) as unknown,
            outcome: { code: "role-from-groups", role: "member", matched: ["staff"] },
          },
        },
      ],
    });
    expect(JSON.stringify(own)).not.toMatch(/eyJ|token/);
  });

  it("leads back to where the person was going, and to no other site", async () => {
    const arrives = async (to: string) => {
      const { cookie, back } = await servers.go(account({ groups: ["staff"] }), one, to);
      return /url=([^"]+)"/.exec(await (await visit(one, back.href, cookie)).text())?.[1];
    };
    expect(await arrives("/device?code=AB")).toBe("/device?code=AB");
    expect(await arrives("//evil.example/")).toBe("/");
  });

  it("follows role and teams at the next sign-in, and leaves teams that people gave", async () => {
    const { members } = one.accounts;
    const [given, taken] = [await members.addTeam("given"), await members.addTeam("taken")];
    await setRules([
      { group: "admins", role: "admin" },
      { group: "class", team: { id: taken.id, role: "viewer" } },
    ]);
    const bob = account({ groups: ["staff", "admins", "class"] });
    const first = await me((await signIn(bob)).session);
    expect(first.role).toBe("admin");
    await members.setTeamMember(given.id, first.id, "editor");
    const teams = async () =>
      (await members.teams()).flatMap((team) =>
        team.members.some(({ person }) => person === first.id) ? [team.name] : [],
      );
    expect(await teams()).toEqual(["given", "taken"]);
    idp.accounts.set(bob, { groups: ["staff"] });
    expect(await me((await signIn(bob)).session)).toMatchObject({ id: first.id, role: "member" });
    expect(await teams()).toEqual(["given"]);
  });

  it("A190 gives nothing for a group's name alone, and shows an administrator why", async () => {
    const eve = account({ groups: ["owner", "admin", "Staff", " staff", "administrators"] });
    const { status, session } = await signIn(eve);
    expect([status, session]).toEqual([403, ""]);
    const identity = await seen(eve);
    expect(identity?.person).toBeUndefined();
    expect(identity?.report.outcome).toMatchObject({ code: "not-admitted", matched: [] });
    expect(identity?.report.groups).toContain("owner");
  });

  it("A190 lets no administrator map a group to a role above their own", async () => {
    const { session } = await one.member("admin");
    const rules = [{ group: "mine", role: "owner" }];
    const path = "/api/identity-provider/rules";
    const set = await one.ask(path, { as: session, method: "PUT", json: { rules } });
    expect([set.status, await codeOf(set)]).toEqual([403, "not-permitted"]);
  });

  it("lets an address of a domain in only if the provider has verified it", async () => {
    const withEmail = (email: string, email_verified: boolean) =>
      account({ email, email_verified });
    expect((await signIn(withEmail("a@example.com", false), trusting)).status).toBe(403);
    expect((await signIn(withEmail("a@notexample.com", true), trusting)).status).toBe(403);
    expect((await signIn(withEmail("a@example.com@evil.example", true), trusting)).status).toBe(
      403,
    );
    const { session } = await signIn(withEmail("b@EXAMPLE.com", true), trusting);
    expect((await me(session, trusting)).role).toBe("member");
  });

  it("A191 connects no account by an address, unless the operator allows it and it is verified", async () => {
    const owner = await one.member("owner");
    const email = (email_verified: boolean, person: { email: string }) =>
      account({ email: person.email, email_verified, groups: ["staff"] });
    expect((await signIn(email(true, owner))).status).toBe(409);
    const unverified = await signIn(email(false, owner));
    expect((await me(unverified.session)).id).not.toBe(owner.person.id);

    const other = await trusting.member("guest");
    const stranger = await signIn(email(false, other), trusting);
    expect((await me(stranger.session, trusting)).id).not.toBe(other.person.id);
    const connected = await signIn(email(true, other), trusting);
    expect((await me(connected.session, trusting)).id).toBe(other.person.id);
    // A second account with the same address, as when an address is given to somebody else.
    expect((await signIn(email(true, other), trusting)).status).toBe(409);
  });

  it("connects the account of whoever is signed in, and gives it back its role", async () => {
    const { person, session } = await one.member("guest");
    const begun = await one.ask("/api/me/identities", { as: session, json: {} });
    const { address } = (await begun.json()) as { address: string };
    const carl = account({ groups: ["staff"] });
    idp.signInAs(carl);
    const back = await idp.visit(address, one.origin);
    const connected = await sessionOf(await visit(one, back.href, flowOf(begun)));
    expect(await me(connected)).toMatchObject({ id: person.id, role: "member" });
    const { id } = (await seen(carl))!;
    const path = `/api/me/identities/${id}`;
    expect((await one.ask(path, { as: connected, method: "DELETE" })).status).toBe(200);
    expect(await one.accounts.people.get(person.id)).toMatchObject({ role: "guest" });
  });

  it("never demotes the last owner", async () => {
    const chief = account({ groups: ["chiefs"] });
    const { id } = await me((await signIn(chief)).session);
    for (const other of await one.accounts.people.list())
      if (other.role === "owner" && other.id !== id)
        await one.accounts.people.update(other.id, { role: "admin" });
    for (const groups of [["staff"], []]) {
      idp.accounts.set(chief, { groups });
      expect(await me((await signIn(chief)).session)).toMatchObject({ id, role: "owner" });
      expect((await seen(chief))?.report.outcome.code).toBe("last-owner");
    }
  });
});

describe("between sign-ins", () => {
  it("follows the groups, and ends the session of whoever has none left", async () => {
    await setRules([{ group: "admins", role: "admin" }]);
    const dora = account({ groups: ["staff", "admins"] });
    const { session } = await signIn(dora);
    idp.accounts.set(dora, { groups: ["staff"] });
    await pass();
    expect((await me(session)).role).toBe("member");
    expect((await seen(dora))?.report.from).toBe("refresh");
    const { id } = await me(session);
    const { token } = await one.accounts.tokens.create(id, { name: "CI", scopes: ["read"] });
    idp.accounts.set(dora, { groups: [] });
    await pass();
    expect((await one.ask("/api/me", { as: session })).status).toBe(401);
    expect((await one.ask("/api/me", { token })).status).toBe(401);
    expect(await one.accounts.people.get(id)).toMatchObject({ suspended: "groups" });
    idp.accounts.set(dora, { groups: ["staff"] });
    expect((await me((await signIn(dora)).session)).role).toBe("member");
  });

  it("ends the session when the provider refuses a refresh", async () => {
    const emil = account({ groups: ["staff"] });
    const { session } = await signIn(emil);
    idp.accounts.delete(emil);
    await pass();
    expect((await one.ask("/api/me", { as: session })).status).toBe(401);
    expect((await seen(emil))?.report.outcome.code).toBe("refused");
  });

  it("keeps the refresh token sealed", async () => {
    const fay = account({ groups: ["staff"] });
    await signIn(fay);
    const rows = await one.server.store.accounts
      .selectFrom("identities")
      .select("refresh_token")
      .where("subject", "=", fay)
      .execute();
    expect(rows[0]?.refresh_token).toMatch(/^[\w+/=]{80,}$/);
    expect(rows[0]?.refresh_token).not.toContain(".");
  });
});
