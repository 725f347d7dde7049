import type { Input } from "../text/input.ts";
import type { Match } from "../text/match-name.ts";
import { readUntil } from "../text/read-until.ts";
import { ACTION, ARTIFACT, matchTag, QUICK_ACTION, QUICK_LIST } from "./tags.ts";
import type { QuickActionEvent } from "./types.ts";

const IN_LIST = [QUICK_ACTION, `/${QUICK_LIST}`, ARTIFACT, ACTION];
const IN_LABEL = [`/${QUICK_ACTION}`, `/${QUICK_LIST}`];

/** Reads a list of quick actions, each told when it is whole. */
export class QuickActions {
  #attributes: ReadonlyMap<string, string> | undefined;
  #label = "";
  readonly #input: Input;
  readonly #emit: (event: QuickActionEvent) => void;
  readonly #limit: number;

  /** @param limit characters of a label; what goes over is left out. */
  constructor(input: Input, emit: (event: QuickActionEvent) => void, limit: number) {
    this.#input = input;
    this.#emit = emit;
    this.#limit = limit;
  }

  open(attributes: ReadonlyMap<string, string>): void {
    this.#attributes = attributes;
    this.#label = "";
  }

  /** The next tag that is the parser's: the list's end, or one that opens something. */
  next(): Match {
    const input = this.#input;
    if (!this.#attributes) {
      const less = input.chunk.indexOf("<", input.at);
      const match = less === -1 ? undefined : matchTag(input.chunk, less, IN_LIST);
      input.at = less === -1 ? input.chunk.length : match ? less : less + 1;
      return match;
    }
    const match = readUntil(input, matchTag, IN_LABEL, (text) => {
      if (this.#label.length < this.#limit) this.#label += text;
    });
    if (match === "more") return match;
    if (match) {
      if (match.name === IN_LABEL[0]) input.at = match.end;
      this.close();
    }
    return undefined;
  }

  close(): void {
    const attributes = this.#attributes!;
    this.#attributes = undefined;
    const event: QuickActionEvent = {
      type: "quick-action",
      actionType: (attributes.get("type") ?? "").toLowerCase(),
      label: this.#label.slice(0, this.#limit).trim(),
    };
    for (const name of ["message", "path", "href"] as const) {
      const value = attributes.get(name);
      if (value !== undefined) event[name] = value;
    }
    this.#emit(event);
  }
}
