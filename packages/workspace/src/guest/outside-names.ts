/**
 * Hosts outside by their names, for programs that know no proxy (Stripe's and Amazon's libraries, WebSockets, Python's
 * `http.client`): each name that may be reached stands for a loopback address of its own, and whoever connects to that goes
 * through the proxy as one that was told of it would. Any other is not there. Nothing is looked up in here.
 */
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onceDone } from "@treadle/protocol/lifecycle";
import packet from "dns-packet";
import { isAllowedHost } from "@treadle/egress/allowed-host";
import { join } from "./bridges.ts";

/** Sockets of all names, one for each port. A program that makes names up finds no more of them. */
const SOCKETS = 1_536;
/**
 * Where names are connected to besides the ports that the list names: the web, mail, databases. Whether that may be is for
 * the proxy to say, so that a host that is allowed at another port alone is refused by name and port, which can be allowed.
 */
const USUAL = [443, 80, 465, 587, 2525, 3306, 5432, 6379, 6380, 6543, 8443, 27_017];
const PORTS = 16;
/** Range of addresses. */
const NAMES = 65_000;
/** Bytes of the proxy's answer to CONNECT. */
const HEAD_LIMIT = 16 * 1024;
/** For whom a name is asked again, in seconds: it stands for the same address as long as the sandbox is there. */
const TTL = 60;
const NAME =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** Names that never lead out of a machine or its network (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL =
  /\.(?:local|localhost|internal|invalid|test|onion|alt|home\.arpa|in-addr\.arpa|ip6\.arpa)$/;

const OK = 0;
const NOT_THERE = 3;

/** The addresses of names begin so; as the kernel's table writes it, the other way round. */
const PREFIX = "127.64";
const PREFIX_IN_TABLE = /^[0-9A-F]{4}407F:/;

/** Whether a socket of the kernel's table listens for a name, and so is nobody's server. */
export const isForName = (local: string): boolean => PREFIX_IN_TABLE.test(local);

export interface OutsideNames {
  /**
   * What may be reached from now on: `a.com`, `*.a.com`, each with `:port` or without. Rejects where ports below 1024 may
   * not be listened at in here.
   */
  offer(hosts: string[]): Promise<void>;
  close(): void;
}

interface Known {
  address: string;
  servers: Map<number, Promise<Server>>;
}

/** Where a program has connected to, or asked for a name. */
export type AskedAt = { tcp: number } | "dns";

/**
 * @param options.proxySocket path of the proxy's socket
 * @param options.onAnswer sees what the proxy answers where it opens no way, with the program's own port and where it asked
 * @param options.most sockets that may be open at a time, if that is fewer
 * @param options.dnsPort where names are asked for; programs know no other than 53
 */
export function createOutsideNames(options: {
  proxySocket: string;
  onAnswer(bytes: Buffer, clientPort: number, at: AskedAt): void;
  most?: number;
  dnsPort?: number;
}): OutsideNames {
  const names = new Map<string, Known>();
  const most = Math.min(options.most ?? SOCKETS, SOCKETS);
  let hosts: string[] = [];

  /** Where a name is connected to; nowhere where it may be reached at no port. */
  function portsOf(name: string): number[] {
    const named = hosts.flatMap((host) => /:(\d+)$/.exec(host)?.[1] ?? []).map(Number);
    const all = [...new Set([...named, ...USUAL])].slice(0, PORTS);
    return all.some((port) => isAllowedHost(name, port, hosts)) ? all : [];
  }

  function listen(name: string, { address, servers }: Known): Promise<unknown> {
    const ports = portsOf(name);
    for (const [port, server] of servers)
      if (!ports.includes(port)) {
        servers.delete(port);
        closeServer(server);
      }
    for (const port of ports)
      if (!servers.has(port)) {
        const server = openServer(address, port, name);
        servers.set(port, server);
        // A server of the project has that port of all addresses. The name stands for the others all the same.
        server.catch(() => servers.delete(port));
      }
    return Promise.allSettled(servers.values());
  }

  const countSockets = () =>
    [...names.values()].reduce((sum, { servers }) => sum + servers.size, 0);

  const closeServer = (server: Promise<Server>) =>
    void server.then((one) => one.close()).catch(() => undefined);

  const openServer = (address: string, port: number, name: string) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (inside) =>
        lead(inside, name, port),
      );
      server.once("error", reject);
      server.listen({ host: address, port }, () => resolve(server.unref()));
    });

  function lead(inside: Socket, name: string, port: number): void {
    inside.on("error", () => inside.destroy());
    const clientPort = inside.remotePort ?? 0;
    askProxy(name, port)
      .then(({ head, outside }) => {
        if (outside && !inside.destroyed) return join(inside, outside);
        outside?.destroy();
        options.onAnswer(head, clientPort, { tcp: port });
        inside.resetAndDestroy();
      })
      .catch(() => inside.resetAndDestroy());
  }

  /** The proxy's answer, and the way to the host where it opens one. Rejects where it does not answer. */
  const askProxy = (name: string, port: number) =>
    new Promise<{ head: Buffer; outside?: Socket }>((resolve, reject) => {
      const outside = connect({ path: options.proxySocket, allowHalfOpen: true });
      let head = Buffer.alloc(0);
      const fail = () => {
        outside.destroy();
        reject(new Error("The proxy does not answer."));
      };
      const onData = (piece: Buffer) => {
        head = Buffer.concat([head, piece]);
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return head.length > HEAD_LIMIT ? fail() : undefined;
        outside.off("data", onData).off("error", fail).off("close", fail).pause();
        if (!head.toString("latin1", 0, 16).startsWith("HTTP/1.1 200 ")) {
          outside.on("error", () => undefined).destroy();
          return resolve({ head });
        }
        const rest = head.subarray(end + 4);
        if (rest.length > 0) outside.unshift(rest);
        resolve({ head, outside });
      };
      outside.on("data", onData).on("error", fail).on("close", fail);
      outside.write(`CONNECT ${name}:${port} HTTP/1.1\r\nHost: ${name}:${port}\r\n\r\n`);
    });

  /** What may not be reached is refused by the proxy, so that it is told as everywhere. */
  async function tellRefused(name: string, clientPort: number): Promise<void> {
    const { head, outside } = await askProxy(name, 443);
    outside?.destroy();
    options.onAnswer(head, clientPort, "dns");
  }

  /** Undefined where there are no more. */
  async function addressOf(name: string): Promise<string | undefined> {
    let known = names.get(name);
    if (!known) {
      if (names.size >= NAMES || countSockets() + portsOf(name).length > most) return undefined;
      const number = names.size + 1;
      known = { address: `${PREFIX}.${number >> 8}.${number & 255}`, servers: new Map() };
      names.set(name, known);
    }
    await listen(name, known);
    return known.address;
  }

  async function answerTo(bytes: Buffer, clientPort: number): Promise<Buffer | undefined> {
    const query = packet.decode(bytes);
    const [question] = query.questions ?? [];
    if (query.type !== "query" || !question) return undefined;
    const name = question.name.toLowerCase();
    const isLocal = name === "localhost" || name.endsWith(".localhost");
    const mayBe = NAME.test(name) && !LOCAL.test(name);
    const isName = mayBe && portsOf(name).length > 0;
    if (mayBe && !isName && question.type === "A") await tellRefused(name, clientPort);
    const wants = question.type === "A" && (isLocal || isName);
    const address = !wants ? undefined : isLocal ? "127.0.0.1" : await addressOf(name);
    const isThere = isLocal || (isName && (!wants || address !== undefined));
    return packet.encode({
      type: "response",
      id: query.id ?? 0,
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | (isThere ? OK : NOT_THERE),
      questions: [question],
      answers:
        address === undefined
          ? []
          : [{ type: "A", class: "IN", name: question.name, ttl: TTL, data: address }],
    });
  }

  /** Where programs ask for names. */
  let questions: UdpSocket | undefined;
  let isClosed = false;
  // A port that was taken once may be free the next time.
  const openUdp = onceDone(async () => {
    const socket = await listenForQuestions();
    if (isClosed) socket.close();
    else questions = socket;
  });

  const listenForQuestions = () =>
    new Promise<UdpSocket>((resolve, reject) => {
      const socket = createSocket("udp4");
      const fail = (error: Error) => {
        socket.close();
        reject(error);
      };
      socket.once("error", fail);
      socket.on("message", (bytes, from) => {
        // What is no question, or cannot be answered, is answered by nobody.
        answerTo(bytes, from.port)
          .then((answer) => answer && socket.send(answer, from.port, from.address, () => {}))
          .catch(() => undefined);
      });
      socket.bind(options.dnsPort ?? 53, "127.0.0.1", () => {
        socket.off("error", fail).on("error", () => undefined);
        resolve(socket.unref());
      });
    });

  return {
    async offer(next) {
      hosts = next;
      await openUdp();
      await Promise.all([...names].map(([name, known]) => listen(name, known)));
    },
    close() {
      isClosed = true;
      questions?.close();
      questions = undefined;
      for (const { servers } of names.values())
        for (const server of servers.values()) closeServer(server);
    },
  };
}
