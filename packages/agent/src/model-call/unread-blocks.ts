import { recognizeFence } from "@treadle/dialects/artifact";
import { codeBlocks, readChange, type CodeBlock } from "@treadle/dialects/proposals";
import { clipLine } from "../text/clip.ts";
import { isRecord } from "../text/is-record.ts";
import { textOf, type StepRecord } from "./step-record.ts";

const SHELL = /^(?:bash|sh|shell|zsh|shellscript)\b/i;
/** Languages of blocks that are only shown: output, prose, and line numbers of a quotation. */
const SHOWN_ONLY = /^(?:console|output|log|terminal|text|txt|markdown|md|\d+)?$/i;
/** Matches a line that introduces what follows it. */
const LEADS = /[:：][\s*_]*$/;
/** Maximum number of blocks that are named, and characters of each. */
const NAMED = 4;
const SHOWN = 60;

/**
 * The note for the model about code blocks in its text that may have been meant as actions but were not carried out:
 * commands, and code after a line that introduces it. Undefined if there is none, or if the answer has actions: such a
 * model knows how to write them.
 */
export function tellBlocks(record: StepRecord): string | undefined {
  const isFound = ({ metadata }: (typeof record.calls)[number]) =>
    isRecord(metadata?.["treadle"]?.["found"]);
  if (record.calls.some((call) => !isFound(call))) return undefined;
  // Commands of an answer are run all together or not at all.
  const ran = record.calls.some(({ input }) => typeof input?.["command"] === "string");
  const blocks = codeBlocks(textOf(record.slots)).filter(({ content }) => content.trim() !== "");
  const commands = ran ? [] : blocks.filter(({ info }) => SHELL.test(info));
  const others = blocks.filter((block) => !SHELL.test(block.info) && isMeant(block));
  if (commands.length + others.length === 0) return undefined;
  return [
    commands.length > 0 &&
      `Not run: ${quoted(commands)}. Commands in a code block are not run; the person sees them with a button.`,
    others.length > 0 &&
      `Not carried out: the code that begins with ${quoted(others)}. No line names the file that it is.`,
    "If it was meant, do it now as an action, without explaining; if not, end your turn.",
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * The note, for a model whose dialect ignores code blocks, about blocks that hold or change a file that no call of the
 * run wrote. Undefined if there is none: commands and excerpts are quoted as explanations.
 * @param written paths that the run wrote
 */
export function tellFileBlocks(
  { slots }: StepRecord,
  written: ReadonlySet<string>,
): string | undefined {
  const named = codeBlocks(textOf(slots)).flatMap((block) => {
    const paths = pathsOf(block);
    return paths.length > 0 && !paths.some((path) => written.has(path)) ? paths : [];
  });
  if (named.length === 0) return undefined;
  const list = [...new Set(named)].slice(0, NAMED).map((path) => clipLine(path, SHOWN));
  return `Not carried out: the code for ${list.join(", ")} in your words. Words change no file. If it was meant, do it now with a call, without explaining; if not, end your turn.`;
}

/** The files that a block holds or changes; empty for code that is only shown. */
function pathsOf({ info, before, content }: CodeBlock): string[] {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const meant = recognizeFence(info, before, lines.slice(0, 2));
  if (meant?.type === "file") return [meant.named.path];
  if (meant?.type !== "edit") return [];
  if (meant.named) return [meant.named.path];
  const change = readChange(content);
  return change?.ok ? change.changes.flatMap(({ path }) => path ?? []) : [];
}

function isMeant({ info, before, content }: CodeBlock): boolean {
  const [language = ""] = info.split(/[\s:{]/);
  return readChange(content) !== undefined
    ? /^\s*(?:[-+<]{3,}|\*\*\*|@@|diff )/.test(content)
    : LEADS.test(before) && !SHOWN_ONLY.test(language);
}

const quoted = (blocks: readonly CodeBlock[]) =>
  blocks
    .slice(0, NAMED)
    .map(({ content }) => JSON.stringify(clipLine(content.trim().split("\n")[0] ?? "", SHOWN)))
    .join(", ");
