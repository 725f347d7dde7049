import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { isAppName } from "./app-name.ts";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Names that are only resolved locally (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL = /(?:^|\.)(?:localhost|local|internal|invalid|test|home\.arpa)$/;
const HOST = /^([a-z0-9.-]{1,253}?)\.?(?::\d{1,5})?$/;

/**
 * The published app that a Host header refers to: by a domain of its own, or by a name below a
 * shared domain.
 */
export type AskedHost = { name: string } | { domain: string };

/**
 * A domain in the form that browsers send: lower case, other scripts as Punycode. Undefined if it
 * is not a public domain.
 */
export function toDomain(text: string): string | undefined {
  const typed = text.trim().replace(/\.$/, "");
  // Parsing it as a URL would drop a path, a port or a user.
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
 * Parses `TREADLE_APPS_DOMAIN`: the domain below which published apps have names, in addition to
 * `localhost`.
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

/**
 * Parses a Host header.
 * @returns undefined if the host cannot belong to a published app
 */
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
