import type { AuditEntry, SignInMethod } from "@treadle/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  codeOf,
  describeInStores,
  startAccountServer,
  type AccountServer,
} from "./accounts.test-support.ts";
import { createAuthenticator } from "./authenticator.test-support.ts";

let late = 0;
let at: AccountServer;
type Options = Parameters<ReturnType<typeof createAuthenticator>["get"]>[0];

/** A browser's JSON request, with the cookie of its challenge besides that of its session. */
async function post(path: string, json: object, cookies: readonly string[] = []) {
  return at.server.treadle.fetch(
    new Request(`${at.origin}${path}`, {
      method: "POST",
      headers: {
        origin: at.origin,
        "content-type": "application/json",
        cookie: cookies.join("; "),
      },
      body: JSON.stringify(json),
    }),
  );
}
async function challenge(path: string, cookies: readonly string[] = []) {
  const response = await post(path, {}, cookies);
  expect(response.status).toBe(200);
  const { options } = (await response.json()) as { options: Options };
  const [ticket = ""] = (response.headers.getSetCookie()[0] ?? "").split(";");
  return { options, ticket };
}
/** What the sign-in page's form sends. */
const enter = (answer: object, ticket = "") =>
  at.server.treadle.fetch(
    new Request(`${at.origin}/enter`, {
      method: "POST",
      headers: { origin: at.origin, cookie: ticket },
      body: new URLSearchParams({ passkey: JSON.stringify(answer), to: "/device" }),
    }),
  );
/** The code of the problem that the page shows. */
const shownCode = async (response: Response) =>
  /data-code="([\w-]+)"/.exec(await response.text())?.[1];
const sessionCookie = (session: string) => `treadle-${at.port}=${session}`;

async function personWithPasskey(name = "Phone") {
  const ada = await at.member();
  const device = createAuthenticator(at.origin);
  const session = sessionCookie(ada.session);
  const { options, ticket } = await challenge("/api/me/passkeys/options", [session]);
  const json = { name, response: device.create(options) };
  expect((await post("/api/me/passkeys", json, [session, ticket])).status).toBe(200);
  return { ...ada, device, cookie: session };
}
async function signIn(
  device: ReturnType<typeof createAuthenticator>,
  forged: Parameters<typeof device.get>[1] = {},
) {
  const { options, ticket } = await challenge("/api/sign-in/passkey/options");
  return enter(device.get(options, forged), ticket);
}
const methodsOf = async (session: string) => {
  const response = await at.ask("/api/me/sign-ins", { as: session });
  return ((await response.json()) as { methods: SignInMethod[] }).methods;
};

describeInStores((createDatabase) => {
  beforeAll(async () => {
    late = 0;
    const database = await createDatabase();
    at = await startAccountServer({ now: () => Date.now() + late, database });
  });
  afterAll(() => at.server.close());

  describe("a passkey", () => {
    it("signs its person in without a name, a password or a code, and says when it was used", async () => {
      const ada = await personWithPasskey();
      const entered = await signIn(ada.device);
      expect([entered.status, entered.headers.get("location")]).toEqual([303, "/device"]);
      const me = await at.ask("/api/me", { as: at.cookieOf(entered) });
      expect(await me.json()).toMatchObject({ id: ada.person.id, via: "session" });
      expect(await methodsOf(ada.session)).toMatchObject([
        { kind: "passkey", name: "Phone", usedAt: expect.any(Number) },
      ]);
    });

    it("can be one of several, renamed, and removed, after which it signs nobody in", async () => {
      const ada = await personWithPasskey();
      const other = createAuthenticator(at.origin);
      const { options, ticket } = await challenge("/api/me/passkeys/options", [ada.cookie]);
      const json = { name: "Laptop", response: other.create(options) };
      expect((await post("/api/me/passkeys", json, [ada.cookie, ticket])).status).toBe(200);
      const [first, second] = await methodsOf(ada.session);
      const renamed = await at.ask(`/api/me/passkeys/${second!.id}`, {
        as: ada.session,
        method: "PATCH",
        json: { name: "Key" },
      });
      expect(renamed.status).toBe(200);
      await at.ask(`/api/me/sign-ins/${first!.id}`, { as: ada.session, method: "DELETE" });
      expect((await methodsOf(ada.session)).map(({ name }) => name)).toEqual(["Key"]);
      expect(await shownCode(await signIn(ada.device))).toBe("passkey-refused");
      expect((await signIn(other)).status).toBe(303);
    });

    it("A220 is only added in a session that has just begun", async () => {
      const ada = await at.member();
      late += 11 * 60_000;
      const refused = await post("/api/me/passkeys/options", {}, [sessionCookie(ada.session)]);
      expect(await codeOf(refused)).toBe("sign-in-again");
    });

    it("A221 takes an answer once, in the browser and session that began, and for five minutes", async () => {
      const { device } = await personWithPasskey();
      const { options, ticket } = await challenge("/api/sign-in/passkey/options");
      const answer = device.get(options);
      expect(await shownCode(await enter(answer))).toBe("passkey-expired");
      const both = await Promise.all([1, 2].map(() => enter(answer, ticket)));
      expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400]);

      const [bob, eve] = [await at.member(), await at.member()];
      const begun = await challenge("/api/me/passkeys/options", [sessionCookie(bob.session)]);
      const added = {
        name: "Hers",
        response: createAuthenticator(at.origin).create(begun.options),
      };
      const planted = await post("/api/me/passkeys", added, [
        sessionCookie(eve.session),
        begun.ticket,
      ]);
      expect(await codeOf(planted)).toBe("passkey-expired");

      const late5 = await challenge("/api/sign-in/passkey/options");
      late += 5 * 60_000 + 1;
      const tooLate = await enter(device.get(late5.options), late5.ticket);
      expect(await shownCode(tooLate)).toBe("passkey-expired");
    });

    it.each([
      ["another origin", { origin: "https://evil.example.com" }],
      ["another port of this host", { origin: "http://localhost:1" }],
      ["another relying party", { rpId: "evil.example.com" }],
      ["a device that did not verify the person", { isVerified: false }],
    ])("A222 is refused with an answer for %s", async (_, forged) => {
      const { device, cookie } = await personWithPasskey();
      expect(await shownCode(await signIn(device, forged))).toBe("passkey-refused");
      const { options, ticket } = await challenge("/api/me/passkeys/options", [cookie]);
      const response = createAuthenticator(at.origin).create(options, forged);
      const added = await post("/api/me/passkeys", { name: "Phone", response }, [cookie, ticket]);
      expect(await codeOf(added)).toBe("passkey-refused");
    });

    it("A223 is its person's: another one's is neither taken over nor signs in as them", async () => {
      const [ada, bob] = [await personWithPasskey(), await personWithPasskey()];
      const userHandle = Buffer.from(bob.person.id).toString("base64url");
      expect(await shownCode(await signIn(ada.device, { userHandle }))).toBe("passkey-refused");
      const { options, ticket } = await challenge("/api/me/passkeys/options", [bob.cookie]);
      const json = { name: "Taken", response: ada.device.create(options) };
      const taken = await post("/api/me/passkeys", json, [bob.cookie, ticket]);
      expect(await codeOf(taken)).toBe("passkey-taken");
    });

    it("A224 whose count went back is refused as a copy, and the log names its person", async () => {
      const ada = await personWithPasskey();
      expect((await signIn(ada.device, { counter: 9 })).status).toBe(303);
      expect(await shownCode(await signIn(ada.device, { counter: 9 }))).toBe("passkey-copied");
      const owner = await at.member("owner");
      const response = await at.ask("/api/audit?action=sign-in.failed", { as: owner.session });
      const { entries } = (await response.json()) as { entries: AuditEntry[] };
      expect(entries[0]).toMatchObject({
        person: ada.person.id,
        what: "passkey",
        values: { code: "passkey-copied" },
      });
    });

    it("A225 brings no certificate along, whose lists of revoked ones would be fetched", async () => {
      const ada = await at.member();
      const cookie = sessionCookie(ada.session);
      const { options, ticket } = await challenge("/api/me/passkeys/options", [cookie]);
      const response = createAuthenticator(at.origin).create(options, { format: "tpm" });
      const added = await post("/api/me/passkeys", { name: "Phone", response }, [cookie, ticket]);
      expect(await codeOf(added)).toBe("passkey-refused");
    });

    it("cannot be used while its person is suspended, and not be guessed without an end", async () => {
      const ada = await personWithPasskey();
      await at.accounts.owner();
      await at.accounts.people.suspend(ada.person.id, "administrator");
      expect(await shownCode(await signIn(ada.device))).toBe("suspended");
      const codes = [];
      for (let time = 0; time < 70; time++)
        codes.push(
          await shownCode(await signIn(createAuthenticator(at.origin), { userHandle: "x" })),
        );
      expect(codes.at(0)).toBe("passkey-refused");
      expect(codes.at(-1)).toBe("too-many-tries");
    });
  });
});
