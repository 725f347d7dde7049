import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createOutsideNames, isForName, type OutsideNames } from "./outside-names.ts";

let folder: string;
let names: OutsideNames;
let proxy: Server;
let resolver: Resolver;
let dnsPort: number;
let port: number;
let other: number;
const asked: string[] = [];
const answers: string[] = [];

/** A port on which nothing currently listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: found } = server.address() as AddressInfo;
  server.close();
  return found;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-names-"));
  asked.length = 0;
  answers.length = 0;
  proxy = createHttp().on("connect", (request, socket, head) => {
    asked.push(request.url!);
    if (request.url!.startsWith("no.")) return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\nno");
    // The end of the response and the bytes after it may arrive together.
    socket.write("HTTP/1.1 200 OK\r\n\r\n220 hello\r\n");
    socket.unshift(head);
    socket.on("data", (bytes: Buffer) => socket.write(String(bytes).toUpperCase()));
    socket.on("end", () => socket.end("bye"));
  });
  proxy.listen(join(folder, "proxy.sock"));
  await once(proxy, "listening");
  [dnsPort, port, other] = await Promise.all([freePort(), freePort(), freePort()]);
  names = createOutsideNames({
    proxySocket: join(folder, "proxy.sock"),
    onAnswer: (bytes, clientPort, at) =>
      answers.push(`${JSON.stringify(at)} ${clientPort > 0} ${String(bytes)}`),
    dnsPort,
    most: 390,
  });
  await names.offer([`*.example.com:${port}`]);
  resolver = new Resolver({ timeout: 20_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${dnsPort}`]);
});
afterEach(() => {
  names.close();
  proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

async function talk(name: string, at = port, text = "abc"): Promise<string> {
  const [host] = await resolver.resolve4(name);
  const socket = connect({ host: host!, port: at, allowHalfOpen: true });
  let heard = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (heard += piece));
  socket.on("error", (error: NodeJS.ErrnoException) => (heard += error.code));
  socket.end(text);
  return new Promise((resolve) => void socket.on("close", () => resolve(heard)));
}

it("connects a program through the proxy to the host and port that it named, with one address per name", async () => {
  expect(await talk("api.example.com")).toBe("220 hello\r\nABCbye");
  expect(await talk("API.example.com")).toBe("220 hello\r\nABCbye");
  expect(await talk("b.example.com")).toContain("ABC");
  expect(asked).toEqual(["api.example.com", "api.example.com", "b.example.com"].map((name) => `${name}:${port}`)); // prettier-ignore
  const [a, again, b] = await Promise.all(
    ["api.example.com", "api.example.com", "b.example.com"].map((name) => resolver.resolve4(name)),
  );
  expect(a).toEqual(again);
  expect(a).not.toEqual(b);
});

it("closes the connection at once if the proxy refuses it, and reports the proxy's answer", async () => {
  expect(await talk("no.example.com")).toBe("ECONNRESET");
  expect(answers).toEqual([`{"tcp":${port}} true HTTP/1.1 403 Forbidden\r\n\r\nno`]);
});

it("does not resolve a host that is not allowed, and has the proxy refuse it as usual", async () => {
  await expect(resolver.resolve4("no.evil.com")).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(asked).toEqual(["no.evil.com:443"]);
  expect(answers).toEqual(['"dns" true HTTP/1.1 403 Forbidden\r\n\r\nno']);
  await expect(resolver.resolve6("no.evil.com")).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(asked).toHaveLength(1);
});

it("opens and closes ports as the allowed hosts change", async () => {
  await talk("api.example.com");
  await names.offer([`*.example.com:${other}`]);
  expect(await talk("api.example.com", other)).toContain("ABC");
  expect(await talk("api.example.com", port)).toBe("ECONNREFUSED");
  expect(await talk("late.example.com", other)).toContain("ABC");
});

it("leaves a port to a server of the project that listens on all addresses, and forwards the others", async () => {
  const server = createServer().listen(other);
  await once(server, "listening");
  await names.offer([`*.example.com:${port}`, `*.example.com:${other}`]);
  expect(await talk("api.example.com")).toContain("ABC");
  server.close();
});

it("does not resolve names of this machine, or invalid host names", async () => {
  expect(await resolver.resolve4("localhost")).toEqual(["127.0.0.1"]);
  expect(await resolver.resolve4("shop.localhost")).toEqual(["127.0.0.1"]);
  for (const name of [
    "db",
    "printer.local",
    "metadata.internal",
    "1.0.0.127.in-addr.arpa",
    "10.0.0.7",
    "a_b",
  ])
    // prettier-ignore
    await expect(resolver.resolve4(name)).rejects.toMatchObject({ code: "ENOTFOUND" });
  // The name exists but has no such address; programs ask for both.
  await expect(resolver.resolve6("api.example.com")).rejects.toMatchObject({ code: "ENODATA" });
  await expect(resolver.resolveMx("api.example.com")).rejects.toMatchObject({ code: "ENODATA" });
  expect(asked).toEqual([]);
});

it("limits the names that a program can make up", async () => {
  let found = 0;
  while (await resolver.resolve4(`n${found}.example.com`).catch(() => undefined)) found++;
  expect(found).toBe(30);
  expect(await talk("n1.example.com")).toContain("ABC");
});

it("ignores an invalid query, and answers the next one", async () => {
  const socket = createSocket("udp4");
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), async (bytes) => {
      await new Promise((resolve) => socket.send(bytes, dnsPort, "127.0.0.1", resolve));
    }),
    { numRuns: 200 },
  );
  socket.close();
  expect(await resolver.resolve4("api.example.com")).toHaveLength(1);
});

it("distinguishes its own sockets from those of servers in the kernel's table", () => {
  expect(isForName("0100407F:01BB")).toBe(true);
  expect(isForName("0100007F:01BB")).toBe(false);
  expect(isForName("00000000:0050")).toBe(false);
});

it("listens for DNS queries once its port becomes free", async () => {
  const taken = createSocket("udp4");
  const portOfOther = await freePort();
  await new Promise<void>((resolve) => taken.bind(portOfOther, "127.0.0.1", resolve));
  const late = createOutsideNames({
    proxySocket: join(folder, "proxy.sock"),
    onAnswer: () => undefined,
    dnsPort: portOfOther,
  });
  await expect(late.offer(["*.example.com"])).rejects.toThrow(/EADDRINUSE/);
  taken.close();
  await once(taken, "close");
  await late.offer(["*.example.com"]);
  const lateResolver = new Resolver({ timeout: 20_000, tries: 1 });
  lateResolver.setServers([`127.0.0.1:${portOfOther}`]);
  expect(await lateResolver.resolve4("late.example.com")).toHaveLength(1);
  late.close();
});
