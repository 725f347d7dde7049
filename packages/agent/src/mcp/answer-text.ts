import { clipMiddle } from "../text/clip.ts";
import { plainOutput, visibleText, withoutControls } from "@treadle/protocol/safe-text";
import { sizeText } from "../text/size.ts";
import { RESULT_LIMIT } from "./limits.ts";

interface Content {
  type?: unknown;
  text?: unknown;
  data?: unknown;
  mimeType?: unknown;
  uri?: unknown;
  name?: unknown;
  resource?: unknown;
}

/**
 * Formats what a server sent as text for the model: limited in length, with invisible characters escaped. Content that
 * is not text is named.
 */
export function contentText(contents: readonly unknown[]): string {
  return bounded(contents.map((content) => partText((content ?? {}) as Content)).join("\n"));
}

/** The text of a tool's result; a result that contains only data is sent as JSON. */
export function resultText(result: Record<string, unknown>): string {
  const { content, structuredContent, toolResult } = result;
  if (Array.isArray(content) && content.length > 0) return contentText(content);
  const data = structuredContent ?? toolResult;
  return data === undefined ? "" : bounded(JSON.stringify(data));
}

export const bounded = (text: string) =>
  clipMiddle(visibleText(withoutControls(plainOutput(text))).trim(), RESULT_LIMIT);

function partText(content: Content): string {
  const { type, text, data, mimeType, uri, resource } = content;
  switch (type) {
    case "text":
      return String(text ?? "");
    case "image":
    case "audio":
      return `[${type} ${word(mimeType)}, ${bytesOf(data)}, which is not shown]`;
    case "resource":
      return resourceText((resource ?? {}) as Record<string, unknown>);
    case "resource_link":
      return `[resource ${word(uri)} ${word(content.name)}]`;
    default:
      return `[something of the kind ${word(type)}, which is not shown]`;
  }
}

/** Formats a resource, or a part of one, as text. */
export function resourceText({ uri, text, blob, mimeType }: Record<string, unknown>): string {
  const message = typeof text === "string" ? text : textOfBlob(blob, mimeType);
  if (message !== undefined) return `${word(uri)}:\n${message}`;
  return `[${word(uri)} ${word(mimeType)}, ${bytesOf(blob)}, which is not shown]`;
}

/** Decodes text that a server sent as bytes; undefined if it is not text. */
function textOfBlob(blob: unknown, mimeType: unknown): string | undefined {
  if (typeof blob !== "string" || !/^text\/|json$|xml$/.test(word(mimeType))) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(blob, "base64"));
  } catch {
    return undefined;
  }
}

const word = (value: unknown) => (typeof value === "string" ? value.slice(0, 500) : "");
const bytesOf = (base64: unknown) =>
  sizeText(typeof base64 === "string" ? Buffer.byteLength(base64, "base64") : 0);
