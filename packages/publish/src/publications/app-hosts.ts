import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { isAppName } from "./app-name.ts";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that never lead out of a machine or its network (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL = /(?:^|\.)(?:localhost|local|internal|invalid|test|home\.arpa)$/;
const HOST = /^([a-z0-9.-]{1,253}?)\.?(?::\d{1,5})?$/;

/** Which published app a Host header asks for: one of its own domains, or a name below a place for all. */
export type AskedHost = { name: string } | { domain: string };

/**
 * A domain as browsers send it: lower case, other scripts as Punycode. Undefined where it is none that people elsewhere
 * could ask for.
 */
export function toDomain(text: string): string | undefined {
  const typed = text.trim().replace(/\.$/, "");
  // What is read as an address would lose its path, its port or its user.
  const domain = /[/\\?#@:\s]/.test(typed) ? "" : domainToASCII(typed).toLowerCase();
  const labels = domain.split(".");
  const isDomain =
    domain.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    isIP(domain) === 0 &&
    !/^\d+$/.test(labels.at(-1)!) &&
    !LOCAL.test(domain);
  return isDomain ? domain : undefined;
}

/**
 * `TREADLE_APPS_DOMAIN`: the domain below which each published app has its name, beside `localhost`.
 * @throws Error with a sentence that names the variable
 */
export function readAppsDomain(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const domain = toDomain(text);
  if (domain === undefined)
    throw new Error(
      `TREADLE_APPS_DOMAIN is “${text}”, which is not a domain. Give one such as apps.example.com, whose subdomains point to this machine.`,
    );
  return domain;
}

/** @returns undefined where it can be no published app's */
export function readAppHost(
  host: string | undefined,
  appsDomain: string | undefined,
): AskedHost | undefined {
  const asked = HOST.exec(host?.toLowerCase() ?? "")?.[1];
  if (asked === undefined) return undefined;
  for (const place of ["localhost", appsDomain]) {
    if (place === undefined || !asked.endsWith(`.${place}`)) continue;
    const name = asked.slice(0, -place.length - 1);
    return isAppName(name) ? { name } : undefined;
  }
  return toDomain(asked) === asked ? { domain: asked } : undefined;
}
