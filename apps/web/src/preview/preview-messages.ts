/** What the probe in a previewed page says to this page, and is told. */

/** Characters of an address, and of any other text, that are believed. */
const PATH_LIMIT = 4000;
const TEXT_LIMIT = 2000;

/** Where the page is. `hot`: its dev server is connected, and brings changes into it from now on. */
export interface Whereabouts {
  type: "location";
  path: string;
  title: string;
  hot: boolean;
}

/** What came of the page, once it rests and whenever that changes. */
export interface Seen {
  type: "seen";
  /** Whether it shows anything of its own. */
  rendered: boolean;
  /** The text of its framework's own overlay of errors. */
  overlay?: string;
  /** The first error that nobody caught; `source` is `file:line:column`, of the project where that is known. */
  thrown?: { message: string; source?: string };
  /** The browser denied it something in this frame that it may allow in a tab of its own. */
  needsTab?: true;
}

/** A message of the probe; undefined for anything else. The caller has checked who sent it. */
export function readPreviewMessage(data: unknown): Whereabouts | Seen | undefined {
  if (!isRecord(data)) return undefined;
  if (data["type"] === "treadle:seen")
    return isRecord(data["seen"]) ? readSeen(data["seen"]) : undefined;
  const { type, path, title, hot } = data;
  if (type !== "treadle:location" || typeof path !== "string") return undefined;
  if (!path.startsWith("/") || path.length > PATH_LIMIT) return undefined;
  return { type: "location", path, title: textOf(title) ?? "", hot: hot === true };
}

function readSeen(sent: Record<string, unknown>): Seen {
  const all: unknown[] = Array.isArray(sent["uncaughtErrors"]) ? sent["uncaughtErrors"] : [];
  const errors = all.filter(isRecord);
  const isDenied = sent["frameDenied"] === true || errors.some(isOfFrame);
  const first = sent["frameDenied"] === true ? undefined : errors.find((one) => !isOfFrame(one));
  const message = first && textOf(first["message"]);
  return {
    type: "seen",
    // A page without what it was denied may show nothing, and its framework say so.
    rendered: sent["rendered"] === true || isDenied,
    overlay: isDenied ? undefined : textOf(sent["overlay"]),
    thrown: message === undefined ? undefined : { message, source: textOf(first!["source"]) },
    needsTab: isDenied || undefined,
  };
}

const isOfFrame = (error: Record<string, unknown>) => error["by"] === "frame";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, TEXT_LIMIT) : undefined;

export function commandPreview(
  frame: HTMLIFrameElement,
  origin: string,
  command: "back" | "forward" | "reload",
): void {
  frame.contentWindow?.postMessage({ type: `treadle:${command}` }, origin);
}
