/** What a run needs from outside, as small interfaces that the caller injects. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { UIMessage } from "ai";
import type {
  DialectName,
  Evidence,
  LogEvent,
  ModelHabits,
  PageReport,
  RunMode,
  RunOutcome,
  TodoItem,
  Usage,
  Verdict,
} from "@treadle/protocol";
import type { FileDifference, Workspace } from "@treadle/workspace";
import type { IsAccepted } from "./trust/standing-obeyed.ts";
import type { Approvals, Resume } from "./calls/types.ts";
import type { StandingChecks } from "./checks/standing-checks.ts";
import type { McpTool } from "./mcp/types.ts";
import type { Personal } from "./context/briefing/types.ts";
import type { MentionSources } from "./context/mentions/types.ts";
import type { OutputPort } from "./tools/outputs/types.ts";

/** A model that is ready to be called, and what is known about it. */
export interface Model {
  /** `provider:model`, as people choose it. */
  id: string;
  /** The provider's name as people know it: "Anthropic". Default: `id`. */
  providerName?: string;
  /** Without a dialect: the loop wraps it. */
  languageModel: LanguageModelV4;
  /** The dialect that suits it when nobody chose one, and it has shown none that does better. */
  dialect: DialectName;
  /** Some (reasoning) models refuse a temperature; the others get 0. */
  takesTemperature: boolean;
  /** Whether it reads pictures; absent where nobody knows: those of the person are tried then, and no others sent. */
  seesPictures?: boolean;
  /** What it has shown of itself. */
  habits?: ModelHabits;
  /** Tokens. */
  contextWindow?: number;
  /** Tokens of one answer that are asked for; absent: the provider's own default. */
  maxOutputTokens?: number;
  /** Dollars per million tokens, where known. */
  price?: { input: number; cachedInput: number; output: number };
}

/** Where events go. The run never waits for it, but for `settled` before it asks a model or runs a command. */
export interface LogPort {
  append(event: LogEvent): void;
  settled(): Promise<void>;
}

/** A picture that is kept; its bytes are in no message and no log. */
export interface Picture {
  /** Hex, of its bytes. */
  hash: string;
  mediaType: string;
}

/** Where pictures that the model looked at are kept. */
export interface PicturePort {
  /** Undefined where it could not be kept. */
  keep(bytes: Uint8Array): Promise<Picture | undefined>;
  read(hash: string): Promise<Uint8Array | undefined>;
}

/** Opens a page of the running app and says what it saw. Resolves with a report whatever the page does. */
export interface Looker {
  look(request: {
    path: string;
    /** Of the sandbox; absent: the one that previews show. */
    port?: number;
    signal: AbortSignal;
    /** Given a picture of what it shows in the end, as `PageUse` has it; not called where none can be taken. */
    onPicture?: (bytes: Uint8Array) => void;
  }): Promise<PageReport>;
  /**
   * Opens a page as `look` does and does what a person would in it, one step after the other, until one does not work.
   * Absent where pages can be looked at and not used.
   */
  use?(request: {
    path: string;
    port?: number;
    steps: PageStep[];
    /** Take a picture of what it shows in the end. */
    picture?: boolean;
    signal: AbortSignal;
  }): Promise<PageUse>;
}

export const PAGE_ACTS = [
  "click",
  "type",
  "press",
  "select",
  "wait",
  "expect",
  "expect_gone",
  "open",
  "reload",
] as const;

/** One thing that a person does in a page, or sees there. */
export interface PageStep {
  do: (typeof PAGE_ACTS)[number];
  /**
   * What it is done to: a role and a name (`button "Add"`), the words by which a person knows it (a label, a
   * placeholder, a text), or `css=` and a selector.
   */
  on?: string;
  /** What is typed, pressed, chosen or expected there; of `open`, the path. */
  text?: string;
}

/** What came of using a page. */
export interface PageUse {
  /** One for each step that was tried, in order; only the last may have failed. */
  steps: { ok: boolean; said: string }[];
  /** Roles, names and states of what the page shows in the end, as an indented list. */
  outline: string;
  /** A PNG or JPEG of what it shows in the end, at most 1 MB and 1280 × 800 pixels. */
  picture?: Uint8Array;
  /** What the page reported from its opening on. */
  report: PageReport;
}

/** Files of a new project: what `use_template` writes. */
export type ReadTemplate = (name: TemplateName) => TemplateFile[] | Promise<TemplateFile[]>;

export const TEMPLATE_NAMES = [
  "react",
  "vue",
  "svelte",
  "vanilla",
  "next",
  "astro",
  "express",
  "hono",
  "static",
] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

export interface TemplateFile {
  /** Relative to the project, with `/`. */
  path: string;
  content: string | Uint8Array;
}

/** Monotonic where it measures, injectable so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Limits {
  /** Model calls in one run; default 40. */
  steps: number;
  /** Repairs after a failed verdict; default 4. */
  repairs: number;
  /** Milliseconds for the whole run; default 30 minutes. */
  ms: number;
  costUsd?: number;
  /** Tokens of the whole run, read and written. */
  tokens?: number;
  /** What all runs of the project together may use, and what those before this one did. */
  project?: { tokens?: number; costUsd?: number; used: { tokens: number; costUsd: number } };
  /** Milliseconds without anything from the model before the stream counts as stalled; default 120,000. */
  modelIdleMs: number;
  /** Tries of one model call, the first included; default 5. */
  modelTries: number;
}

export interface RunPorts {
  model: Model;
  workspace: Workspace;
  log: LogPort;
  /** Absent where no page can be opened at all: the page then stays untried and the verdict says so. */
  looker?: Looker;
  /** Absent where pictures cannot be kept: none are taken then. */
  pictures?: PicturePort;
  /** Absent where outputs cannot be kept: the model sees head and tail of a long one then, and no more. */
  outputs?: OutputPort;
  /** Absent where no templates are installed: `use_template` then says so. */
  readTemplate?: ReadTemplate;
  /** What the person wants in every project. */
  personal?: Personal;
  /** Tools of foreign servers that answer now; they come on top of our own, and stay for the whole run. */
  mcp?: readonly McpTool[];
  /** Tool servers that have none to give now, and why: the person is told. */
  mcpMissing?: readonly { name: string; why: string }[];
  /** Absent: nothing is asked. */
  approvals?: Approvals;
  /** Which content of a file of rules or of a skill was agreed to: no other is told. Absent: any. */
  isAccepted?: IsAccepted;
  /** The project's checks that count. Absent: the run knows them from its own beginning on. */
  checks?: StandingChecks;
  /** What `@terminal` and `@problems` name. Absent: there is none. */
  mentioned?: MentionSources;
  /** The project's list of work as it stands, the person's changes in it. Absent: the run keeps its own. */
  todo?: () => readonly TodoItem[] | undefined;
  /** The model has shown something of itself that is worth to be kept for its next turns, in place of what was. */
  learn?(habits: ModelHabits): void;
  clock: Clock;
  /** 0 to 1, for the jitter of retries; default `Math.random`. */
  random?: () => number;
  /** Keeps a message as it stands; called after each step and at the end, in order. */
  save(message: UIMessage): Promise<void>;
  /**
   * The run wrote this content: the watcher's notice of it is the model's hand, not the person's. `unseen`: it holds what
   * was there before and nobody agreed to, so that an approval of the call is none of the content.
   */
  wrote(path: string, version: string, unseen?: boolean): void;
  /** Resolves when the person saves nothing at these paths any more: what they saved is in `personWrites` then. */
  personSettled?(paths: readonly string[]): Promise<void>;
}

/** A file that changed between two runs. */
export interface ChangedFile extends FileDifference {
  /** `outside`: not through the page, so by a program of the project or by anybody. Absent: by the person. */
  by?: "person" | "outside";
}

export interface RunRequest {
  run: string;
  /** The conversation so far, without the new message. */
  history: UIMessage[];
  /** The person's message; already in the log, and saved. */
  message: UIMessage;
  /** What changed since the last run ended. */
  changes: ChangedFile[];
  /** Paths the person wrote while this run goes on, with the version: kept up to date by the caller. */
  personWrites: ReadonlyMap<string, string>;
  /** Files of the project's rules that the person switched off. */
  rulesOff?: readonly string[];
  /** Files that the person has open in the editor; absent: not known. */
  open?: readonly string[];
  /** What the newest revision with a verdict had; a run that mends it is checked even if it only ran commands. */
  lastVerdict?: Verdict;
  /** What counts is another than at the last look: the project is looked at even where the run changes nothing. */
  look?: boolean;
  dialect?: DialectName;
  limits?: Partial<Limits>;
  /** `plan` reads and asks, and changes nothing; default `act`. */
  mode?: RunMode;
  /** The run goes on from where it waited; `history` then holds its messages too. */
  resume?: Resume;
  /** What the person said for this run since the last time, each once; asked for between its steps. */
  takeSteering?: () => Promise<UIMessage[]>;
  /** Aborted by Stop. */
  signal: AbortSignal;
}

export interface RunResult {
  /** `waiting`: for the person, without a `run-end`; it goes on by another call with `resume`. */
  outcome: RunOutcome | "waiting";
  verdict?: Verdict;
  summary: string;
  revision: string;
  steps: number;
  usage: Usage;
  evidence?: Evidence;
}
