import type { Input } from "../text/input.ts";
import type { Match, TagMatch } from "../text/match-name.ts";
import type { Matcher } from "../text/read-until.ts";

export interface ProseScanner {
  /**
   * Passes text on up to a tag of `names` that stands in no code and no thinking: the tag, where the input then stands,
   * or `"more"` at what may become it. Undefined at the end of the chunk, and at the line break of a fence that was taken.
   */
  next(names: readonly string[]): Match;
  /** The caller gives a fence back that it had taken: its head is text, and what follows is in it. */
  enterFence(ticks: number, info: string): void;
  /** Whether what comes next stands in no code and no thinking. */
  isPlain(): boolean;
  /** The message is over: gives out what was held. */
  end(): void;
}

export interface ProseScannerOptions<T extends TagMatch> {
  input: Input;
  match: Matcher<T>;
  onText: (text: string) => void;
  /** Whether code fences count here; they do unless it says no. */
  hasFences?: () => boolean;
  /** Asked when a code fence opens, with its length and info string. True: the caller reads what is in it. */
  onFence?: (ticks: number, info: string) => boolean;
}
