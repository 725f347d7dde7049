import { readPreviewHost } from "@treadle/common";

/** The destination of an address within a page that is looked at. */
export type Destination =
  /** The project's own preview, through the gateway. */
  | "preview"
  /** A port of its own sandbox, addressed as localhost. */
  | { port: number }
  | "outside"
  /** Another preview, or a name of this machine that does not belong to the project. */
  | "nowhere";

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)$/;

/** @param origin the origin of the preview */
export function destinationOf({ hostname, port, protocol }: URL, origin: string): Destination {
  const own = new URL(origin);
  const name = hostname.toLowerCase();
  const number = Number(port || (protocol === "https:" ? 443 : 80));
  if (LOOPBACK.test(name)) return { port: number };
  if (!name.endsWith(".localhost")) return "outside";
  const asked = readPreviewHost(name);
  const preview = readPreviewHost(own.hostname);
  if (!asked || asked.capability !== preview?.capability) return "nowhere";
  // `ws://${location.hostname}:8080` refers to another port of the page's own machine.
  return port === own.port ? "preview" : { port: number };
}
