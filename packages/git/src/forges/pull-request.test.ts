import { afterEach, describe, expect, it } from "vitest";
import { readGitAddress } from "../address.ts";
import { setStatuses } from "./commit-statuses.ts";
import { forgeClient } from "./forge-client.ts";
import { openPullRequest, type RequestPicture } from "./pull-request.ts";
import { recognizeForge } from "./recognize-forge.ts";
import { createForge, serve, type Answer, type ForgeStandIn } from "./stand-in.test-support.ts";
import { FORGES, type ForgeKind, type ForgePlace } from "./types.ts";

const TOKEN = "tok-of-ada";
const REQUEST = { title: "Add a cart", body: "It was asked for.", head: "cart/one", base: "main" };
const PICTURE: RequestPicture = { bytes: Buffer.from("a picture"), type: "image/png", file: "app.png" }; // prettier-ignore
const COMMIT = "0123456789012345678901234567890123456789";

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function start(kind: ForgeKind, repository = "ada/shop"): Promise<ForgeStandIn> {
  const { origin, close } = await serve((asked) => forge.answer(asked));
  closing.push(close);
  const forge = createForge(kind, { origin, token: TOKEN, repository });
  return forge;
}

async function connect(kind: ForgeKind, token = TOKEN) {
  const standIn = await start(kind);
  const place = await recognizeForge(readGitAddress(`${standIn.origin}/ada/shop.git`), true);
  const client = forgeClient(place!, { token, local: true });
  return { standIn, place: place!, client, open: (picture?: RequestPicture) => openPullRequest(client, place!, REQUEST, picture) }; // prettier-ignore
}

describe("the API of a server", () => {
  it.each(FORGES)("is recognized by its answers: %s, without sending a token", async (kind) => {
    const standIn = await start(kind);
    const address = readGitAddress(`${standIn.origin}/ada/shop.git`);
    expect(await recognizeForge(address, true)).toMatchObject({ kind, path: "ada/shop" });
    expect(standIn.asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it("is found below a path", async () => {
    const { origin, close } = await serve(
      (asked) =>
      asked.path.startsWith("/git/") ? forge.answer({ ...asked, path: asked.path.slice(4) }) : undefined, // prettier-ignore
    );
    closing.push(close);
    const forge = createForge("gitea", {
      origin: `${origin}/git`,
      token: TOKEN,
      repository: "a/b",
    });
    expect(await recognizeForge(readGitAddress(`${origin}/git/a/b`), true)).toEqual({
      kind: "gitea",
      web: `${origin}/git`,
      api: `${origin}/git/api/v1`,
      path: "a/b",
    });
  });

  it("is none if pages answer in its place", async () => {
    const { origin, close } = await serve(() => [200, { version: 1, message: "hello" }]);
    closing.push(close);
    expect(await recognizeForge(readGitAddress(`${origin}/a/b`), true)).toBeUndefined();
  });

  it("A39 of this machine is not contacted unless the person allowed it", async () => {
    const standIn = await start("gitea");
    await expect(
      recognizeForge(readGitAddress(`${standIn.origin}/ada/shop`), false),
    ).rejects.toMatchObject({ code: "git-local" });
    expect(standIn.asked).toEqual([]);
  });
});

describe.each(FORGES)("a pull request on %s", (kind) => {
  it("is opened with its text, between two branches", async () => {
    const { standIn, open } = await connect(kind);
    const opened = await open();
    expect(opened).toMatchObject({ existed: false, hasPicture: false });
    expect(opened.address).toMatch(new RegExp(`^${standIn.origin}/ada/shop/.*/1$`));
    expect(standIn.pulls).toEqual([{ number: 1, ...REQUEST }]);
  });

  it("is found if it is open already, and stays as it is", async () => {
    const { standIn, open } = await connect(kind);
    const { address } = await open();
    expect(await open(PICTURE)).toEqual({ address, existed: true, hasPicture: false });
    expect(standIn.pulls).toHaveLength(1);
    expect(standIn.pulls[0]!.body).toBe(REQUEST.body);
  });

  it("shows a picture, in the way that the server supports", async () => {
    const { standIn, open } = await connect(kind);
    expect((await open({ ...PICTURE, commit: COMMIT })).hasPicture).toBe(true);
    const { body } = standIn.pulls[0]!;
    expect(body).toMatch(/^It was asked for\.\n\n!\[.+\]\(\S+\)$/);
    if (kind === "github") expect(body).toContain(`/ada/shop/raw/${COMMIT}/app.png`);
    else expect(standIn.files[0]?.toString()).toContain("a picture");
  });

  it("is opened without the picture if that cannot be uploaded", async () => {
    const { standIn, open } = await connect(kind);
    standIn.fault = ({ path }) => (/uploads|assets/.test(path) ? [413, { message: "too large" }] : undefined); // prettier-ignore
    expect(await open(PICTURE)).toMatchObject({ existed: false, hasPicture: false });
  });

  it.each<[string, Answer, string]>([
    ["a token without the permission", [403, { message: "Resource not accessible by personal access token" }], "git-scope"], // prettier-ignore
    ["a repository that the token does not see", [404, { message: "Not Found" }], "git-not-found"],
    ["branches without a difference", [422, { message: "Validation Failed", errors: [{ message: "No commits between main and cart/one" }] }], "git-refused"], // prettier-ignore
    ["too many requests", [403, { message: "API rate limit exceeded" }, { "x-ratelimit-remaining": "0" }], "git-busy"], // prettier-ignore
    ["a redirect", [302, {}], "git-refused"],
    ["an address elsewhere", [201, { html_url: "https://evil.example/1", web_url: "javascript:alert(1)" }], "git-odd"], // prettier-ignore
  ])("fails with a code for %s", async (_, answer, code) => {
    const { standIn, open } = await connect(kind);
    standIn.fault = ({ method }) => (method === "POST" ? answer : undefined);
    await expect(open()).rejects.toMatchObject({ code });
  });

  it("fails with a code for a token that is not valid, without showing it", async () => {
    const failure: unknown = await (await connect(kind, "stale")).open().catch((error: unknown) => error); // prettier-ignore
    expect(failure).toMatchObject({ status: 409, code: "git-login" });
    expect(String(failure)).not.toContain("stale");
  });

  it("has the verdict of each commit as a status; only a verified one passes", async () => {
    const { standIn, client, place } = await connect(kind);
    const verdicts = (["verified", "runs", "failed", "unverified"] as const).map(
      (verdict, index) => ({ verdict, commit: COMMIT.replace(/9$/, String(index)) }),
    );
    expect(await setStatuses(client, place, verdicts)).toEqual({ set: 4 });
    expect(standIn.statuses.map(({ state }) => state === "success")).toEqual([true, false, false, false]); // prettier-ignore
    expect(standIn.statuses.map(({ commit }) => commit)).toEqual(verdicts.map(({ commit }) => commit)); // prettier-ignore
    for (const { name, description } of standIn.statuses) {
      expect(name).toBe("treadle/verdict");
      expect(String(description).length).toBeLessThanOrEqual(140);
    }
  });

  it("stops setting statuses at the first that is refused, and reports why", async () => {
    const { standIn, client, place } = await connect(kind);
    standIn.fault = () => [403, { message: "insufficient_scope" }];
    const report = await setStatuses(client, place as ForgePlace, [
      { verdict: "verified", commit: COMMIT },
      { verdict: "verified", commit: COMMIT },
    ]);
    expect(report).toMatchObject({ set: 0, failure: { code: "git-scope" } });
    expect(standIn.asked.filter(({ path }) => path.includes("statuses"))).toHaveLength(1);
  });
});
