import { toProjectPath } from "@treadle/protocol/project-path";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProjectSettings } from "@treadle/protocol";
import { isAllowedHost } from "@treadle/egress/allowed-host";
import { STATIC_HOSTS } from "@treadle/egress";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
let id: string;
beforeEach(async () => {
  server = await startTestServer();
  server.turns.push(async (_request, { workspace }) => {
    await workspace.files.write(toProjectPath("a.txt"), "a");
  });
  id = await server.project();
});
afterEach(() => server.close());

const VALUE = "sk-the-value-of-the-secret";
const at = (path = "") => `/api/projects/${id}/settings${path}`;
const allow = (host: string) => server.api(at("/hosts"), { json: { host } });
const put = (name: string, value = VALUE, host = "api.example.com") =>
  server.api(at(`/secrets/${name}`), { method: "PUT", json: { value, host } });
const settings = async (response: Response | Promise<Response>) =>
  (await (await response).json()) as ProjectSettings;
const configured = () => server.workspace(id).configured.at(-1);

it("A30 a new project can only reach the registry and the static hosts, and has no secrets", async () => {
  expect(await settings(server.api(at()))).toEqual({
    hosts: [],
    staticHosts: { on: true, hosts: [...STATIC_HOSTS] },
    limitPreview: false,
    runsIn: "machine",
    secrets: [],
    verdicts: "thorough",
    keepsData: false,
    budget: { turn: {}, project: {} },
  });
  expect(server.workspace(id).options.settings).toEqual({
    hosts: [],
    staticHosts: true,
    secrets: [],
  });
});

it("includes the app's data in checkpoints once that is enabled", async () => {
  const setKeepsData = (keepsData: boolean) =>
    settings(server.api(at("/data"), { method: "PUT", json: { keepsData } }));
  expect(await setKeepsData(true)).toMatchObject({ keepsData: true });
  expect(await setKeepsData(false)).toMatchObject({ keepsData: false });
});

it("switches static hosts off, and limits the preview to the project's hosts, each with one request", async () => {
  const reach = (json: unknown) => settings(server.api(at("/reach"), { method: "PUT", json }));
  expect(await reach({ staticHosts: false })).toMatchObject({
    staticHosts: { on: false },
    limitPreview: false,
  });
  expect(configured()).toMatchObject({ staticHosts: false });
  expect(await reach({ limitPreview: true })).toMatchObject({
    staticHosts: { on: false },
    limitPreview: true,
  });
  expect(await reach({ staticHosts: true })).toMatchObject({ staticHosts: { on: true } });
  expect(configured()).toMatchObject({ staticHosts: true });
});

it("runs in the person's tab from the next opening on, if chosen", async () => {
  const runIn = (runsIn: string) => server.api(at("/runs-in"), { method: "PUT", json: { runsIn } });
  expect(server.workspace(id).options.runsIn).toBeUndefined();
  expect(await settings(runIn("tab"))).toMatchObject({ runsIn: "tab" });
  await server.api(`/api/projects/${id}/files`);
  expect(server.workspace(id).options.runsIn).toBe("tab");
  expect(await settings(runIn("machine"))).toMatchObject({ runsIn: "machine" });
  expect((await runIn("moon")).status).toBe(400);
});

it("an allowed host applies to the open workspace, and is logged", async () => {
  expect((await settings(allow(" API.Example.com. "))).hosts).toEqual(["api.example.com"]);
  await allow("https://b.example.com/some/path?x=1");
  await allow("*.c.example.com");
  await allow("api.example.com");
  const hosts = ["*.c.example.com", "api.example.com", "b.example.com"];
  expect(configured()?.hosts).toEqual(hosts);
  const changes = (await server.events(id)).filter(({ type }) => type === "hosts-changed");
  expect(changes).toHaveLength(3);
  expect(changes.at(-1)).toEqual({ type: "hosts-changed", hosts });
  const removed = await settings(
    server.api(at(`/hosts/${encodeURIComponent("*.c.example.com")}`), { method: "DELETE" }),
  );
  expect(removed.hosts).toEqual(["api.example.com", "b.example.com"]);
  expect(configured()?.hosts).toEqual(removed.hosts);
});

it("A27 allows a requested host exactly as named, and only for that project", async () => {
  const other = await server.project();
  await allow("api.example.com");
  expect(configured()?.hosts).toEqual(["api.example.com"]);
  const theirs = await settings(server.api(`/api/projects/${other}/settings`));
  expect(theirs.hosts).toEqual([]);
  expect(server.workspace(other).configured.flatMap(({ hosts }) => hosts)).toEqual([]);
  expect(server.workspace(other).options.settings?.hosts).toEqual([]);
  // Neither its parent nor a subdomain, nor another of its ports.
  for (const host of ["example.com", "x.api.example.com", "api.example.com.evil.com"])
    expect(isAllowedHost(host, 443, configured()!.hosts)).toBe(false);
  expect(isAllowedHost("api.example.com", 8443, configured()!.hosts)).toBe(false);
  expect(isAllowedHost("api.example.com", 443, configured()!.hosts)).toBe(true);
});

it.each(["127.0.0.1", "localhost", "[::1]", "*", "*.com", "metadata.google.internal", "a b", "a"])(
  "A29 %j cannot be allowed, and the response says why",
  async (host) => {
    const response = await allow(host);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { messageCode: { code: "host-bad" } } });
    expect((await settings(server.api(at()))).hosts).toEqual([]);
  },
);

it("A33 a secret's value is passed to the workspace and appears in no route, event or file", async () => {
  const response = await put("APP_KEY");
  expect((await settings(response)).secrets).toEqual([
    { name: "APP_KEY", host: "api.example.com", environment: "both" },
  ]);
  expect(configured()?.secrets).toEqual([
    { name: "APP_KEY", value: VALUE, host: "api.example.com" },
  ]);
  await server.store.log.settled();
  const answers = await Promise.all(
    [
      at(),
      `/api/projects/${id}`,
      "/api/projects",
      `/api/projects/${id}/files`,
      `/api/projects/${id}/export.zip`,
      "/api/models",
      "/api/health",
    ].map(async (path) => Buffer.from(await (await server.api(path)).arrayBuffer()).toString()),
  );
  const files = readdirSync(server.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  for (const text of [...answers, ...files, JSON.stringify(await server.events(id))])
    expect(text).not.toContain(VALUE);
  const change = (await server.events(id)).findLast(({ type }) => type === "hosts-changed");
  expect(change).toEqual({ type: "hosts-changed", hosts: ["api.example.com"] });
});

it("a secret may have no host; its value can be replaced without naming the host again", async () => {
  const value = (name: string, text: string) =>
    settings(server.api(at(`/secrets/${name}`), { method: "PUT", json: { value: text } }));
  expect((await value("SESSION_SECRET", "signs-cookies")).hosts).toEqual([]);
  expect(configured()?.secrets).toEqual([
    { name: "SESSION_SECRET", value: "signs-cookies", host: "" },
  ]);
  expect((await server.events(id)).some(({ type }) => type === "hosts-changed")).toBe(false);
  await put("APP_KEY");
  await value("APP_KEY", "another-value");
  expect(configured()?.secrets[0]).toMatchObject({
    value: "another-value",
    host: "api.example.com",
  });
});

it("a secret is replaced and deleted by name", async () => {
  await put("APP_KEY");
  await put("APP_KEY", "another-value", "other.example.com");
  expect(configured()?.secrets).toEqual([
    { name: "APP_KEY", value: "another-value", host: "other.example.com" },
  ]);
  const left = await settings(server.api(at("/secrets/APP_KEY"), { method: "DELETE" }));
  expect(left.secrets).toEqual([]);
  expect(configured()?.secrets).toEqual([]);
});

it.each(["PATH", "LD_PRELOAD", "https_proxy", "NODE_OPTIONS", "TREADLE_NODE", "1A", "A-B"])(
  "refuses %s as the name of a secret",
  async (name) => expect((await put(name)).status).toBe(400),
);

it("refuses invalid values with a hint", async () => {
  expect((await put("A", "two\nlines")).status).toBe(400);
  expect((await put("A", "")).status).toBe(400);
  expect((await put("A", "x".repeat(16_001))).status).toBe(400);
  expect((await put("A", "v", "10.0.0.1")).status).toBe(400);
});

it("keeps settings when the workspace is opened again", async () => {
  await allow("a.example.com");
  await put("APP_KEY");
  await server.treadle.projects.release(id);
  await server.api(`/api/projects/${id}/files`);
  expect(server.workspace(id).options.settings).toEqual({
    hosts: ["a.example.com"],
    staticHosts: true,
    secrets: [{ name: "APP_KEY", value: VALUE, host: "api.example.com" }],
  });
});

it("keeps all of many concurrent changes", async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => allow(`h${index}.example.com`)));
  expect((await settings(server.api(at()))).hosts).toHaveLength(20);
  await Promise.all(Array.from({ length: 90 }, (_, index) => allow(`i${index}.example.com`)));
  expect((await settings(server.api(at()))).hosts).toHaveLength(100);
  expect((await allow("late.example.com")).status).toBe(409);
});

it("A10 answers 404 for another project's settings", async () => {
  for (const path of ["", "/hosts/a.com"])
    expect(
      (
        await server.api(`/api/projects/nobody/settings${path}`, {
          method: path ? "DELETE" : "GET",
        })
      ).status,
    ).toBe(404);
});

it("a budget applies from the next turn on, and includes earlier use", async () => {
  const budget = { turn: { minutes: 5, costUsd: 0.5 }, project: { tokens: 1000 } };
  const sent = await server.api(at("/budget"), { method: "PUT", json: budget });
  expect((await settings(sent)).budget).toEqual(budget);
  const response = await server.api(`/api/projects/${id}/messages`, { json: { text: "More" } });
  const { run } = (await response.json()) as { run: string };
  await server.until(id, (event) => event.type === "run-end" && event.run === run);
  expect(server.requests.at(-1)?.limits).toMatchObject({
    ms: 300_000,
    costUsd: 0.5,
    project: { tokens: 1000, used: { tokens: expect.any(Number), costUsd: expect.any(Number) } },
  });
});

it.each([
  { turn: { steps: 0 }, project: {} },
  { turn: {}, project: { costUsd: -1 } },
  { turn: {} },
])("refuses a budget of %j, and keeps the previous one", async (json) => {
  expect((await server.api(at("/budget"), { method: "PUT", json })).status).toBe(400);
  expect((await settings(server.api(at()))).budget).toEqual({ turn: {}, project: {} });
});
