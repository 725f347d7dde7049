import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { RunningCommand } from "./commands.ts";
import { whenAnswering } from "./when-answering.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function answering(status: number): Promise<number> {
  const server = createServer((_, response) => response.writeHead(status).end());
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** A command with these ports; time advances only when `go` is called. */
function waiting(ports: number[]) {
  const command = { ports } as Pick<RunningCommand, "ports" | "onPorts"> as RunningCommand;
  const slept = Promise.withResolvers<void>();
  const clock = Promise.withResolvers<void>();
  const first = whenAnswering(
    command,
    {
      connect: async (port) => connect(port, "127.0.0.1"),
      sleep() {
        slept.resolve();
        return clock.promise;
      },
      now: () => 0,
      besideMs: 10,
      onHangsUp() {},
    },
    new AbortController().signal,
  );
  return {
    first,
    slept: slept.promise,
    go: clock.resolve,
    open(port: number) {
      command.ports = [...command.ports, port];
      command.onPorts?.();
    },
  };
}

describe("whenAnswering", () => {
  it("puts the port that answers before those that send nothing", async () => {
    const [silent, page] = [1, await answering(500)];
    expect(await waiting([silent, page]).first).toEqual([page, silent]);
  });

  it("finds a server that lost the first request", async () => {
    let asked = 0;
    const server = createServer((_, response) => (++asked > 1 ? response.end() : undefined));
    servers.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    expect(await waiting([port]).first).toEqual([port]);
    expect(asked).toBe(2);
  });

  it("ignores a port that only accepts WebSockets if another opens soon", async () => {
    const sockets = await answering(426);
    const { first, slept, open } = waiting([sockets]);
    await slept;
    const page = await answering(200);
    open(page);
    expect(await first).toEqual([page, sockets]);
  });

  it("accepts a port that only accepts WebSockets if there is no other", async () => {
    const sockets = await answering(426);
    const { first, slept, go } = waiting([sockets]);
    await slept;
    go();
    expect(await first).toEqual([sockets]);
  });
});
