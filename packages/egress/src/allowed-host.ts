import { isIP } from "node:net";
import { domainToASCII } from "node:url";

/** Ports of an entry without a port: HTTPS and HTTP. */
const USUAL_PORTS = [443, 80];

/** Maximum lengths of a name and of its labels in DNS. */
const NAME_LIMIT = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Names that refer to this machine or its network, whatever a resolver returns. */
const OWN = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/;

interface Entry {
  /** ASCII form, lower case, without the trailing dot. */
  name: string;
  /** Whether it means every host below `name`, but not `name` itself. */
  below: boolean;
  /** Absent: the usual ports. */
  port?: number;
}

/**
 * An entry of the list of allowed hosts in its stored form: `example.com` or `*.example.com` (every host below it at any
 * depth, but not itself), with `:port` or without, which means ports 443 and 80. Undefined for an invalid entry: an
 * address, a name without a dot, a star in another place, `*.com`, or a name of this machine.
 */
export function normaliseAllowedHost(text: string): string | undefined {
  const entry = readEntry(text);
  if (!entry) return undefined;
  return `${entry.below ? "*." : ""}${entry.name}${entry.port === undefined ? "" : `:${entry.port}`}`;
}

/**
 * Whether a host may be reached at a port, by its complete name (A29): case and one trailing dot do
 * not matter; an address is never a name; an empty list allows nothing (A30).
 */
export function isAllowedHost(host: string, port: number, allowed: readonly string[]): boolean {
  const name = readName(host);
  if (name === undefined) return false;
  return allowed.some((text) => {
    const entry = readEntry(text);
    if (!entry) return false;
    if (entry.port === undefined ? !USUAL_PORTS.includes(port) : entry.port !== port) return false;
    return entry.below ? name.endsWith(`.${entry.name}`) : name === entry.name;
  });
}

/**
 * Names a refused host in the form in which it can be listed, with its port only if it is unusual.
 */
export function nameHost(host: string, port: number): string {
  const name = host
    .toLowerCase()
    .replace(/\.$/, "")
    .slice(0, NAME_LIMIT)
    // The text comes from the sandbox, and is shown to people.
    .replace(/[^\x21-\x7e]/g, "?");
  return USUAL_PORTS.includes(port) ? name : `${name}:${port}`;
}

function readEntry(text: string): Entry | undefined {
  const [, star, host = "", digits] =
    /^\s*(\*\.)?([^:*\s/?#@\\%]+?)(?::(\d{1,5}))?\s*$/.exec(text) ?? [];
  // People may type international names; programs request ASCII names only.
  const name = readName(domainToASCII(host.replace(/\.$/, "")));
  if (name === undefined || OWN.test(name) || !name.includes(".")) return undefined;
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  return { name, below: star !== undefined, port };
}

function readName(host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (name === "" || name.length > NAME_LIMIT || isIP(name) !== 0) return undefined;
  const labels = name.split(".");
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  // Resolvers accept `127.1` and `0x7f000001` as addresses.
  return /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!) ? undefined : name;
}
