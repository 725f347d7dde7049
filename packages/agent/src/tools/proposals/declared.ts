import { isRecord } from "../../text/is-record.ts";
import { readOutline } from "../outlines/read-outline.ts";

/** Keywords before the name in a definition. */
const BEFORE_NAME =
  /^(?:(?:export|default|declare|abstract|async|static|public|private|protected|readonly|const|let|var|function\*?|class|interface|type|enum|namespace|module|def|get|set)\s+|@[\w.]+(?:\([^)]*\))?\s+)+/;

const CALL = /^[\w$.]+\(["'`]/;

/**
 * The names declared at the top level of a file: from its outline, a style sheet's selectors, JSON
 * keys to a depth of two. Undefined if the language is unknown or nothing is declared.
 */
export async function declaredIn(path: string, text: string): Promise<Set<string> | undefined> {
  const names = /\.json$/i.test(path) ? keysOf(text) : await outlineNames(path, text);
  return names && names.size > 0 ? names : undefined;
}

async function outlineNames(path: string, text: string): Promise<Set<string> | undefined> {
  const outline = await readOutline(path, text);
  if (!outline.ok) return undefined;
  const top = outline.definitions.filter(({ depth }) => depth === 0).map(({ text }) => text);
  // Top-level calls (`app.get("/")`, `console.log("hi")`) count only beside declarations.
  return top.every((head) => CALL.test(head)) ? undefined : new Set(top.map(nameOf));
}

/** The name in a definition's head; for a rule or a call, the whole head. */
export function nameOf(head: string): string {
  const bare = head.replace(BEFORE_NAME, "");
  const [name] = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(bare) ?? [];
  const isDeclaration = bare !== head || /^[\w$]+\s*(?:[<(:=]|$)/.test(bare);
  return name !== undefined && isDeclaration ? name : head.replaceAll(/\s+/g, " ").trim();
}

function keysOf(text: string): Set<string> | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const names = new Set<string>();
  for (const [key, inner] of Object.entries(value)) {
    names.add(key);
    if (isRecord(inner)) for (const name of Object.keys(inner)) names.add(`${key}.${name}`);
  }
  return names;
}

/** Parses JSON; undefined if the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch {
    return undefined;
  }
}
