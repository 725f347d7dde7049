/**
 * Uses a stand-in for ssh that runs the commands locally, and the machine's own rsync, if
 * installed.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ApiFailure } from "@treadle/common";
import { rsync } from "./rsync.ts";
import { testSending, type TestSending } from "./sending.test-support.ts";

const hasRsync = (() => {
  try {
    execFileSync("rsync", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    process.stdout.write("rsync: its tests are skipped, since there is no rsync here.\n");
    return false;
  }
})();

let test: TestSending;
let there: string;
beforeEach(() => {
  test = testSending();
  there = join(test.folder, "srv");
  mkdirSync(there);
  mkdirSync(join(test.folder, "bin"));
  ssh('while [ "$1" != 127.0.0.1 ]; do shift; done; shift; exec "$@"');
  vi.stubEnv("PATH", `${join(test.folder, "bin")}:${process.env["PATH"]}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  test.remove();
});

function ssh(script: string): void {
  const file = join(test.folder, "bin", "ssh");
  writeFileSync(file, `#!/bin/sh\necho "$@" >> '${test.folder}/words'\n${script}\n`);
  chmodSync(file, 0o755);
}

/** Wraps the machine's own rsync, `$own`, on both sides. */
function wrapRsync(script: string): () => void {
  const own = execFileSync("sh", ["-c", "command -v rsync"], { encoding: "utf8" }).trim();
  const file = join(test.folder, "bin", "rsync");
  writeFileSync(file, `#!/bin/sh\nown=${own}\n${script}\n`);
  chmodSync(file, 0o755);
  return () => rmSync(file);
}

const send = (folder = `ada@127.0.0.1:${there}/site`) =>
  rsync.send(test.site, test.with({ place: { folder, local: true, address: "https://shop.example.com" } })); // prettier-ignore
const failure = (folder?: string) =>
  send(folder).then(
    () => {
      throw new Error("It was sent.");
    },
    (error: unknown) => error as ApiFailure,
  );

describe.runIf(hasRsync)("files by rsync", () => {
  it("mirror the release, and files that it no longer has are removed", async () => {
    test.write({ "index.html": "one", "a/old.js": "1", "a/b.js": "1" });
    expect((await send()).address).toBe("https://shop.example.com");
    expect(readFileSync(join(there, "site/a/old.js"), "utf8")).toBe("1");
    execFileSync("rm", [join(test.folder, "site/a/old.js")]);
    test.write({ "index.html": "two" });
    await send();
    expect(readdirSync(join(there, "site")).toSorted()).toEqual([".treadle-release", "a", "index.html"]); // prettier-ignore
    expect(readdirSync(join(there, "site/a"))).toEqual(["b.js"]);
    expect(readFileSync(join(there, "site/index.html"), "utf8")).toBe("two");
    // With Treadle's own key and known hosts.
    expect(readFileSync(join(test.folder, "words"), "utf8")).toMatch(/UserKnownHostsFile=\S+ssh\/known_hosts/); // prettier-ignore
  });

  it("leave a folder alone that others filled", async () => {
    test.write({ "index.html": "one" });
    mkdirSync(join(there, "site"));
    writeFileSync(join(there, "site/theirs.html"), "x");
    expect(await failure()).toMatchObject({ code: "folder-taken" });
    expect(readdirSync(join(there, "site"))).toEqual(["theirs.html"]);
  });

  it("leave a folder alone that cannot be listed completely", async () => {
    test.write({ "index.html": "one" });
    mkdirSync(join(there, "site"));
    writeFileSync(join(there, "site/theirs.html"), "x");
    // rsync's exit code if one of several files could not be read.
    wrapRsync('"$own" "$@"; code=$?; case "$*" in *--list-only*) exit 23;; esac; exit $code');
    expect(await failure()).toMatchObject({ code: "folder-taken" });
    expect(readdirSync(join(there, "site"))).toEqual(["theirs.html"]);
  });

  it("are completed after a first attempt was interrupted", async () => {
    test.write({ "index.html": "one", "a/b.js": "1" });
    // An interrupted transfer leaves folders and temporary files.
    const left = `mkdir -p '${there}/site/a' '${there}/site/.~tmp~'; echo cut >&2; exit 12`;
    const remove = wrapRsync(
      `case "$*" in *'${test.folder}/site/'*) ${left};; esac; exec "$own" "$@"`,
    );
    expect((await failure()).code).toMatch(/^host-/);
    remove();
    await send();
    expect(readdirSync(join(there, "site")).toSorted()).toEqual([".treadle-release", "a", "index.html"]); // prettier-ignore
  });

  it("are sent again into a folder with thousands of files", async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => [`page-of-the-shop-${at}.html`, "x"]);
    test.write(Object.fromEntries(many) as Record<string, string>);
    await send();
    test.write({ "index.html": "two" });
    await send();
    expect(readFileSync(join(there, "site/index.html"), "utf8")).toBe("two");
  });

  it("keep their names, whatever characters they contain", async () => {
    const names = [
      "a b.txt",
      "50%.txt",
      "#1.txt",
      "Größe.txt",
      "-x.txt",
      "it's $HOME.txt",
      "*.txt",
    ];
    test.write({ "index.html": "one", ...Object.fromEntries(names.map((name) => [name, name])) });
    await send();
    for (const name of names) expect(readFileSync(join(there, "site", name), "utf8")).toBe(name);
  });

  it.each([
    ["Permission denied (publickey).", 255, "host-login"],
    ["Host key verification failed.", 255, "host-host-key"],
    ["ssh: connect to host 127.0.0.1 port 22: Connection refused", 255, "host-unreachable"],
    ["bash: line 1: rsync: command not found", 127, "program-missing"],
  ])("say what is wrong: %s", async (complaint, code, expected) => {
    // prettier-ignore
    test.write({ "index.html": "one" });
    ssh(`echo '${complaint}' >&2; exit ${code}`);
    const error = await failure();
    expect(error).toMatchObject({ code: expected });
  });

  it("can be stopped during the transfer, with all processes", async () => {
    test.write({ "index.html": "one" });
    ssh(`echo $$ > '${test.folder}/pid'; exec sleep 600`);
    const sending = failure();
    await expect.poll(() => existsSync(join(test.folder, "pid"))).toBe(true);
    test.ends.abort();
    expect((await sending).name).toBe("AbortError");
  });
});

it.each(["example.com:site", "ada@example.com:/", "ada@example.com:/srv", "/var/www/site", "h:/a/$(reboot)"])(
  "need a complete folder on a server, so %s is refused",
  async (folder) => expect(await failure(folder)).toMatchObject({ code: "bad-place" }),
); // prettier-ignore

it("report a missing rsync", async () => {
  vi.stubEnv("PATH", join(test.folder, "bin"));
  expect((await failure()).coded).toMatchObject({
    code: "program-missing",
    values: { program: "rsync", host: "here" },
  });
});
