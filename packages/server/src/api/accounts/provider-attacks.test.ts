import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IdentityProviderServer } from "./identity-provider.test-support.ts";
import { startProviderServers, type ProviderServers } from "./provider.test-support.ts";

let servers: ProviderServers;
let { idp, one, account, visit, go, signIn } = {} as ProviderServers;
let mallory: string;
beforeAll(async () => {
  servers = await startProviderServers();
  ({ idp, one, account, visit, go, signIn } = servers);
  mallory = account({ groups: ["staff"] });
});
afterAll(() => servers.close());

describe("attacks on the sign-in", () => {
  it("A192 takes no answer of another issuer", async () => {
    const { cookie, back } = await go(mallory);
    expect(back.searchParams.get("iss")).toBe(idp.issuer);
    back.searchParams.set("iss", "https://evil.example");
    expect((await visit(one, back.href, cookie)).status).toBe(400);
    const again = await go(mallory);
    again.back.searchParams.delete("iss");
    expect((await visit(one, again.back.href, again.cookie)).status).toBe(400);
  });

  it("A193 takes an answer once, with its own state, and in the browser that began", async () => {
    const { cookie, back } = await go(mallory);
    expect((await visit(one, back.href)).status).toBe(400);
    const victim = await go(mallory);
    expect((await visit(one, back.href, victim.cookie)).status).toBe(400);
    expect((await visit(one, back.href, cookie)).status).toBe(200);
    expect((await visit(one, back.href, cookie)).status).toBe(400);
  });

  it("A194 redeems no code that another browser was given", async () => {
    const [attacker, victim] = [await go(mallory), await go(account({ groups: ["staff"] }))];
    victim.back.searchParams.set("code", attacker.back.searchParams.get("code")!);
    expect((await visit(one, victim.back.href, victim.cookie)).status).toBe(400);
  });

  it("A195 takes no token with another nonce, issuer, client or key, without signature or expired", async () => {
    type Forge = Parameters<IdentityProviderServer["forgeTokens"]>[0];
    const claim = (more: Record<string, unknown>): Forge => ({ header, claims }) => ({ header, claims: { ...claims, ...more } }); // prettier-ignore
    const forgeries: Record<string, Forge> = {
      nonce: claim({ nonce: "another" }),
      "no nonce": claim({ nonce: undefined }),
      issuer: claim({ iss: "https://evil.example" }),
      client: claim({ aud: "another-client" }),
      expired: claim({ exp: Math.floor(Date.now() / 1000) - 3600 }),
      "alg none": ({ header, claims }) => ({ header: { ...header, alg: "none" }, claims }),
      key: ({ header, claims }) => ({ header, claims, by: "stranger" }),
    };
    const taken: string[] = [];
    for (const [name, forge] of Object.entries(forgeries)) {
      idp.forgeTokens(forge);
      if ((await signIn(mallory)).session !== "") taken.push(name);
    }
    idp.forgeTokens(undefined);
    expect(taken).toEqual([]);
    expect((await signIn(mallory)).session).not.toBe("");
  });
});
