import { parseAttributes } from "./attributes.ts";
import { ActionContent } from "./content.ts";
import { ARTIFACT_LIMITS } from "./limits.ts";
import { readActionHead } from "./open-action.ts";
import { isWhite, matchTag, type TagName } from "./tags.ts";
import type {
  ActionHead,
  ArtifactErrorCode,
  ArtifactEvent,
  ArtifactLimits,
  ArtifactParser,
  ArtifactParserOptions,
} from "./types.ts";

/**
 * An incremental parser of the artifact dialect. Each character is looked at a bounded number of times, whatever the
 * size of the pieces. No input makes it throw.
 */
export function createArtifactParser(options: ArtifactParserOptions): ArtifactParser {
  return new Parser(options);
}

const LESS = 60;
const TICK = 96;
const NEWLINE = 10;
/** Longest info string of a code fence; a longer line is prose that began with backticks. */
const INFO_LIMIT = 256;

const OUTSIDE: readonly TagName[] = [
  "boltartifact",
  "boltaction",
  "bolt-quick-actions",
  "think",
  "thinking",
];
const IMPLIED: readonly TagName[] = [...OUTSIDE, "/boltartifact"];
const INSIDE: readonly TagName[] = [
  "boltaction",
  "/boltartifact",
  "boltartifact",
  "think",
  "thinking",
];
const ACTION_END: readonly TagName[] = ["/boltaction"];
const AFTER_ACTION: readonly TagName[] = ["boltaction", "/boltartifact"];
const QUICK: readonly TagName[] = [
  "bolt-quick-action",
  "/bolt-quick-actions",
  "boltartifact",
  "boltaction",
];
const QUICK_END: readonly TagName[] = ["/bolt-quick-action", "/bolt-quick-actions"];

type State =
  | "prose"
  | "ticks"
  | "inline-code"
  | "fence-line"
  | "fence"
  | "thinking"
  | "tag"
  | "content"
  | "after"
  | "quick"
  | "quick-label";

class Parser implements ArtifactParser {
  readonly #emit: (event: ArtifactEvent) => void;
  readonly #limits: ArtifactLimits;
  #state: State = "prose";
  #ended = false;

  /** What is being read: what was held back and the new piece. */
  #chunk = "";
  #at = 0;
  #held = "";
  /** The next `<` and backtick of the chunk at or behind `#at`; searched once each, -2 when not searched yet. */
  #nextLess = -2;
  #nextTick = -2;
  /** Whether the line was blank up to the chunk's beginning. */
  #blankBefore = true;

  /** Length of the run of backticks being read, and of the one that opened the code. */
  #run = 0;
  #opened = 0;
  #runAtLineStart = false;
  #info = "";
  #thinkEnd: readonly TagName[] = [];

  #tag: TagName = "boltaction";
  #tagText = "";
  #tagHead = 0;
  #quote = 0;
  #last = 0;

  #artifacts = 0;
  #actions = 0;
  #artifact: { ordinal: number; implied: boolean } | undefined;
  #action: { head: ActionHead; content: ActionContent } | undefined;
  /** White space behind an action of an implied artifact: text, unless another action follows. */
  #gap = "";
  #after = "";
  #quick: Map<string, string> | undefined;
  #label = "";

  constructor({ onEvent, limits }: ArtifactParserOptions) {
    this.#emit = onEvent;
    this.#limits = { ...ARTIFACT_LIMITS, ...limits };
  }

  write(chunk: string): void {
    if (this.#ended || chunk === "") return;
    this.#read(this.#held === "" ? chunk : this.#held + chunk);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const held = this.#held;
    this.#held = "";
    switch (this.#state) {
      case "ticks":
        this.#text("`".repeat(this.#run));
        break;
      case "fence-line":
        this.#text("`".repeat(this.#opened) + this.#info + held);
        break;
      case "tag":
        if (this.#artifact && !this.#artifact.implied)
          this.#error("tag-cut", "The message ended inside a tag.");
        else this.#text(this.#tagText + held);
        break;
      case "content":
        this.#action?.content.write(held);
        this.#closeAction(false);
        break;
      case "after":
        // Only white space, or the beginning of what would have ended the artifact, came behind the closing tag.
        this.#closeAction(true);
        break;
      case "quick":
      case "quick-label":
        break;
      default:
        this.#text(held);
    }
    if (this.#artifact) this.#closeArtifact(this.#artifact.implied);
  }

  #read(chunk: string): void {
    this.#chunk = chunk;
    this.#at = 0;
    this.#held = "";
    this.#nextLess = -2;
    this.#nextTick = -2;
    while (this.#at < chunk.length) {
      if (!this.#step()) break;
    }
    if (this.#at < chunk.length) this.#held = chunk.slice(this.#at);
    this.#blankBefore = this.#isLineStart(this.#at);
  }

  /** Reads on from `#at`; false when the rest must wait for more. */
  #step(): boolean {
    switch (this.#state) {
      case "content":
        return this.#readContent();
      case "prose":
        return this.#readProse();
      case "after":
        return this.#readAfter();
      case "tag":
        return this.#readTag();
      case "ticks":
        return this.#readTicks();
      case "inline-code":
        return this.#readInlineCode();
      case "fence-line":
        return this.#readFenceLine();
      case "fence":
        return this.#readFence();
      case "thinking":
        return this.#readThinking();
      case "quick":
        return this.#readQuick();
      case "quick-label":
        return this.#readQuickLabel();
    }
  }

  #readProse(): boolean {
    const chunk = this.#chunk;
    const from = this.#at;
    if (this.#nextLess !== -1 && this.#nextLess < from) this.#nextLess = chunk.indexOf("<", from);
    if (this.#nextTick !== -1 && this.#nextTick < from) this.#nextTick = chunk.indexOf("`", from);
    const less = this.#nextLess === -1 ? chunk.length : this.#nextLess;
    const tick = this.#nextTick === -1 ? chunk.length : this.#nextTick;
    if (tick < less) {
      this.#textOf(from, tick);
      this.#runAtLineStart = this.#isLineStart(tick);
      this.#startTicks(tick);
      return true;
    }
    this.#textOf(from, less);
    this.#at = less;
    if (less === chunk.length) return true;
    const names = !this.#artifact ? OUTSIDE : this.#artifact.implied ? IMPLIED : INSIDE;
    const match = matchTag(chunk, less, names);
    if (match === "more") return false;
    if (!match) {
      this.#textOf(less, less + 1);
      this.#at = less + 1;
      return true;
    }
    switch (match.name) {
      case "think":
      case "thinking":
        this.#thinkEnd = [`/${match.name}`];
        this.#textOf(less, match.end);
        this.#at = match.end;
        this.#state = "thinking";
        return true;
      case "/boltartifact":
        this.#at = match.end;
        this.#closeArtifact(true);
        return true;
      default:
        this.#startTag(match.name, match.end);
        return true;
    }
  }

  #startTicks(at: number): void {
    this.#run = 0;
    this.#at = at;
    this.#opened = 0;
    this.#state = "ticks";
  }

  /** Counts a run of backticks outside code, then decides what it opens. */
  #readTicks(): boolean {
    if (!this.#countTicks()) return true;
    const run = this.#run;
    this.#opened = run;
    // A fence inside an artifact is not meant to hide its actions: models wrap them so.
    const inArtifact = this.#artifact !== undefined && !this.#artifact.implied;
    if (run >= 3 && this.#runAtLineStart && !inArtifact) {
      this.#info = "";
      this.#state = "fence-line";
    } else {
      this.#text("`".repeat(run));
      this.#state = run >= 3 && inArtifact ? "prose" : "inline-code";
    }
    return true;
  }

  /** False while the run may still go on. */
  #countTicks(): boolean {
    const from = this.#at;
    let at = from;
    while (at < this.#chunk.length && this.#chunk.charCodeAt(at) === TICK) at++;
    this.#run += at - from;
    this.#at = at;
    return at < this.#chunk.length;
  }

  /** Inline code ends with a run as long as the one that opened it, or with its line: a lone backtick hides no more. */
  #readInlineCode(): boolean {
    const chunk = this.#chunk;
    const from = this.#at;
    let at = from;
    while (at < chunk.length) {
      const code = chunk.charCodeAt(at);
      if (code === TICK) {
        this.#run++;
      } else {
        if (this.#run > 0 && this.#run === this.#opened && this.#closing) break;
        this.#run = 0;
        this.#closing = true;
        if (code === NEWLINE) break;
      }
      at++;
    }
    this.#textOf(from, at);
    this.#at = at;
    if (at < chunk.length) {
      this.#closing = false;
      this.#state = "prose";
    }
    return true;
  }
  /** False until something that is no backtick came behind the run that opened the code. */
  #closing = false;

  #readFenceLine(): boolean {
    const chunk = this.#chunk;
    let at = this.#at;
    const limit = Math.min(chunk.length, at + INFO_LIMIT - this.#info.length);
    while (at < limit && chunk.charCodeAt(at) !== NEWLINE && chunk.charCodeAt(at) !== TICK) at++;
    this.#info += chunk.slice(this.#at, at);
    this.#at = at;
    if (at === chunk.length && this.#info.length < INFO_LIMIT) return true;
    this.#text("`".repeat(this.#opened) + this.#info);
    const opens = at < chunk.length && chunk.charCodeAt(at) === NEWLINE;
    this.#run = 0;
    this.#closing = this.#info !== "";
    this.#state = opens ? "fence" : "inline-code";
    return true;
  }

  /** Text until a line that begins with at least as many backticks as opened the fence. */
  #readFence(): boolean {
    const chunk = this.#chunk;
    const from = this.#at;
    if (this.#run > 0) {
      if (this.#countTicks()) {
        if (this.#run >= this.#opened && isWhite(chunk.charCodeAt(this.#at))) this.#state = "prose";
        this.#run = 0;
      }
      this.#textOf(from, this.#at);
      return true;
    }
    if (this.#nextTick !== -1 && this.#nextTick < from) this.#nextTick = chunk.indexOf("`", from);
    const tick = this.#nextTick === -1 ? chunk.length : this.#nextTick;
    let at = tick;
    if (tick < chunk.length) {
      if (this.#isLineStart(tick)) this.#run = 1;
      at = tick + 1;
    }
    this.#textOf(from, at);
    this.#at = at;
    return true;
  }

  #readThinking(): boolean {
    const chunk = this.#chunk;
    const from = this.#at;
    const less = chunk.indexOf("<", from);
    const match = less === -1 ? undefined : matchTag(chunk, less, this.#thinkEnd);
    const to = less === -1 ? chunk.length : match === "more" ? less : match ? match.end : less + 1;
    this.#textOf(from, to);
    this.#at = to;
    if (match === "more") return false;
    if (match) this.#state = "prose";
    return true;
  }

  #startTag(name: TagName, nameEnd: number): void {
    this.#tag = name;
    this.#tagText = this.#chunk.slice(this.#at, nameEnd);
    this.#tagHead = this.#tagText.length;
    this.#quote = 0;
    this.#last = 0;
    this.#at = nameEnd;
    this.#state = "tag";
  }

  #readTag(): boolean {
    const chunk = this.#chunk;
    let at = this.#at;
    const limit = Math.min(chunk.length, at + this.#limits.tagCharacters - this.#tagText.length);
    for (; at < limit; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#quote !== 0) {
        if (code === this.#quote) {
          this.#quote = 0;
          this.#last = code;
        }
      } else if (code === 62) {
        this.#tagText += chunk.slice(this.#at, at);
        this.#at = at + 1;
        this.#endTag();
        return true;
      } else if ((code === 34 || code === 39) && this.#last === 61) {
        this.#quote = code;
      } else if (!isWhite(code)) {
        this.#last = code;
      }
    }
    this.#tagText += chunk.slice(this.#at, at);
    this.#at = at;
    if (this.#tagText.length >= this.#limits.tagCharacters) {
      this.#error("tag-too-long", `A tag is longer than ${this.#limits.tagCharacters} characters.`);
      const isQuick = this.#tag === "bolt-quick-action";
      if (!isQuick) this.#text(this.#tagText);
      this.#state = isQuick ? "quick" : "prose";
    }
    return true;
  }

  #endTag(): void {
    const selfClosing = this.#last === 47;
    const written = this.#tagText.slice(this.#tagHead);
    const source = selfClosing ? written.trimEnd().slice(0, -1) : written;
    const attributes = parseAttributes(source);
    this.#tagText = "";
    switch (this.#tag) {
      case "boltartifact":
        this.#openArtifact(attributes);
        if (selfClosing) this.#closeArtifact(true);
        this.#state = "prose";
        return;
      case "boltaction":
        this.#openAction(attributes);
        if (selfClosing) this.#closeAction(true);
        return;
      case "bolt-quick-actions":
        if (this.#artifact) this.#closeArtifact(true);
        this.#state = selfClosing ? "prose" : "quick";
        return;
      default:
        this.#quick = attributes;
        this.#label = "";
        this.#state = "quick-label";
        if (selfClosing) this.#closeQuickAction();
    }
  }

  #openArtifact(attributes: Map<string, string>): void {
    if (this.#artifact) {
      if (!this.#artifact.implied)
        this.#error("artifact-not-closed", "An artifact began inside another one.");
      this.#closeArtifact(this.#artifact.implied);
    }
    const ordinal = this.#artifacts++;
    this.#artifact = { ordinal, implied: false };
    const event: ArtifactEvent = {
      type: "artifact-open",
      artifact: ordinal,
      id: attributes.get("id") ?? "",
      title: attributes.get("title") ?? "",
    };
    const artifactType = attributes.get("type");
    if (artifactType !== undefined) event.artifactType = artifactType;
    this.#emit(event);
  }

  #openAction(attributes: Map<string, string>): void {
    this.#gap = "";
    if (!this.#artifact) {
      const ordinal = this.#artifacts++;
      this.#artifact = { ordinal, implied: true };
      this.#emit({ type: "artifact-open", artifact: ordinal, id: "", title: "" });
    }
    const action = this.#actions++;
    const { head, problem } = readActionHead(attributes, this.#artifact.ordinal, action);
    const content = new ActionContent(
      keepsWhiteSpace(head),
      this.#limits.contentCharacters,
      (text) => this.#emit({ type: "action-delta", action, text }),
    );
    this.#action = { head, content };
    this.#state = "content";
    this.#emit({ type: "action-open", ...head });
    if (problem) this.#error(problem.code, problem.message, action);
  }

  #readContent(): boolean {
    const chunk = this.#chunk;
    const from = this.#at;
    const content = this.#action!.content;
    let less = chunk.indexOf("<", from);
    while (less !== -1) {
      const next = chunk.charCodeAt(less + 1);
      // NaN at the chunk's end.
      if (next === 47 || less + 1 === chunk.length) {
        const match = matchTag(chunk, less, ACTION_END);
        if (match) {
          if (less > from) content.write(chunk.slice(from, less));
          this.#at = less;
          if (match === "more") return false;
          this.#at = match.end;
          this.#after = chunk.slice(less, match.end);
          if (keepsWhiteSpace(this.#action!.head)) this.#state = "after";
          else this.#closeAction(true);
          return true;
        }
      }
      less = chunk.indexOf("<", less + 1);
    }
    content.write(from === 0 ? chunk : chunk.slice(from));
    this.#at = chunk.length;
    return true;
  }

  /** Behind a closing tag of a file: it was content unless what follows shows that the action really ended. */
  #readAfter(): boolean {
    const chunk = this.#chunk;
    const from = this.#at;
    let at = from;
    while (at < chunk.length && chunk.charCodeAt(at) !== NEWLINE && isWhite(chunk.charCodeAt(at)))
      at++;
    if (at > from) this.#after += chunk.slice(from, at);
    this.#at = at;
    if (at === chunk.length) return true;
    const code = chunk.charCodeAt(at);
    const match = code === LESS ? matchTag(chunk, at, AFTER_ACTION) : undefined;
    if (match === "more") return false;
    if (match || code === NEWLINE) {
      this.#closeAction(true);
    } else {
      this.#action!.content.write(this.#after);
      this.#after = "";
      this.#state = "content";
    }
    return true;
  }

  #closeAction(complete: boolean): void {
    const { head, content } = this.#action!;
    this.#action = undefined;
    this.#after = "";
    this.#state = "prose";
    if (content.overflowed) {
      const limit = this.#limits.contentCharacters;
      this.#error("content-too-long", `An action is longer than ${limit} characters.`, head.action);
      complete = false;
    }
    const whole = complete ? content.close() : content.cut();
    this.#emit({ type: "action-close", ...head, content: whole, complete });
  }

  #closeArtifact(complete: boolean): void {
    const artifact = this.#artifact;
    if (!artifact) return;
    this.#artifact = undefined;
    this.#emit({ type: "artifact-close", artifact: artifact.ordinal, complete });
    const gap = this.#gap;
    this.#gap = "";
    if (gap !== "") this.#emit({ type: "text", text: gap });
  }

  #readQuick(): boolean {
    const less = this.#chunk.indexOf("<", this.#at);
    if (less === -1) {
      this.#at = this.#chunk.length;
      return true;
    }
    this.#at = less;
    const match = matchTag(this.#chunk, less, QUICK);
    if (match === "more") return false;
    if (!match) this.#at = less + 1;
    else if (match.name === "/bolt-quick-actions") {
      this.#at = match.end;
      this.#state = "prose";
    } else this.#startTag(match.name, match.end);
    return true;
  }

  #readQuickLabel(): boolean {
    const from = this.#at;
    const less = this.#chunk.indexOf("<", from);
    const match = less === -1 ? undefined : matchTag(this.#chunk, less, QUICK_END);
    const to = less === -1 ? this.#chunk.length : match ? less : less + 1;
    if (this.#label.length < this.#limits.tagCharacters) this.#label += this.#chunk.slice(from, to);
    this.#at = to;
    if (match === "more") return false;
    if (match) {
      if (match.name === "/bolt-quick-action") this.#at = match.end;
      this.#closeQuickAction();
    }
    return true;
  }

  #closeQuickAction(): void {
    const attributes = this.#quick!;
    const event: ArtifactEvent = {
      type: "quick-action",
      actionType: (attributes.get("type") ?? "").toLowerCase(),
      label: this.#label.slice(0, this.#limits.tagCharacters).trim(),
    };
    for (const name of ["message", "path", "href"] as const) {
      const value = attributes.get(name);
      if (value !== undefined) event[name] = value;
    }
    this.#quick = undefined;
    this.#label = "";
    this.#state = "quick";
    this.#emit(event);
  }

  #textOf(from: number, to: number): void {
    if (to > from)
      this.#text(
        from === 0 && to === this.#chunk.length ? this.#chunk : this.#chunk.slice(from, to),
      );
  }

  #text(text: string): void {
    if (text === "") return;
    const artifact = this.#artifact;
    if (artifact) {
      // What stands between the actions of an artifact is nobody's, as in the reference.
      if (!artifact.implied) return;
      if (text.trim() === "") {
        this.#gap += text;
        return;
      }
      this.#closeArtifact(true);
    }
    this.#emit({ type: "text", text });
  }

  /** Whether only blanks stand between the last line break, or the message's beginning, and `at`. */
  #isLineStart(at: number): boolean {
    let before = at - 1;
    while (before >= 0 && this.#chunk.charCodeAt(before) === 32) before--;
    return before < 0 ? this.#blankBefore : this.#chunk.charCodeAt(before) === NEWLINE;
  }

  #error(code: ArtifactErrorCode, message: string, action?: number): void {
    const event: ArtifactEvent = { type: "error", code, message };
    if (this.#artifact) event.artifact = this.#artifact.ordinal;
    if (action !== undefined) event.action = action;
    this.#emit(event);
  }
}

function keepsWhiteSpace(head: ActionHead): boolean {
  return head.actionType === "file";
}
