import { createProseScanner } from "../prose/scanner.ts";
import { Input, readPieces } from "../text/input.ts";
import type { TagMatch } from "../text/match-name.ts";
import { readUntil } from "../text/read-until.ts";
import { isWhite } from "../text/white.ts";
import { ARTIFACT_LIMITS } from "./limits.ts";
import { Outline } from "./outline.ts";
import { QuickActions } from "./quick-actions.ts";
import { Recovery } from "./recovery.ts";
import { TagReader } from "./tag-reader.ts";
import { ACTION, ARTIFACT, matchTag, QUICK_ACTION, QUICK_LIST } from "./tags.ts";
import type { ArtifactParser, ArtifactParserOptions } from "./types.ts";

const ARTIFACT_END = `/${ARTIFACT}`;
const ACTION_END = [`/${ACTION}`];
const BEHIND_ACTION = [ACTION, ARTIFACT_END];
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
  recover = false,
}: ArtifactParserOptions): ArtifactParser {
  const bounds = { ...ARTIFACT_LIMITS, ...limits };
  const { tagCharacters } = bounds;
  const input = new Input();
  const outline = new Outline(onEvent, bounds);
  const tag = new TagReader(input, tagCharacters);
  const quick = new QuickActions(input, onEvent, tagCharacters);
  const recovery = new Recovery(input, outline, (ticks, info) => prose.enterFence(ticks, info));
  const writeContent = (text: string) => outline.write(text);
  const prose = createProseScanner({
    input,
    match: matchTag,
    hasFences: () => outline.depth < 2,
    onText(text) {
      outline.text(text);
      if (recover) recovery.remember(text);
    },
    onFence: (ticks, info) => recover && recovery.take(ticks, info),
  });
  /** A closing tag of a file and the white space behind it. */
  let closing = "";

  /** Reads on; false when the rest must wait for more. */
  let step = readProse;
  return readPieces(input, () => step(), finish);

  function readProse(): boolean {
    const match = prose.next(IN_PROSE[outline.depth]!);
    if (match === "more") return false;
    if (recovery.state) step = readRecovered;
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
    const goesOn = recovery.read();
    if (!recovery.state) step = readProse;
    return goesOn;
  }

  function startTag({ name, end }: TagMatch): void {
    recovery.stop();
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
    const match = readUntil(input, matchTag, ACTION_END, writeContent);
    if (match === "more") return false;
    if (match) {
      closing = input.chunk.slice(input.at, match.end);
      input.at = match.end;
      if (outline.isFile) step = readBehind;
      else closeAction();
    }
    return true;
  }

  /** Behind a closing tag of a file: it was content unless what follows shows that the action really ended. */
  function readBehind(): boolean {
    const { chunk, at: from } = input;
    let at = from;
    while (at < chunk.length && chunk.charCodeAt(at) !== 10 && isWhite(chunk.charCodeAt(at))) at++;
    closing += chunk.slice(from, at);
    input.at = at;
    if (at === chunk.length) return true;
    const match = chunk.charCodeAt(at) === 60 ? matchTag(chunk, at, BEHIND_ACTION) : undefined;
    if (match === "more") return false;
    if (match || chunk.charCodeAt(at) === 10) closeAction();
    else {
      outline.write(closing);
      step = readContent;
    }
    return true;
  }

  function closeAction(): void {
    outline.closeAction(true);
    step = readProse;
  }

  function finish(): void {
    const { rest } = input;
    if (step === readProse) {
      prose.end();
      outline.text(rest);
    } else if (step === readRecovered) recovery.end();
    else if (step === readContent) {
      outline.write(rest);
      outline.closeAction(false);
    } else if (step === readBehind) {
      // Only white space, or the beginning of what would have ended the artifact, came behind the closing tag.
      outline.closeAction(true);
    } else if (step === readTag) {
      if (outline.depth === 2) outline.error("tag-cut", "The message ended inside a tag.");
      else outline.text(tag.text + rest);
    }
    outline.closeArtifact(outline.depth === 1);
  }
}
