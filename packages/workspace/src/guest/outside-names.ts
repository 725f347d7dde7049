/**
 * Lets programs that do not support proxies (Stripe's and Amazon's libraries, WebSockets, Python's
 * `http.client`) reach outside hosts by name. Each allowed name resolves to a loopback address of
 * its own, and connections to it go through the proxy as usual. Other names do not resolve. Nothing
 * is looked up in the sandbox.
 */
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onceDone } from "@treadle/protocol/lifecycle";
import packet from "dns-packet";
import { isAllowedHost } from "@treadle/egress/allowed-host";
import { join } from "./bridges.ts";

/**
 * Maximum number of sockets for all names, one per port; this limits a program that makes names up.
 */
const SOCKETS = 1_536;
/**
 * Ports that are offered besides those in the list: the web, mail, databases. The proxy decides
 * whether each is allowed, so that a host that is allowed at another port only is refused by name
 * and port, which a person can then allow.
 */
const USUAL = [443, 80, 465, 587, 2525, 3306, 5432, 6379, 6380, 6543, 8443, 27_017];
const PORTS = 16;
/** Number of addresses in the range. */
const NAMES = 65_000;
/** Maximum length of the proxy's response to CONNECT, in bytes. */
const HEAD_LIMIT = 16 * 1024;
/** Time to live of an answer, in seconds. A name keeps its address for the life of the sandbox. */
const TTL = 60;
const NAME =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** Names that are local to a machine or its network (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL =
  /\.(?:local|localhost|internal|invalid|test|onion|alt|home\.arpa|in-addr\.arpa|ip6\.arpa)$/;

const OK = 0;
const NOT_THERE = 3;

/** Prefix of the addresses of names; the kernel's table writes it in reverse byte order. */
const PREFIX = "127.64";
const PREFIX_IN_TABLE = /^[0-9A-F]{4}407F:/;

/** Whether a socket in the kernel's table listens for a name, and so belongs to no server. */
export const isForName = (local: string): boolean => PREFIX_IN_TABLE.test(local);

export interface OutsideNames {
  /**
   * Sets the allowed hosts: `a.com`, `*.a.com`, each with or without `:port`. Rejects if listening
   * on ports below 1024 is not permitted.
   */
  offer(hosts: string[]): Promise<void>;
  close(): void;
}

interface Known {
  address: string;
  servers: Map<number, Promise<Server>>;
}

/** Whether a program connected to a TCP port, or queried a name. */
export type AskedAt = { tcp: number } | "dns";

/**
 * @param options.proxySocket path of the proxy's socket
 * @param options.onAnswer receives the proxy's response if it refuses, with the program's own port
 * and whether it connected or queried
 * @param options.most maximum number of open sockets, if lower than the default
 * @param options.dnsPort port for queries; programs only know 53
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

  /** The ports offered for a name; empty if the name is allowed at no port. */
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
        // A server of the project listens on that port on all addresses. The name still works for
        // other ports.
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

  /** Asks the proxy for a connection to the host. Rejects if the proxy does not answer. */
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

  /**
   * Has the proxy refuse a host that is not allowed, so that it is reported like any other refusal.
   */
  async function tellRefused(name: string, clientPort: number): Promise<void> {
    const { head, outside } = await askProxy(name, 443);
    outside?.destroy();
    options.onAnswer(head, clientPort, "dns");
  }

  /** The address of a name, after opening its ports; undefined if no address or too few sockets are left. */
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

  /** The socket for name queries. */
  let questions: UdpSocket | undefined;
  let isClosed = false;
  // A port that is in use now may be free later.
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
        // Invalid queries are ignored.
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
