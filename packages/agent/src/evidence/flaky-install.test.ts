/** An install that fails by chance, with the real npm in a real sandbox. */
import { toProjectPath } from "@treadle/protocol/project-path";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "@treadle/protocol/evidence";
import { createLocalDriver } from "@treadle/workspace";
import {
  startRegistry,
  type FakeRegistry,
} from "../../../workspace/src/attacks/pretended-registry.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureGuest } from "../../../workspace/src/host/built-guest.test-support.ts";
import { realClock } from "../testing/real-clock.test-support.ts";
import { gatherEvidence } from "./gather-evidence.ts";

const GREETING = {
  name: "greeting",
  version: "1.0.0",
  files: { "index.js": "module.exports = 'hello';\n" },
};
const SERVER = `require("node:http").createServer((request, response) => response.end(require("greeting"))).listen(process.env.PORT ?? 3000);`;

let folder: string;
let registry: FakeRegistry;
/** While set, the registry sends archives with a flipped byte. */
let bad = true;
const line = createServer((request, response) => void passOn(request, response));
async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await fetch(new URL(request.url ?? "", registry.url));
  const body = new Uint8Array(await answer.arrayBuffer());
  if (bad && request.url?.endsWith(".tgz")) body[30] = (body[30] ?? 0) ^ 1;
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
  response.end(body);
}

beforeAll(async () => {
  ensureGuest();
  folder = mkdtempSync(join(tmpdir(), "treadle-flaky-"));
  chmodSync(folder, 0o755);
  registry = await startRegistry([GREETING]);
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  line.close();
  line.closeAllConnections();
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

it("repeats a download that arrived corrupted before it counts, and verifies the project", async () => {
  const driver = createLocalDriver({
    cacheDirectory: join(folder, "cache"),
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      npm_config_registry: `http://127.0.0.1:${(line.address() as AddressInfo).port}/`,
    },
  });
  const workspace = await driver.open({
    project: `flaky-${process.pid}`,
    directory: join(folder, "files"),
    stateDirectory: join(folder, "state"),
  });
  try {
    const manifest = {
      name: "app",
      scripts: { dev: "node server.js" },
      dependencies: { greeting: "1.0.0" },
    };
    await workspace.files.write(toProjectPath("package.json"), JSON.stringify(manifest));
    // npm itself would wait ten seconds and then a minute between attempts.
    await workspace.files.write(toProjectPath(".npmrc"), "fetch-retries=0\n");
    await workspace.files.write(toProjectPath("server.js"), SERVER);
    const prompts: string[] = [];
    const evidence = await gatherEvidence({
      workspace,
      clock: {
        ...realClock,
        async sleep(ms, signal) {
          bad = false;
          return realClock.sleep(ms, signal);
        },
      },
      onEvidence: ({ parts }) => prompts.push(parts.install.summary),
      signal: new AbortController().signal,
    });
    expect(prompts).toContain("npm install failed and is tried once more");
    expect(evidence.parts.install.summary).toBe("npm install ended with 0, at the second try");
    expect(judge(evidence).verdict).toBe("runs");
  } finally {
    await workspace.stop();
    await driver.close();
  }
}, 120_000);
