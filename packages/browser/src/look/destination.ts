import { readPreviewHost } from "@treadle/common";

/** What a page that is looked at means by an address. */
export type Destination =
  /** Its own preview, through the gateway. */
  | "preview"
  /** A port of its own sandbox: what is called localhost there. */
  | { port: number }
  | "outside"
  /** Another preview, or a name of this machine that is none of the project's. */
  | "nowhere";

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)$/;

/** @param origin of the preview that is looked at */
export function destinationOf({ hostname, port, protocol }: URL, origin: string): Destination {
  const own = new URL(origin);
  const name = hostname.toLowerCase();
  const number = Number(port || (protocol === "https:" ? 443 : 80));
  if (LOOPBACK.test(name)) return { port: number };
  if (!name.endsWith(".localhost")) return "outside";
  const asked = readPreviewHost(name);
  const preview = readPreviewHost(own.hostname);
  if (!asked || asked.capability !== preview?.capability) return "nowhere";
  // `ws://${location.hostname}:8080` means another port of the machine that the page came from.
  return port === own.port ? "preview" : { port: number };
}
