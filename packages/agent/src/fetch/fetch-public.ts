import { request as requestPlain, type IncomingMessage } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { AddressRefused, publicAddresses, type ResolveHost } from "@treadle/egress/public-address";

/** Limits of one fetch: bytes of the answer, redirects in a row, milliseconds in total. */
export const FETCH_BYTES = 2_000_000;
export const REDIRECTS = 5;
export const FETCH_MS = 20_000;

export interface Fetched {
  url: string;
  status: number;
  contentType: string;
  bytes: Uint8Array;
  /** Whether the answer was longer than `FETCH_BYTES` and was cut. */
  cut: boolean;
}

export interface FetchPublicOptions {
  signal: AbortSignal;
  /** Whether to follow a redirect. Absent: all are followed. */
  follows?(to: URL, from: URL): boolean;
  /** Replace the machine's resolver and the connection, in tests. */
  resolve?: ResolveHost;
  open?: Open;
}

/** Sends one request to exactly this address, without cookies or credentials. */
export type Open = (url: URL, address: string, signal: AbortSignal) => Promise<IncomingMessage>;

/**
 * Fetches from the public internet only (A39): the addresses of each host, also after a redirect, are checked, and the
 * connection goes to a checked one. Nothing but the address is sent.
 * @throws FetchRefused if the address is not allowed; otherwise the connection's error
 */
export async function fetchPublic(text: string, options: FetchPublicOptions): Promise<Fetched> {
  const { resolve, open = openAddress } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(FETCH_MS)]);
  let url = checked(text);
  for (let hops = 0; hops <= REDIRECTS; hops++) {
    const address = await addressOf(url, resolve);
    signal.throwIfAborted();
    const response = await open(url, address, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      // The body is not read, so an error of it has no other listener.
      response.on("error", () => {}).destroy();
      const next = checked(location, url);
      if (options.follows?.(next, url) === false)
        throw new FetchRefused(`It sends on to ${next.href}, which is another host. Ask for that.`);
      url = next;
      continue;
    }
    const { bytes, cut } = await readSome(response);
    const contentType = response.headers["content-type"] ?? "";
    return { url: url.href, status, contentType, bytes, cut };
  }
  throw new FetchRefused(`It redirects more than ${REDIRECTS} times.`);
}

export class FetchRefused extends Error {
  override readonly name = "FetchRefused";
}

function checked(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new FetchRefused("Only http and https addresses can be read.");
  if (url.username !== "" || url.password !== "")
    throw new FetchRefused("An address with a password in it is not read.");
  return url;
}

async function addressOf({ hostname }: URL, resolve: ResolveHost | undefined): Promise<string> {
  try {
    const [first] = await publicAddresses(hostname, resolve);
    if (first !== undefined) return first;
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
  }
  throw new FetchRefused(`${hostname} is not a public address, and only those are read.`);
}

const openAddress: Open = (url, address, signal) =>
  new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? requestSecure : requestPlain;
    const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
    request({
      host: address,
      port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port,
      path: url.pathname + url.search,
      headers: { host: url.host, accept: "text/html, text/*;q=0.9", "user-agent": "Treadle" },
      // The certificate must match the name, which is not resolved again.
      servername: isIP(name) ? undefined : name,
      agent: false,
      signal,
    })
      .on("response", resolve)
      .on("error", reject)
      .end();
  });

async function readSome(response: IncomingMessage): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    length += piece.length;
    if (length > FETCH_BYTES) break;
  }
  response.destroy();
  return { bytes: Buffer.concat(pieces).subarray(0, FETCH_BYTES), cut: length > FETCH_BYTES };
}
