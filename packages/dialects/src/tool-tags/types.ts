/**
 * Events of the tool-tag dialect (Cline's `<tool><parameter>…`, and `<invoke name="tool">`).
 * Order: `text` anywhere outside tools · `tool-open` · (`param-open` · `param-delta`* ·
 * `param-close`)* · `tool-close`. Every open is closed exactly once, at the latest by `end()`.
 * `error` may occur anywhere and never ends the message. The concatenated deltas of a parameter are
 * its `value`. The chunking of the message only affects how `text` and `param-delta` are divided.
 */
export type ToolTagEvent =
  | { type: "text"; text: string }
  /** `tool` is the index of the tool in the message, from 0. */
  | { type: "tool-open"; tool: number; name: string }
  | { type: "param-open"; tool: number; name: string }
  | { type: "param-delta"; tool: number; name: string; text: string }
  | { type: "param-close"; tool: number; name: string; value: string }
  | {
      type: "tool-close";
      tool: number;
      name: string;
      /** Own properties only, including `__proto__`. For a repeated parameter, the last counts. */
      params: Record<string, string>;
      /**
       * False if the tool was not closed, or a parameter is too long, so that it must not be run.
       */
      complete: boolean;
      /** A missing end was guessed from the text after it; only from the lenient parsers. */
      endGuessed?: true;
      /** The same call restarts after it; only from the lenient parsers. */
      isRestart?: true;
    }
  | { type: "error"; code: ToolTagErrorCode; message: string; tool?: number };

/**
 * `unknown-tool`: an `<invoke>` of an unknown tool; its content is dropped. `unknown-param`: a tag
 * inside a tool that is not one of its parameters; it is skipped, and reported once per name.
 * `tool-not-closed`: another tool began before this one ended. `tag-cut`: the message ended inside
 * a tag. `value-too-long`: a parameter over the limit; it keeps what fits and the tool closes with
 * `complete: false`. `placeholder`: a parameter that contains only `...`; the same.
 */
export type ToolTagErrorCode =
  | "unknown-tool"
  | "unknown-param"
  | "tool-not-closed"
  | "tag-cut"
  | "value-too-long"
  | "placeholder";

/** Limits on what is held of a message. */
export interface ToolTagLimits {
  /** Maximum length of one parameter's value, in characters. */
  valueCharacters: number;
  /** Maximum number of characters held after a closing tag that may have been content. */
  heldCharacters: number;
}

/** A tool's name in another vocabulary. */
export interface ToolAlias {
  tool: string;
  /** Names of parameters there, and their names here. */
  params?: Record<string, string>;
  /** Values of omitted parameters. */
  defaults?: Record<string, string>;
}

/** Options of `createToolTagParser`. */
export interface ToolTagParserOptions {
  /** The parameters of each tool, by the tool's name. */
  tools: Record<string, readonly string[]>;
  /** Called synchronously, in order. Its exceptions propagate to the caller of `write` or `end`. */
  onEvent: (event: ToolTagEvent) => void;
  limits?: Partial<ToolTagLimits>;
  /**
   * Other names of tools, in both spellings; for `<invoke>` in addition to the usual ones (`Bash`,
   * `Read`, `Write`, `Grep`, `LS`).
   */
  aliases?: Record<string, ToolAlias>;
}

/**
 * Parses one message; a message continued after the output limit continues in the same parser.
 * Never throws.
 */
export interface ToolTagParser {
  /** Takes only new text, in chunks of any size. Does nothing after `end`. */
  write(chunk: string): void;
  end(): void;
  /**
   * How the next text is read: as prose, as code or reasoning in it, as tags of a call, or as a
   * parameter's value.
   */
  where(): "prose" | "code" | "call" | "value";
  /** In a value: adds text to it literally. */
  value(text: string): void;
}
