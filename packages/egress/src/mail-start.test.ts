import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { createTransport } from "nodemailer";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CERTIFICATE, KEY } from "./certificate.test-support.ts";
import { startProject } from "./egress.test-support.ts";

const HOST = "mail.example.com:587";
let project: Awaited<ReturnType<typeof startProject>>;
let target = 0;
const mails: string[] = [];
const closers: (() => void)[] = [];

beforeEach(async () => {
  mails.length = 0;
  project = await startProject([HOST], () => target);
  closers.push(() => project.close());
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) close();
});

async function startMail(more: ConstructorParameters<typeof SMTPServer>[0]): Promise<void> {
  const server = new SMTPServer({
    key: KEY,
    cert: CERTIFICATE,
    onAuth: (auth, _session, done) =>
      auth.password === "s3cret" ? done(null, { user: "ada" }) : done(new Error("wrong")),
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (piece: Buffer) => (text += String(piece)));
      stream.on("end", () => {
        mails.push(text);
        done();
      });
    },
    ...more,
  });
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  target = (listening.address() as { port: number }).port;
  closers.push(() => server.close(() => undefined));
}

/** Sends as an app does: with nodemailer, through the proxy in its environment. */
const send = (more: object = {}) =>
  createTransport({
    host: "mail.example.com",
    port: 587,
    auth: { user: "ada", pass: "s3cret" },
    proxy: `http://127.0.0.1:${project.port}`,
    tls: { rejectUnauthorized: false },
    ...more,
  }).sendMail({ from: "a@example.com", to: "b@example.com", subject: "A link", text: "/reset" });

it("sends mail through a server that speaks first and then encrypts (STARTTLS), usual at port 587", async () => {
  await startMail({});
  await send();
  expect(mails).toEqual([expect.stringContaining("Subject: A link")]);
  expect(project.refused).toEqual([]);
});

it("sends mail that is encrypted from the first byte", async () => {
  await startMail({ secure: true });
  await send({ secure: true });
  expect(mails).toEqual([expect.stringContaining("Subject: A link")]);
});

it.each([
  ["smtp://ada:s3cret@mail.example.com", false],
  ["smtps://ada:s3cret@mail.example.com:587", true],
])("the template accounts sends its links this way, with SMTP_URL=%s", async (url, secure) => {
  await startMail({ secure });
  vi.stubEnv("NODE_ENV", "production");
  vi.stubEnv("SMTP_URL", `${url}?tls.rejectUnauthorized=false`);
  vi.stubEnv("MAIL_FROM", "app@example.com");
  vi.stubEnv("APP_URL", "https://app.example.com");
  vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${project.port}`);
  vi.resetModules();
  const { mailWay, sendLink } = await import("../../workspace/templates/accounts/src/mail.ts");
  expect(mailWay).toBe("mail");
  await sendLink("ada@example.com", "Choose a new password", "/reset?token=abc");
  expect(mails).toEqual([expect.stringContaining("https://app.example.com/reset?")]);
});

it("A60 neither a login nor a mail is sent unencrypted, and the sender is told", async () => {
  await startMail({ hideSTARTTLS: true, allowInsecureAuth: true });
  await expect(send()).rejects.toThrow(/only encrypted/);
  await expect(send({ auth: undefined })).rejects.toThrow(/only encrypted/);
  expect(mails).toEqual([]);
  expect(project.refused).toEqual([
    { host: HOST, reason: "not-named" },
    { host: HOST, reason: "not-named" },
  ]);
});

it("A60 the encrypted data has to be for the requested host", async () => {
  await startMail({});
  const tls = { rejectUnauthorized: false, servername: "evil.example.com" };
  await expect(send({ tls })).rejects.toThrow();
  expect(mails).toEqual([]);
  expect(project.refused).toEqual([{ host: "evil.example.com:587", reason: "not-allowed" }]);
});

/** A server that sends this greeting, and records what it receives. */
async function startRaw(greeting: string, answer: string): Promise<string[]> {
  const heard: string[] = [];
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write(greeting);
    socket.on("data", (piece: Buffer) => {
      heard.push(String(piece));
      socket.write(answer);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  target = (server.address() as { port: number }).port;
  closers.push(() => server.close());
  return heard;
}

const connectLine = `CONNECT ${HOST} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;

it.each([
  ["what is no command of mail", "GET /secret\r\n"],
  ["a command that goes on without end", "EHLO ".padEnd(5_000, "a")],
  ["more behind the wish to encrypt", "STARTTLS\r\nMAIL FROM:<a@b>\r\n"],
  ["half a command behind the wish to encrypt", "STARTTLS\r\nMAIL"],
])("A60 is ended at %s", async (_what, sent) => {
  const heard = await startRaw("220 here\r\n", "220 go on\r\n");
  const answer = await sayAfterGreeting(sent);
  expect(answer).toContain("530 5.7.0");
  expect(heard.join("")).not.toMatch(/secret|MAIL|aaa/);
  expect(project.refused).toEqual([{ host: HOST, reason: "not-named" }]);
});

it("A60 refuses a server that speaks first but is not a mail server", async () => {
  await startRaw("SSH-2.0-x\r\n", "");
  expect(await sayAfterGreeting("SSH-2.0-y\r\n")).toContain("530");
  expect(project.refused).toEqual([{ host: HOST, reason: "not-named" }]);
});

async function sayAfterGreeting(sent: string): Promise<string> {
  const socket = connect(project.port, "127.0.0.1");
  socket.on("error", () => undefined);
  let answer = "";
  let isSaid = false;
  socket.setEncoding("latin1").on("data", (piece: string) => {
    answer += piece;
    if (isSaid || !answer.includes("220 here")) return;
    isSaid = true;
    socket.write(sent);
  });
  socket.write(connectLine);
  await once(socket, "close");
  return answer;
}
