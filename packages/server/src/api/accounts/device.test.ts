import type { DeviceAnswer } from "@treadle/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAccountServer, type AccountServer } from "./accounts.test-support.ts";

let late = 0;
let { server, ask, member } = {} as AccountServer;
beforeAll(
  async () =>
    void ({ server, ask, member } = await startAccountServer({ now: () => Date.now() + late })),
);
afterAll(() => server.close());

const REQUEST = { name: "laptop", scopes: ["read", "write"], days: 30 };
const begin = async () =>
  (await (await ask("/api/sign-in/device", { json: REQUEST })).json()) as {
    device: string;
    code: string;
    address: string;
  };
const poll = async (device: string) =>
  (await (await ask("/api/sign-in/device/answer", { json: { device } })).json()) as DeviceAnswer;

describe("signing a program in by a code", () => {
  it("gives a token with an end to whoever the person allows, once", async () => {
    const { session } = await member();
    const { device, code, address } = await begin();
    expect(address).toMatch(/\/device$/);
    expect(await poll(device)).toEqual({ state: "pending" });
    const spelled = ` ${code.toLowerCase().replace("-", " ")} `;
    const json = { code: spelled };
    const described = await ask("/api/me/devices/describe", { as: session, json });
    expect(await described.json()).toEqual(REQUEST);
    const allow = () => ask("/api/me/devices", { as: session, json: { code, allow: true } });
    expect([(await allow()).status, (await allow()).status]).toEqual([200, 404]);
    const answer = await poll(device);
    if (answer.state !== "granted") throw new Error(answer.state);
    expect(answer.expiresAt).toBeGreaterThan(Date.now() + 29 * 24 * 3_600_000);
    expect(await poll(device)).toEqual({ state: "expired" });
    const { token } = answer;
    const me = (await (await ask("/api/me", { token })).json()) as object;
    expect(me).toMatchObject({ via: "token", scopes: ["read", "write"] });
    // Signing out ends the token itself.
    expect((await ask("/api/sign-out", { token, json: {} })).status).toBe(200);
    expect((await ask("/api/me", { token })).status).toBe(401);
  });

  it("gives nothing to whoever is refused, or is late", async () => {
    const { session } = await member();
    const refused = await begin();
    await ask("/api/me/devices", { as: session, json: { code: refused.code, allow: false } });
    expect(await poll(refused.device)).toEqual({ state: "denied" });
    const forgotten = await begin();
    late += 11 * 60_000;
    const json = { code: forgotten.code, allow: true };
    expect((await ask("/api/me/devices", { as: session, json })).status).toBe(404);
    expect(await poll(forgotten.device)).toEqual({ state: "expired" });
  });

  it("A197 takes an answer only from a person who is signed in, not from a program with a token", async () => {
    const { person } = await member();
    const { device, code } = await begin();
    const { token } = await server.accounts!.tokens.create(person.id, {
      name: "CI",
      scopes: ["read", "write", "publish", "manage"],
    });
    const json = { code, allow: true };
    expect((await ask("/api/me/devices", { json })).status).toBe(401);
    expect((await ask("/api/me/devices", { token, json })).status).toBe(403);
    expect(await poll(device)).toEqual({ state: "pending" });
  });
});
