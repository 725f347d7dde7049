import { isIP } from "node:net";

/** Where people reach the server from other machines. */
export interface PublicAddress {
  /** Origin of Treadle's own pages, without a final slash. Always https. */
  origin: string;
  /** The Host header of its pages. */
  host: string;
  /** The domain whose subdomains are previews. */
  previewDomain: string;
  /** What follows the domain in a preview's origin: a port with its colon, or nothing. */
  previewEnd: string;
}

const LOCAL = /(?:^|\.)localhost\.?$/;
const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/**
 * Parses `TREADLE_URL`, and `TREADLE_PREVIEW_URL` if previews have a domain of their own.
 * @returns undefined if only this machine reaches the server
 * @throws Error with a sentence that names the variable
 */
export function readPublicAddress({
  TREADLE_URL: url = "",
  TREADLE_PREVIEW_URL: preview = "",
}: Record<string, string | undefined>): PublicAddress | undefined {
  if (url === "" && preview === "") return undefined;
  if (url === "")
    throw new Error(
      "TREADLE_PREVIEW_URL (--preview-url) is where previews are. Say with TREADLE_URL (--url) where Treadle itself is.",
    );
  const own = URL.parse(url);
  if (own?.protocol !== "https:" || own.href !== `${own.origin}/` || LOCAL.test(own.hostname))
    throw new Error(
      `TREADLE_URL (--url) is “${url}”. Give the address at which browsers reach Treadle, with https and without a path, as in https://builder.example.org.`,
    );
  const isNamed = NAME.test(own.hostname) && isIP(own.hostname) === 0;
  if (preview === "" && !isNamed)
    throw new Error(
      `TREADLE_URL (--url) is “${url}”, and an address has no subdomains for previews. Name a domain for them with --preview-url, as in https://*.apps.example.org.`,
    );
  const given = preview === "" ? `https://*.${own.host}` : preview;
  const [, domain = "", end = ""] =
    /^https:\/\/\*\.([^/:]+)(:\d{1,5})?\/?$/.exec(given.toLowerCase()) ?? [];
  if (!NAME.test(domain) || !domain.includes(".") || LOCAL.test(domain))
    throw new Error(
      `TREADLE_PREVIEW_URL (--preview-url) is “${preview}”. Give https, a star and a domain whose subdomains all lead here, as in https://*.apps.example.org.`,
    );
  // A preview there would have the workbench's own name, or one beside it.
  if (own.hostname.endsWith(`.${domain}`))
    throw new Error(
      `Previews below ${domain} would be beside Treadle itself, at ${own.hostname}. Give them a domain of their own with --preview-url.`,
    );
  return {
    origin: own.origin,
    host: own.host,
    previewDomain: domain,
    previewEnd: end === ":443" ? "" : end,
  };
}

/** Origin of a preview as people open it. */
export const publicPreviewOrigin = (
  { previewDomain, previewEnd }: PublicAddress,
  capability: string,
  port?: number,
): string => {
  const label = port === undefined ? capability : `${capability}--${port}`;
  return `https://${label}.${previewDomain}${previewEnd}`;
};
