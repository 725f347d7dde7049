/** The host names of the app. All refer to this machine, so that DNS rebinding cannot reach it. */
const OWN_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a Host header names the app itself. `port` is the port it listens on, or undefined if it does not listen. */
export function isOwnHost(host: string, port: number | undefined): boolean {
  const match = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/.exec(host.toLowerCase());
  if (!match?.[1] || !OWN_NAMES.has(match[1])) return false;
  return port === undefined || Number(match[2] ?? 80) === port;
}

/** Whether a Host header names the app by an address of this machine, and not by its name. */
export const isOwnAddress = (host: string, port: number | undefined): boolean =>
  isOwnHost(host, port) && !/^localhost(?::|$)/i.test(host);

/**
 * The address at which Treadle has to be opened: it does not answer under another port, even if that one is forwarded
 * to it.
 */
export const ownAddress = (port: number | undefined): string =>
  `http://localhost${port === undefined ? "" : `:${port}`}`;

/** Addresses on which the server may listen without a sign-in. */
export function isLoopbackAddress(host: string): boolean {
  return host === "127.0.0.1" || host === "::1" || host === "localhost";
}
