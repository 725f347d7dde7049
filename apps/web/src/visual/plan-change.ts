import type { FileBody, ProjectPath } from "@treadle/protocol";
import { isProtectedPath } from "@treadle/protocol/project-path";
import { filePlaces, type PlaceInSource } from "@treadle/protocol/evidence";
import { editRule } from "./css-rules.ts";
import { documentOf, sheetOf } from "./files-of-page.ts";
import { editClasses, editStyle, editWords, type Planned } from "./edits.ts";
import { findAlike, findAt, findByPath, type Found } from "./find-element.ts";
import { parseElements, parseSheets } from "./parse-source.ts";
import type { Picked, Property } from "./picked.ts";
import {
  applyEdit,
  type Edit,
  type Reason,
  type SourceElement,
  type Words,
} from "./source-element.ts";
import { namesFor, namesOf } from "./tailwind.ts";

/** A change that the person makes to the picked element. */
export type Change =
  | { kind: "words"; words: string }
  | { kind: "classes"; add?: readonly string[]; remove?: readonly string[] }
  /** `alone`: only for this element, whatever rule applies to it. */
  | { kind: "property"; property: Property; value: string; alone?: boolean };

export interface Sources {
  /** The files of the project. */
  files: readonly ProjectPath[];
  /** Rejects if it cannot be read. */
  read(path: ProjectPath): Promise<FileBody>;
  tailwind: boolean;
}

export interface PlannedEdit {
  path: ProjectPath;
  version: string;
  before: string;
  edit: Edit;
}

/** The place of an element in the source, and its parts that can be changed there. */
export interface Origin {
  path: ProjectPath;
  line: number;
  column: number;
  element: SourceElement;
  text: string;
  version: string;
  words: Words;
  /** The place where the component is used, if the text is written there. */
  wordsAt: PlannedPlace | undefined;
}

interface PlannedPlace {
  path: ProjectPath;
  version: string;
  text: string;
}

export type Located = { origin: Origin } | { refused: Reason; path?: ProjectPath };

/** Finds the source of the picked element. Rejects if a file cannot be read. */
export async function locate(picked: Picked, sources: Sources): Promise<Located> {
  const place = placeOf(picked, sources.files);
  if (!place) return { refused: { why: "nowhere" } };
  const { path } = place;
  const { text = "", version } = await sources.read(path);
  const parsed = await parseElements(path, text);
  if (!parsed) return { refused: { why: "unread" }, path };
  const found = findIn(picked, text, parsed.elements, place);
  if ("refused" in found) return { refused: found.refused, path };
  const { element } = found;
  const before = text.slice(0, element.from);
  const own = element.words(picked.text);
  const used = "refused" in own ? await wordsAtUse(picked, sources) : undefined;
  return {
    origin: {
      path,
      line: before.split("\n").length,
      column: element.from - before.lastIndexOf("\n"),
      element,
      text,
      version,
      words: used?.words ?? own,
      wordsAt: used?.at,
    },
  };
}

function findIn(picked: Picked, text: string, elements: SourceElement[], place: FoundPlace): Found {
  if (picked.from.kind === "html") return findByPath(elements, picked);
  if (place.line === undefined) return findAlike(elements, picked);
  const found = findAt(text, elements, { line: place.line, column: place.column ?? 1 }, picked);
  // After a hot update, React may still report an outdated line.
  const moved = "refused" in found ? findAlike(elements, picked) : found;
  return "refused" in moved ? found : moved;
}

interface FoundPlace {
  path: ProjectPath;
  line?: number;
  column?: number;
}

function placeOf({ from }: Picked, files: readonly ProjectPath[]): FoundPlace | undefined {
  if (from.at === undefined) return undefined;
  if (from.kind === "html") {
    const path = documentOf(from.at, files);
    return path && { path };
  }
  if (from.kind === "vue") {
    const path = files.find((one) => one === from.at);
    return path && { path };
  }
  return inFiles(from.at, files);
}

const inFiles = (at: string, files: readonly ProjectPath[]): PlaceInSource | undefined =>
  filePlaces(at, new Set(files)).find(({ place }) => place)?.place;

/** An element in the source, with the others of its file. */
export interface Candidate extends PlannedPlace {
  element: SourceElement;
  elements: readonly SourceElement[];
}

/** The source elements that a picked one may come from: its own, and the use of the component whose root it may be. */
export async function candidates(picked: Picked, sources: Sources): Promise<Candidate[]> {
  const { files } = sources;
  const own = placeOf(picked, files);
  const use = picked.from.within === undefined ? undefined : inFiles(picked.from.within, files);
  const found: Candidate[] = [];
  for (const place of [own, use]) {
    if (!place) continue;
    const { path } = place;
    const { text = "", version } = await sources.read(path);
    const parsed = await parseElements(path, text);
    if (!parsed) continue;
    const { elements } = parsed;
    const one =
      place === use
        ? findAt(text, elements, { line: use.line, column: use.column })
        : findIn(picked, text, elements, place);
    if ("element" in one) found.push({ path, version, text, elements, element: one.element });
  }
  return found;
}

/**
 * The text that is passed to a component where it is used: between its tags, or as the only attribute with that value.
 * Undefined if there is none.
 */
async function wordsAtUse(
  picked: Picked,
  sources: Sources,
): Promise<{ words: Words; at: PlannedPlace } | undefined> {
  const place = picked.from.within && inFiles(picked.from.within, sources.files);
  if (!place || picked.text === "") return undefined;
  const { path, line, column } = place;
  const { text = "", version } = await sources.read(path);
  const parsed = await parseElements(path, text);
  const found = parsed && findAt(text, parsed.elements, { line, column });
  if (!found || "refused" in found) return undefined;
  const at = { path, version, text };
  const words = found.element.words(picked.text);
  if ("literal" in words) return { words, at };
  const matches = [...found.element.attributes.values()].filter(
    ({ value }) => value === picked.text,
  );
  return matches.length === 1 ? { words: { literal: matches[0]! }, at } : undefined;
}

/**
 * Plans a change of a file, or returns why it is refused. Rejects if a file cannot be read. Files that take effect
 * outside the sandbox are never changed this way: the page reports which element was picked, and saving would count as
 * the person's approval of the whole file (A86).
 */
export async function planChange(
  picked: Picked,
  change: Change,
  sources: Sources,
): Promise<PlannedEdit | { refused: Reason }> {
  const planned = await planAnywhere(picked, change, sources);
  if ("path" in planned && isProtectedPath(planned.path)) return { refused: { why: "nowhere" } };
  return planned;
}

async function planAnywhere(
  picked: Picked,
  change: Change,
  sources: Sources,
): Promise<PlannedEdit | { refused: Reason }> {
  if (change.kind === "property" && !change.alone) {
    const inSheet = await planInSheet(picked, change, sources);
    if (inSheet) return inSheet;
  }
  const located = await locate(picked, sources);
  if ("refused" in located) return located;
  const { origin } = located;
  let at: PlannedPlace = origin;
  let planned: Planned;
  if (change.kind === "words") {
    at = origin.wordsAt ?? origin;
    const { words } = origin;
    planned = "refused" in words ? words : { edit: editWords(words.literal, change.words) };
  } else if (change.kind === "classes")
    planned = editClasses(origin.text, origin.element.classes, change);
  else planned = planOnElement(picked, change, origin, sources.tailwind);
  if ("refused" in planned) return planned;
  const { path, version, text } = at;
  return checked({ path, version, before: text, edit: planned.edit });
}

function planOnElement(
  picked: Picked,
  { property, value }: Change & { kind: "property" },
  { element, text }: Origin,
  tailwind: boolean,
): Planned {
  const by = picked.styles[property]?.by;
  const remove = namesOf(property, picked.classes.split(/\s+/));
  if (tailwind && !by?.here) {
    const planned = editClasses(text, element.classes, { remove, add: namesFor(property, value) });
    if ("edit" in planned) return planned;
  }
  return editStyle(text, element.style, property, value);
}

/** Changes the rule that currently sets the property, if it is in the project. */
async function planInSheet(
  picked: Picked,
  { property, value }: Change & { kind: "property" },
  sources: Sources,
): Promise<PlannedEdit | undefined> {
  const by = picked.styles[property]?.by;
  if (!by || by.here) return undefined;
  const path =
    by.file === undefined
      ? by.inline !== undefined && picked.from.kind === "html"
        ? documentOf(picked.from.at ?? "/", sources.files)
        : undefined
      : sheetOf(by.file, sources.files);
  if (path === undefined) return undefined;
  const { text = "", version } = await sources.read(path);
  const edits = (await parseSheets(path, text)).flatMap((sheet) => {
    const planned = editRule(sheet.text, sheet.tree, by, property, value);
    if ("refused" in planned) return [];
    const { from, to, insert } = planned.edit;
    return [{ from: from + sheet.offset, to: to + sheet.offset, insert }];
  });
  return edits.length === 1 ? { path, version, before: text, edit: edits[0]! } : undefined;
}

/**
 * Parses the result of an edit. Refuses an edit that adds syntax errors or changes the number of elements, and one of a
 * file that cannot be parsed.
 */
export async function checked(planned: PlannedEdit): Promise<PlannedEdit | { refused: Reason }> {
  const { path, before, edit } = planned;
  const [was, is] = await Promise.all([
    parseElements(path, before),
    parseElements(path, applyEdit(before, edit)),
  ]);
  if (!was || !is || is.errors > was.errors || is.elements.length !== was.elements.length)
    return { refused: { why: "unread" } };
  return planned;
}
