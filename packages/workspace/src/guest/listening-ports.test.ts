import { networkInterfaces } from "node:os";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, expect, it } from "vitest";
import { listeningSockets } from "./listening-ports.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(host: string): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const ports = () => listeningSockets().map(({ port }) => port);

it("lists more sockets than the kernel returns in one read", async () => {
  const listening = await Promise.all(Array.from({ length: 120 }, () => listen("127.0.0.1")));
  expect(ports()).toEqual(expect.arrayContaining(listening));
});

const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);

it.runIf(hasIPv6)("lists an IPv6 socket until it is closed", async () => {
  const port = await listen("::1");
  expect(ports()).toContain(port);
  await new Promise((resolve) => servers.pop()!.close(resolve));
  expect(ports()).not.toContain(port);
});
