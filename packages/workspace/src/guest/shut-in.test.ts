import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { addressesSeenInPod, findReachable, waitUntilShut } from "./shut-in.ts";

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen() {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return { server, address: { host: "127.0.0.1", port: (server.address() as AddressInfo).port } };
}

test("finds what accepts a connection, and only that", async () => {
  const open = await listen();
  const closed = await listen();
  closed.server.close();
  expect(await findReachable([open.address, closed.address])).toEqual([
    `127.0.0.1:${open.address.port}`,
  ]);
});

test("waits for a policy that takes effect late", async () => {
  const { server, address } = await listen();
  const waiting = waitUntilShut([address], 60_000);
  server.once("connection", () => server.close());
  expect(await waiting).toEqual([]);
});

test("reports what stays open", async () => {
  const { address } = await listen();
  expect(await waitUntilShut([address], 0)).toEqual([`127.0.0.1:${address.port}`]);
});

test("knows the API server and the gateway from inside", () => {
  const routes = `Iface\tDestination\tGateway \tFlags
eth0\t00000000\t0101D50A\t0003
eth0\t0001D50A\t00000000\t0001
`;
  const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
  expect(addressesSeenInPod(env, routes)).toEqual([
    { host: "10.96.0.1", port: 443 },
    { host: "10.213.1.1", port: 10_250 },
  ]);
  expect(addressesSeenInPod({}, "")).toEqual([]);
});
