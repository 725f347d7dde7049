import { mkdtempSync, rmSync } from "node:fs";
import { request as ask } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppReach, MissingVariables, Publication } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
let port: number;
let id: string;
let directory: string;
let treadleJson: string | undefined;
const VALUE = "sk-live-the-value-of-it";

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-running-"));
  server = await startTestServer(directory);
  ({ port } = await server.listen());
  server.driver.answer = () => (request, response) => {
    if (request.url?.startsWith("/bad")) response.statusCode = 500;
    response.end("an answer");
  };
  server.turns.splice(0, Infinity, async (_, { workspace }) => {
    const start = JSON.stringify({ scripts: { start: "node server.js" } });
    await workspace.files.write(toProjectPath("package.json"), start);
    await workspace.files.write(toProjectPath("server.js"), "1");
    if (treadleJson !== undefined)
      await workspace.files.write(toProjectPath("treadle.json"), treadleJson);
    return { verdict: "verified" };
  });
  id = await server.project("Build it");
  treadleJson = undefined;
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const path = (rest = "") => `/api/projects/${id}/publication${rest}`;
const state = async () => (await (await server.api(path())).json()) as Publication;
const release = (number = 1) => server.driver.opened.get(`${id}-release-${number}`)!;
async function publish(): Promise<void> {
  const answer = await server.api(path(), { json: { name: "shop" } });
  expect(answer.status, await answer.clone().text()).toBe(202);
  await expect.poll(async () => (await state()).current).toBe(1);
}
const putSecret = (name: string, value: string, environment?: string) =>
  server.api(`/api/projects/${id}/settings/secrets/${name}`, {
    method: "PUT",
    json: { value, host: `${name.toLowerCase().replaceAll("_", "-")}.com`, environment },
  });
const status = (from = "/") =>
  new Promise<number>((resolve, reject) => {
    const headers = { host: `shop.localhost:${port}` };
    ask({ host: "127.0.0.1", port, path: from, headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode!));
    })
      .on("error", reject)
      .end();
  });

it("A125 a release gets the published app's secrets, and the preview its own", async () => {
  await putSecret("BOTH", "the-same-for-both");
  await putSecret("KEY", "for-the-preview", "preview");
  await putSecret("KEY", VALUE, "published");
  await putSecret("PREVIEW", "in-the-preview-alone", "preview");
  await publish();
  const names = (secrets: readonly { name: string; value: string }[] = []) =>
    secrets.map(({ name, value }) => `${name}=${value}`);
  expect(names(release().options.settings!.secrets)).toEqual([
    "BOTH=the-same-for-both",
    `KEY=${VALUE}`,
  ]);
  expect(names(server.workspace(id).configured.at(-1)!.secrets)).toEqual([
    "BOTH=the-same-for-both",
    "KEY=for-the-preview",
    "PREVIEW=in-the-preview-alone",
  ]);
  // Hosts that only the published app may reach are not the preview's.
  const events = await server.events(id);
  expect(JSON.stringify(events)).not.toContain(VALUE);
});

it("a changed secret of the published app applies after a restart that loses no request", async () => {
  await publish();
  const seen = new Set<number>();
  const ends = new AbortController();
  const load = Promise.all(
    [1, 2].map(async () => {
      while (!ends.signal.aborted) seen.add(await status());
    }),
  );
  await putSecret("PREVIEW", "of-no-interest", "preview");
  await putSecret("KEY", VALUE, "published");
  await expect.poll(async () => (await state()).seen.restarts).toBe(1);
  ends.abort();
  await load;
  expect([...seen]).toEqual([200]);
  expect(release().options.settings!.secrets).toMatchObject([{ name: "KEY", value: VALUE }]);
  expect((await state()).app).toBe("up");
});

it("the app knows its public address, and is told when it changes", async () => {
  await publish();
  const address = () => release().options.settings?.address;
  expect(address()).toBe(`http://shop.localhost:${port}`);
  const domains = await server.api(path("/domains"), {
    method: "PUT",
    json: { domains: ["shop.example.com", "www.example.com"] },
  });
  expect(domains.status, await domains.clone().text()).toBe(200);
  await expect.poll(async () => (await state()).seen.restarts).toBe(1);
  expect(address()).toBe("https://shop.example.com");
  expect(await status()).toBe(200);
  // An app under another name knows it from its start.
  const named = await server.api(path(), { json: { name: "store" } });
  expect(named.status, await named.clone().text()).toBe(202);
  await expect.poll(async () => (await state()).current).toBe(2);
  await server.api(path("/domains"), { method: "PUT", json: { domains: [] } });
  await expect
    .poll(() => release(2).options.settings?.address)
    .toBe(`http://store.localhost:${port}`);
});

it("A126 it reaches the hosts of its own list, whatever the project may reach, until the list is removed", async () => {
  const reach = async (own: unknown) =>
    (
      (await (
        await server.api(path("/reach"), { method: "PUT", json: { own } })
      ).json()) as Publication
    ).reach;
  await server.api(`/api/projects/${id}/settings/hosts`, { json: { host: "api.project.com" } });
  await publish();
  expect((await state()).reach).toEqual<AppReach>({
    of: "project",
    hosts: ["api.project.com"],
    staticHosts: true,
  });
  expect(await reach({ hosts: ["API.own.com", "api.own.com"], staticHosts: false })).toEqual({
    of: "own",
    hosts: ["api.own.com"],
    staticHosts: false,
  });
  await server.api(`/api/projects/${id}/settings/hosts`, { json: { host: "more.project.com" } });
  const configured = () => release().configured.at(-1);
  expect(configured()).toMatchObject({ hosts: ["api.own.com"], staticHosts: false });
  const refused = await server.api(path("/reach"), {
    method: "PUT",
    json: { own: { hosts: ["127.0.0.1"] } },
  });
  expect(refused.status).toBe(400);
  expect(await reach(null)).toMatchObject({ of: "project" });
  expect(configured()).toMatchObject({ hosts: ["api.project.com", "more.project.com"] });
});

it("its statistics and output survive a restart of the server", async () => {
  await publish();
  expect(await status()).toBe(200);
  expect([await status("/bad?key=a"), await status("/bad")]).toEqual([500, 500]);
  for (const listener of release().listeners)
    listener({ type: "server-output", text: "it listens\n" });
  expect((await server.api(path("/restart"), { json: {} })).status).toBe(200);
  await server.close();
  server = await startTestServer(directory);
  const { seen, errors } = await state();
  expect(seen).toMatchObject({ requests: 3, errors: 2, restarts: 1 });
  expect(errors).toMatchObject([{ kind: "answer", text: "GET /bad was answered 500.", count: 2 }]);
  const log = async (query = "") =>
    (await (await server.api(path(`/log${query}`))).json()) as { text: string; end: number };
  const { text, end } = await log();
  expect(text).toMatch(/npm start\nit listens\n— .* npm start\n$/);
  expect(await log(`?from=${end}`)).toMatchObject({ text: "", end });
  const saved = await server.api(path("/releases/1/log.txt"));
  expect(await saved.text()).toBe(text);
  expect((await server.api(path("/releases/9/log.txt"))).status).toBe(404);
});

it("its jobs are those of its release, run in its sandbox with its secrets, and a failure is an error of the app", async () => {
  const write = (jobs: unknown) => (treadleJson = JSON.stringify({ jobs }));
  write([{ name: "digest", schedule: "often", command: "npm run digest" }]);
  id = await server.project("Build it with a job");
  expect((await server.api(path(), { json: { name: "shop" } })).status).toBe(202);
  await expect
    .poll(async () => (await state()).releases[0])
    .toMatchObject({ state: "failed", said: expect.stringContaining("“often” (UTC)") as string });
  expect((await state()).jobs).toEqual([]);

  write([{ name: "digest", schedule: "0 0 1 1 *", command: "npm run digest" }]);
  id = await server.project("Build it with a job that can be read");
  await putSecret("KEY", VALUE, "published");
  const named = await server.api(path(), { json: { name: "digests" } });
  expect(named.status).toBe(202);
  await expect.poll(async () => (await state()).current).toBe(1);
  expect((await state()).jobs).toMatchObject([
    { name: "digest", timeZone: "UTC", running: false, next: expect.any(Number) as number },
  ]);
  const ran: unknown[] = [];
  const sandbox = release();
  sandbox.run = async (command, options) => {
    ran.push([command, options?.env?.["KEY"], options?.timeoutMs]);
    return { kind: "exited", code: ran.length - 1, ms: 1, output: "Error: no mail goes out\n" };
  };
  const run = async (name: string) =>
    (await server.api(path(`/jobs/${name}/run`), { json: {} })).status;
  expect([await run("digest"), await run("nosuch")]).toEqual([202, 404]);
  const last = async () => (await state()).jobs[0]!.last;
  await expect.poll(last).toMatchObject({ state: "done", output: "Error: no mail goes out\n" });
  expect((await state()).errors).toEqual([]);
  expect(await run("digest")).toBe(202);
  await expect.poll(last).toMatchObject({ state: "failed" });
  expect(ran[1]).toEqual(["npm run digest", VALUE, 600_000]);
  expect((await state()).errors).toMatchObject([
    { kind: "job", release: 1, text: "The job “digest” failed: Error: no mail goes out" },
  ]);
});

it("a job that ends with its sandbox was stopped, and is no error of the app", async () => {
  treadleJson = JSON.stringify({
    jobs: [{ name: "digest", schedule: "0 0 1 1 *", command: "npm run digest" }],
  });
  id = await server.project("Build it with a long job");
  expect((await server.api(path(), { json: { name: "long" } })).status).toBe(202);
  await expect.poll(async () => (await state()).current).toBe(1);
  const sandbox = release();
  const stop = sandbox.stop.bind(sandbox);
  const stopped = Promise.withResolvers<void>();
  sandbox.run = async () => {
    await stopped.promise;
    return { kind: "exited", code: 137, signal: "SIGKILL", ms: 1, output: "" };
  };
  sandbox.stop = async () => {
    stopped.resolve();
    await stop();
  };
  await server.api(path("/jobs/digest/run"), { json: {} });
  await expect.poll(async () => (await state()).jobs[0]!.running).toBe(true);
  await server.api(`/api/projects/${id}?undo=true`, { method: "DELETE" });
  await server.api(`/api/projects/${id}/put-back`, { method: "POST" });
  await expect.poll(async () => (await state()).jobs[0]!.last).toMatchObject({ state: "stopped" });
  expect((await state()).errors).toEqual([]);
});

it("it has the limits of its treadle.json, shows its usage, and lists an exceeded limit among its errors", async () => {
  const limits = (value: unknown) => (treadleJson = JSON.stringify({ limits: value }));
  limits({ memory: 256 });
  id = await server.project("Build it with a limit that there is none of");
  expect((await server.api(path(), { json: { name: "small" } })).status).toBe(202);
  await expect
    .poll(async () => (await state()).releases[0])
    .toMatchObject({ state: "failed", said: expect.stringContaining("“memory”") as string });

  limits({ memoryMB: 256, cpus: 0.5 });
  id = await server.project("Build it with limits");
  expect((await server.api(path(), { json: { name: "limited" } })).status).toBe(202);
  await expect.poll(async () => (await state()).current).toBe(1);
  const sandbox = release();
  expect(sandbox.options.limits).toEqual({ memory: 256 * 1024 ** 2, cpus: 0.5 });
  expect((await state()).usage).toBeUndefined();
  const usage = { memory: 7, processes: 2, limits: { memory: 9, processes: 3, cpus: 1, disk: 5 } };
  Object.assign(sandbox, { usage: () => usage });
  expect((await state()).usage).toEqual(usage);

  const words = "treadle: the project needed more than the 256 MB.\n";
  for (const listener of sandbox.listeners) listener({ type: "limit", limit: "memory", words });
  expect((await state()).errors).toMatchObject([
    { kind: "limit", release: 1, text: "The project needed more than the 256 MB." },
  ]);
  await server.api(`/api/projects/${id}?undo=true`, { method: "DELETE" });
  await server.api(`/api/projects/${id}/put-back`, { method: "POST" });
  // Its sandbox is gone, and uses nothing.
  expect(await state()).toMatchObject({ app: "asleep" });
  expect((await state()).usage).toBeUndefined();
});

describe("variables of a .env file, which no release contains", () => {
  const missing = async (method = "GET") => {
    const answer = await server.api(path("/missing-variables"), { method });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    expect(text).not.toContain(VALUE);
    return (JSON.parse(text) as MissingVariables).findings;
  };
  const FOUND = [
    { code: "env-not-published", path: "backend/.env", names: ["ADMIN_EMAIL", "ADMIN_PASSWORD"] },
  ];
  const env = toProjectPath("backend/.env");
  const put = () =>
    server
      .workspace(id)
      .put(env, `PORT=3001\nADMIN_EMAIL=ada@example.com\nADMIN_PASSWORD=${VALUE}\n`);

  it("are listed before anything is published, and copied to the app's secrets", async () => {
    put();
    expect(await missing()).toEqual(FOUND);
    expect(await missing("POST")).toEqual([]);
    await server.workspace(id).files.remove(env);
    // The files are those that were seen to work again once the log knows of the removal.
    const answer = async () => (await server.api(path(), { json: { name: "shop" } })).status;
    await expect.poll(answer).toBe(202);
    await expect.poll(async () => (await state()).current).toBe(1);
    expect(release().options.settings!.secrets).toEqual([
      { name: "ADMIN_EMAIL", value: "ada@example.com", host: "" },
      { name: "ADMIN_PASSWORD", value: VALUE, host: "" },
    ]);
    expect(JSON.stringify(await server.events(id))).not.toContain(VALUE);
  });

  it("are copied at once for a running app, which restarts once", async () => {
    await putSecret("ADMIN_PASSWORD", "for-the-preview", "preview");
    await publish();
    put();
    expect(await missing()).toEqual(FOUND);
    expect(await missing("POST")).toEqual([]);
    await expect.poll(async () => (await state()).seen.restarts).toBe(1);
    expect(release().options.settings!.secrets.map(({ name }) => name)).toEqual([
      "ADMIN_EMAIL",
      "ADMIN_PASSWORD",
    ]);
    expect(await missing("POST")).toEqual([]);
  });
});
