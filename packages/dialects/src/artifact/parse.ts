import { createProseScanner, THINKING } from "../prose/scanner.ts";
import { Input, readPieces } from "../text/input.ts";
import type { TagMatch } from "../text/match-name.ts";
import { findEnd } from "./find-end.ts";
import { createHeldEnd } from "./held-end.ts";
import { ARTIFACT_LIMITS } from "./limits.ts";
import { createArtifactEvents } from "./artifact-events.ts";
import { createTagReader } from "./tag-reader.ts";
import { ACTION, ACTION_END, ARTIFACT, ARTIFACT_END, matchTag } from "./tags.ts";
import type { ArtifactParser, ArtifactParserOptions } from "./types.ts";

/** A file's opening tag with a plain path only, as nearly all are written. */
const FILE_TAG = /^<boltAction type="file" filePath="(\w[\w.-]*(?:\/\w[\w.-]*)*)"$/;

/**
 * Creates an incremental parser of the artifact dialect. Each character is examined a limited
 * number of times, whatever the chunk sizes. Never throws on any input.
 */
export function createArtifactParser({
  onEvent,
  limits,
  recover,
  quickActions,
}: ArtifactParserOptions): ArtifactParser {
  const bounds = { ...ARTIFACT_LIMITS, ...limits };
  const { tagCharacters } = bounds;
  const input = new Input();
  const outline = createArtifactEvents(onEvent, bounds);
  const tag = createTagReader(input, tagCharacters);
  const quick = quickActions?.(input, outline, tagCharacters);
  const recovery = recover?.(input, outline, (ticks, info) => prose.enterFence(ticks, info));
  /** Tags that count in prose: outside of artifacts, in an implied one, in a written one. */
  const starts = [ACTION, ARTIFACT, ...THINKING];
  const outside = quick ? [...starts, quick.name] : starts;
  const inProse = [outside, [...outside, ARTIFACT_END], [...starts, ARTIFACT_END]];
  const held = createHeldEnd(input, outline, tag, bounds.contentCharacters);
  const onText = (text: string) => {
    outline.text(text);
    recovery?.remember(text);
  };
  const prose = createProseScanner({
    input,
    match: matchTag,
    hasFences: () => outline.depth < 2,
    onText,
    onFence: (ticks, info) => !!recovery?.take(ticks, info),
  });

  /** The sub-parser that reads at present, if any. */
  let other: typeof recovery | typeof quick;

  /** Reads on; false if the rest has to wait for more. */
  let step = readProse;
  return {
    ...readPieces(input, () => step(), finish),
    inProse: () => step === readProse && prose.isPlain(),
  };

  function readProse(): boolean {
    const match = prose.next(inProse[outline.depth]!);
    if (match === "more") return false;
    if (recovery?.state) readBy(recovery);
    if (!match) return true;
    if (match.name === ARTIFACT_END) {
      // Text before it may have ended an implied artifact; then it is text, too.
      if (outline.depth > 0) outline.closeArtifact(true);
      else onText(input.chunk.slice(input.at, match.end));
      input.at = match.end;
    } else startTag(match);
    return true;
  }

  function readBy(reader: typeof other): void {
    other = reader;
    step = readOther;
  }

  function readOther(): boolean {
    const goesOn = other!.read();
    if (!other!.state) step = readProse;
    return goesOn;
  }

  function startTag(match: TagMatch): void {
    const { name, end } = match;
    if (recovery?.passes(match)) return;
    if (quick?.name === name) {
      quick.start(match);
      return readBy(quick);
    }
    tag.start(name, end);
    step = readTag;
  }

  function readTag(): boolean {
    if (tag.read()) endTag();
    else if (tag.isTooLong()) {
      outline.tagTooLong(tagCharacters);
      outline.text(tag.text);
      step = readProse;
    }
    return true;
  }

  function endTag(): void {
    const { name } = tag;
    step = readProse;
    if (recovery?.isShown(tag)) return outline.text(`${tag.text}>`);
    const [, path] = FILE_TAG.exec(tag.text) ?? [];
    if (path) {
      outline.openFile(path, "file");
      step = readContent;
      return;
    }
    const attributes = tag.attributes();
    const closesItself = tag.isSelfClosing();
    if (name === ARTIFACT) {
      outline.openArtifact(attributes);
      if (closesItself) outline.closeArtifact(true);
    } else {
      outline.openAction(recovery?.meant(attributes) ?? attributes);
      if (closesItself) outline.closeAction(true);
      else step = readContent;
    }
  }

  function readContent(): boolean {
    const one = input.takeOne();
    if (one !== "") {
      outline.write(one);
      return true;
    }
    const from = input.at;
    const match = findEnd(input, outline);
    if (input.at > from) outline.write(input.chunk.slice(from, input.at));
    if (match === "more") return false;
    if (!match) return true;
    // A line break after it decides at once.
    const isOver = !outline.isFile || input.chunk.charCodeAt(match.end) === 10;
    if (match.name === ACTION_END && isOver) {
      input.at = match.end;
      outline.closeAction(true);
      step = readProse;
    } else {
      held.start(match);
      step = readHeld;
    }
    return true;
  }

  function readHeld(): boolean {
    const ended = held.read();
    if (ended === true) endHeld();
    else if (ended === false) goOn();
    return ended !== "more";
  }

  /** Ends the action at the held end, and parses the held text again, as prose. */
  function endHeld(): void {
    const isImplied = held.closing === "";
    outline.closeAction(true, isImplied);
    step = readProse;
    if (held.text.trim() !== "") input.giveBack(held.text, isImplied);
  }

  /** Continues the action: the held text is content. */
  function goOn(): void {
    const text = held.closing + held.text;
    if (text !== "") outline.write(text);
    step = readContent;
  }

  function finish(): void {
    while (step === readHeld) {
      if (held.end()) endHeld();
      else {
        outline.write("<");
        step = readContent;
        input.giveBack(held.text.slice(1), false);
      }
      input.read("", () => step());
    }
    const { rest } = input;
    if (step === readProse) {
      prose.end();
      outline.text(rest);
    } else if (step === readOther) other!.end();
    else if (step === readContent) {
      outline.write(rest);
      outline.closeAction(false);
    } else if (step === readTag) {
      if (outline.depth === 2) outline.error("tag-cut", "The message ended inside a tag.");
      else outline.text(tag.text + rest);
    }
    outline.closeArtifact(outline.depth === 1);
  }
}
