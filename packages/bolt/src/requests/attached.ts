/** Attachments of a bolt client's message. */
export interface Attached {
  /** In base64. */
  pictures: string[];
  /** Text files. */
  texts: { name: string; text: string }[];
  /** Rejected attachments, each described in a few words. */
  leftOut: string[];
}

type Fields = Record<string, unknown>;

/** Parts of the AI SDK's messages (versions 4 and 5) that contain no attachment. */
const SAYS_NOTHING = /^(?:text|reasoning|step-start|source.*|tool-.*|dynamic-tool|data-.*)$/;
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|javascript|x?yaml|toml)\b|image\/svg)/i;
/** Maximum length of a reported name, in characters. */
const NAME_KEPT = 100;

const textIn = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

/**
 * Reads attachments of a message, and parts with a file or a picture. Remote addresses are not
 * fetched, and unreadable ones are left out and named, as the message itself can still be answered.
 */
export function attachedTo(attachments: readonly unknown[], parts: readonly unknown[]): Attached {
  const found: Attached = { pictures: [], texts: [], leftOut: [] };
  for (const [index, given] of attachments.entries()) {
    const attachment = fieldsOf(given);
    const name = textIn(attachment["name"]) ?? `attachment ${index + 1}`;
    take(found, name, attachment["url"], textIn(attachment["contentType"]));
  }
  for (const given of parts) {
    const part = fieldsOf(given);
    const type = textIn(part["type"]);
    if (type === "text" && typeof part["text"] !== "string")
      found.leftOut.push("a text part without text");
    if (type !== undefined && SAYS_NOTHING.test(type)) continue;
    if (type !== "file" && type !== "image") {
      found.leftOut.push(`a part of a kind that is not known (${shown(type ?? "none")})`);
      continue;
    }
    const media = textIn(part["mediaType"]) ?? textIn(part["mimeType"]);
    const name = textIn(part["filename"]) ?? textIn(part["name"]) ?? `a ${type}`;
    const data = part["url"] ?? part["data"] ?? part["image"];
    take(found, name, data, media ?? (type === "image" ? "image/*" : undefined));
  }
  // Clients send the same file as an attachment and as a part.
  return { ...found, pictures: [...new Set(found.pictures)], leftOut: [...new Set(found.leftOut)] };
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

const shown = (name: string) => name.replaceAll(/\s+/g, " ").slice(0, NAME_KEPT);

function take(found: Attached, name: string, data: unknown, media: string | undefined): void {
  const leave = (why: string) => void found.leftOut.push(`${shown(name)}: ${why}`);
  const written = textIn(data);
  if (written === undefined) return leave("its content is not text");
  const read = readData(written, media);
  if (read === undefined) return leave("it is only linked, and only inline content is read");
  if (TEXT_TYPE.test(read.media)) {
    const text = read.bytes().toString("utf8");
    if (found.texts.every((one) => one.text !== text))
      found.texts.push({ name: shown(name), text });
  } else if (read.media.startsWith("image/")) found.pictures.push(read.base64());
  else leave(`${shown(read.media || "its kind")} is neither a picture nor text`);
}

/** Decodes an attachment's content. @returns undefined if it is only an address */
function readData(written: string, media = "") {
  if (!/^[a-z][a-z\d+.-]*:/i.test(written)) {
    const bytes = () => Buffer.from(written, "base64");
    return { media, bytes, base64: () => written };
  }
  const comma = written.indexOf(",");
  if (!/^data:/i.test(written) || comma === -1) return undefined;
  const [named = "", ...parameters] = written.slice("data:".length, comma).split(";");
  const content = written.slice(comma + 1);
  const isBase64 = parameters.some((one) => one.trim().toLowerCase() === "base64");
  const bytes = () => (isBase64 ? Buffer.from(content, "base64") : Buffer.from(plain(content)));
  const base64 = () => (isBase64 ? content : bytes().toString("base64"));
  return { media: (named || media || "text/plain").toLowerCase(), bytes, base64 };
}

function plain(content: string): string {
  try {
    return decodeURIComponent(content);
  } catch {
    return content;
  }
}
