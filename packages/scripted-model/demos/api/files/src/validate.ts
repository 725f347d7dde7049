import type { Fields } from "./bookmarks.ts";

const MAX_TITLE = 200;
const MAX_TAGS = 10;

export interface Problem {
  field: string;
  message: string;
}

type Checked = { fields: Fields } | { problems: Problem[] };

/**
 * Checks a body and gives `{ fields }`, or `{ problems }` that say which field and why.
 * `whole`: a new bookmark, of which nothing may be missing but its tags.
 */
export function checkBookmark(body: unknown, whole: true): Checked;
export function checkBookmark(body: unknown, whole: false): { fields: Partial<Fields> } | { problems: Problem[] };
export function checkBookmark(body: unknown, whole: boolean) {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return { problems: [{ field: "body", message: "Send a JSON object." }] };
  }
  const { url, title, tags, ...others } = body as Record<string, unknown>;
  const fields: Partial<Fields> = {};
  const problems: Problem[] = Object.keys(others).map((field) => ({
    field,
    message: "There is no such field; it takes url, title and tags.",
  }));

  if (url !== undefined || whole) {
    const address = webAddress(url);
    if (address === undefined) {
      problems.push({ field: "url", message: "Give a web address that begins with http:// or https://." });
    } else {
      fields.url = address;
    }
  }
  if (title !== undefined || whole) {
    const text = typeof title === "string" ? title.trim() : "";
    if (text === "" || text.length > MAX_TITLE) {
      problems.push({ field: "title", message: `Give a title of 1 to ${MAX_TITLE} characters.` });
    } else {
      fields.title = text;
    }
  }
  if (tags !== undefined) {
    if (!Array.isArray(tags) || tags.length > MAX_TAGS || !tags.every(isTag)) {
      problems.push({ field: "tags", message: `Give a list of at most ${MAX_TAGS} short words.` });
    } else {
      fields.tags = [...new Set(tags.map((tag) => tag.toLowerCase()))];
    }
  } else if (whole) {
    fields.tags = [];
  }
  return problems.length > 0 ? { problems } : { fields };
}

function webAddress(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
}

function isTag(value: unknown): value is string {
  return typeof value === "string" && /^[\p{L}\p{N}-]{1,30}$/u.test(value);
}
