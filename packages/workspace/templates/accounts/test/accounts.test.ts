import assert from "node:assert/strict";
import { test } from "node:test";

process.env.DATABASE_FILE = ":memory:";
process.env.BETTER_AUTH_SECRET = "only-for-these-tests-0123456789abcdef";
const { app } = await import("../src/app.ts");

const HOST = "localhost:3000";

/** Somebody with a browser that keeps cookies. */
function person(address: string, protocol = "http") {
  const jar = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const answer = await app.request(`http://${HOST}${path}`, {
      ...init,
      headers: {
        host: HOST,
        accept: "text/html",
        "x-forwarded-for": address,
        "x-forwarded-proto": protocol,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...init.headers,
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const post = (path: string, body: Record<string, string> = {}, headers = {}) =>
    send(path, {
      method: "POST",
      body: new URLSearchParams(body),
      headers: { origin: `${protocol}://${HOST}`, ...headers },
    });
  return { jar, get: (path: string) => send(path), post };
}

const account = (name: string) => ({ name, email: `${name}@example.com`, password: "a long password" });

async function signedUp(name: string, address: string) {
  const somebody = person(address);
  assert.equal((await somebody.post("/sign-up", account(name))).status, 303);
  return somebody;
}

test("one person's notes are not there for another, to read, change or delete", async () => {
  const ada = await signedUp("ada", "192.0.2.1");
  const bob = await signedUp("bob", "192.0.2.2");
  assert.equal((await ada.post("/notes", { text: "of Ada" })).status, 303);
  const [path] = /\/notes\/\d+/.exec((await ada.get("/notes")).text)!;
  assert.equal((await ada.get(path)).status, 200);

  assert.doesNotMatch((await bob.get("/notes")).text, /of Ada/);
  assert.equal((await bob.get(path)).status, 404);
  assert.equal((await bob.post(path, { text: "of Bob" })).status, 404);
  assert.equal((await bob.post(`${path}/delete`)).status, 404);
  assert.match((await ada.get(path)).text, /of Ada/);
});

test("without a sign-in everything but the open pages is closed, and a sign-out ends the session", async () => {
  const nobody = person("192.0.2.3");
  assert.equal((await nobody.get("/notes")).headers.get("location"), "/sign-in?next=%2Fnotes");
  assert.equal((await nobody.post("/notes", { text: "x" })).status, 401);

  const eve = await signedUp("eve", "192.0.2.4");
  const cookie = new Map(eve.jar);
  assert.equal((await eve.post("/sign-out")).status, 303);
  for (const [name, value] of cookie) eve.jar.set(name, value);
  assert.equal((await eve.get("/notes")).status, 302);
});

test("forms of other sites are refused", async () => {
  const fay = await signedUp("fay", "192.0.2.5");
  for (const origin of ["http://elsewhere.example", "null", ""])
    assert.equal((await fay.post("/notes", { text: "x" }, { origin })).status, 403);
});

test("wrong passwords are slowed down", async () => {
  await signedUp("gil", "192.0.2.6");
  const thief = person("192.0.2.7");
  const statuses: number[] = [];
  for (let time = 0; time < 7; time++)
    statuses.push((await thief.post("/sign-in", { ...account("gil"), password: "a wrong one" })).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
});

test("a new password by a link that works once, and ends other sessions", async (t) => {
  const hal = await signedUp("hal", "192.0.2.8");
  const printed = t.mock.method(console, "log", () => {});
  const forgetful = person("192.0.2.9");
  await forgetful.post("/forgot", { email: "hal@example.com" });
  const line = printed.mock.calls.map((call) => call.arguments.join(" ")).join("\n");
  const token = decodeURIComponent(/\/reset\?token=(\S+)/.exec(line)![1]!);
  assert.equal((await forgetful.post("/reset", { token, password: "short" })).status, 400);
  assert.equal((await forgetful.post("/reset", { token, password: "another password" })).status, 303);
  assert.equal((await forgetful.post("/reset", { token, password: "a third password" })).status, 400);
  assert.equal((await hal.get("/notes")).status, 302);
  const again = { email: "hal@example.com", password: "another password" };
  assert.equal((await forgetful.post("/sign-in", again)).status, 303);
});

test("over https the cookie is secure, and nobody is led to another site", async () => {
  const ida = person("192.0.2.10", "https");
  const answer = await ida.post("/sign-up", account("ida"));
  const [cookie = ""] = answer.headers.getSetCookie();
  assert.match(cookie, /^__Secure-.*HttpOnly.*Secure.*SameSite=Lax|^__Secure-.*Secure.*HttpOnly.*SameSite=Lax/i);
  const back = await person("192.0.2.11").post("/sign-in", { ...account("ida"), next: "//elsewhere.example" });
  assert.equal(back.headers.get("location"), "/notes");
});
