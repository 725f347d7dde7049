import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecure, rootCertificates } from "node:tls";
import { publicAddresses, resolveAll, type ResolveHost } from "./public-address.ts";
import { proxyFor, proxyLogin, type UpstreamProxies } from "./upstream-proxy.ts";

/** Time limit of a connection, including a proxy's response. Milliseconds. */
const CONNECT_MS = 15_000;
/** Time limit in milliseconds of a lookup behind a proxy, where names may be unknown here. */
const LOOKUP_MS = 1_500;
/** Maximum size of a proxy's response to CONNECT, in bytes. */
const ANSWER_LIMIT = 16 * 1024;

export interface Outside {
  proxies: UpstreamProxies;
  /** Additional certificates, PEM, to trust for a proxy that uses TLS. */
  ca?: string;
  resolve?: ResolveHost;
  /** Time limit of a connection in milliseconds, including a proxy's response; default 15,000. */
  connectMs?: number;
}

/**
 * Connects to an external host, through this machine's own proxy if it has one. The name is resolved once and the
 * connection uses that address, which must not belong to this machine or its network (A39). Rejects with
 * `AddressRefused`, or with the reason why the host is unreachable.
 */
export async function dialOut(host: string, port: number, outside: Outside): Promise<Socket> {
  const proxy = proxyFor({ host, port, secure: true }, outside.proxies);
  if (proxy) {
    await checkWhereKnown(host, outside.resolve);
    return tunnelThrough(proxy, host, port, outside);
  }
  const addresses = await publicAddresses(host, outside.resolve);
  return connectTo({ host, port, addresses }, outside.connectMs);
}

/** Rejects with `AddressRefused` if the name resolves to this network here. */
export async function checkWhereKnown(
  host: string,
  resolve: ResolveHost = resolveAll,
): Promise<void> {
  const unknown = Symbol("unknown");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof unknown>((done) => {
    timer = setTimeout(() => done(unknown), LOOKUP_MS);
  });
  const found = resolve(host.toLowerCase().replace(/\.$/, "")).catch(() => unknown);
  const addresses = await Promise.race([found, late]);
  clearTimeout(timer);
  if (typeof addresses === "symbol" || addresses.length === 0) return;
  await publicAddresses(host, async () => addresses);
}

function connectTo(
  target: { host: string; port: number; addresses?: string[] },
  ms = CONNECT_MS,
): Promise<Socket> {
  const { host, port, addresses } = target;
  return new Promise((done, fail) => {
    const socket = connect({
      host: host.replace(/^\[(.*)\]$/, "$1"),
      port,
      allowHalfOpen: true,
      // One lookup for check and connection, so that a resolver cannot change its answer in
      // between.
      lookup: addresses
        ? (_host, { all }, answer) => {
            const found = addresses.map((address) => ({ address, family: isIP(address) }));
            if (all) answer(null, found);
            else answer(null, found[0]!.address, found[0]!.family);
          }
        : undefined,
    });
    socket.setTimeout(ms, () => socket.destroy(new Error(`${host} does not answer`)));
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.setTimeout(0).off("error", fail);
      done(socket);
    });
  });
}

async function tunnelThrough(
  proxy: URL,
  host: string,
  port: number,
  { ca, connectMs = CONNECT_MS }: Outside,
): Promise<Socket> {
  const socket = await connectProxy(proxy, ca);
  const login = proxyLogin(proxy);
  socket.write(
    `CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n${login ? `Proxy-Authorization: ${login}\r\n` : ""}\r\n`,
  );
  return new Promise((done, fail) => {
    let answer = Buffer.alloc(0);
    const timer = setTimeout(
      () => give(new Error("this machine's proxy does not answer")),
      connectMs,
    );
    const give = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      fail(error);
    };
    const onEnd = () => give(new Error("this machine's proxy ended the connection"));
    const onData = (bytes: Buffer) => {
      answer = Buffer.concat([answer, bytes]);
      const end = answer.indexOf("\r\n\r\n");
      if (end < 0) {
        if (answer.length > ANSWER_LIMIT) give(new Error("this machine's proxy speaks no HTTP"));
        return;
      }
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer.toString("latin1", 0, end))?.[1];
      if (status !== "200") return give(new Error(`this machine's proxy answered ${status}`));
      clearTimeout(timer);
      socket.off("data", onData).off("end", onEnd).off("error", give).pause();
      const rest = answer.subarray(end + 4);
      if (rest.length > 0) socket.unshift(rest);
      done(socket);
    };
    socket.on("data", onData).on("end", onEnd).on("error", give);
  });
}

/** Connects to a proxy, which may be in this machine's network. */
export async function connectProxy(proxy: URL, ca: string | undefined): Promise<Socket> {
  const secure = proxy.protocol === "https:";
  const host = proxy.hostname;
  const plain = await connectTo({ host, port: Number(proxy.port || (secure ? 443 : 80)) });
  if (!secure) return plain;
  const servername = isIP(host.replace(/^\[(.*)\]$/, "$1")) ? undefined : host;
  return new Promise((done, fail) => {
    const socket = connectSecure({
      socket: plain,
      servername: servername || undefined,
      ca: ca ? [...rootCertificates, ca] : undefined,
    });
    socket.once("error", fail);
    socket.once("secureConnect", () => {
      socket.off("error", fail);
      done(socket);
    });
  });
}
