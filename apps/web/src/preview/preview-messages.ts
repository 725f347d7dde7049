/** This module parses the messages that the probe in a previewed page sends to the workbench. */

/** Maximum characters accepted of an address, and of any other text. */
const MAX_PATH_CHARS = 4000;
const MAX_TEXT_CHARS = 2000;

/** The page's current path and title. `hot`: the dev server is connected and applies updates from now on. */
export interface Whereabouts {
  type: "location";
  path: string;
  title: string;
  hot: boolean;
}

/** The state of the page, reported once it has settled and at each later change. */
export interface Seen {
  type: "seen";
  /** Whether it shows any content of its own. */
  rendered: boolean;
  /** The text of the framework's error overlay. */
  overlay?: string;
  /** The first uncaught error; `source` is `file:line:column`, in the project's files if known. */
  thrown?: { message: string; source?: string };
  /** The browser denied something in this frame that it may allow in a separate tab. */
  needsTab?: true;
}

/** Parses a message of the probe; undefined for anything else. The caller has checked the sender. */
export function readPreviewMessage(data: unknown): Whereabouts | Seen | undefined {
  if (!isRecord(data)) return undefined;
  if (data["type"] === "treadle:seen")
    return isRecord(data["seen"]) ? readSeen(data["seen"]) : undefined;
  const { type, path, title, hot } = data;
  if (type !== "treadle:location" || typeof path !== "string") return undefined;
  if (!path.startsWith("/") || path.length > MAX_PATH_CHARS) return undefined;
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
    // A page that was denied something may show nothing, or only its framework's error overlay.
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
  typeof value === "string" && value !== "" ? value.slice(0, MAX_TEXT_CHARS) : undefined;

export function commandPreview(
  frame: HTMLIFrameElement,
  origin: string,
  command: "back" | "forward" | "reload",
): void {
  frame.contentWindow?.postMessage({ type: `treadle:${command}` }, origin);
}
