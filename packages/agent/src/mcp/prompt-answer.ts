import { PICTURES } from "./limits.ts";
import { contentText } from "./answer-text.ts";
import type { McpPicture, McpPromptAnswer } from "./types.ts";

interface Said {
  role: "user" | "assistant";
  content: { type: string; data?: unknown; mimeType?: unknown };
}

/** The types of pictures that a message can have. */
const TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Formats a filled-in prompt: its text, limited in length, and its pictures. Other content is named in the text. */
export function promptAnswer({ messages }: { messages: readonly Said[] }): McpPromptAnswer {
  const pictures: McpPicture[] = [];
  const voices = new Set(messages.map(({ role }) => role)).size;
  const parts: unknown[] = [];
  let before: string | undefined;
  for (const { role, content } of messages) {
    // The speaker is named if there are two.
    if (voices > 1 && role !== before)
      parts.push({ type: "text", text: role === "user" ? "User:" : "Assistant:" });
    before = role;
    const picture = pictureOf(content);
    if (picture === undefined || pictures.length >= PICTURES) parts.push(content);
    else pictures.push(picture);
  }
  return { ok: true, text: contentText(parts), pictures };
}

function pictureOf({ type, data, mimeType }: Said["content"]): McpPicture | undefined {
  if (type !== "image" || typeof data !== "string" || typeof mimeType !== "string") return;
  return TYPES.has(mimeType) ? { mediaType: mimeType, data } : undefined;
}
