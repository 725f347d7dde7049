import { headOf } from "@treadle/protocol/safe-text";
import type { PageResponse } from "./get-page.ts";

/** Limit of the text, in characters. */
const LIMIT = 4_000;

/**
 * The readable text of an error page. Scripts and styles are removed, because frameworks put their whole state into them,
 * in front of the one relevant sentence.
 */
export function plainBody({
  contentType,
  body,
}: Pick<PageResponse, "contentType" | "body">): string {
  if (!/html/i.test(contentType) && !/^\s*</.test(body)) return headOf(body, LIMIT);
  const plain = body
    .replaceAll(/<(script|style|template|svg)\b[^]*?(?:<\/\1\s*>|$)/gi, " ")
    .replaceAll(/<!--[^]*?(?:-->|$)/g, " ")
    .replaceAll(/<br\s*\/?>|<\/(?:p|div|h\d|li|pre|tr)>/gi, "\n")
    .replaceAll(/<[^<>]{0,2000}>/g, " ")
    .replaceAll(/&(lt|gt|amp|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? " ")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
  return headOf(plain, LIMIT);
}

const ENTITIES: Record<string, string> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  "#39": "'",
  nbsp: " ",
};
