import { isWhite } from "../artifact/tags.ts";
import { TAG_LIMIT } from "./limits.ts";

/** A tag: its name (a closing one with its slash), the `name` attribute it may have, and the end behind its `>`. */
export interface Tag {
  name: string;
  attribute: string | undefined;
  end: number;
}

/** Tags that name what they call in an attribute. */
const WITH_ATTRIBUTE = new Set(["invoke", "parameter"]);

/**
 * The tag at the `<` at `at`, if it is one of `names`; `"more"` when only what comes next can tell. Reads at most
 * `TAG_LIMIT` characters, so that holding it back and reading it again stays cheap.
 */
export function readTag(
  text: string,
  at: number,
  names: ReadonlySet<string>,
): Tag | "more" | undefined {
  const limit = Math.min(text.length, at + TAG_LIMIT);
  const cut = limit === text.length ? "more" : undefined;
  let to = at + 1;
  if (to < limit && text.charCodeAt(to) === 47) to++;
  while (to < limit && isNameCode(text.charCodeAt(to))) to++;
  const name = text.slice(at + 1, to);
  if (to === limit) {
    if (cut === undefined) return undefined;
    for (const candidate of names) if (candidate.startsWith(name)) return "more";
    return undefined;
  }
  if (!names.has(name)) return undefined;
  const from = to;
  let quote = 0;
  for (; to < limit; to++) {
    const code = text.charCodeAt(to);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 62) {
      return { name, attribute: nameAttribute(text.slice(from, to)), end: to + 1 };
    } else if (!WITH_ATTRIBUTE.has(name)) {
      if (!isWhite(code)) return undefined;
    } else if (code === 34 || code === 39) quote = code;
    else if (code === 60) return undefined;
  }
  return cut;
}

function nameAttribute(source: string): string | undefined {
  const match = /\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/.exec(source);
  return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}

function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}
