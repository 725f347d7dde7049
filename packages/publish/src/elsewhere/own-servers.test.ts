/** Self-hosted platforms: a release is pushed to a branch, from which they build it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiFailure } from "@treadle/common";
import { coolify } from "./coolify.ts";
import { startCoolify, type CoolifyStandIn } from "./coolify.test-support.ts";
import { dokploy } from "./dokploy.ts";
import { startDokploy, type DokployStandIn } from "./dokploy.test-support.ts";
import { startGitHub, type GitHubStandIn } from "./github.test-support.ts";
import { testSending, type TestSending } from "./sending.test-support.ts";
import type { ReleaseToSend, Sending } from "./target.ts";

const TOKEN = "key-of-ada-5520";
const GIT = "git-of-ada";

describe.each([
  { target: coolify, start: startCoolify, at: /apps\.example\.com$/ },
  { target: dokploy, start: startDokploy, at: /^http:\/\/guests-x1\.traefik\.me$/ },
])("$target.name", ({ target, start, at }) => {
  let git: GitHubStandIn;
  let host: CoolifyStandIn | DokployStandIn;
  let test: TestSending;
  beforeEach(async () => {
    git = await startGitHub(GIT);
    git.create("ada/shop");
    host = await start(TOKEN);
    test = testSending();
    test.write({ "index.html": "<h1>Shop</h1>" });
  });
  afterEach(async () => {
    test.remove();
    await host.close();
    await git.close();
  });

  const place = () => ({ server: host.origin, repository: `${git.web}/ada/shop.git`, local: true });
  const send = (more: Partial<Sending> = {}, release: ReleaseToSend = test.site) =>
    target.send(
      release,
      test.with({
        token: TOKEN,
        place: place(),
        logins: {
          remoteOf: async (address, local) => ({
            address,
            local,
            login: { user: "x-access-token", password: GIT },
            sshFolder: join(test.folder, "ssh"),
          }),
        } as Partial<Sending["logins"]> as Sending["logins"],
        ...more,
      }),
    );
  const failure = (more: Partial<Sending> = {}) =>
    send(more).then(
      () => {
        throw new Error("It was sent.");
      },
      (error: unknown) => error as ApiFailure,
    );
  const shown = (path: string) => git.git("ada/shop", ["show", `treadle-release:${path}`]);

  it("builds a site from its branch, with a web server", async () => {
    const sent = await send();
    expect(sent.address).toMatch(at);
    expect(shown("index.html")).toBe("<h1>Shop</h1>");
    expect(shown("Dockerfile")).toContain("nginx");
    expect(host.applications.size).toBe(1);
    // The next release uses the same application.
    test.write({ "index.html": "<h1>Shop 2</h1>" });
    const again = await send({ place: { ...sent.place } });
    expect(again.address).toBe(sent.address);
    expect(host.applications.size).toBe(1);
    expect(shown("index.html")).toBe("<h1>Shop 2</h1>");
  });

  it("builds an app from its verified sources", async () => {
    const work = join(test.folder, "work");
    mkdirSync(work);
    writeFileSync(join(work, "package.json"), '{"scripts":{"start":"node server.js"}}');
    writeFileSync(join(work, "server.js"), "1");
    const run = (...words: string[]) => execFileSync("git", words, { cwd: work, encoding: "utf8" });
    run("init", "-q");
    run("add", "-A");
    const tree = run("write-tree").trim();
    const sources = { gitDirectory: join(work, ".git"), trees: new Map(), tree };
    await send({}, { kind: "app", name: "guests", number: 4, revision: "r4", sources });
    expect(shown("server.js")).toBe("1");
    expect(shown("Dockerfile")).toMatch(/USER node\n[^]*CMD npm run start/);
    expect(shown("compose.yaml")).toContain("data:/app/data");
  });

  it("reports a rejected token before anything is pushed", async () => {
    const error = await failure({ token: "another" });
    expect(error).toMatchObject({ code: "token" });
    expect(() => shown("index.html")).toThrow();
  });

  it("A39 connects to the local network only if the person allowed it", async () => {
    const place = { server: host.origin, repository: `${git.web}/ada/shop.git` };
    expect(await failure({ place })).toMatchObject({ code: "local" });
    expect(await failure({ place: { ...place, server: "http://169.254.169.254", local: true } })).toMatchObject({ code: "refused" }); // prettier-ignore
    expect(host.asked).toEqual([]);
  });

  it("stores a token for each server", () => {
    const tokenFor = (server: string) => target.tokenFor({ server });
    expect(tokenFor("https://a.example.com")).toBe(tokenFor("a.example.com"));
    expect(tokenFor("https://a.example.com")).not.toBe(tokenFor("https://b.example.com"));
  });

  it("reuses the application of an earlier attempt that was interrupted", async () => {
    for (const at of [/domain\.generate/, /domain\.create/, /saveGitProvider/, /deploy/]) {
      host.fault = ({ line }) => (at.test(line) ? { status: 400, body: {} } : undefined);
      await failure({ place: { ...test.places.at(-1), ...place() } }).catch(() => undefined);
    }
    host.fault = undefined;
    const { address } = await send({ place: { ...test.places.at(-1), ...place() } });
    expect(address).toMatch(at);
    expect(host.applications.size).toBe(1);
  });

  it("reports a failed deployment, and reuses the application the next time", async () => {
    host.refusal = "npm ci failed";
    expect(await failure()).toMatchObject({ code: "host-refused" });
    host.refusal = undefined;
    const [place = {}] = test.places;
    expect((await send({ place })).address).toMatch(at);
    expect(host.applications.size).toBe(1);
  });
});

it("Coolify with several projects requires the name of one", async () => {
  const git = await startGitHub(GIT);
  const host = await startCoolify(TOKEN);
  const test = testSending();
  git.create("ada/shop");
  host.projects.push({ uuid: "prj-2", name: "Other" });
  test.write({ "index.html": "x" });
  const sending = test.with({
    token: TOKEN,
    place: { server: host.origin, repository: `${git.web}/ada/shop.git`, local: true },
    logins: {
      remoteOf: async (address, local) => ({
        address,
        local,
        login: { user: "x-access-token", password: GIT },
        sshFolder: test.folder,
      }),
    } as Partial<Sending["logins"]> as Sending["logins"],
  });
  await expect(coolify.send(test.site, sending)).rejects.toThrow(
    "say which project is meant. There are My first project (prj-1), Other (prj-2).",
  );
  test.remove();
  await host.close();
  await git.close();
});
