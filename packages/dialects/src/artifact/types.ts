import type { readQuickActions } from "./quick-actions.ts";
import type { recoverFences } from "./recovery.ts";

/**
 * Events of the artifact dialect (bolt's `<boltArtifact>` and `<boltAction>`).
 * Order: `text` anywhere outside artifacts · `artifact-open` · (`action-open` · `action-delta`* ·
 * `action-close`)* · `artifact-close`. Every open is closed exactly once, at the latest by `end()`,
 * with `complete: false` if the message stopped first. `error` may occur anywhere and never ends
 * the message. The concatenated deltas of an action are its `content`. The chunking of the message
 * only affects how `text` and `action-delta` are divided.
 */
export type ArtifactEvent =
  | { type: "text"; text: string }
  | {
      type: "artifact-open";
      /** Index of the artifact in the message, from 0. */
      artifact: number;
      /** As written; `""` if there is none, as for an implied artifact. */
      id: string;
      title: string;
      /** The `type` attribute, for example `bundled`. */
      artifactType?: string;
    }
  | ({ type: "action-open" } & ActionHead)
  | { type: "action-delta"; action: number; text: string }
  | ({
      type: "action-close";
      content: string;
      /**
       * False if it must not be run: the message ended before the action did, it is too long, or
       * its head is incomplete; an `error` gives the reason.
       */
      complete: boolean;
      /**
       * Nothing closed it: it ends where its artifact does, or where another artifact or action
       * begins.
       */
      endImplied?: true;
      /**
       * Another tag replaced its own end, as the text after it shows; only from the lenient parser.
       */
      endGuessed?: true;
      /** The same file restarts after it; only from the lenient parser. */
      isRestart?: true;
    } & ActionHead)
  | { type: "artifact-close"; artifact: number; complete: boolean }
  | QuickActionEvent
  | ArtifactErrorEvent;

/** Describes an action; part of its opening and closing events. */
export interface ActionHead {
  artifact: number;
  /** Index of the action in the message, from 0, across artifacts. */
  action: number;
  /**
   * `file`, `shell`, `start`, `build`, `supabase`, or what the model wrote, in lower case; `""` if
   * it wrote none. A recovered action may also be `edit`: SEARCH/REPLACE blocks, a diff or a patch,
   * of `filePath` or of the files that it names itself.
   */
  actionType: string;
  /**
   * Relative to the project. Absent on a file action whose path was rejected; an `error` gives the
   * reason.
   */
  filePath?: string;
  /**
   * For `supabase`: `migration` or `query`. For `file`: `delete`; other known operations are
   * writes.
   */
  operation?: string;
  /**
   * Set if it is from a code fence in prose, without the dialect's markup: a proposal, to be judged
   * before it is executed.
   */
  found?: Found;
}

/** Where an unmarked action was found. */
export interface Found {
  /** The line that opens the fence, without its indentation. */
  fence: string;
  /**
   * How its file is named: by the fence itself or a line of its own (`label`), by a line with other
   * words (`sentence`), or only by its content (`content`).
   */
  by?: "label" | "sentence" | "content";
}

/**
 * A button that the model offers below its answer; reported when it is complete, by a parser with
 * `quickActions`.
 */
export interface QuickActionEvent {
  type: "quick-action";
  /** `message`, `implement`, `file`, `link`, or what the model wrote. */
  actionType: string;
  label: string;
  message?: string;
  path?: string;
  href?: string;
}

/** An error in the message; parsing continues. */
export interface ArtifactErrorEvent {
  type: "error";
  code: ArtifactErrorCode;
  /** One sentence. */
  message: string;
  artifact?: number;
  action?: number;
}

/**
 * `unknown-action-type`: the action is reported with its type, but cannot be run.
 * `unknown-operation`: a file or supabase action has an unknown operation. `path-missing`,
 * `path-refused`: a file action without a path inside the project; its `filePath` is absent. An
 * action with one of these three closes with `complete: false`. `tag-too-long`: an opening tag over
 * the limit; it is text. `tag-cut`: the message ended inside a tag of an artifact.
 * `content-too-long`: an action over the limit; it keeps what fits and closes with `complete:
 * false`. `placeholder`: an action that contains only `...`; it closes with `complete: false`, too.
 * `artifact-not-closed`: a new artifact began inside one.
 */
export type ArtifactErrorCode =
  | "unknown-action-type"
  | "unknown-operation"
  | "path-missing"
  | "path-refused"
  | "tag-too-long"
  | "tag-cut"
  | "content-too-long"
  | "placeholder"
  | "artifact-not-closed";

/** Limits on what is held of a message. */
export interface ArtifactLimits {
  /** Maximum length of one opening tag, including attributes, in characters. */
  tagCharacters: number;
  /** Maximum length of one action's content, in characters. */
  contentCharacters: number;
}

/** Options of `createArtifactParser`. */
export interface ArtifactParserOptions {
  /** Called synchronously, in order. Its exceptions propagate to the caller of `write` or `end`. */
  onEvent: (event: ArtifactEvent) => void;
  limits?: Partial<ArtifactLimits>;
  /**
   * `recoverFences` of `@treadle/dialects/artifact`: fenced code that may be a file or a command becomes an action with
   * `found`. It is passed in, so that bundles without it stay small.
   */
  recover?: typeof recoverFences | undefined;
  /** `readQuickActions` of `@treadle/dialects/artifact`: reports lists of quick actions, which are text without it. */
  quickActions?: typeof readQuickActions | undefined;
}

/**
 * Parses one message; a message continued after the output limit continues in the same parser.
 * Never throws.
 */
export interface ArtifactParser {
  /** Takes only new text, in chunks of any size. Does nothing after `end`. */
  write(chunk: string): void;
  /** Call at the end of the message: releases held text and closes what is open. */
  end(): void;
  /** Whether the next text is read as prose, outside of code and reasoning. */
  inProse(): boolean;
}
