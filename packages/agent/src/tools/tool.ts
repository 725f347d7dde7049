import { asSentence, type Sentence } from "@treadle/protocol/sentences";
import type {
  CodedText,
  ApprovalSubject,
  Evidence,
  LineCount,
  ProjectPath,
  TodoItem,
} from "@treadle/protocol";
import { mayChangeFiles, mayRunCommands, TOOLS, type ToolName } from "@treadle/protocol/tools";
import type { Workspace } from "@treadle/workspace";
import { z } from "zod";
import type { IsAccepted } from "../trust/protected-files.ts";
import type { KeepOutput } from "./outputs/keep-output.ts";
import type { OutputPort } from "./outputs/types.ts";
import type { Skill } from "../context/skills/types.ts";
import type { TriedApp } from "../preview/tried-app.ts";
import type { Picture, PicturePort } from "../ports/pictures.ts";
import type { ReadTemplate } from "../ports/templates.ts";
import type { JSONSchema7 } from "@ai-sdk/provider";
import { jsonSchema, type Schema } from "ai";

/** A tool that the model can call. */
export interface Tool {
  readonly name: string;
  /** The description for the model, from the Markdown file beside the code. */
  readonly description: string;
  readonly input: z.ZodType;
  /** Whether it can change files, so that the revision is read after its step. */
  readonly changes: boolean;
  /** Whether it runs a command, so that the log must be durable before it starts. */
  readonly commands: boolean;
  /**
   * The subject of the approval policy; by default derived from `changes`, `commands` and the
   * arguments `path` and `command`.
   */
  subject?(input: unknown): ApprovalSubject;
  /** The reason for the approval question, instead of the policy's own. */
  reason?(): string;
  /**
   * The question to ask before execution, if any. The run then waits, possibly across a restart;
   * `execute` gets the reply as `context.answer`.
   */
  asks?(input: unknown): AskedWords | undefined;
  /** `input` has been validated against the schema. Rejections become error results. */
  execute(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** The outcome of a call. The model gets an error as a result; it never ends the run. */
export interface ToolOutcome {
  ok: boolean;
  /** In the past tense, the object first and numbers last: "Wrote src/App.tsx". */
  title: string;
  /** The title as a code; absent if it is another program's text. */
  titleCode?: CodedText;
  /** The text for the model. */
  result: string;
  /** A picture of the page, for a model that accepts pictures. */
  picture?: Picture;
  /** For a written file: its added and removed lines. */
  lines?: LineCount | undefined;
  /** Set if an edit's old text was not found. */
  missed?: true;
  /** For the checks file: whether it cannot pass as it was written. */
  needsMending?: boolean;
}

/** The project's to-do list, as exposed to tools. */
export interface TodoList {
  read(): readonly TodoItem[];
  /** Whether the person changed the list since the model last saw it. */
  isChanged(): boolean;
  leave(items: TodoItem[]): void;
}

/** The question of a tool before it runs; `execute` finds the reply in its context. */
export interface AskedWords {
  text: string;
  /** Replies to choose from; the person may always enter another one. */
  choices?: string[];
}

export interface ToolContext {
  workspace: Workspace;
  signal: AbortSignal;
  /** Paths that the person wrote during the run, with their versions. */
  personWrites: ReadonlyMap<ProjectPath, string>;
  /**
   * Whether the person saved that version in the page. Absent: every version in `personWrites` counts as the person's.
   */
  isPersons?: ((path: ProjectPath, version: string) => boolean) | undefined;
  /** Await between reading a file and using `personWrites`, so that a pending save is included. */
  personSettled?: ((paths: readonly ProjectPath[]) => Promise<void>) | undefined;
  /**
   * Saves a checkpoint before the person's text is overwritten or removed. Absent: none is saved.
   */
  keepStanding?: (() => Promise<void>) | undefined;
  /** The version of each file that the model last read or wrote. */
  seen: Map<ProjectPath, string>;
  /** Text that a template put into files. Absent: it is not distinguished from the model's own text. */
  readonly given?: Map<ProjectPath, string> | undefined;
  /** The to-do list that the person sees. */
  readonly todo: TodoList;
  readTemplate?: ReadTemplate | undefined;
  /** The person's own skills, beside Treadle's and the project's. */
  personSkills?: readonly Skill[] | undefined;
  /** Whether a version of a project's skill was accepted; absent to accept all. */
  isAccepted?: IsAccepted | undefined;
  /** The person's reply to `asks`; absent if nothing was asked. */
  answer?: string | undefined;
  /** Saves a picture; absent if the model accepts none. */
  keepPicture?: PicturePort["save"] | undefined;
  /** Saves an output that is too long to be shown; absent if there is no store. */
  keepOutput?: KeepOutput | undefined;
  /** Reads the saved output of an earlier call. */
  readOutput?: OutputPort["read"] | undefined;
  /** Absent if there is no browser. */
  usePage?: TriedApp["use"] | undefined;
  /** Puts the port with the page first if the server has several. Absent: the order stays. */
  showPage?: (() => Promise<void>) | undefined;
  /** Receives the output of a command in chunks. */
  onOutput(text: string): void;
  /**
   * Reports that the run wrote this content; an empty version: removed the file. `unseen`: it
   * contains text that nobody accepted and that the call did not show.
   */
  wrote(path: ProjectPath, version: string, unseen?: boolean): void;
  /** The evidence for the current project; cached if nothing changed. */
  evidence(): Promise<Evidence>;
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/**
 * Ties a schema to the function that receives its output. The vocabulary defines the tool's kind.
 */
export function defineTool<Schema extends z.ZodType>(tool: {
  name: ToolName;
  description: string;
  input: Schema;
  subject?(input: z.output<Schema>): ApprovalSubject;
  asks?(input: z.output<Schema>): AskedWords | undefined;
  execute(input: z.output<Schema>, context: ToolContext): Promise<ToolOutcome>;
}): Tool {
  const { subject, asks, ...rest } = tool;
  const { kind } = TOOLS[tool.name];
  return {
    ...rest,
    changes: mayChangeFiles(kind),
    commands: mayRunCommands(kind),
    subject: subject ? (input: unknown) => subject(input as z.output<Schema>) : undefined,
    asks: asks ? (input: unknown) => asks(input as z.output<Schema>) : undefined,
    execute: (input, context) => tool.execute(input as z.output<Schema>, context),
  };
}

const outcome = (ok: boolean, title: string | Sentence, result: string): ToolOutcome => {
  const { text, coded } = asSentence(title);
  return { ok, title: text, titleCode: coded, result };
};
/** The outcome of a successful call. */
export const done = (title: string | Sentence, result: string) => outcome(true, title, result);
/** The outcome of a failed call. */
export const refused = (title: string | Sentence, result: string) => outcome(false, title, result);

/** Schema keywords that no model needs, but that cost tokens in every request. */
const UNSAID = new Set(["$schema", "additionalProperties", "minLength", "minimum", "minItems"]);

/** A tool's schema as it is sent, without keywords that no model needs. */
export function sentSchema(input: z.ZodType): JSONSchema7 {
  return shorten(z.toJSONSchema(input, { target: "draft-7", io: "input" })) as JSONSchema7;
}

/**
 * A tool's schema for the AI SDK, with validation of the arguments.
 * @param schema the schema to send; by default that of `input`
 */
export function toolSchema(input: z.ZodType, schema = sentSchema(input)): Schema<unknown> {
  return jsonSchema<unknown>(schema, {
    validate(value) {
      const checked = input.safeParse(value);
      return checked.success
        ? { success: true, value: checked.data }
        : { success: false, error: checked.error };
    },
  });
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, entry]) => !UNSAID.has(key) && entry !== Number.MAX_SAFE_INTEGER)
      .map(([key, entry]) => [key, shorten(entry)]),
  );
}
