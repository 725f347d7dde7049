import { createProseScanner } from "../prose/scanner.ts";
import { Input, readPieces } from "../text/input.ts";
import type { TagMatch } from "../text/match-name.ts";
import { findEnd } from "./find-end.ts";
import { HeldEnd } from "./held-end.ts";
import { ARTIFACT_LIMITS } from "./limits.ts";
import { ArtifactEvents } from "./artifact-events.ts";
import { QuickActions } from "./quick-actions.ts";
import { TagReader } from "./tag-reader.ts";
import { ACTION, ARTIFACT, matchTag, QUICK_ACTION, QUICK_LIST } from "./tags.ts";
import type { ArtifactParser, ArtifactParserOptions } from "./types.ts";

const ARTIFACT_END = `/${ARTIFACT}`;
const ACTION_END = `/${ACTION}`;
/** The rest of a file's opening tag that has a plain path and nothing else. */
const FILE_TAG = / type="file" filePath="(\w[\w.-]*(?:\/\w[\w.-]*)*)">/y;
/** Tags that count in prose: outside of artifacts, in an implied one, in a written one. */
const IN_PROSE: readonly (readonly string[])[] = [
  [ARTIFACT, ACTION, QUICK_LIST, "think", "thinking"],
  [ARTIFACT, ACTION, QUICK_LIST, ARTIFACT_END, "think", "thinking"],
  [ACTION, ARTIFACT_END, ARTIFACT, "think", "thinking"],
];

/**
 * An incremental parser of the artifact dialect. Each character is looked at a bounded number of times, whatever the
 * size of the pieces. No input makes it throw.
 */
export function createArtifactParser({
  onEvent,
  limits,
  recover,
}: ArtifactParserOptions): ArtifactParser {
  const bounds = { ...ARTIFACT_LIMITS, ...limits };
  const { tagCharacters } = bounds;
  const input = new Input();
  const outline = new ArtifactEvents(onEvent, bounds);
  const tag = new TagReader(input, tagCharacters);
  const quick = new QuickActions(input, onEvent, tagCharacters);
  const recovery = recover?.(input, outline, (ticks, info) => prose.enterFence(ticks, info));
  const held = new HeldEnd(input, tag, bounds.contentCharacters);
  const prose = createProseScanner({
    input,
    match: matchTag,
    hasFences: () => outline.depth < 2,
    onText(text) {
      outline.text(text);
      recovery?.remember(text);
    },
    onFence: (ticks, info) => !!recovery?.take(ticks, info),
  });

  /** Reads on; false when the rest must wait for more. */
  let step = readProse;
  return readPieces(input, () => step(), finish);

  function readProse(): boolean {
    const match = prose.next(IN_PROSE[outline.depth]!);
    if (match === "more") return false;
    if (recovery?.state) step = readRecovered;
    if (!match) return true;
    if (match.name === ARTIFACT_END) {
      // Text before it may have ended an implied artifact: then it is text, too.
      if (outline.depth > 0) outline.closeArtifact(true);
      else outline.text(input.chunk.slice(input.at, match.end));
      input.at = match.end;
    } else startTag(match);
    return true;
  }

  function readRecovered(): boolean {
    const goesOn = recovery!.read();
    if (!recovery!.state) step = readProse;
    return goesOn;
  }

  function startTag({ name, end }: TagMatch): void {
    recovery?.stop();
    // Nearly all are written so: what is looked for in them stands where it is expected.
    FILE_TAG.lastIndex = end;
    const written = name === ACTION ? FILE_TAG.exec(input.chunk) : undefined;
    if (written && FILE_TAG.lastIndex - input.at < tagCharacters) {
      input.at = FILE_TAG.lastIndex;
      outline.openFile(written[1]!);
      step = readContent;
      return;
    }
    tag.start(name, end);
    step = readTag;
  }

  function readTag(): boolean {
    if (tag.read()) endTag();
    else if (tag.isTooLong) {
      outline.error("tag-too-long", `A tag is longer than ${tagCharacters} characters.`);
      step = tag.name === QUICK_ACTION ? readQuick : readProse;
      if (step === readProse) outline.text(tag.text);
    }
    return true;
  }

  function endTag(): void {
    const { name, attributes, isSelfClosing } = tag;
    if (name === ACTION) {
      outline.openAction(attributes);
      step = readContent;
      if (isSelfClosing) closeAction();
    } else if (name === ARTIFACT) {
      outline.openArtifact(attributes);
      step = readProse;
      if (isSelfClosing) outline.closeArtifact(true);
    } else if (name === QUICK_LIST) {
      outline.closeArtifact(true);
      step = isSelfClosing ? readProse : readQuick;
    } else {
      quick.open(attributes);
      step = readQuick;
      if (isSelfClosing) quick.close();
    }
  }

  function readQuick(): boolean {
    const match = quick.next();
    if (match === "more") return false;
    if (match && match.name !== `/${QUICK_LIST}`) startTag(match);
    else if (match) {
      input.at = match.end;
      step = readProse;
    }
    return true;
  }

  function readContent(): boolean {
    const one = input.takeOne();
    if (one !== "") {
      outline.write(one);
      return true;
    }
    const from = input.at;
    const match = findEnd(input);
    if (input.at > from) outline.write(input.chunk.slice(from, input.at));
    if (match === "more") return false;
    if (!match) return true;
    // A line break behind it settles it at once.
    const isOver = !outline.isFile || input.chunk.charCodeAt(match.end) === 10;
    if (match.name === ACTION_END && isOver) {
      input.at = match.end;
      closeAction();
    } else {
      held.start(match.name, match.end);
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

  /** What was held is read again, as the prose that it is. */
  function endHeld(): void {
    const isImplied = held.closing === "";
    outline.closeAction(true, isImplied);
    if (held.text.trim() !== "") input.giveBack(held.text, isImplied);
    step = readProse;
  }

  /** What was held is content. */
  function goOn(): void {
    outline.write(held.closing + held.text);
    step = readContent;
  }

  function closeAction(): void {
    outline.closeAction(true);
    step = readProse;
  }

  function finish(): void {
    if (step === readHeld) {
      if (held.end()) {
        endHeld();
        input.read("", () => step());
      } else goOn();
    }
    const { rest } = input;
    if (step === readProse) {
      prose.end();
      outline.text(rest);
    } else if (step === readRecovered) recovery!.end();
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
