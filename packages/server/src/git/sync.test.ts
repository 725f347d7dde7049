import { soleOwnership } from "@treadle/cluster";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@treadle/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FakeDriver } from "../../../workspace/src/testing/fake-workspace.test-support.ts";
import { openRuntimes, type Runtimes } from "../runtime/runtimes.ts";
import { gitLogins, keepGitState, pull } from "@treadle/git";

let directory: string;
let store: Store;
let runtimes: Runtimes;
/** The turn is active until this is resolved. */
let turn: PromiseWithResolvers<void>;
const closing: (() => void)[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-sync-"));
  turn = Promise.withResolvers();
  store = await openStore({ directory });
  await store.projects.create({ id: "p", name: "P", createdAt: 1, updatedAt: 1, capability: "k" });
  runtimes = await openRuntimes({
    store,
    ownership: soleOwnership(store),
    driver: new FakeDriver(),
    models: { resolve: async () => ({ id: "m", languageModel: {} }) } as never,
    async runTurn({ run }, { log }) {
      const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
      const end = { outcome: "done" as const, summary: "", revision: "r", steps: 0, usage, ms: 0 };
      log.append({ type: "run-start", run, message: "m", model: "m", dialect: "native" } as never);
      await turn.promise;
      log.append({ type: "run-end", run, ...end });
      return end;
    },
    gatherEvidence: () => Promise.reject(new Error("nothing is looked at")),
    browserOf: async () => undefined,
    clock: { now: () => 1, sleep: () => Promise.resolve() },
    dataDirectory: directory,
    verdicts: "quick",
    approvalMode: "auto",
    idleMs: 60_000,
    onNotice() {},
  });
});
afterEach(async () => {
  turn.resolve();
  for (const close of closing.splice(0)) close();
  await runtimes.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/**
 * Serves the files of a folder, which is all that git needs from a server.
 * @returns the address of its repository
 */
async function serveFiles(folder: string): Promise<string> {
  const files = createServer(({ url = "" }, response) => {
    const path = join(folder, new URL(url, "http://host").pathname);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) response.statusCode = 404;
    else response.write(readFileSync(path));
    response.end();
  });
  files.listen(0, "127.0.0.1");
  await once(files, "listening");
  closing.push(() => files.close());
  return `http://127.0.0.1:${(files.address() as AddressInfo).port}/.git`;
}

it("refuses to pull if a turn began while the server was contacted", async () => {
  const theirs = join(directory, "theirs");
  mkdirSync(theirs);
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", theirs, "-c", "user.name=a", "-c", "user.email=a@b", ...words]);
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "one");
  git("update-server-info");
  const url = await serveFiles(theirs);
  await keepGitState(store, "p", { url, branch: "main", local: true });
  const runtime = await runtimes.get("p");
  await runtime.send({ text: "hello", model: "m" });
  await expect.poll(() => runtime.isWorking()).toBe(true);
  const pulling = pull(
    {
      store,
      logins: gitLogins(store, directory),
      // The check happened right before the turn began.
      runtime: { ...runtime, view: runtime.view, isWorking: () => false },
      folder: join(directory, "projects", "p"),
    },
    { resolutions: {} },
  );
  await expect(pulling).rejects.toMatchObject({ status: 409, code: "working" });
});
