import type { Input } from "../text/input.ts";
import type { Match, TagMatch } from "../text/match-name.ts";
import type { Matcher } from "../text/read-until.ts";

export interface ProseScanner {
  /**
   * Passes text on up to a tag of `names` outside of code and reasoning: returns the tag, with the
   * input at it, or `"more"` at an incomplete one. Undefined at the end of the chunk, and at the
   * line break of a fence that the caller took.
   */
  next(names: readonly string[]): Match;
  /**
   * The caller returns a fence that it had taken: its head is text, and what follows is inside it.
   */
  enterFence(ticks: number, info: string): void;
  /** Whether the next text is outside of code and reasoning. */
  isPlain(): boolean;
  /** Call at the end of the message: outputs held text. */
  end(): void;
}

export interface ProseScannerOptions<T extends TagMatch> {
  input: Input;
  match: Matcher<T>;
  onText: (text: string) => void;
  /** Whether code fences count; default true. */
  hasFences?: () => boolean;
  /**
   * Called when a code fence opens, with its length and info string. True: the caller reads its
   * content.
   */
  onFence?: (ticks: number, info: string) => boolean;
}
