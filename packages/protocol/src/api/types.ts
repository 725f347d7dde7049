/**
 * Requests and responses of the server's HTTP routes, as JSON. `/api/openapi.json` describes the
 * routes themselves.
 */
import type { CodedText } from "../sentences/index.ts";
import type { CacheLevel, ThinkingLevel } from "../models/index.ts";
import type { Evidence, Verdict, VerdictMode } from "../evidence/types.ts";
import type { Question } from "../log/question.ts";
import type { DialectName, RunMode, ServerState, Usage } from "../log/types.ts";
import type { ProjectPath } from "../project-path/index.ts";

/**
 * Every response other than 2xx has this body: the problem and its remedy in English. `messageCode` holds the same for
 * other languages.
 */
export interface ApiError {
  error: { code: string; message: string; messageCode?: CodedText };
}

/** A project as the list of projects shows it. Times in milliseconds since 1970. */
export interface ProjectSummary {
  id: string;
  name: string;
  createdAt: number;
  updatedAt: number;
  /** The verdict on the current files; absent if they were not checked yet. */
  verdict?: Verdict;
  working: boolean;
  /** Hash of the latest screenshot of its page. */
  picture?: string;
  /** Its run waits for the person. */
  waits?: true;
  /** Hidden on the first page. */
  archived?: true;
  /** The comparison of which it is an attempt. */
  comparison?: string;
  /** The project of which it is the copy for a parallel request. */
  parallelOf?: string;
  /** Number of turns, including those that were undone; absent: none. */
  turns?: number;
  /** US dollars that its turns cost; absent if no model had a price. */
  costUsd?: number;
  /** The release that visitors see, and the address for most of them, without a final slash; absent if none is published. */
  live?: { address: string; release: number };
}

/** A project that was deleted recently, and can be restored. */
export interface DeletedProject {
  id: string;
  name: string;
  /** When it is removed permanently, in milliseconds since 1970. */
  until: number;
}

/** A project as its own page needs it. */
export interface ProjectDetail extends ProjectSummary {
  /** `provider:model`; absent: the server's choice. */
  model?: string;
  /** The model of planning turns; absent: the same as for others. */
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
  /** The question of a waiting run. */
  waiting?: { run: string; question: Question };
  /** For a recorded build: what it demonstrates. */
  demo?: string;
  /** The project and checkpoint that it was copied from, with the project's name at that time. */
  origin?: { project: string; name: string; checkpoint: string; label: string };
}

/** A project that was copied from another one, and what was not copied. */
export interface ForkedProject {
  id: string;
  name: string;
  /**
   * What the other project has and the copy does not: allowed hosts, names of secrets, and whether there is an approval
   * policy, and data that the running app has written.
   */
  without: { hosts: string[]; secrets: string[]; approvals: boolean; data: boolean };
}

/** One match of a search in all projects; `end` is the last, and `more` means that some were left out. */
export type FoundEverywhere =
  | { kind: "project"; project: string; name: string }
  /** `message`: the person's message, or the one that was answered; empty if there is none. */
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

/** Parameters for creating a project. */
export interface CreateProject {
  /** First message; a run starts at once. 1 to 200,000 characters. Absent: an empty project. */
  prompt?: string;
  /** Mode of the first message; default `act`. */
  mode?: RunMode;
  model?: string;
  dialect?: DialectName;
  /** With the first message: PNG, JPEG, GIF or WebP as base64, at most 6 of 3.75 MB. */
  pictures?: string[];
  /** Id of a recorded build to play instead of asking a model. */
  demo?: string;
}

/** A person's message to a project. */
export interface SendMessage {
  text: string;
  /** PNG, JPEG, GIF or WebP as base64, at most 6 of 3.75 MB. */
  pictures?: string[];
  /** Files that are open in the editor, the active one first. */
  open?: string[];
  /** `plan` changes nothing and ends in a plan, `discuss` in an answer; default `act`. */
  mode?: RunMode;
  model?: string;
  /** Requests the repair of the current failure, which the server describes to the model. */
  fix?: true;
  /**
   * Requirements of the last turn, in their original wording, that the message asks to prove by checks: they may
   * already work. At most 20.
   */
  prove?: string[];
  /** A plan to carry out, at most 200,000 characters. It counts as a model's text, so `@` in it has no effect. */
  plan?: string;
}

/** Limits set by a person. Absent values are not limited, except by a turn's own defaults. */
export interface Budget {
  /** Limits of one turn. Tokens include input, cached or not, and output. */
  turn: { steps?: number; minutes?: number; tokens?: number; costUsd?: number };
  /** Limits of all turns together. */
  project: { tokens?: number; costUsd?: number };
}

/** Where an app has a secret: in the preview, in the published app, or both. */
export type SecretEnvironment = "preview" | "published" | "both";

/** The hosts that a project may reach besides the registry, its secrets, and its budget. */
export interface ProjectSettings {
  /** `example.com` or `*.example.com` (every host below it), each with `:port` or without. */
  hosts: string[];
  /**
   * Public hosts of fonts, npm packages and pictures, which pages may reach while it is on (the
   * sandbox: only those of fonts).
   */
  staticHosts: { on: boolean; hosts: string[] };
  /** Whether the person's own browser is limited to these hosts too, in the preview. */
  limitPreview: boolean;
  /** `tab`: its commands run in the browser tab with `/tab/:project`, instead of a sandbox here. */
  runsIn: "machine" | "tab";
  /**
   * A generated app's own secrets by variable name, each for a host (empty: none). Values are never
   * sent.
   */
  secrets: { name: string; host: string; environment: SecretEnvironment }[];
  /** How much its turns have to prove. */
  verdicts: VerdictMode;
  /** Whether the checkpoint at the start of each turn includes the app's databases. */
  keepsData: boolean;
  budget: Budget;
}

/** Rule files of a project for agents. */
export interface ProjectRules {
  rules: {
    path: ProjectPath;
    /** In characters. */
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
  /** In bytes. */
  size: number;
}

/** A file's content and version. */
export interface FileBody {
  path: ProjectPath;
  /** Version for `If-Match`; changes whenever the bytes change. */
  version: string;
  size: number;
  /** Absent if the file is not text, or is larger than 2 MB. */
  text?: string;
  binary: boolean;
}

/** A stored revision. `at` in milliseconds since 1970. */
export interface CheckpointInfo {
  checkpoint: string;
  revision: string;
  label: string;
  at: number;
  /** The person's name for it. */
  name?: string;
  /** Whether it includes the app's databases. */
  hasData?: true;
}

/** Facts that were learned about a model, stored until the person resets them. */
export interface ModelHabits {
  /** The tool dialect to use, because the model has no tool calling or does not use it. */
  dialect?: DialectName;
  /** Consecutive edits that did not match. */
  editsMissed?: number;
  /** Whether it is told to write whole files, because its edits keep failing. */
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
  /** The provider's own page on which a person creates a key; absent if it has none. */
  keyPage?: string;
  needsAddress: boolean;
  address?: string;
  /** `id` is `provider:model`, as used for choosing it. */
  models: {
    id: string;
    label: string;
    /** Whether it reads pictures; absent if unknown: pictures are then tried. */
    sees?: boolean;
    /** The same, judged only by its name. */
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

/** A requirement or recommendation for this machine. */
export interface MachineCheck {
  name: string;
  ok: boolean;
  detail: string;
  /** The command that fixes it. */
  mend?: string;
}

/** The machine that Treadle runs on. */
export interface Machine {
  version: string;
  /** Node's version. */
  node: string;
  /** Operating system and processor: `linux x64`. */
  system: string;
  checks: MachineCheck[];
}

/** A guide for the model about a kind of task. */
export interface SkillInfo {
  name: string;
  /** When to read it. */
  description: string;
  from: "project" | "person" | "treadle";
}

/** The skills of a project, or of all. */
export interface SkillList {
  skills: SkillInfo[];
}

/** What this machine supports. */
export interface Health {
  ok: boolean;
  version: string;
  sandbox: { driver: string; ok: boolean; unsafe: boolean; message?: string };
  browser: { ok: boolean; message?: string };
}
