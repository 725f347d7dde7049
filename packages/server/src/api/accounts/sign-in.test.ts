import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, startAccountServer, type AccountServer } from "./accounts.test-support.ts";

let { server, accounts, origin, ask, cookieOf, member } = {} as AccountServer;
beforeAll(
  async () =>
    void ({ server, accounts, origin, ask, cookieOf, member } = await startAccountServer()),
);
afterAll(() => server.close());

describe("signing in", () => {
  it("lets the owner in by the terminal's link, once", async () => {
    const link = new URL(await server.treadle.ownerLink!()).searchParams.get("link")!;
    const first = await ask("/api/sign-in/link/use", { json: { link } });
    expect(first.status).toBe(200);
    const me = await ask("/api/me", { as: cookieOf(first) });
    expect(await me.json()).toMatchObject({ role: "owner", via: "session", accounts: true });
    const again = await ask("/api/sign-in/link/use", { json: { link } });
    expect([again.status, await codeOf(again)]).toEqual([404, "link-used"]);
  });

  it("A180 opens the account of an invitation for one of two who use it at once", async () => {
    const { secret } = await accounts.links.create(
      { purpose: "invitation", role: "member" },
      { validMs: 60_000 },
    );
    const answers = await Promise.all(
      ["one", "two"].map((name) =>
        ask("/api/sign-in/link/use", {
          json: { link: secret, name, email: `${name}@example.com` },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  it("uses no link up by opening its page, and takes it from the page's form", async () => {
    const { person } = await member();
    const { secret } = await accounts.links.create(
      { purpose: "sign-in", person: person.id },
      { validMs: 60_000 },
    );
    for (let time = 0; time < 2; time++)
      expect((await ask(`/enter?link=${secret}`)).status).toBe(200);
    const sent = await server.treadle.fetch(
      new Request(`${origin}/enter`, {
        method: "POST",
        headers: { origin, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ link: secret }),
      }),
    );
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/"]);
    expect((await ask("/api/me", { as: cookieOf(sent) })).status).toBe(200);
    expect((await ask(`/enter?link=${secret}`)).status).toBe(404);
  });

  it("leads to where somebody was going, whichever way they sign in, and to no other site", async () => {
    const { email, person } = await member();
    const password = "correct horse battery";
    await accounts.credentials.setPassword(person.id, password);
    const page = await ask("/device?code=AB");
    expect(page.status).toBe(401);
    expect(await page.text()).toContain('name="to" value="/device?code=AB"');
    const enter = (to: string) =>
      server.treadle.fetch(
        new Request(`${origin}/enter`, {
          method: "POST",
          headers: { origin },
          body: new URLSearchParams({ email, password, to }),
        }),
      );
    expect((await enter("/device?code=AB")).headers.get("location")).toBe("/device?code=AB");
    expect((await enter("//evil.example/x")).headers.get("location")).toBe("/");
  });

  it("says in the browser's language what went wrong", async () => {
    const guess = new Request(`${origin}/enter`, {
      method: "POST",
      headers: { origin, "accept-language": "pt" },
      body: new URLSearchParams({ email: "nobody@example.com", password: "wrong horse" }),
    });
    const page = await (await server.treadle.fetch(guess)).text();
    expect(page).toContain('lang="pt-BR"');
    expect(page).toContain('data-code="wrong-password">O endereço ou a senha está errado.');
  });

  it("needs the password, and the code of an authenticator app once", async () => {
    const { person, session, email } = await member();
    const password = "correct horse battery";
    await ask("/api/me/password", { as: session, method: "PUT", json: { password } });
    const enter = (more: object) =>
      ask("/api/sign-in/password", { json: { email, password, ...more } });
    expect(await codeOf(await enter({ password: "wrong horse battery" }))).toBe("wrong-password");
    expect((await enter({})).status).toBe(200);

    const begun = await ask("/api/me/code", { as: session, json: {} });
    const { secret } = (await begun.json()) as { secret: string };
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const at = Date.now();
    const confirmed = app.generate({ timestamp: at });
    const set = await ask("/api/me/code", {
      as: session,
      method: "PUT",
      json: { code: confirmed },
    });
    expect(set.status).toBe(200);
    expect(await codeOf(await enter({}))).toBe("code-needed");
    expect(await codeOf(await enter({ code: confirmed }))).toBe("wrong-code");
    const next = app.generate({ timestamp: at + 30_000 });
    expect((await enter({ code: next })).status).toBe(200);
    expect(await codeOf(await enter({ code: next }))).toBe("wrong-code");
    const methods = await accounts.credentials.list(person.id);
    expect(methods.map(({ kind }) => kind).toSorted()).toEqual(["password", "recovery", "totp"]);
  });

  it("A181 gives a browser a new session and ends the one that it had, which somebody may have planted", async () => {
    const planted = await member();
    const victim = await member();
    const { secret } = await accounts.links.create(
      { purpose: "sign-in", person: victim.person.id },
      { validMs: 60_000 },
    );
    const entered = await ask("/api/sign-in/link/use", {
      as: planted.session,
      json: { link: secret },
    });
    expect(cookieOf(entered)).not.toBe(planted.session);
    expect((await ask("/api/me", { as: planted.session })).status).toBe(401);
  });

  it("A182 slows down who guesses a password, also of nobody", async () => {
    const guess = () =>
      ask("/api/sign-in/password", {
        json: { email: "nobody@example.com", password: "guessed password" },
      });
    const statuses = [];
    for (let time = 0; time < 10; time++) statuses.push((await guess()).status);
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  });

  it("A210 lets the person in whose account strangers guess at, from a browser that signed in before", async () => {
    const { session, email } = await member();
    const password = "correct horse battery";
    await ask("/api/me/password", { as: session, method: "PUT", json: { password } });
    const first = await ask("/api/sign-in/password", { json: { email, password } });
    const mark = /treadle-browser-\d+=[^;]+/.exec(first.headers.getSetCookie().join("\n"))?.[0];
    expect(mark).toBeDefined();
    const signIn = (word: string, cookie?: string) =>
      server.treadle.fetch(
        new Request(`${origin}/api/sign-in/password`, {
          method: "POST",
          headers: {
            origin,
            "content-type": "application/json",
            ...(cookie === undefined ? {} : { cookie }),
          },
          body: JSON.stringify({ email, password: word }),
        }),
      );
    for (let time = 0; time < 9; time++) await signIn("guessed password");
    expect((await signIn(password)).status).toBe(429);
    expect((await signIn(password, mark)).status).toBe(200);
    // The mark alone is worth nothing, and not worth more as somebody else's.
    expect((await signIn("guessed password", mark)).status).toBe(401);
    const other = await member();
    const { browsers } = accounts;
    expect(browsers.isKnown(mark!.split("=")[1], other.person.id)).toBe(false);
  });

  it("takes neither the start-up token as a cookie, nor a session as a program's token", async () => {
    const { session } = await member();
    expect((await ask("/api/me", { as: server.treadle.token })).status).toBe(401);
    expect((await ask("/api/me", { token: session })).status).toBe(401);
    expect((await ask(`/?token=${server.treadle.token}`)).status).toBe(401);
    expect((await ask("/api/me", { token: server.treadle.token })).status).toBe(200);
  });
});
