/** What the server's HTTP routes take and give, as JSON. The routes themselves are described by `/api/openapi.json`. */
import type { CodedText } from "../sentences/index.ts";
import type { CacheLevel, ThinkingLevel } from "../models/index.ts";
import type { Evidence, Verdict, VerdictMode } from "../evidence/types.ts";
import type { Question } from "../log/question.ts";
import type { DialectName, RunMode, ServerState, Usage } from "../log/types.ts";
import type { ProjectPath } from "../project-path/index.ts";

/** Every answer other than 2xx has this body: the problem and its remedy in English. `messageCode` holds the same for other languages. */
export interface ApiError {
  error: { code: string; message: string; messageCode?: CodedText };
}

/** A project as the list of projects shows it. Times in milliseconds since 1970. */
export interface ProjectSummary {
  id: string;
  name: string;
  createdAt: number;
  updatedAt: number;
  /** What is known of the files as they stand; absent where nobody has looked yet. */
  verdict?: Verdict;
  working: boolean;
  /** What its page looked like last: the hash of a picture of the project. */
  picture?: string;
  /** Its run can do nothing until the person answers. */
  waits?: true;
  /** Out of the way on the first page. */
  archived?: true;
  /** The comparison that it is an attempt of. */
  comparison?: string;
  /** The project that it works for: it is the copy of a parallel request. */
  parallelOf?: string;
  /** Turns that began, also those that were gone back from; absent: none. */
  turns?: number;
  /** US dollars that its turns cost; absent if no model had a price. */
  costUsd?: number;
  /** The release that visitors see, and the address for most of them, without a final slash; absent if none is published. */
  live?: { address: string; release: number };
}

/** A project that was deleted a moment ago, and can be put back. */
export interface DeletedProject {
  id: string;
  name: string;
  /** Milliseconds since 1970 when it is removed for good. */
  until: number;
}

/** A project as its own page needs it. */
export interface ProjectDetail extends ProjectSummary {
  /** `provider:model`, or absent when the server's choice is used. */
  model?: string;
  /** The model of turns that only plan; absent: the same as of all others. */
  planModel?: string;
  dialect?: DialectName;
  /** Origin of the preview, without a path: `http://k3…q.localhost:4173`. */
  previewOrigin: string;
  server?: ServerState;
  revision?: string;
  evidence?: Evidence;
  usage: Usage;
  /** Number of the log's last entry. */
  head: number;
  /** What a run waits for. */
  waiting?: { run: string; question: Question };
  /** For a recorded build: what it demonstrates. */
  demo?: string;
  /** The project that it was copied from, as that was called, and the checkpoint. */
  origin?: { project: string; name: string; checkpoint: string; label: string };
}

/** A project that was copied from another one, and what did not come along. */
export interface ForkedProject {
  id: string;
  name: string;
  /** Of the other project: its allowed hosts, names of its secrets, and whether it has an approval policy. */
  without: { hosts: string[]; secrets: string[]; approvals: boolean };
}

/** One match of a search in all projects; `end` is the last, and `more` means that some were left out. */
export type FoundEverywhere =
  | { kind: "project"; project: string; name: string }
  /** `message`: the person's, or the one that was answered; empty where nobody asked. */
  | { kind: "message"; project: string; name: string; message: string; text: string }
  | {
      kind: "line";
      project: string;
      name: string;
      path: ProjectPath;
      /** From 1. */
      line: number;
      text: string;
    }
  | { kind: "end"; more: boolean };

/** What makes a project. */
export interface CreateProject {
  /** First message; a run starts at once. 1 to 200,000 characters. Absent: an empty project. */
  prompt?: string;
  /** Of the first message; default `act`. */
  mode?: RunMode;
  model?: string;
  dialect?: DialectName;
  /** With the first message: PNG, JPEG, GIF or WebP as base64, at most 6 of 3.75 MB. */
  pictures?: string[];
  /** Id of a recorded build to play instead of asking a model. */
  demo?: string;
}

/** What a person says in a project. */
export interface SendMessage {
  text: string;
  /** PNG, JPEG, GIF or WebP as base64, at most 6 of 3.75 MB. */
  pictures?: string[];
  /** Files that are open in the editor, the one that is looked at first. */
  open?: string[];
  /** `plan` changes nothing and ends in a plan, `discuss` in an answer; default `act`. */
  mode?: RunMode;
  model?: string;
  /** Asks for the repair of what is broken now. The server knows what that is: it tells the model as data. */
  fix?: true;
  /** Items of the last turn, in its words, that the message asks to show by checks: they may already work. At most 20. */
  prove?: string[];
  /** A plan to carry out, at most 200,000 characters. It counts as a model's text, so `@` in it has no effect. */
  plan?: string;
}

/** What a person allows to be used. What is absent is not limited, but for a turn's own defaults. */
export interface Budget {
  /** Of one turn. Tokens are those read, cached or not, and written. */
  turn: { steps?: number; minutes?: number; tokens?: number; costUsd?: number };
  /** Of all turns together. */
  project: { tokens?: number; costUsd?: number };
}

/** Where an app has a secret: while it is worked on, once it is published, or both. */
export type SecretEnvironment = "preview" | "published" | "both";

/** The hosts that a project may reach besides the registry, its secrets, and its budget. */
export interface ProjectSettings {
  /** `example.com` or `*.example.com` (every host below it), each with `:port` or without. */
  hosts: string[];
  /** Public hosts of fonts, npm's packages and pictures: pages may ask them (the sandbox: those of fonts) while it is on. */
  staticHosts: { on: boolean; hosts: string[] };
  /** Whether the person's own browser is held to these hosts as well, in the preview. */
  limitPreview: boolean;
  /** `tab`: its commands run in the browser tab with `/tab/:project`, instead of a sandbox here. */
  runsIn: "machine" | "tab";
  /** A generated app's own keys, by the name of the variable, each for a host (empty: for none). A value is never sent. */
  secrets: { name: string; host: string; environment: SecretEnvironment }[];
  /** How much its turns have to prove. */
  verdicts: VerdictMode;
  /** Whether the checkpoint at the start of each turn includes the app's databases. */
  keepsData: boolean;
  budget: Budget;
}

/** Files of rules that a project brings for agents. */
export interface ProjectRules {
  rules: {
    path: ProjectPath;
    /** Characters. */
    size: number;
    /**
     * How much of it the model receives: all (`told`), a part (`cut`), its `name` only, or nothing, because it is
     * switched `off`, applies to `other` files, is the `same` as an earlier one, exceeds the `room`, or was `changed`
     * and not accepted yet.
     */
    state: "told" | "cut" | "name" | "off" | "other" | "same" | "room" | "changed";
  }[];
  /**
   * Files obeyed outside the sandbox, including rules and skills, that a program of the project changed and nobody has
   * accepted yet. The model does not receive such rules and skills. An empty `version`: the file was removed.
   */
  changed: { path: ProjectPath; version: string; told: boolean }[];
}

/** The person's own rules for all projects. `others`: further files, which are edited on disk. `limit`: characters. */
export interface OwnRules {
  text: string;
  others: string[];
  limit: number;
}

/** One entry of the list of files. */
export interface FileInfo {
  path: ProjectPath;
  kind: "file" | "folder" | "link" | "other";
  /** Bytes. */
  size: number;
}

/** A file's content and version. */
export interface FileBody {
  path: ProjectPath;
  /** Version for `If-Match`; changes whenever the bytes change. */
  version: string;
  size: number;
  /** Absent for what is not text, or over 2 MB. */
  text?: string;
  binary: boolean;
}

/** A stored revision. `at` in milliseconds since 1970. */
export interface CheckpointInfo {
  checkpoint: string;
  revision: string;
  label: string;
  at: number;
  /** What the person calls it. */
  name?: string;
  /** Whether it includes the app's databases. */
  hasData?: true;
}

/** What was learned about a model, stored until the person resets it. */
export interface ModelHabits {
  /** The way of calling tools that it keeps to: it has none of its own, or does not use them. */
  dialect?: DialectName;
  /** Edits in a row that did not find their place. */
  editsMissed?: number;
  /** Its edits keep missing, so it is told to write whole files. */
  wholeFiles?: true;
  /**
   * Whether it reads pictures, as set by the person; `refused`: its provider rejected one. Absent: guessed from its
   * name.
   */
  pictures?: "yes" | "no" | "refused";
  /** How much it thinks, as set by the person; `refused`: its provider rejected the setting. Absent: the model's default. */
  thinking?: ThinkingLevel | "refused";
  /** How long its provider caches prompts, as set by the person; `refused`: it rejected the setting. Absent: not set. */
  cache?: CacheLevel | "refused";
}

/** A model provider, whether it is set up, and its models. */
export interface ProviderInfo {
  /** `anthropic`, `openai`, `openai-compatible`, `ollama`, … */
  id: string;
  name: string;
  /** The origin of its key or address; absent if it is not set up. The key itself is never sent. */
  source?: "environment" | "page" | "found";
  needsKey: boolean;
  /** The provider's own page on which a person makes a key; absent if it has none. */
  keyPage?: string;
  needsAddress: boolean;
  address?: string;
  /** `id` is `provider:model`, as it is chosen. */
  models: {
    id: string;
    label: string;
    /** Whether it reads pictures; absent where nobody knows: pictures are tried then. */
    sees?: boolean;
    /** The same by its name alone. */
    guessed?: boolean;
    /** The cache durations that its provider supports; absent: no such setting. */
    cache?: CacheLevel[];
    habits?: ModelHabits;
  }[];
}

/** All models that can be chosen. */
export interface ModelsInfo {
  /** `provider:model` that new runs use; absent when there is none. */
  chosen?: string;
  providers: ProviderInfo[];
  /** Recorded builds that need no model. */
  demos: { id: string; title: string; prompt: string; about: string }[];
}

/** One thing that is needed, or good to have. */
export interface MachineCheck {
  name: string;
  ok: boolean;
  detail: string;
  /** The command that mends it. */
  mend?: string;
}

/** What Treadle runs on. */
export interface Machine {
  version: string;
  /** Node's version. */
  node: string;
  /** The operating system, and its kind of processor: `linux x64`. */
  system: string;
  checks: MachineCheck[];
}

/** A guide that the model can read when it is about to do such a thing. */
export interface SkillInfo {
  name: string;
  /** When it is read. */
  description: string;
  from: "project" | "person" | "treadle";
}

/** The skills of a project, or of all. */
export interface SkillList {
  skills: SkillInfo[];
}

/** What this machine can do. */
export interface Health {
  ok: boolean;
  version: string;
  sandbox: { driver: string; ok: boolean; unsafe: boolean; message?: string };
  browser: { ok: boolean; message?: string };
}
