import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import type { AuditForwarding } from "@treadle/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
/** What the webhook got, and the status that it answers. */
const received: { body: string; headers: IncomingMessage["headers"] }[] = [];
let status = 200;
const webhook = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
    response.writeHead(status).end();
  });
});
let syslogged = "";
const syslog = createTcpServer((socket) => {
  socket.on("data", (chunk: Buffer) => (syslogged += chunk.toString()));
});
const portOf = (listening: { address(): unknown }) => (listening.address() as AddressInfo).port;

beforeAll(async () => {
  server = await startTestServer(undefined, { team: true });
  await new Promise<void>((resolve) => webhook.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => syslog.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await server.close();
  webhook.close();
  syslog.close();
});

const append = (action: string) =>
  server.accounts!.audit.append({
    person: "ada",
    name: "Ada",
    via: "session",
    action,
    what: "POST /api/x",
    values: {},
  });
const actionsIn = () => received.map(({ body }) => (JSON.parse(body) as { action: string }).action);
const set = (json: object) => server.api("/api/audit/forwarding", { method: "PUT", json });

it("posts what happens from now on in order, signed, and again until it is taken", async () => {
  await append("before");
  const url = `http://127.0.0.1:${portOf(webhook)}/audit`;
  expect((await set({ webhook: { url }, secret: "s3cret" })).status).toBe(200);
  status = 503;
  await append("one");
  await expect.poll(() => received.length).toBeGreaterThan(1);
  status = 200;
  await append("two");
  await expect.poll(actionsIn).toContain("two");
  const ids = received.map(({ headers }) => headers["x-treadle-delivery"]);
  expect(ids[1]).toBe(ids[0]);
  const { body, headers } = received.at(-1)!;
  const signature = createHmac("sha256", "s3cret").update(body).digest("hex");
  expect(headers["x-treadle-signature"]).toBe(`sha256=${signature}`);
  expect(actionsIn()).not.toContain("before");
  expect(actionsIn().indexOf("two")).toBeGreaterThan(actionsIn().lastIndexOf("one"));
  const response = await server.api("/api/audit/forwarding");
  const forwarding = (await response.json()) as AuditForwarding;
  expect(forwarding).toMatchObject({ webhook: { url }, isSigned: true });
  expect(JSON.stringify(forwarding)).not.toContain("s3cret");
});

it("sends entries by syslog as RFC 5424, each framed by its length in bytes", async () => {
  await set({ syslog: { host: "127.0.0.1", port: portOf(syslog), tls: false } });
  await append("grün");
  await expect.poll(() => syslogged).toContain("grün");
  const first = /^(\d+) (<109>1 \S+Z \S+ treadle \d+ \S+ - )/.exec(syslogged)!;
  const start = first[1]!.length + 1;
  const bytes = Buffer.from(syslogged).subarray(start, start + Number(first[1]));
  const text = bytes.toString().slice(first[2]!.length);
  expect(text.startsWith("\ufeff{")).toBe(true);
  expect(() => JSON.parse(text.slice(1)) as unknown).not.toThrow();
});
