import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { request } from "node:http";
import { toProjectPath } from "@treadle/protocol/project-path";
import { createDriver, type WorkspaceDriver } from "@treadle/workspace";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRelease } from "./make-release.ts";
import { openReleaseCopy, type ReleaseCopy } from "./release-copy.ts";

/** Changes the release's files by every path that reaches them, and answers with what it sees then. */
const SERVER = `
const fs = require("node:fs");
require("node:http").createServer((request, response) => {
  for (const folder of ["/home/project", process.cwd(), __dirname]) {
    fs.writeFileSync(folder + "/added.txt", "by the copy");
    fs.writeFileSync(folder + "/server.cjs", "process.exit(1)");
    fs.rmSync(folder + "/orders.json", { force: true });
    fs.appendFileSync(folder + "/node_modules/counter/index.js", "changed");
  }
  response.end(fs.readdirSync(".").join());
}).listen(3000);
`;

let root: string;
let driver: WorkspaceDriver;
const settings = { hosts: [], staticHosts: false, secrets: [] };
const release = { number: 3 };
const openHeld = () => openRelease({ driver }, "shop", release, { folder: root, settings });

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "treadle-release-copy-"));
  driver = await createDriver({ cacheDirectory: join(root, "cache"), env: process.env });
  const held = await openHeld();
  await held.files.write(toProjectPath("server.cjs"), SERVER);
  await held.files.write(toProjectPath("orders.json"), "[1]");
  await held.run("mkdir -p node_modules/counter && echo module > node_modules/counter/index.js");
  await held.stop();
});
afterAll(async () => {
  await driver?.close();
  rmSync(root, { recursive: true, force: true });
});

async function ask({ workspace, port }: ReleaseCopy): Promise<string> {
  const socket = await workspace.connect(port);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request({ createConnection: () => socket }, (answer) => {
    text(answer).then(resolve, reject);
  })
    .on("error", reject)
    .end();
  return promise;
}

it("leaves the release as it was, whatever its copy writes and by whichever path", async () => {
  const { signal } = new AbortController();
  const place = { project: "shop", release, folder: root, command: "node server.cjs", settings };
  const copy = await openReleaseCopy({ driver }, place, signal);
  if (typeof copy === "string") throw new Error(copy);
  expect(await ask(copy)).toContain("added.txt");
  await copy.stop();

  const held = await openHeld();
  const shown = await held.run("cat server.cjs orders.json node_modules/counter/index.js; ls");
  expect("output" in shown && shown.output).toBe(
    `${SERVER}[1]module\nnode_modules\norders.json\nserver.cjs\n`,
  );
  await held.stop();
});
