import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createScriptedModel, type ScriptedModel } from "@treadle/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectEngine } from "../packages/workspace/src/docker/engine.ts";
import { OWNER_LABEL } from "../packages/workspace/src/docker/sweep.ts";
import {
  BUILD_MS,
  buildImage,
  ENGINE_SOCKET,
  findEngine,
} from "../packages/workspace/src/docker/engine.test-support.ts";
import { scriptedBy, startTreadle, type RunningTreadle } from "./support/treadle.ts";
import { scriptOf } from "./verdicts/cases.ts";
import { logOf } from "./verdicts/run-case.ts";

const SERVER = `require("node:http").createServer((request, response) => {
  response.setHeader("content-type", "text/html");
  response.end("<!doctype html><html lang=en><title>Kept</title><h1>Kept in a container</h1>");
}).listen(3000);
`;
const MANIFEST = JSON.stringify({
  name: "app",
  scripts: { dev: "node server.cjs", build: "mkdir -p dist && cp server.cjs dist/app.cjs" },
});

const missing = await findEngine();
const folder = join(tmpdir(), `treadle-e2e-docker-${process.pid}`);
const data = join(folder, "data");
const cache = join(folder, "cache");
const engine = connectEngine(ENGINE_SOCKET);

describe.skipIf(missing !== undefined)(`a server over a Docker engine (${missing ?? ""})`, () => {
  let model: ScriptedModel;
  let treadle: RunningTreadle;
  let id: string;
  let before: Set<string>;

  const start = async () => {
    treadle = await startTreadle({
      data,
      env: {
        ...scriptedBy(model),
        TREADLE_CACHE: cache,
        TREADLE_DRIVER: "docker",
        DOCKER_HOST: `unix://${ENGINE_SOCKET}`,
        // Two seconds.
        TREADLE_IDLE_MINUTES: "0.034",
      },
    });
  };
  const owner = createHash("sha256").update(cache).digest("hex").slice(0, 16);
  const containers = async (): Promise<number> => {
    const filters = { label: [`${OWNER_LABEL}=${owner}`] };
    return (await engine.listContainers({ all: true, filters })).length;
  };
  /** What an engine keeps for nobody, and networks. */
  async function listVolumes(): Promise<string[]> {
    const { Volumes } = await engine.listVolumes({ filters: { dangling: ["true"] } });
    const networks = await engine.listNetworks();
    return [...(Volumes ?? []).map(({ Name }) => Name), ...networks.map(({ Name }) => Name)];
  }
  /** The preview's current answer; the request wakes a sleeping project. */
  async function preview(): Promise<string> {
    const project = await treadle.api(`/api/projects/${id}`);
    const { previewOrigin } = (await project.json()) as { previewOrigin: string };
    const { host, port } = new URL(previewOrigin);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    request({ host: "127.0.0.1", port, headers: { host } }, (answer) => {
      void text(answer).then(resolve, reject);
    })
      .on("error", reject)
      .end();
    return promise;
  }

  beforeAll(async () => {
    await buildImage(cache);
    before = new Set(await listVolumes());
    model = await createScriptedModel({
      script: {
        scripted: scriptOf({
          name: "scripted",
          want: "verified",
          prompt: "",
          steps: [
            {
              text: "Building.",
              calls: [
                { name: "write_file", input: { path: "package.json", content: MANIFEST } },
                { name: "write_file", input: { path: "server.cjs", content: SERVER } },
              ],
            },
            {
              text: "Starting.",
              calls: [{ name: "start_server", input: { command: "npm run dev" } }],
            },
          ],
        }),
      },
    });
    await start();
  }, BUILD_MS);
  afterAll(async () => {
    await treadle.stop();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("builds, looks and proves in containers", async () => {
    const post = (path: string, body: object) =>
      treadle.api(path, { method: "POST", body: JSON.stringify(body) });
    const made = await post("/api/projects", { model: "openai-compatible:scripted" });
    ({ id } = (await made.json()) as { id: string });
    await post(`/api/projects/${id}/messages`, { text: "Build it" });
    const events = async () => (await logOf(treadle, id)).map(({ event }) => event);
    await expect
      .poll(async () => (await events()).find(({ type }) => type === "run-end"), {
        timeout: 150_000,
      })
      .toMatchObject({ verdict: "runs" });
    const { evidence } = (await events()).findLast((event) => event.type === "evidence")!;
    expect(evidence.parts).toMatchObject({ build: { state: "held" }, page: { state: "held" } });
    await expect.poll(preview).toContain("Kept in a container");
    expect(await containers()).toBe(1);
  });

  it("sleeps without a container, and wakes with its server", async () => {
    await expect.poll(containers).toBe(0);
    await expect.poll(preview).toContain("Kept in a container");
  });

  it("F8 leaves nothing behind when it is killed, and continues when it is restarted", async () => {
    await expect.poll(preview).toContain("Kept in a container");
    await treadle.kill("SIGKILL");
    await expect.poll(containers).toBe(0);
    await start();
    await expect.poll(preview).toContain("Kept in a container");
  });

  it("a removed project leaves no container, volume or network", async () => {
    await expect.poll(preview).toContain("Kept in a container");
    expect((await treadle.api(`/api/projects/${id}`, { method: "DELETE" })).ok).toBe(true);
    expect(await containers()).toBe(0);
    // Others on this engine come and go as well.
    await expect
      .poll(async () => (await listVolumes()).filter((name) => !before.has(name)))
      .toEqual([]);
  });
});
