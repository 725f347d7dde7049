import { ActionContent } from "./content.ts";
import { ARTIFACT_LIMITS } from "./limits.ts";
import { recognizeFence } from "./recognize-fence.ts";
import { readActionHead } from "./open-action.ts";
import { ProseScanner } from "../prose/scanner.ts";
import { TagReader } from "./tag-reader.ts";
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

/** Characters of a fence's first line that are waited for. */
const FIRST_LINE_LIMIT = 512;
/** Characters of prose that are remembered for the fence that may follow. */
const RECENT_LIMIT = 1_024;
const LESS = 60;
const NEWLINE = 10;

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
  | "thinking"
  | "tag"
  | "content"
  | "after"
  | "quick"
  | "quick-label"
  | "fence-head"
  | "fenced";

class Parser implements ArtifactParser {
  readonly #emit: (event: ArtifactEvent) => void;
  readonly #limits: ArtifactLimits;
  readonly #prose: ProseScanner;
  #state: State = "prose";
  #ended = false;

  /** What is being read: what was held back and the new piece. */
  #chunk = "";
  #at = 0;
  #held = "";

  #thinkEnd: readonly TagName[] = [];

  readonly #tag: TagReader;

  #artifacts = 0;
  #actions = 0;
  #artifact: { ordinal: number; implied: boolean } | undefined;
  #action: { head: ActionHead; content: ActionContent } | undefined;
  /** White space behind an action of an implied artifact: text, unless another action follows. */
  #gap = "";
  #after = "";
  #quick: Map<string, string> | undefined;
  #label = "";

  /** Whether fences are looked at: until the message shows that it knows how to write artifacts. */
  #recover: boolean;
  #recent = "";
  #fence = { ticks: 0, info: "" };
  /** Backticks of a fence around artifacts, whose end is passed over. */
  #unwrapped = 0;

  constructor({ onEvent, limits, recover }: ArtifactParserOptions) {
    this.#emit = onEvent;
    this.#limits = { ...ARTIFACT_LIMITS, ...limits };
    this.#tag = new TagReader(this.#limits.tagCharacters);
    this.#recover = recover ?? false;
    const onText = (text: string) => this.#text(text);
    this.#prose = new ProseScanner(
      recover ? { onText, onFence: (ticks, info) => this.#takeFence(ticks, info) } : { onText },
    );
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
      case "prose":
        this.#prose.end();
        this.#text(held);
        break;
      case "tag":
        if (this.#artifact && !this.#artifact.implied)
          this.#error("tag-cut", "The message ended inside a tag.");
        else this.#text(this.#tag.text + held);
        break;
      case "content":
        this.#action?.content.write(held);
        this.#closeAction(false);
        break;
      case "after":
        // Only white space, or the beginning of what would have ended the artifact, came behind the closing tag.
        this.#closeAction(true);
        break;
      case "fence-head":
        this.#prose.enterFence(this.#fence.ticks, this.#fence.info);
        this.#text(held);
        break;
      case "fenced":
        this.#endFenced(held);
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
    this.#prose.begin(chunk);
    while (this.#at < chunk.length) {
      if (!this.#step()) break;
    }
    if (this.#at < chunk.length) this.#held = chunk.slice(this.#at);
    this.#prose.finish(this.#at);
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
      case "thinking":
        return this.#readThinking();
      case "fence-head":
        return this.#readFenceHead();
      case "fenced":
        return this.#readFenced();
      case "quick":
        return this.#readQuick();
      case "quick-label":
        return this.#readQuickLabel();
    }
  }

  #readProse(): boolean {
    const less = this.#prose.read(this.#at);
    this.#at = less;
    // A fence that was taken stops at its line break.
    if (this.#chunk.charCodeAt(less) !== LESS) return true;
    const names = !this.#artifact ? OUTSIDE : this.#artifact.implied ? IMPLIED : INSIDE;
    const match = matchTag(this.#chunk, less, names);
    if (match === "more") return false;
    if (!match) {
      this.#prose.pass(less, less + 1);
      this.#at = less + 1;
      return true;
    }
    switch (match.name) {
      case "think":
      case "thinking":
        this.#thinkEnd = [`/${match.name}`];
        this.#prose.pass(less, match.end);
        this.#at = match.end;
        this.#state = "thinking";
        return true;
      case "/boltartifact":
        this.#at = match.end;
        this.#closeArtifact(true);
        return true;
      default:
        this.#recover = false;
        this.#startTag(match.name, match.end);
        return true;
    }
  }

  #takeFence(ticks: number, info: string): boolean {
    if (this.#unwrapped > 0 && ticks >= this.#unwrapped && info.trim() === "") {
      this.#unwrapped = 0;
      return true;
    }
    if (!this.#recover) return false;
    this.#fence = { ticks, info };
    this.#state = "fence-head";
    return true;
  }

  /** At the line break of a fence's first line: waits for the line behind it, then decides once. */
  #readFenceHead(): boolean {
    const first = this.#at + 1;
    let end = this.#chunk.indexOf("\n", first);
    if (end === -1) {
      if (this.#chunk.length - first < FIRST_LINE_LIMIT) return false;
      end = first + FIRST_LINE_LIMIT;
    }
    const { ticks, info } = this.#fence;
    const line = this.#chunk.slice(first, end);
    const recognized = recognizeFence(info.trim(), this.#recent, line);
    this.#recent = "";
    if (!recognized) {
      this.#state = "prose";
      this.#prose.enterFence(ticks, info);
    } else if (recognized.type === "tags") {
      this.#unwrapped = ticks;
      this.#state = "prose";
    } else {
      this.#at = first;
      this.#openFenced(recognized);
    }
    return true;
  }

  #openFenced(recognized: { type: "file"; path: string } | { type: "shell" }): void {
    const isFile = recognized.type === "file";
    const title = isFile ? (recognized.path.split("/").at(-1) ?? "") : "Shell Command";
    const attributes = new Map([
      ["title", title],
      ["type", isFile ? "bundled" : "shell"],
    ]);
    this.#openArtifact(attributes);
    const path: [string, string][] = isFile ? [["filepath", recognized.path]] : [];
    this.#openAction(new Map([["type", recognized.type], ...path]));
    this.#state = "fenced";
  }

  /** Content until a line that begins with at least as many backticks as opened the fence. */
  #readFenced(): boolean {
    const chunk = this.#chunk;
    const from = this.#at;
    for (let tick = chunk.indexOf("`", from); tick !== -1; tick = chunk.indexOf("`", tick)) {
      let end = tick;
      while (end < chunk.length && chunk.charCodeAt(end) === 96) end++;
      const closes = end - tick >= this.#fence.ticks && this.#prose.isLineStart(tick);
      const unclear = end === chunk.length && end - tick < FIRST_LINE_LIMIT;
      if (unclear || (closes && isWhite(chunk.charCodeAt(end)))) {
        if (tick > from) this.#action!.content.write(chunk.slice(from, tick));
        this.#at = unclear ? tick : end;
        if (unclear) return false;
        this.#closeAction(true);
        this.#closeArtifact(true);
        return true;
      }
      tick = end;
    }
    this.#action!.content.write(from === 0 ? chunk : chunk.slice(from));
    this.#at = chunk.length;
    return true;
  }

  #endFenced(held: string): void {
    const closes = this.#prose.isLineStart(0) && held.length >= this.#fence.ticks;
    if (!closes) this.#action?.content.write(held);
    this.#closeAction(closes);
    this.#closeArtifact(closes);
  }

  #readThinking(): boolean {
    const chunk = this.#chunk;
    const from = this.#at;
    const less = chunk.indexOf("<", from);
    const match = less === -1 ? undefined : matchTag(chunk, less, this.#thinkEnd);
    const to = less === -1 ? chunk.length : match === "more" ? less : match ? match.end : less + 1;
    this.#prose.pass(from, to);
    this.#at = to;
    if (match === "more") return false;
    if (match) this.#state = "prose";
    return true;
  }

  #startTag(name: TagName, nameEnd: number): void {
    this.#tag.start(name, this.#chunk.slice(this.#at, nameEnd));
    this.#at = nameEnd;
    this.#state = "tag";
  }

  #readTag(): boolean {
    const tag = this.#tag;
    const before = tag.text.length;
    const end = tag.read(this.#chunk, this.#at);
    if (end !== -1) {
      this.#at = end + 1;
      this.#endTag();
      return true;
    }
    this.#at += tag.text.length - before;
    if (tag.isTooLong) {
      this.#error("tag-too-long", `A tag is longer than ${this.#limits.tagCharacters} characters.`);
      const isQuick = tag.name === "bolt-quick-action";
      if (!isQuick) this.#text(tag.text);
      this.#state = isQuick ? "quick" : "prose";
    }
    return true;
  }

  #endTag(): void {
    const { attributes, isSelfClosing, name } = this.#tag;
    switch (name) {
      case "boltartifact":
        this.#openArtifact(attributes);
        if (isSelfClosing) this.#closeArtifact(true);
        this.#state = "prose";
        return;
      case "boltaction":
        this.#openAction(attributes);
        if (isSelfClosing) this.#closeAction(true);
        return;
      case "bolt-quick-actions":
        if (this.#artifact) this.#closeArtifact(true);
        this.#state = isSelfClosing ? "prose" : "quick";
        return;
      default:
        this.#quick = attributes;
        this.#label = "";
        this.#state = "quick-label";
        if (isSelfClosing) this.#closeQuickAction();
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
    this.#prose.fences = false;
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
    this.#prose.fences = true;
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
    if (!this.#recover) return;
    this.#recent += text;
    if (this.#recent.length > RECENT_LIMIT * 4) this.#recent = this.#recent.slice(-RECENT_LIMIT);
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
