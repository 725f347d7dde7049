import type { ProjectView } from "../fold/types.ts";

/** Converts text typed into the preview's address field to a path of the app; undefined if it leads elsewhere. */
export function previewPath(typed: string, origin: string): string | undefined {
  const text = typed.trim();
  try {
    const url = /^[a-z][a-z0-9+.-]*:/i.test(text)
      ? new URL(text)
      : new URL(text.startsWith("/") ? text : `/${text}`, origin);
    return url.origin === new URL(origin).origin ? url.pathname + url.search + url.hash : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The origin of one of the app's ports: the first uses the preview's own host name, the others include their number.
 */
export function portOrigin(
  origin: string,
  port: number | undefined,
  first: number | undefined,
): string {
  if (port === undefined || port === first) return origin;
  const url = new URL(origin);
  const dot = url.hostname.indexOf(".");
  url.hostname = `${url.hostname.slice(0, dot)}--${port}${url.hostname.slice(dot)}`;
  return url.origin;
}

/**
 * The path on which the app starts, as far as a look found one, or else `/`. An app with a base path has no page there.
 */
export const startPath = ({ evidence }: ProjectView): string =>
  evidence?.pages.findLast(({ source }) => source !== "probe")?.path ?? "/";
