import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { LogEvent, Notification, NotificationSettings } from "@treadle/protocol";
import { startTestServer, type TestServer } from "../../server.test-support.ts";
import { createNotifications } from "@treadle/notifications";
import {
  startSmtpServer,
  type SmtpServer,
} from "../../../../notifications/src/smtp-server.test-support.ts";

interface Received {
  path: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

let server: TestServer;
let receiver: Server;
let smtp: SmtpServer;
let url: string;
const received: Received[] = [];
/** The statuses of the next answers; 200 when there are no more. */
const statuses: number[] = [];

beforeEach(async () => {
  received.length = statuses.length = 0;
  // oxlint-disable-next-line typescript/no-misused-promises -- a failure fails the test
  receiver = createServer(async (request, response) => {
    const { url: path, headers } = request;
    received.push({ path, headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 200, { location: "/elsewhere" }).end("ignored");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  smtp = await startSmtpServer("right");
  server = await startTestServer();
});
afterEach(async () => {
  await server.close();
  await smtp.close();
  await new Promise((resolve) => receiver.close(resolve));
});

const put = (channel: string, json: object) =>
  server.api(`/api/notifications/${channel}`, { method: "PUT", json });
const read = async () =>
  (await (await server.api("/api/notifications")).json()) as NotificationSettings;
const test = async (channel: string) => {
  const response = await server.api(`/api/notifications/${channel}/test`, { json: {} });
  const answer = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: answer.error?.code };
};
const bodies = () => received.map(({ body }) => JSON.parse(body) as Notification);
const mail = (more: object = {}) => ({
  host: "127.0.0.1",
  port: smtp.port,
  security: "none",
  user: "user",
  password: "right",
  from: "treadle@example.com",
  to: "person@example.com",
  ...more,
});

it("posts how a turn ended, signed, and nothing but its project, verdict and address", async () => {
  await put("webhook", { url, secret: "shared" });
  server.turns.push(async () => ({ verdict: "failed" }));
  const id = await server.project("Build a secret thing");
  await expect.poll(bodies).toHaveLength(1);
  expect(bodies()[0]).toEqual({
    id: expect.any(String),
    event: "turn-failed",
    verdict: "failed",
    project: { id, name: expect.any(String) },
    address: expect.stringMatching(new RegExp(`^http://.*/p/${id}$`)),
    at: expect.any(Number),
  });
  const signature = createHmac("sha256", "shared").update(received[0]!.body).digest("hex");
  expect(received[0]!.headers["x-treadle-signature"]).toBe(`sha256=${signature}`);
  await expect.poll(async () => (await read()).webhook?.last).toEqual({ at: expect.any(Number) });
});

it("tries again while the receiver is not there, four times at most, and shows the failure", async () => {
  await put("webhook", { url });
  statuses.push(503, 429, 200);
  await server.project();
  await expect.poll(() => received.length).toBe(3);
  expect(new Set(bodies().map(({ id }) => id)).size).toBe(1);
  received.length = 0;
  statuses.push(500, 500, 500, 500, 500);
  await server.project();
  const codeOf = async () => (await read()).webhook?.last?.failure?.messageCode?.code;
  await expect.poll(codeOf).toBe("webhook-refused");
  expect(received).toHaveLength(4);
});

it("follows no redirect, and tries nothing again that was refused for good", async () => {
  await put("webhook", { url });
  statuses.push(307);
  expect(await test("webhook")).toEqual({ status: 502, code: "not-delivered" });
  expect(received.map(({ path }) => path)).toEqual(["/hook"]);
});

it("sends no secret to another server than it was typed for, and returns none", async () => {
  await put("webhook", { url, secret: "shared" });
  const sameServer = await put("webhook", { url: url.replace("hook", "other") });
  expect(await sameServer.json()).toMatchObject({ webhook: { hasSecret: true } });
  const moved = await put("webhook", { url: "https://example.com/" });
  expect(await moved.json()).toMatchObject({ webhook: { hasSecret: false } });
  expect((await put("webhook", { url: "file:///etc/passwd" })).status).toBe(400);
  expect((await put("webhook", { url: "http://a:b@example.com" })).status).toBe(400);
});

it("mails the same in the language of the settings", async () => {
  await put("mail", mail({ language: "pt" }));
  server.turns.push(async () => ({ verdict: "verified" }));
  const id = await server.project();
  await expect.poll(() => smtp.mails).toHaveLength(1);
  const [{ from, to, content } = { from: "", to: "", content: "" }] = smtp.mails;
  expect([from, to]).toEqual(["treadle@example.com", "person@example.com"]);
  expect(content).toContain(`/p/${id}`);
  expect(content).toContain("Verificado");
});

it("says why a test mail was not taken, and drops the password for another server", async () => {
  await put("mail", mail({ password: "wrong" }));
  expect(await test("mail")).toEqual({ status: 502, code: "not-delivered" });
  expect((await read()).mail?.last?.failure?.messageCode?.code).toBe("mail-login");
  await put("mail", mail());
  expect(await test("mail")).toEqual({ status: 200, code: undefined });
  smtp.refusal = "550 nobody here";
  await test("mail");
  expect((await read()).mail?.last?.failure?.messageCode?.code).toBe("mail-refused");
  await put("mail", { ...mail({ host: "localhost" }), password: undefined });
  expect((await read()).mail?.hasPassword).toBe(false);
  await put("mail", mail({ security: "starttls" }));
  await test("mail");
  expect((await read()).mail?.last?.failure?.messageCode?.code).toBe("mail-unencrypted");
});

it("is off until it is set up, and after it was removed", async () => {
  expect(await test("webhook")).toEqual({ status: 409, code: "channel-off" });
  await put("webhook", { url });
  await server.api("/api/notifications/webhook", { method: "DELETE" });
  expect(await read()).toEqual({});
});

it("sends nothing that the user saw in the page, or that continues automatically", async () => {
  await put("webhook", { url });
  const id = await server.project();
  await expect.poll(() => received.length).toBe(1);
  const held: (() => void)[] = [];
  const notifications = createNotifications({
    store: server.store,
    clock: {
      now: () => 0,
      sleep: (_ms, signal) =>
        new Promise((resolve, reject) => {
          held.push(resolve);
          signal?.addEventListener("abort", reject);
        }),
    },
    appOrigin: () => "http://localhost",
    onNotice: () => {},
  });
  const asks = { type: "question", run: "r", question: { id: "q" } } as LogEvent;
  const news = () => notifications.logged(id, asks);
  news();
  notifications.seen(id);
  news();
  notifications.logged(id, { type: "run-start", run: "r" } as LogEvent);
  news();
  for (const release of held) release();
  await expect.poll(() => received.length).toBe(2);
  expect(bodies()[1]).toMatchObject({ event: "turn-asks" });
  notifications.close();
});
