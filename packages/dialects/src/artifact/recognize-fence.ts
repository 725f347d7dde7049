import { FOR_EXAMPLE } from "../prose/example.ts";
import { isShellFile } from "./file-names.ts";
import { findNamedFile, findUnnamed, type NamedFile } from "./named-file.ts";

/**
 * What a code fence in a message without artifacts may be: tags, a command, a file or a change of
 * files; undefined for code that is only shown.
 */
export type Recognized =
  | { type: "tags" }
  | { type: "shell" }
  | { type: "file"; named: NamedFile }
  | { type: "edit"; named?: NamedFile }
  | undefined;

const SHELL = /^(?:bash|sh|shell|zsh|shellscript)$/i;
const DIFF = /^(?:diff|patch|udiff)$/i;
/** Languages of program output. */
const PRINTED = /^(?:console|output|log|terminal)\b/i;
/** The beginning of a change that names its own files. */
const OWN_PATHS = /^(?:\*\*\* Begin Patch\s*$|diff --git \S|--- (?![-#])\S)/;
/** The beginning of a change of a file named elsewhere. */
const CHANGE = /^(?:@@ .*@@|@@\s*$|(?:<{5,9}|-{5,9}) SEARCH>?\s*$)/;
const TAG = /^\s*<\s*bolt[-_]?(?:artifact|action)[\s>]/i;
/**
 * Phrases that mark tags as an example; without one, tags are intended, since nobody writes them by
 * chance.
 */
const ILLUSTRATES = /\b(?:for (?:example|instance)|e\.g\.|looks? like|such as)(?!\w)[^.!?]*$/i;
const PROMPT = /^\s*[$>%]\s/;

/**
 * Decides once what a fence is, from its position and its beginning.
 * @param info the fence's info string
 * @param before the end of the prose before the fence
 * @param page the page that the answer wrote before
 * @param lines the first non-blank lines in the fence: one, or two if the first may be only a path
 */
export function recognizeFence(
  info: string,
  before: string,
  [firstLine = "", secondLine = ""]: readonly string[],
  page = "",
): Recognized {
  const lead = before.trimEnd().split("\n").at(-1) ?? "";
  if (TAG.test(firstLine))
    return ILLUSTRATES.test(lead) || FOR_EXAMPLE.test(lead) ? undefined : { type: "tags" };
  const language = /^[^\s:{]*/.exec(info)?.[0] ?? "";
  if (PRINTED.test(language)) return undefined;
  if (OWN_PATHS.test(firstLine)) return { type: "edit" };
  const isChange = DIFF.test(language) || CHANGE.test(firstLine);
  // aider's format: the path is the first line in the fence.
  if (!isChange && CHANGE.test(secondLine)) {
    const inside = findNamedFile("", firstLine, "");
    if (inside?.by === "label") return { type: "edit", named: inside };
  }
  const named = findNamedFile(info, lead, firstLine) ?? findUnnamed(language, firstLine, page);
  if (isChange) return named && { type: "edit", named };
  if (!SHELL.test(language)) return named && { type: "file", named };
  if (named?.by === "label" && isShellFile(named.path)) return { type: "file", named };
  return PROMPT.test(firstLine) ? undefined : { type: "shell" };
}
