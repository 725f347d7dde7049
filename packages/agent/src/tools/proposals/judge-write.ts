import { applyEdits, type Edit } from "@treadle/dialects";
import { isFileName, type Found } from "@treadle/dialects/artifact";
import { readChange } from "@treadle/dialects/proposals";
import { literally } from "../../dialects/go-on/opening.ts";
import { findEllipsis } from "./ellipsis.ts";
import {
  compareContents,
  findLostName,
  holdsMost,
  isDocument,
  isScript,
  linesOf,
  type Comparison,
} from "./left-out.ts";

/** A file write that code in prose may propose. */
export interface ProposedWrite {
  path: string;
  content: string;
  /** Where the answer names the path. */
  by: Found["by"];
}

/** The destination of the write. */
export interface WritePlace {
  /** The file's text; undefined if it does not exist; null if it is not text or too large. */
  before: string | undefined | null;
  /** Whether the folder of a new file exists, or the project has no files yet. */
  hasFolder(): Promise<boolean>;
}

/**
 * The decision. `why` is a sentence for the model, `because` the same in a few words, for a title.
 */
export type Judgement =
  | { go: "write" }
  | { go: "edit"; edits: Edit[] }
  | { go: "refuse"; why: string; because: string };

/** Files up to this number of lines may be replaced by any content of at least as many. */
const SMALL_LINES = 10;

/**
 * Decides by structure alone whether code in prose is a complete file and can be written without
 * loss: a new file with a plausible name, or content that still contains most of the file's
 * declarations. Changed lines (`-`, `+`, SEARCH/REPLACE) that fit are an edit. Everything else is
 * refused.
 */
export async function judgeWrite(
  { path, content, by }: ProposedWrite,
  { before, hasFolder }: WritePlace,
): Promise<Judgement> {
  const refuse = (because: string, why: string): Judgement => ({ go: "refuse", because, why });
  if (content.trim() === "") return refuse("the code block is empty", `The code block for ${path} is empty.`); // prettier-ignore
  if (before === null)
    return refuse(
      "it is no text, or too large",
      `${path} is no text, or too large to be compared with the code block.`,
    );
  if (before === undefined) {
    const dots = findEllipsis(path, content, "", true);
    if (dots !== undefined)
      return refuse(
        "the code block is only a part of it",
        `${path} does not exist, and the code block leaves something out (${JSON.stringify(dots)}).`,
      );
    if (!isFileName(path) || isCalled(path, content))
      return refuse("it is no file", `${path} does not exist, and is not called as a file is.`);
    if (by === "sentence" && !(await hasFolder()))
      return refuse("there is no such folder", `${path} does not exist, nor does its folder.`);
    return { go: "write" };
  }
  if (before.trim() === "") return { go: "write" };
  const part = await whyPart(path, before, content, by);
  if (part === undefined) return { go: "write" };
  const edits = fittingEdits(before, content);
  if (edits) return { go: "edit", edits };
  return refuse("the code block is only a part of it", `${part} Write the whole file, or SEARCH/REPLACE blocks below its path.`); // prettier-ignore
}

/** Why the content is only a part of the file, as a sentence; undefined if it is complete. */
async function whyPart(
  path: string,
  before: string,
  after: string,
  by: Found["by"],
): Promise<string | undefined> {
  const [had, has] = [linesOf(before).length, linesOf(after).length];
  const sizes = `${path} has ${lines(before)}, the code block ${lines(after)}`;
  const dots = findEllipsis(path, after, before);
  if (dots !== undefined) return `${sizes}, and it leaves something out (${JSON.stringify(dots)}).`;
  const document = isDocument(path, after);
  if (document === false && isDocument(path, before)) return `${sizes}, and it is no whole file.`;
  const lost = await findLostName(path, before, after);
  if (lost !== undefined) return `${sizes}; it uses ${lost}, which only the file has.`;
  const comparison = await compareContents(path, before, after);
  const isShort = has * 2 < had;
  if (holdsMost(comparison) && !isShort) return undefined;
  // Only the content suggests which page it is.
  if (by === "content") return `${sizes}; ${heldWords(comparison)}, and nothing names the file.`;
  // A page from its first tag to its last is complete, whatever it held before.
  if (/\.html?$/i.test(path) && document && !isShort) return undefined;
  const isRewrite = comparison.unit === "lines" && had <= SMALL_LINES && has >= had;
  if (isRewrite && by !== "sentence" && isScriptOrText(path, after)) return undefined;
  return `${sizes}; ${heldWords(comparison)}.`;
}

function lines(text: string): string {
  const count = text.trimEnd().split("\n").length;
  return count === 1 ? "1 line" : `${count} lines`;
}

const heldWords = ({ unit, held, before }: Comparison) =>
  unit === "lines"
    ? `it has ${held} of the file's lines`
    : `it has ${held} of the ${before} things that the file declares`;

/**
 * A script, or a Markdown text that begins with its title. For settings, new lines are usually
 * additions.
 */
const isScriptOrText = (path: string, text: string) =>
  isScript(path) || (/\.mdx?$/i.test(path) && /^\s*# \S/.test(text));

/** Whether the code calls something with the name of the supposed file, as in `res.json(…)`. */
function isCalled(path: string, content: string): boolean {
  if (path.includes("/")) return false;
  return new RegExp(String.raw`(?<![\w"'\x60./-])${literally(path)}\s{0,9}\(`).test(content);
}

/** The edits that lines with `-` and `+` describe, if each of them fits the file. */
function fittingEdits(before: string, content: string): Edit[] | undefined {
  const read = readChange(content);
  if (!read?.ok || read.changes.length !== 1) return undefined;
  const [change] = read.changes;
  if (change?.type !== "edit" || !applyEdits(before, change.edits).ok) return undefined;
  return change.edits;
}
