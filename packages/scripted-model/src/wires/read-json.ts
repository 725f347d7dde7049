/** Lenient reading of untrusted JSON: a wrong type counts as absent, without exceptions. */

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const PICTURES = new Set(["image", "image_url", "input_image"]);
/** Nesting of a picture: in a part, of a result, of a message. */
const DEEP = 4;

/** Counts pictures in messages of any format. */
export function countPictures(value: unknown, deep = DEEP): number {
  return listOf(value).reduce((sum, part) => {
    if (PICTURES.has(textOf(part["type"]))) return sum + 1;
    if (deep === 0) return sum;
    return sum + countPictures(part["content"], deep - 1) + countPictures(part["output"], deep - 1);
  }, 0);
}

/** The text of a content that is a string or a list of parts with `text`, joined by line breaks. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => textOf(part["text"]))
    .filter((text) => text !== "")
    .join("\n");
}
