import type { Input } from "../text/input.ts";
import type { TagMatch } from "../text/match-name.ts";
import { readUntil } from "../text/read-until.ts";
import type { ArtifactEvents } from "./artifact-events.ts";
import { createTagReader, type TagReader } from "./tag-reader.ts";
import { ACTION, ARTIFACT, matchTag, QUICK_ACTION, QUICK_LIST } from "./tags.ts";
import type { QuickActionEvent } from "./types.ts";

const IN_LIST = [QUICK_ACTION, `/${QUICK_LIST}`, ARTIFACT, ACTION];
const IN_LABEL = [`/${QUICK_ACTION}`, `/${QUICK_LIST}`];

/**
 * For `createArtifactParser({ quickActions })`: reports the buttons that a model offers below its
 * answer as separate events.
 */
export const readQuickActions = (
  ...parts: ConstructorParameters<typeof QuickActions>
): QuickActions => new QuickActions(...parts);

/** Parses a list of quick actions, and reports each when it is complete. */
export class QuickActions {
  /** The tag that begins a list. */
  readonly name = QUICK_LIST;
  /** What is being read; undefined outside of a list. */
  state: "tag" | "list" | "label" | undefined;
  #label = "";
  readonly #input: Input;
  readonly #outline: ArtifactEvents;
  readonly #tag: TagReader;
  readonly #limit: number;

  /** @param limit maximum length of a tag, and of a label; the excess is dropped */
  constructor(input: Input, outline: ArtifactEvents, limit: number) {
    this.#input = input;
    this.#outline = outline;
    this.#tag = createTagReader(input, limit);
    this.#limit = limit;
  }

  /** Called when the input is at the tag of a list, or of an action in one. */
  start({ name, end }: TagMatch): void {
    this.#tag.start(name, end);
    this.state = "tag";
  }

  /** Reads on; false if it has to wait. */
  read(): boolean {
    if (this.state === "tag") return this.#readTag();
    return this.state === "list" ? this.#readList() : this.#readLabel();
  }

  /** Called at the end of the message. */
  end(): void {
    if (this.state === "tag") this.#outline.text(this.#tag.text + this.#input.rest);
  }

  #readTag(): boolean {
    const tag = this.#tag;
    const isList = tag.name === QUICK_LIST;
    if (!tag.read()) {
      if (!tag.isTooLong()) return true;
      this.#outline.tagTooLong(this.#limit);
      this.state = isList ? undefined : "list";
      if (isList) this.#outline.text(tag.text);
    } else if (isList) {
      this.#outline.closeArtifact(true);
      this.state = tag.isSelfClosing() ? undefined : "list";
    } else {
      this.#label = "";
      this.state = "label";
      if (tag.isSelfClosing()) this.#close();
    }
    return true;
  }

  /** Reads up to the list's end, an action in it, or an artifact, which the parser handles. */
  #readList(): boolean {
    const input = this.#input;
    const less = input.chunk.indexOf("<", input.at);
    const match = less === -1 ? undefined : matchTag(input.chunk, less, IN_LIST);
    input.at = less === -1 ? input.chunk.length : match ? less : less + 1;
    if (match === "more") return false;
    if (match?.name === QUICK_ACTION) this.start(match);
    else if (match) {
      this.state = undefined;
      if (match.name === IN_LIST[1]) input.at = match.end;
    }
    return true;
  }

  #readLabel(): boolean {
    const match = readUntil(this.#input, matchTag, IN_LABEL, (text) => {
      if (this.#label.length < this.#limit) this.#label += text;
    });
    if (match === "more") return false;
    if (match) {
      if (match.name === IN_LABEL[0]) this.#input.at = match.end;
      this.#close();
    }
    return true;
  }

  #close(): void {
    const attributes = this.#tag.attributes();
    this.state = "list";
    const event: QuickActionEvent = {
      type: "quick-action",
      actionType: (attributes.get("type") ?? "").toLowerCase(),
      label: this.#label.slice(0, this.#limit).trim(),
    };
    for (const name of ["message", "path", "href"] as const) {
      const value = attributes.get(name);
      if (value !== undefined) event[name] = value;
    }
    this.#outline.emit(event);
  }
}
