import type { readQuickActions } from "./quick-actions.ts";
import type { recoverFences } from "./recovery.ts";

/**
 * Events of the artifact dialect (bolt's `<boltArtifact>` and `<boltAction>`).
 *
 * Order: `text` anywhere outside artifacts · `artifact-open` · (`action-open` · `action-delta`* · `action-close`)* ·
 * `artifact-close`. Every open is closed exactly once, at the latest by `end()`, with `complete: false` where the
 * message stopped first. `error` may come anywhere and never ends the message. The deltas of an action, joined, are its
 * `content`. How the message was cut into pieces changes only how `text` and `action-delta` are divided.
 */
export type ArtifactEvent =
  | { type: "text"; text: string }
  | {
      type: "artifact-open";
      /** Counts the artifacts of the message from 0. */
      artifact: number;
      /** As written; `""` where it has none, as an artifact that was only implied has. */
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
       * False where it must not be run: the message ended before the action did, it is too long, or its head lacks what
       * it takes; an `error` then says what.
       */
      complete: boolean;
      /** Nothing closed it: it ends where its artifact does, or where another one, or another action, begins. */
      endImplied?: true;
      /** Another tag stood in the place of its own end, which follows from what is behind that: of the lenient parser. */
      endGuessed?: true;
      /** The same file follows, begun anew: of the lenient parser. */
      isRestart?: true;
    } & ActionHead)
  | { type: "artifact-close"; artifact: number; complete: boolean }
  | QuickActionEvent
  | ArtifactErrorEvent;

/** What an action is, told when it opens and again when it closes. */
export interface ActionHead {
  artifact: number;
  /** Counts the actions of the message from 0, through all its artifacts. */
  action: number;
  /**
   * `file`, `shell`, `start`, `build`, `supabase`, or what the model wrote, in lower case; `""` when it wrote none. Of what
   * was found also `edit`: SEARCH/REPLACE blocks, a diff or a patch, of `filePath` or of the files that it names itself.
   */
  actionType: string;
  /** Relative to the project. Absent on a file action whose path was refused: an `error` says why. */
  filePath?: string;
  /** Of `supabase`: `migration` or `query`. Of `file`: `delete`; another one that is known is a write. */
  operation?: string;
  /** It stands in a code fence of the prose, in no marks of the dialect: a proposal, to be judged before it is carried out. */
  found?: Found;
}

/** Where an action was found that nothing marks as one. */
export interface Found {
  /** The line that opens the fence, without its indentation. */
  fence: string;
  /**
   * What names its file: the fence itself or a line of its own (`label`), a line with other words (`sentence`), or nothing
   * but what it holds (`content`).
   */
  by?: "label" | "sentence" | "content";
}

/** A button that the model offers below its answer; told when it is complete, of a parser with `quickActions`. */
export interface QuickActionEvent {
  type: "quick-action";
  /** `message`, `implement`, `file`, `link`, or what the model wrote. */
  actionType: string;
  label: string;
  message?: string;
  path?: string;
  href?: string;
}

/** Something in the message is wrong; reading goes on. */
export interface ArtifactErrorEvent {
  type: "error";
  code: ArtifactErrorCode;
  /** One plain sentence. */
  message: string;
  artifact?: number;
  action?: number;
}

/**
 * `unknown-action-type`: the action is told with its type, and nothing here knows how to run it.
 * `unknown-operation`: a file or supabase action asks for something that nothing here knows.
 * `path-missing`, `path-refused`: a file action without a path that lies inside the project; its `filePath` is absent.
 * An action with one of these three closes with `complete: false`.
 * `tag-too-long`: an opening tag over the limit; it is text. `tag-cut`: the message ended inside a tag of an artifact.
 * `content-too-long`: an action over the limit; it keeps what fits and closes with `complete: false`.
 * `placeholder`: an action that says only `...`; it closes with `complete: false`, too.
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

/** What is held of a message at most. */
export interface ArtifactLimits {
  /** Characters of one opening tag, attributes included. */
  tagCharacters: number;
  /** Characters of one action's content. */
  contentCharacters: number;
}

/** What `createArtifactParser` takes. */
export interface ArtifactParserOptions {
  /** Called synchronously, in order. What it throws goes to the caller of `write` or `end`. */
  onEvent: (event: ArtifactEvent) => void;
  limits?: Partial<ArtifactLimits>;
  /**
   * `recoverFences` of `@treadle/protocol/artifact`: fenced code that may be a file or a command becomes an action with
   * `found`. It is given, not switched on, so that who does not want it does not load it.
   */
  recover?: typeof recoverFences | undefined;
  /** `readQuickActions` of `@treadle/protocol/artifact`: lists of quick actions are told; they are text without it. */
  quickActions?: typeof readQuickActions | undefined;
}

/** Reads one message; a message that goes on after the output limit goes on in the same parser. Never throws. */
export interface ArtifactParser {
  /** Takes only what is new, in pieces of any size. Does nothing after `end`. */
  write(chunk: string): void;
  /** The message is over: gives out what was held back and closes what is open. */
  end(): void;
  /** Whether what comes next is read as prose, and is in no code and no thinking. */
  inProse(): boolean;
}
