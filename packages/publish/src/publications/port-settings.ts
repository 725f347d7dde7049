import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";

/** Where published apps with dedicated ports listen. */
export interface PortSettings {
  /** An address of this machine; `0.0.0.0` and `::` mean all of them. */
  host: string;
  first: number;
  last: number;
}

const DEFAULT: PortSettings = { host: "127.0.0.1", first: 4200, last: 4299 };
const RANGE = /^(\d{1,5})-(\d{1,5})$/;

/**
 * Parses `TREADLE_APPS_HOST` and `TREADLE_APPS_PORTS`.
 * @throws Error with a sentence that names the variable
 */
export function readPortSettings(env: Record<string, string | undefined>): PortSettings {
  const { TREADLE_APPS_HOST: host = "", TREADLE_APPS_PORTS: ports = "" } = env;
  if (host !== "" && isIP(host) === 0)
    throw new Error(
      `TREADLE_APPS_HOST is “${host}”, which is not an address. Give one of this machine's, or 0.0.0.0 for all of them.`,
    );
  const [, from, to] = RANGE.exec(ports) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (ports !== "" && !(first >= 1024 && first <= last && last <= 65_535))
    throw new Error(
      `TREADLE_APPS_PORTS is “${ports}”. Give the first and the last port for published apps, above 1023, as in 4200-4299.`,
    );
  return {
    host: host === "" ? DEFAULT.host : host,
    ...(ports === "" ? { first: DEFAULT.first, last: DEFAULT.last } : { first, last }),
  };
}

/** The addresses to listen on. */
export const listenedOn = ({ host }: PortSettings): string[] =>
  host === "127.0.0.1" || host === "::1" ? ["127.0.0.1", "::1"] : [host];

/** The addresses of an app at a dedicated port, with a final slash. */
export function portAddresses(
  { host }: PortSettings,
  port: number,
  interfaces = networkInterfaces(),
): string[] {
  const shown = (address: string) =>
    `http://${isIP(address) === 6 ? `[${address}]` : address}:${port}/`;
  if (host === "::1") return [shown("127.0.0.1")];
  if (host !== "0.0.0.0" && host !== "::") return [shown(host)];
  const own = Object.values(interfaces)
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
  return ["127.0.0.1", ...new Set(own)].map(shown);
}

/**
 * Whether a Host header may refer to a port of this machine: an address, or this machine's own name
 * in its network. A foreign domain that resolves here would make its page part of the app (DNS
 * rebinding), and `localhost` belongs to the workbench, as cookies ignore ports.
 */
export function isPortHost(host: string | undefined, port: number): boolean {
  const [, name, given] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(host ?? "") ?? [];
  if (name === undefined || Number(given ?? 80) !== port) return false;
  const bare = name.replace(/^\[|\]$/g, "").toLowerCase();
  const own = hostname().toLowerCase();
  return isIP(bare) !== 0 || (own !== "localhost" && [own, `${own}.local`].includes(bare));
}
