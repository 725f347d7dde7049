/**
 * Events of the tool-tag dialect (Cline's `<tool><parameter>…`, and `<invoke name="tool">`).
 *
 * Order: `text` anywhere outside tools · `tool-open` · (`param-open` · `param-delta`* · `param-close`)* · `tool-close`.
 * Every open is closed exactly once, at the latest by `end()`. `error` may come anywhere and never ends the message.
 * The deltas of a parameter, joined, are its `value`. How the message was cut into pieces changes only how `text` and
 * `param-delta` are divided.
 */
export type ToolTagEvent =
  | { type: "text"; text: string }
  /** `tool` counts the tools of the message from 0. */
  | { type: "tool-open"; tool: number; name: string }
  | { type: "param-open"; tool: number; name: string }
  | { type: "param-delta"; tool: number; name: string; text: string }
  | { type: "param-close"; tool: number; name: string; value: string }
  | {
      type: "tool-close";
      tool: number;
      name: string;
      /** By own properties only, `__proto__` too. Of a parameter that is written twice, the last. */
      params: Record<string, string>;
      /** False when the tool was not closed, or a parameter is too long: it must not be run. */
      complete: boolean;
      /** An end of it was missing, and was guessed by what follows: told by the lenient parsers. */
      endGuessed?: true;
      /** The same call follows, begun anew: told by the lenient parsers. */
      isRestart?: true;
    }
  | { type: "error"; code: ToolTagErrorCode; message: string; tool?: number };

/**
 * `unknown-tool`: an `<invoke>` of a name that is no tool; its content is dropped. `unknown-param`: a tag inside a tool
 * that is no parameter of it; it is passed over, and told once for each name. `tool-not-closed`: another tool began before
 * this one ended. `tag-cut`: the message ended inside a tag. `value-too-long`: a parameter over the limit; it keeps what
 * fits and the tool closes with `complete: false`. `placeholder`: a parameter that says only `...`; the same.
 */
export type ToolTagErrorCode =
  | "unknown-tool"
  | "unknown-param"
  | "tool-not-closed"
  | "tag-cut"
  | "value-too-long"
  | "placeholder";

/** What is held of a message at most. */
export interface ToolTagLimits {
  /** Characters of one parameter's value. */
  valueCharacters: number;
  /** Characters held back behind a closing tag that may have been content, until it is clear. */
  heldCharacters: number;
}

/** How a tool is called in another vocabulary. */
export interface ToolAlias {
  tool: string;
  /** Names of parameters there, and what they are called here. */
  params?: Record<string, string>;
  /** Values of parameters that were left out. */
  defaults?: Record<string, string>;
}

/** What `createToolTagParser` takes. */
export interface ToolTagParserOptions {
  /** The parameters of each tool, by the tool's name. */
  tools: Record<string, readonly string[]>;
  /** Called synchronously, in order. What it throws goes to the caller of `write` or `end`. */
  onEvent: (event: ToolTagEvent) => void;
  limits?: Partial<ToolTagLimits>;
  /** Other names of tools, in both spellings; for `<invoke>` added to the usual ones (`Bash`, `Read`, `Write`, `Grep`, `LS`). */
  aliases?: Record<string, ToolAlias>;
}

/** Reads one message; a message that goes on after the output limit goes on in the same parser. Never throws. */
export interface ToolTagParser {
  /** Takes only what is new, in pieces of any size. Does nothing after `end`. */
  write(chunk: string): void;
  end(): void;
  /** As what that comes next is read: prose, code or thinking in it, tags of a call, a parameter's value. */
  where(): "prose" | "code" | "call" | "value";
  /** In a value: text that belongs to it, whatever it holds. */
  value(text: string): void;
}
