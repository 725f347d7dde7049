import { isLeftOut } from "../prose/example.ts";
import type { Input } from "../text/input.ts";
import type { TagMatch } from "../text/match-name.ts";
import { isWhite } from "../text/white.ts";
import type { ArtifactEvents } from "./artifact-events.ts";
import { meantAction } from "./meant-action.ts";
import { isFileName } from "./file-names.ts";
import { recognizeFence } from "./recognize-fence.ts";
import type { TagReader } from "./tag-reader.ts";
import { ACTION, ARTIFACT } from "./tags.ts";
import type { Found } from "./types.ts";

/** Maximum number of characters of a fence's first lines that are awaited. */
const FIRST_LINE_LIMIT = 512;
/** Files that contain fences themselves: a nested fence is closed first. */
const HAS_FENCES = /\.(?:mdx?|markdown)$/i;
/** An uninformative line before an artifact in a fence. */
const NOTHING = /^\s*(?:<\?xml\b.*)?$/;
/** Maximum number of characters of a page that are searched. */
const PAGE_CHARACTERS = 20_000;
/** Number of characters of prose remembered for a following fence. */
const RECENT_LIMIT = 1_024;

/**
 * For `createArtifactParser({ recover })`: turns fenced code that may be a file, a change of files
 * or a command into an action with `found`, a proposal; accepts other names for an action's type
 * and path; treats tags that are examples as text.
 */
export const recoverFences = (...parts: ConstructorParameters<typeof Recovery>): Recovery =>
  new Recovery(...parts);

/** Turns fenced code in a message without artifacts into proposed actions. */
export class Recovery {
  /**
   * What is being read: the line after a fence's head, or a file or command; undefined outside of
   * fences.
   */
  state: "head" | "content" | undefined;
  /** Whether the open artifact is only an example. */
  isExample = false;
  /** Translates attributes into the dialect's own. */
  readonly meant = meantAction;
  #on = true;
  #recent = "";
  #ticks = 0;
  #info = "";
  /** Indentation of the fence, as in a list; its lines are indented by as much. */
  #indent = 0;
  /** The part of it that may still be dropped from the current line. */
  #toDrop = 0;
  /** Whether fences can be nested in the current file, and how many are open. */
  #nests = false;
  #nested = 0;
  /** The recognised page, for its links. */
  #page = "";
  #isPage = false;
  /** Number of backticks of a fence around artifacts, whose end is skipped. */
  #unwrapped = 0;
  /** Whether an artifact was in a fence, so that others may be. */
  #unwraps = false;
  readonly #input: Input;
  readonly #outline: ArtifactEvents;
  readonly #giveBack: (ticks: number, info: string) => void;

  /** @param giveBack receives a fence that is only an example */
  constructor(
    input: Input,
    outline: ArtifactEvents,
    giveBack: (ticks: number, info: string) => void,
  ) {
    this.#input = input;
    this.#outline = outline;
    this.#giveBack = giveBack;
  }

  remember(text: string): void {
    this.#recent += text;
    if (this.isExample && /<\/boltArtifact\s*>/i.test(this.#recent)) this.isExample = false;
    if (this.#recent.length > RECENT_LIMIT * 4) this.#recent = this.#recent.slice(-RECENT_LIMIT);
  }

  /**
   * Whether a tag is only an example: it has dots as values, or is in an artifact that is an
   * example.
   */
  isShown(tag: TagReader): boolean {
    const isArtifact = tag.name === ARTIFACT;
    if (this.#outline.depth === 2) return false;
    const isShown = [...tag.attributes()].flat().some(isLeftOut);
    if (isArtifact) this.isExample = isShown && !tag.isSelfClosing();
    // An earlier end does not belong to it.
    if (isArtifact && isShown) this.#recent = "";
    return isShown || this.isExample;
  }

  /**
   * Called at a tag: passes one on as text that is only mentioned, such as an action in a sentence
   * or any tag in a quoted line. A real action is on lines of its own. Any other tag shows that the
   * message uses artifacts: its fences are examples from here on, except for those around
   * artifacts.
   */
  passes({ name, end }: TagMatch): boolean {
    const input = this.#input;
    const line =
      this.#outline.depth === 0 && !input.isLineStart(input.at)
        ? this.#recent.slice(this.#recent.lastIndexOf("\n") + 1).trim()
        : "";
    const isOut = line !== "";
    const isQuoted = isOut && /^[>\s]+$/.test(line);
    if (isOut && name === ARTIFACT) {
      this.isExample = isQuoted;
      // An earlier end does not belong to it.
      if (isQuoted) this.#recent = "";
    }
    if (!isQuoted && !(isOut && name === ACTION && !this.isExample)) {
      this.#on = false;
      return false;
    }
    const text = input.take(end);
    this.#outline.text(text);
    this.remember(text);
    return true;
  }

  /** Called when a fence opens; returns whether it is handled here. */
  take(ticks: number, info: string): boolean {
    if (this.#unwrapped > 0 && ticks >= this.#unwrapped && info.trim() === "") {
      this.#unwrapped = 0;
      return true;
    }
    if (!this.#on && !this.#unwraps) return false;
    this.#ticks = ticks;
    this.#info = info;
    const [blanks = ""] = /[ \t]*$/.exec(this.#recent) ?? [];
    this.#indent = this.#toDrop = blanks.length;
    this.state = "head";
    return true;
  }

  /** Reads on; false if it has to wait. */
  read(): boolean {
    return this.state === "head" ? this.#readHead() : this.#readContent();
  }

  /** Called at the end of the message. */
  end(): void {
    const { rest } = this.#input;
    if (this.state === "head") {
      this.#giveBack(this.#ticks, this.#info);
      this.#outline.text(rest);
      return;
    }
    const closes = this.#input.isLineStart(this.#input.at) && rest.length >= this.#ticks;
    if (!closes) this.#write(rest);
    this.#close(closes);
  }

  /**
   * At the line break after a fence's head: waits for the first non-blank lines, then decides once.
   */
  #readHead(): boolean {
    const input = this.#input;
    const first = input.at + 1;
    const limit = first + FIRST_LINE_LIMIT;
    const lines: string[] = [];
    for (let from = first; from < limit && !isEnough(lines);) {
      let end = input.chunk.indexOf("\n", from);
      if (end === -1 && input.chunk.length < limit) return false;
      if (end === -1 || end > limit) end = limit;
      const line = input.chunk.slice(from, end);
      if (!NOTHING.test(line)) lines.push(line);
      from = end + 1;
    }
    let recognized = recognizeFence(this.#info.trim(), this.#recent, lines, this.#page);
    if (!this.#on && recognized?.type !== "tags") recognized = undefined;
    this.#recent = "";
    this.state = undefined;
    if (!recognized) this.#giveBack(this.#ticks, this.#info);
    else if (recognized.type === "tags") {
      this.#unwrapped = this.#ticks;
      this.#unwraps = true;
    } else {
      const { type } = recognized;
      const { path, by } = (recognized.type !== "shell" && recognized.named) || {};
      const title = path?.split("/").at(-1) ?? (type === "shell" ? "Shell Command" : "Changes");
      this.#outline.openArtifact(new Map([["title", title], ["type", type === "shell" ? type : "bundled"]])); // prettier-ignore
      const found: Found = { fence: "`".repeat(this.#ticks) + this.#info.trimEnd() };
      if (by) found.by = by;
      this.#outline.openFile(path, type, found);
      this.#nests = path !== undefined && HAS_FENCES.test(path);
      this.#nested = 0;
      this.#isPage = path !== undefined && this.#page === "" && /\.html?$/i.test(path);
      input.at = first;
      this.state = "content";
    }
    return true;
  }

  /** Reads content up to a line that begins with at least as many backticks as opened the fence. */
  #readContent(): boolean {
    const input = this.#input;
    const { chunk } = input;
    const pass = (to: number) => {
      if (to > input.at) this.#write(chunk.slice(input.at, to));
      input.at = to;
    };
    for (let tick = chunk.indexOf("`", input.at); tick !== -1; tick = chunk.indexOf("`", tick)) {
      let end = tick;
      while (chunk.charCodeAt(end) === 96) end++;
      if (end === chunk.length && end - tick < FIRST_LINE_LIMIT) {
        pass(tick);
        return false;
      }
      if (end - tick >= this.#ticks && input.isLineStart(tick)) {
        const closes = isWhite(chunk.charCodeAt(end));
        if (closes && this.#nested === 0) {
          pass(tick);
          input.at = end;
          this.#close(true);
          return true;
        }
        if (this.#nests) this.#nested += closes ? -1 : 1;
      }
      tick = end;
    }
    pass(chunk.length);
    return true;
  }

  /** Adds content without the fence's own indentation. */
  #write(text: string): void {
    if (this.#isPage && this.#page.length < PAGE_CHARACTERS) this.#page += text;
    if (this.#indent === 0) return this.#outline.write(text);
    let rest = "";
    for (const character of text) {
      if (this.#toDrop > 0 && (character === " " || character === "\t")) {
        this.#toDrop--;
        continue;
      }
      rest += character;
      this.#toDrop = character === "\n" ? this.#indent : 0;
    }
    if (rest !== "") this.#outline.write(rest);
  }

  #close(complete: boolean): void {
    this.state = undefined;
    this.#outline.closeAction(complete);
    this.#outline.closeArtifact(complete);
  }
}

/**
 * Whether the lines suffice to decide: one does, or two if the first may only name the file that the second begins to
 * change.
 */
function isEnough([first, second]: readonly string[]): boolean {
  return first !== undefined && (second !== undefined || !isFileName(first.trim()));
}
