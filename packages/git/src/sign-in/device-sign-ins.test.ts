import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@treadle/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createForge, serve, type Answer } from "../forges/stand-in.test-support.ts";
import type { ForgeKind } from "../forges/types.ts";
import { gitLogins, type GitLogins } from "../git-logins.ts";
import { readDeviceClients } from "./device-clients.ts";
import { createDeviceSignIns } from "./device-sign-ins.ts";

const CODE = { device_code: "3584d83530557fdd", user_code: "WDJB-MJHT", interval: 5, expires_in: 900 }; // prettier-ignore
const TOKEN = { access_token: "gho_16C7e42F292c6912", token_type: "bearer", scope: "repo" };

let directory: string;
let store: Store;
let logins: GitLogins;
let closing: (() => Promise<void>)[];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-sign-in-"));
  store = await openStore({ directory });
  logins = gitLogins(store, directory);
  closing = [];
});
afterEach(async () => {
  for (const close of closing) await close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A server whose token endpoint gives these responses in turn; the last one is repeated. */
async function start(
  answers: Answer[],
  { kind = "github", code = {} }: { kind?: ForgeKind; code?: object } = {},
) {
  // prettier-ignore
  const forms: string[] = [];
  const { origin, close } = await serve(({ path, method, bytes, ...rest }) => {
    const answer = forge.answer({ path, method, bytes, ...rest });
    if (answer) return answer;
    if (method === "GET" && path.startsWith("/.well-known/")) return [404, {}];
    if (method !== "POST") return undefined;
    forms.push(`${path}?${bytes.toString()}`);
    if (/code$|authorize_device$/.test(path))
      return [200, { ...CODE, verification_uri: `${origin}/login/device`, ...code }];
    return answers.length > 1 ? answers.shift() : answers[0];
  });
  closing.push(close);
  const forge = createForge(kind, { origin, token: "x", repository: "a/b" });
  const slept: number[] = [];
  let now = 0;
  const signIns = createDeviceSignIns({
    clients: readDeviceClients(`${origin}=Ov23abc`),
    saveLogin: logins.put,
    clock: {
      now: () => now,
      async sleep(ms) {
        slept.push(ms);
        now += ms;
      },
    },
  });
  signIns.begin(origin);
  const end = async () => {
    await expect.poll(() => signIns.read(origin).phase).toMatch(/signed-in|ended/);
    return signIns.read(origin);
  };
  return { origin, host: new URL(origin).host, forms, slept, signIns, end };
}

describe("a sign-in by the device flow", () => {
  it("stores the token once the person has agreed, and polls no faster than allowed", async () => {
    const { host, slept, forms, end } = await start([
      [200, { error: "authorization_pending" }],
      [200, { error: "slow_down", interval: 10 }],
      [200, TOKEN],
    ]);
    expect(await end()).toEqual({ phase: "signed-in" });
    expect(slept).toEqual([5_000, 5_000, 10_000]);
    expect(forms[0]).toBe("/login/device/code?client_id=Ov23abc&scope=repo");
    expect(forms.at(-1)).toContain("device_code=3584d83530557fdd");
    expect(await logins.read(host)).toEqual({
      user: "x-access-token",
      password: TOKEN.access_token,
    });
    expect(JSON.stringify(await logins.list())).not.toContain(TOKEN.access_token);
  });

  it("supports GitLab, whose errors have status 400 and whose tokens expire", async () => {
    const { host, forms, end } = await start(
      [
        [400, { error: "authorization_pending", error_description: "The request is pending." }],
        [200, { ...TOKEN, expires_in: 7200, refresh_token: "first" }],
        [200, { access_token: "second", expires_in: 7200, refresh_token: "next" }],
      ],
      { kind: "gitlab" },
    );
    expect(await end()).toEqual({ phase: "signed-in" });
    expect(forms[0]).toContain("/oauth/authorize_device?");
    // By the real clock it expired long ago; both callers get the renewed one from a single
    // request.
    const [one, other] = await Promise.all([logins.read(host), logins.read(host)]);
    expect([one?.password, other?.password]).toEqual(["second", "second"]);
    expect(one?.user).toBe("oauth2");
    expect(forms.filter((form) => form.includes("grant_type=refresh_token"))).toHaveLength(1);
    expect(forms.at(-1)).toContain("refresh_token=first");
  });

  it.each<[string, Answer, object]>([
    ["the person refused", [400, { error: "access_denied" }], { problem: "denied" }],
    ["the code has expired", [400, { error: "expired_token" }], { problem: "expired" }],
    ["nobody answered in time", [200, { error: "authorization_pending" }], { problem: "expired" }],
    ["the application is unknown", [401, { error: "invalid_client" }], { problem: "failed", error: { code: "git-client" } }], // prettier-ignore
    ["the flow is off there", [200, { error: "device_flow_disabled" }], { problem: "failed", error: { code: "git-refused" } }], // prettier-ignore
  ])("ends without a token: %s", async (_, answer, expected) => {
    const { host, end } = await start([answer], { code: { expires_in: 20 } });
    expect(await end()).toMatchObject({ phase: "ended", ...expected });
    expect(await logins.read(host)).toBeUndefined();
  });

  it("does not send people to a page of another server", async () => {
    const { end } = await start([[200, TOKEN]], { code: { verification_uri: "https://evil.example/" } }); // prettier-ignore
    expect(await end()).toMatchObject({ problem: "failed", error: { code: "git-odd" } });
  });

  it("is not offered by a server that names no endpoint for it", async () => {
    const { end } = await start([[200, TOKEN]], { kind: "gitea" });
    expect(await end()).toMatchObject({ error: { code: "git-no-device-flow" } });
  });

  it("is not begun at a server that the operator did not configure", async () => {
    const { signIns } = await start([[200, TOKEN]]);
    expect(() => signIns.begin("https://other.example")).toThrow(
      expect.objectContaining({ code: "git-no-device-flow" }),
    );
  });
});

it.each(["github.com=x", "https://a.com", "ftp://a.com=x", "https://a.com=x y=z"])(
  "%j is not a list of servers and client ids",
  (text) => {
    expect(() => readDeviceClients(text)).toThrow("TREADLE_GIT_CLIENT_IDS");
  },
);
