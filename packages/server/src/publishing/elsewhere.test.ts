import type { Deployment, Elsewhere, Publication } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";
import {
  NETLIFY,
  startNetlify,
  type NetlifyStandIn,
} from "../../../publish/src/elsewhere/netlify.test-support.ts";

const TOKEN = "nfp-of-ada-4411-6a2f";
let host: NetlifyStandIn;
let server: TestServer;
beforeEach(async () => {
  host = await startNetlify(TOKEN);
  server = await startTestServer(undefined, {
    env: { TREADLE_TEST_STAND_INS: `${NETLIFY}=${host.origin}` },
  });
  await server.listen();
});
afterEach(async () => {
  await server.close();
  await host.close();
});

async function published(files: Record<string, string>): Promise<string> {
  server.turns.splice(0, Infinity, async (_, { workspace }) => {
    for (const [path, text] of Object.entries(files))
      await workspace.files.write(toProjectPath(path), text);
    return { verdict: "verified" };
  });
  const id = await server.project("Build it");
  const path = `/api/projects/${id}/publication`;
  expect((await server.api(path, { json: { name: "shop" } })).status).toBe(202);
  await expect
    .poll(async () => ((await (await server.api(path)).json()) as Publication).releases[0]!.state)
    .not.toBe("building");
  return id;
}

const path = (id: string, more = "") => `/api/projects/${id}/elsewhere${more}`;
const state = async (id: string) => (await (await server.api(path(id))).json()) as Elsewhere;
const target = async (id: string) => (await state(id)).targets.find((one) => one.id === "netlify")!;
const putPlace = (id: string, json: object) =>
  server.api(path(id, "/netlify"), { method: "PUT", json });

async function refusal(answer: Promise<Response>) {
  const response = await answer;
  const { error } = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, ...error };
}

async function send(id: string, json: { release?: number } = {}): Promise<Deployment> {
  const answer = await server.api(path(id, "/netlify"), { json });
  expect(answer.status, await answer.clone().text()).toBe(202);
  await expect.poll(async () => (await state(id)).deployments[0]!.state).not.toBe("sending");
  return (await state(id)).deployments[0]!;
}

const SITE = { "index.html": "<h1>Shop</h1>" };

it("sends the live release, and shows its address from then on", async () => {
  const id = await published(SITE);
  expect(await target(id)).toMatchObject({ token: "wanted", place: {}, carries: ["site"] });
  await putPlace(id, { place: {}, token: TOKEN });
  const sent = await send(id);
  expect(sent).toMatchObject({
    state: "ready",
    release: 1,
    target: "netlify",
    address: "https://shop.netlify.app",
  });
  expect(host.files(sent.address!)["index.html"]).toBe("<h1>Shop</h1>");
  // The created site is remembered.
  expect((await target(id)).place.site).toBeTypeOf("string");
  await send(id, { release: 1 });
  expect(host.asked.filter(({ line }) => line === "POST /sites")).toHaveLength(1);
  expect((await state(id)).deployments).toHaveLength(2);
});

it("keeps the token on the server: no response, log, notice, export or sandbox contains it", async () => {
  const id = await published(SITE);
  const message = await (await putPlace(id, { place: {}, token: TOKEN })).text();
  // A host that repeats the token is not quoted with it.
  host.fault = ({ headers, line }) =>
    line === "POST /sites"
      ? { status: 400, body: { message: `What is ${headers.authorization}?` } }
      : undefined;
  const sent = await send(id);
  expect(sent.said).toContain("What is Bearer …?");
  const texts = [
    message,
    JSON.stringify(await state(id)),
    JSON.stringify(await server.events(id)),
    server.notices.join(),
    Buffer.from(await (await server.api(`/api/projects/${id}/export.zip?secrets=true`)).arrayBuffer()).toString("latin1"), // prettier-ignore
    JSON.stringify([...server.driver.opened.values()].map(({ options }) => options)),
    JSON.stringify(await server.store.lists.all("elsewhere")),
  ];
  for (const text of texts) expect(text).not.toContain(TOKEN);
  expect(await server.store.settings.get("secret:elsewhere:netlify")).toBe(TOKEN);
  await server.api(path(id, "/netlify/token"), { method: "DELETE" });
  expect(await server.store.settings.get("secret:elsewhere:netlify")).toBeUndefined();
  expect((await target(id)).token).toBe("wanted");
});

it("asks for a rejected token again", async () => {
  const id = await published(SITE);
  expect(await refusal(server.api(path(id, "/netlify"), { json: {} }))).toMatchObject({
    status: 409,
    code: "token",
  });
  await putPlace(id, { place: {}, token: "another" });
  expect(await send(id)).toMatchObject({ state: "failed", problem: "token" });
  await putPlace(id, { place: {}, token: TOKEN });
  expect(await send(id)).toMatchObject({ state: "ready" });
});

it("holds what the gate holds, and sends it once a person has decided", async () => {
  const key = ["sk", "live", "9fKq2WmZ7bXc4Rt8YpL3"].join("_");
  const id = await published({ "index.html": `<script>let key = "${key}"</script>` });
  await putPlace(id, { place: {}, token: TOKEN });
  expect(await refusal(server.api(path(id, "/netlify"), { json: {} }))).toMatchObject({
    code: "not-published",
  });
  expect(await refusal(server.api(path(id, "/netlify"), { json: { release: 1 } }))).toMatchObject({
    status: 409,
    code: "held",
  });
  expect(host.asked).toEqual([]);
  await server.api(`/api/projects/${id}/publication/releases/1/anyway`, { json: { by: "Ada" } });
  await expect
    .poll(async () => {
      const answer = await server.api(`/api/projects/${id}/publication`);
      return ((await answer.json()) as Publication).current;
    })
    .toBe(1);
  expect(await send(id)).toMatchObject({ state: "ready" });
});

it("can be stopped in the middle, and nothing stays pending", async () => {
  const id = await published(SITE);
  await putPlace(id, { place: {}, token: TOKEN });
  host.fault = ({ method }) => (method === "PUT" ? "hang" : undefined);
  await server.api(path(id, "/netlify"), { json: {} });
  await expect.poll(() => host.asked.some(({ method }) => method === "PUT")).toBe(true);
  expect(await refusal(server.api(path(id, "/netlify"), { json: {} }))).toMatchObject({
    code: "sending",
  });
  const stopped = await server.api(path(id, "/netlify/stop"), { method: "POST" });
  expect(((await stopped.json()) as Elsewhere).deployments[0]!.state).toBe("stopped");
  expect(host.cancelled).toHaveLength(1);
  host.fault = undefined;
  expect(await send(id)).toMatchObject({ state: "ready" });
});

it("reports an upload that the killed server left unfinished as failed", async () => {
  const id = await published(SITE);
  await putPlace(id, { place: {}, token: TOKEN });
  host.fault = ({ method }) => (method === "PUT" ? "hang" : undefined);
  await server.api(path(id, "/netlify"), { json: {} });
  await expect.poll(() => host.asked.some(({ method }) => method === "PUT")).toBe(true);
  // The state on the disk during the upload.
  const [stored] = await server.store.lists.all("elsewhere");
  await server.treadle.close();
  const again = await startTestServer(server.directory);
  await again.store.lists.put("elsewhere", id, stored);
  await again.treadle.close();
  server = await startTestServer(server.directory);
  expect((await state(id)).deployments[0]).toMatchObject({
    state: "failed",
    said: "Treadle was stopped meanwhile. Send it again.",
  });
  // The site that was already created is used the next time.
  expect((await target(id)).place.site).toBeTypeOf("string");
});

it("sends nothing if the disk is too full to record it", async () => {
  const id = await published(SITE);
  await putPlace(id, { place: {}, token: TOKEN });
  const { lists } = server.store;
  const { put } = lists;
  lists.put = (list, name, value) =>
    list === "elsewhere"
      ? Promise.reject(Object.assign(new Error("No space is left."), { code: "ENOSPC" }))
      : put.call(lists, list, name, value);
  expect((await server.api(path(id, "/netlify"), { json: {} })).status).toBe(507);
  lists.put = put;
  expect((await state(id)).deployments).toEqual([]);
  expect(host.asked).toEqual([]);
  expect(await send(id)).toMatchObject({ state: "ready" });
});

it("forgets a removed project, and only asks for permitted information", async () => {
  const id = await published(SITE);
  expect(await refusal(putPlace(id, { place: { site: "a\u0007b" } }))).toMatchObject({
    code: "bad-place",
  });
  await putPlace(id, { place: { site: " my-shop ", server: "not asked for" } });
  expect((await target(id)).place).toEqual({ site: "my-shop" });
  expect((await server.api(`/api/projects/${id}`, { method: "DELETE" })).status).toBe(200);
  expect(await server.store.lists.all("elsewhere")).toEqual([]);
});
