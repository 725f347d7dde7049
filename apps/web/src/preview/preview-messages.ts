/** What the probe in a previewed page says to this page, and is told. */

/** Characters of an address that are believed. */
const PATH_LIMIT = 4000;

/**
 * A message of the probe; undefined for anything else. The caller has checked who sent it. `hot`: the page has a dev
 * server that brings changes into it.
 */
export function readPreviewMessage(
  data: unknown,
): { path: string; title: string; hot: boolean } | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { type, path, title, hot } = data as Partial<Record<string, unknown>>;
  if (type !== "treadle:location" || typeof path !== "string") return undefined;
  if (!path.startsWith("/") || path.length > PATH_LIMIT) return undefined;
  return { path, title: typeof title === "string" ? title : "", hot: hot === true };
}

export function commandPreview(
  frame: HTMLIFrameElement,
  origin: string,
  command: "back" | "forward" | "reload",
): void {
  frame.contentWindow?.postMessage({ type: `treadle:${command}` }, origin);
}
