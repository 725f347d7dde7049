import { afterEach, beforeEach, expect, it } from "vitest";
import type { ApiFailure } from "@treadle/common";
import { githubPages } from "./github-pages.ts";
import { GITHUB, GITHUB_API, startGitHub, type GitHubStandIn } from "./github.test-support.ts";
import { testSending, type TestSending } from "./sending.test-support.ts";
import type { Sending } from "./target.ts";

const TOKEN = "ghp-of-ada-77";
let host: GitHubStandIn;
let test: TestSending;
beforeEach(async () => {
  host = await startGitHub(TOKEN);
  test = testSending();
  host.create("ada/ada.github.io");
  host.create("ada/shop");
});
afterEach(async () => {
  test.remove();
  await host.close();
});

const send = (repository: string, more: Partial<Sending> = {}) =>
  githubPages.send(
    test.site,
    test.with({
      token: TOKEN,
      place: { repository },
      origin: (own) => ({ url: { [GITHUB]: host.web, [GITHUB_API]: host.origin }[own]!, local: true }), // prettier-ignore
      ...more,
    }),
  );
const failure = (repository: string, more: Partial<Sending> = {}) =>
  send(repository, more).then(
    () => {
      throw new Error("It was sent.");
    },
    (error: unknown) => error as ApiFailure,
  );
const filesOf = (name: string, branch = "gh-pages") =>
  host.git(name, ["ls-tree", "-r", "--name-only", branch]).split("\n");

it("pushes the files of the release to a separate branch, and makes GitHub serve it", async () => {
  test.write({ "index.html": "<script src='/a/b.js'></script>", "a/b.js": "1", ".well-known/x": "y" }); // prettier-ignore
  const sent = await send("ada/ada.github.io");
  expect(sent.address).toBe("https://ada.github.io/");
  expect(filesOf("ada/ada.github.io")).toEqual([
    ".nojekyll",
    ".well-known/x",
    // A single-page site answers all other addresses with its page.
    "404.html",
    "a/b.js",
    "index.html",
  ]);
  test.write({ "a/b.js": "2" });
  await send("https://github.com/ada/ada.github.io", { place: { repository: "ada/ada.github.io", ...sent.place } }); // prettier-ignore
  expect(host.git("ada/ada.github.io", ["show", "gh-pages:a/b.js"])).toBe("2");
  expect(host.git("ada/ada.github.io", ["rev-list", "--count", "gh-pages"])).toBe("2");
  // Unchanged files make no new commit.
  await send("ada/ada.github.io");
  expect(host.git("ada/ada.github.io", ["rev-list", "--count", "gh-pages"])).toBe("2");
});

it("reports files that would break below a path, and deploys sites that work there", async () => {
  test.write({ "index.html": '<link href="/a.css">', "a.css": "p{}" });
  const error = await failure("ada/shop");
  expect(error).toMatchObject({ code: "base-path" });
  expect(error.message).toMatch(/https:\/\/ada\.github\.io\/shop\/, and index\.html asks for \/a\.css/); // prettier-ignore
  expect(() => filesOf("ada/shop")).toThrow();
  test.write({ "index.html": '<link href="./a.css"><a href="/elsewhere">' });
  expect((await send("ada/shop")).address).toBe("https://ada.github.io/shop/");
});

it("does not touch a branch or pages that others made", async () => {
  test.write({ "index.html": "x" });
  const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  host.git("ada/shop", ["hash-object", "-t", "tree", "-w", "/dev/null"]);
  const commit = host.git("ada/shop", ["commit-tree", tree, "-m", "By hand"]);
  host.git("ada/shop", ["update-ref", "refs/heads/gh-pages", commit]);
  expect(await failure("ada/shop")).toMatchObject({ code: "branch-taken" });
  expect(host.git("ada/shop", ["rev-parse", "gh-pages"])).toBe(commit);
  host.pages.set("ada/shop", { build_type: "legacy", source: { branch: "main", path: "/" } });
  const taken = await failure("ada/shop", { place: { repository: "ada/shop", branch: "site" } });
  expect(taken.coded).toMatchObject({ code: "pages-taken", values: { source: "main" } });
});

it("reports a bad token, repository or build, with advice", async () => {
  test.write({ "index.html": "x" });
  expect(await failure("ada/shop", { token: "other" })).toMatchObject({ code: "token" });
  expect(await failure("ada/none")).toMatchObject({ code: "host-unknown" });
  expect(await failure("no repository")).toMatchObject({ code: "bad-place" });
  host.refusal = "Page build failed.";
  expect((await failure("ada/shop")).message).toContain("Page build failed.");
});

it("rebuilds the same release if its last build failed", async () => {
  test.write({ "index.html": "<h1>Shop</h1>" });
  host.refusal = "The page build failed";
  expect((await failure("ada/ada.github.io")).message).toContain("The page build failed");
  host.refusal = undefined;
  expect((await send("ada/ada.github.io")).address).toBe("https://ada.github.io/");
  expect(host.asked.filter(({ line }) => line.endsWith("POST /repos/ada/ada.github.io/pages/builds"))).toHaveLength(1); // prettier-ignore
});

it("waits when GitHub answers 403 for too many requests, and does not take it for a missing permission", async () => {
  test.write({ "index.html": "x" });
  const soon = Math.ceil(Date.now() / 1000) + 30;
  const busy: Record<string, string>[] = [
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(soon) },
    { "retry-after": "40" },
  ];
  host.fault = () => {
    const headers = busy.shift();
    return headers && { status: 403, headers, body: { message: "API rate limit exceeded" } };
  };
  await send("ada/shop");
  expect(test.slept.slice(0, 2)).toEqual([expect.any(Number), 40_000]);
  expect(test.slept[0]).toBeGreaterThan(20_000);
  host.fault = () => ({ status: 403, headers: { "x-ratelimit-remaining": "4999" }, body: { message: "Resource not accessible" } }); // prettier-ignore
  expect((await failure("ada/shop")).message).toContain("does not allow it this: Resource not");
});
