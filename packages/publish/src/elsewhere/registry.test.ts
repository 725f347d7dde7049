/** Runs a stand-in for Docker, which records its arguments and its input. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ApiFailure } from "@treadle/common";
import { registry } from "./registry.ts";
import { testSending, type TestSending } from "./sending.test-support.ts";

const PASSWORD = "ghp-of-ada-8812";
let test: TestSending;
beforeEach(() => {
  test = testSending();
  mkdirSync(join(test.folder, "bin"));
  docker("");
  vi.stubEnv("PATH", `${join(test.folder, "bin")}:${process.env["PATH"]}`);
  test.write({ "index.html": "<h1>Shop</h1>" });
});
afterEach(() => {
  vi.unstubAllEnvs();
  test.remove();
});

/** @param more further shell commands that it runs */
function docker(more: string): void {
  const file = join(test.folder, "bin", "docker");
  writeFileSync(
    file,
    `#!/bin/sh
cd '${test.folder}'
echo "$@" >> words
${more}
case "$*" in
  version*) echo 28.0;;
  context*) echo unix:///var/run/docker.sock;;
  *build*) cat > context.tar;;
  *--config*) shift 2; [ "$1" = --config ] && shift; cat "$1/config.json" > login;;
esac
`,
  );
  chmodSync(file, 0o755);
}

const place = { image: "ghcr.io/ada/shop", user: "ada" };
const send = (more = {}) =>
  registry.send(test.site, test.with({ token: PASSWORD, place, ...more }));
const failure = (more = {}) =>
  send(more).then(
    () => {
      throw new Error("It was sent.");
    },
    (error: unknown) => error as ApiFailure,
  );
const read = (name: string) => readFileSync(join(test.folder, name), "utf8");

it("builds an image of the release and pushes it under its number and as latest", async () => {
  expect(await send()).toEqual({});
  const words = read("words");
  expect(words).toContain("build --tag ghcr.io/ada/shop:3 --tag ghcr.io/ada/shop:latest -\n");
  expect(words).toMatch(
    /--config \S+ push ghcr\.io\/ada\/shop:3\n[^]*push ghcr\.io\/ada\/shop:latest/,
  );
  const names = execFileSync("tar", ["tf", join(test.folder, "context.tar")], { encoding: "utf8" });
  expect(names.split("\n").filter(Boolean).toSorted()).toEqual([
    ".dockerignore",
    "Dockerfile",
    "compose.yaml",
    "index.html",
    "nginx.conf",
  ]);
});

it("passes the password in a temporary file, and never as an argument", async () => {
  await send();
  expect(read("words")).not.toContain(PASSWORD);
  const { auths } = JSON.parse(read("login")) as { auths: Record<string, { auth: string }> };
  expect(Buffer.from(auths["ghcr.io"]!.auth, "base64").toString()).toBe(`ada:${PASSWORD}`);
  expect(existsSync(/--config (\S+)/.exec(read("words"))![1]!)).toBe(false);
});

it("uses Docker Hub's key for it, and stores a password for each registry", async () => {
  await send({ place: { image: "ada/shop", user: "ada" } });
  expect(Object.keys((JSON.parse(read("login")) as { auths: object }).auths)).toEqual([
    "https://index.docker.io/v1/",
  ]);
  const tokenFor = (image: string) => registry.tokenFor({ image });
  expect(tokenFor("ada/shop")).toBe("registry:docker.io");
  expect(tokenFor("localhost:5000/shop")).toBe("registry:localhost:5000");
});

it("reports a bad name, login or build, and an engine that does not respond", async () => {
  expect(await failure({ place: { image: "Ada/Shop:1", user: "ada" } })).toMatchObject({ code: "bad-place" }); // prettier-ignore
  docker('case "$*" in *push*) echo "unauthorized: authentication required" >&2; exit 1;; esac');
  expect(await failure()).toMatchObject({ code: "token" });
  docker('case "$*" in *build*) echo "npm ci ended with 1" >&2; exit 1;; esac');
  expect((await failure()).message).toBe("Docker built no image: npm ci ended with 1");
  docker("exit 1");
  expect((await failure()).message).toContain("engine on this machine does not answer");
});

it("can be stopped during a build", async () => {
  docker(`case "$*" in *build*) touch '${test.folder}/began'; exec sleep 600;; esac`);
  const sending = failure();
  await expect.poll(() => existsSync(join(test.folder, "began"))).toBe(true);
  test.ends.abort();
  expect((await sending).name).toBe("AbortError");
});
