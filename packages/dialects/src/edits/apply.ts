import { createEditor, type Editor, MARK } from "./editor.ts";
import { findPlaces, type Place } from "./find-places.ts";
import { findNearest, showLines } from "./nearest.ts";
import { findPlaceholder } from "./placeholder.ts";
import { otherReadings } from "./readings.ts";
import { indentOf, reindent } from "./reindent.ts";
import type { TextFile } from "./text-file.ts";
import type { Edit, EditFailure, EditResult } from "./types.ts";

/**
 * Applies a model's edits to a file, all or none.
 * Differences in white space, indentation, quotes, dashes, trailing commas, needless backslashes
 * and missing blank lines are tolerated; another word, digit or operator is not, nor more than one
 * match. An exact match is replaced literally; a tolerant one by complete lines, adjusted to the
 * file's indentation. Line endings, the byte-order mark and a missing final line break are kept.
 * Nothing else changes. Time is linear in the file plus the edits; an edit of text written by an
 * earlier one, or a failing edit, costs another pass over the file.
 */
export function applyEdits(original: string, edits: readonly Edit[]): EditResult {
  const applier = createEditApplier(original);
  for (const edit of edits) applier.apply(edit);
  return applier.finish();
}

/** Applies edits to one file as they arrive. Never throws. */
export interface EditApplier {
  /**
   * Applies one edit to the result of the earlier ones; returns the failure if it does not match.
   */
  apply(edit: Edit): EditFailure | undefined;
  /** The file with every edit, or unchanged if one of them failed. */
  finish(): EditResult;
}

/**
 * Like `applyEdits`, for edits that arrive one by one: each is settled when its `apply` returns.
 */
export function createEditApplier(original: string): EditApplier {
  const editor = createEditor(original);
  const failures: EditFailure[] = [];
  let applied = 0;
  let count = 0;
  return {
    apply(edit) {
      const outcome = applyOne(editor, edit);
      const index = count++;
      if (typeof outcome === "number") {
        applied += outcome;
        return undefined;
      }
      const failure = { edit: index, ...outcome };
      failures.push(failure);
      return failure;
    },
    finish() {
      if (failures.length > 0) return { ok: false, failures, content: original };
      return { ok: true, content: applied === 0 ? original : editor.text(), applied };
    },
  };
}

type Refusal = Omit<EditFailure, "edit">;

/** The number of changed places, or why there was none. */
function applyOne(editor: Editor, edit: Edit): number | Refusal {
  // A block may be divided at several lines: it is only unambiguous if one division matches.
  const { or = [] } = edit;
  const all = edit.all === true;
  const fitting = or.length > 0 ? [edit, ...or].filter(({ old }) => old === "" || findFree(editor, plain(old), false).places.length === 1) : [edit]; // prettier-ignore
  if (fitting.length > 1) return refuse("multiple", "The old text fits several places.");
  const meant = fitting[0] ?? edit;
  const old = plain(meant.old);
  const replacement = plain(meant.new);
  if (old === replacement) return refuse("identical", "The old and the new text are the same.");
  if (old.trim() === "") {
    editor.settle();
    const { text } = editor.file;
    if (old === "" ? text.trim() === "" : text === "") {
      editor.replace({ from: 0, to: text.length }, replacement);
      return 1;
    }
  }
  if (old === "")
    return refuse("empty", "The old text is empty, but the file is not. Give the lines to change."); // prettier-ignore
  const leftOut = placeholderIn(replacement, old);
  if (leftOut) return leftOut;
  const found = findFree(editor, old, all);
  if (found.places.length > 0) return replaceAt(editor, found, old, replacement, all, edit.line);
  for (const { problem, line, ...meant } of otherReadings(old, replacement)) {
    const again = findFree(editor, meant.old, false);
    const [first, second] = again.places;
    if (!first || (line !== undefined && editor.file.lineAt(first.characters.from) !== line)) continue; // prettier-ignore
    // A single match or none: an interpretation of an edit must be certain.
    if (problem || second) return notFound(problem ?? "The old text fits several places.");
    return placeholderIn(meant.new, meant.old) ?? replaceAt(editor, again, meant.old, meant.new, false); // prettier-ignore
  }
  return { ...notFound("The old text is not in the file."), ...findNearest(editor.file, old) };
}

const refuse = (reason: Refusal["reason"], message: string): Refusal => ({ reason, message });

const notFound = (why: string): Refusal =>
  refuse("not found", `${why} Copy it from the file as it stands.`);

function placeholderIn(replacement: string, old: string): Refusal | undefined {
  const placeholder = findPlaceholder(replacement, old);
  return placeholder === undefined
    ? undefined
    : refuse("placeholder", `The new text leaves code out (${JSON.stringify(placeholder.trim())}). Write it whole.`); // prettier-ignore
}

function replaceAt(
  editor: Editor,
  { places, unescape }: ReturnType<typeof findPlaces>,
  old: string,
  replacement: string,
  all: boolean,
  line = 0,
): number | Refusal {
  const text = unescape ? unescape(replacement) : replacement;
  if (places.length > 1 && !all) {
    const lines = places.map(({ characters }) => editor.file.lineAt(characters.from) + 1);
    const place = places[lines.indexOf(line)];
    if (!place)
      return {
        ...refuse("multiple", `The old text fits ${places.length} places, the first at lines ${lines.slice(0, 5).join(", ")}. Add lines around it, or set all.`), // prettier-ignore
        ...showLines(editor.file, lines[0]! - 1, old.trimEnd().split("\n").length),
      };
    places = [place];
  }
  let changed = 0;
  for (const place of places) {
    // For overlapping matches, the first one counts.
    if (!editor.isFree(place.characters)) continue;
    replacePlace(editor, place, old, text);
    changed++;
  }
  return changed;
}

/** Removes the byte-order mark and carriage returns: those of the file are kept, and those of an edit are ignored. */
function plain(text: string): string {
  return (text.startsWith(MARK) ? text.slice(1) : text).replaceAll("\r\n", "\n");
}

/** Finds matches of the old text. Text written by earlier edits is searched only if nothing else matches. */
function findFree(editor: Editor, old: string, all: boolean): ReturnType<typeof findPlaces> {
  const found = findPlaces(editor.file, old, all);
  const places = found.places.filter(({ characters }) => editor.isFree(characters));
  return places.length === 0 && editor.settle() ? findFree(editor, old, all) : { ...found, places };
}

function replacePlace(editor: Editor, place: Place, old: string, text: string): void {
  const { characters } = place;
  if (!place.loose) {
    editor.replace(characters, text);
    return;
  }
  const { lines, pairs } = place.loose;
  const { file } = editor;
  const oldLines = old.split("\n");
  const indents = pairs.map((pair) => ({
    old: indentOf(oldLines[pair.old] ?? ""),
    file: indentOf(file.lines[pair.file] ?? ""),
  }));
  if (isPadded(file, place)) indents.length = 0;
  // Blank lines before the old text that the file lacks are not added by the new text either.
  const extra = lines.from === pairs[0]!.file ? pairs[0]!.old : 0;
  const trimmed = text.replace(new RegExp(`^(?:[^\\S\\n]*\\n){0,${extra}}`), "");
  let fresh = reindent(trimmed.split("\n"), indents).join("\n");
  fresh = keepComma(fresh, oldLines, file.lines[lines.to - 1] ?? "");
  const atEnd = characters.to === file.text.length && !file.text.endsWith("\n");
  // The file's last line has no line break, so that of the old text is not replaced.
  if (
    atEnd &&
    old.endsWith("\n") &&
    fresh.endsWith("\n") &&
    !(fresh === "\n" && characters.from === 0)
  )
    fresh = fresh.slice(0, -1);
  editor.replace(characters, fresh);
}

/**
 * A line with one leading blank and trailing white space: padding, which is dropped like trailing
 * white space.
 */
function isPadded(file: TextFile, { loose }: Place): boolean {
  return loose?.pairs.length === 1 && /^ \S.*\s$/.test(file.lines[loose.lines.from] ?? "");
}

/** Keeps the file's comma after the last line, or its absence, if the match tolerated a difference there. */
function keepComma(text: string, oldLines: readonly string[], fileLine: string): string {
  const oldLine = oldLines.findLast((line) => line.trim() !== "") ?? "";
  const body = text.trimEnd();
  const [had, wrote, has] = [fileLine, oldLine, body].map((one) => one.trimEnd().endsWith(","));
  if (had === wrote || had === has || body === "") return text;
  return (had ? `${body},` : body.slice(0, -1)) + text.slice(body.length);
}
