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

/** One thing that the model can ask for. */
export interface Tool {
  readonly name: string;
  /** What the model reads; the prose file beside the code. */
  readonly description: string;
  readonly input: z.ZodType;
  /** Whether it can change files: the revision is asked for after a step that used it. */
  readonly changes: boolean;
  /** Whether it runs a command: everything said so far must be durable before it starts. */
  readonly commands: boolean;
  /** What the policy looks at; absent: told from `changes`, `commands` and the arguments `path` and `command`. */
  subject?(input: unknown): ApprovalSubject;
  /** Why the person is asked to approve it, in place of the policy's own sentence. */
  reason?(): string;
  /**
   * What the person is asked before it is run, if anything. The run then waits, maybe until after a restart; `execute`
   * is called with their words as `context.answer`.
   */
  asks?(input: unknown): AskedWords | undefined;
  /** `input` has been validated against the schema. Rejections become error results. */
  execute(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** What a call came to. An error is told to the model; it never ends the run. */
export interface ToolOutcome {
  ok: boolean;
  /** Past tense, what first, number last: "Wrote src/App.tsx". */
  title: string;
  /** What `title` says; absent where it is another program's words. */
  titleCode?: CodedText;
  /** What the model is told. */
  result: string;
  /** What the page looks like, for a model that sees. */
  picture?: Picture;
  /** Of a file that was written: what became of its lines. */
  lines?: LineCount | undefined;
  /** Of an edit: the places that it names are not there. */
  missed?: true;
}

/** A project's list of work, as a tool sees it. */
export interface TodoList {
  read(): readonly TodoItem[];
  /** Whether the person changed it since the model last knew it. */
  isChanged(): boolean;
  leave(items: TodoItem[]): void;
}

/** What a tool asks before it can be run; `execute` has the answer in its context. */
export interface AskedWords {
  text: string;
  /** Answers to choose from; the person may always say something else. */
  choices?: string[];
}

export interface ToolContext {
  workspace: Workspace;
  signal: AbortSignal;
  /** Paths that the person wrote while the run goes on, with the version they left. */
  personWrites: ReadonlyMap<ProjectPath, string>;
  /** Whether they left that version through the page. Absent: whatever is said to be theirs is. */
  isPersons?: ((path: ProjectPath, version: string) => boolean) | undefined;
  /** Awaited between reading a file and asking `personWrites` about it: a save that is under way is in there then. */
  personSettled?: ((paths: readonly ProjectPath[]) => Promise<void>) | undefined;
  /** Keeps the files as they stand, before what a person wrote is written over or removed. Absent: nothing is kept. */
  keepStanding?: (() => Promise<void>) | undefined;
  /** Version of each file as the model last read or wrote it. */
  seen: Map<ProjectPath, string>;
  /** Takes note of text that a template put into a file. Absent: nobody asks what the model wrote itself. */
  readonly given?: Map<ProjectPath, string> | undefined;
  /** The list of work that the person sees. */
  readonly todo: TodoList;
  readTemplate?: ReadTemplate | undefined;
  /** The person's own, beside Treadle's and the project's. */
  personSkills?: readonly Skill[] | undefined;
  /** Which content of a project's skill was agreed to; absent: any. */
  isAccepted?: IsAccepted | undefined;
  /** What the person said to what the tool `asks`; absent where it asked nothing. */
  answer?: string | undefined;
  /** Keeps a picture; absent where the model sees none. */
  keepPicture?: PicturePort["save"] | undefined;
  /** Keeps what is too long to be shown; absent where nothing can be kept. */
  keepOutput?: KeepOutput | undefined;
  /** Reads what was kept of an earlier call. */
  readOutput?: OutputPort["read"] | undefined;
  /** Absent where there is no browser. */
  usePage?: TriedApp["use"] | undefined;
  /** Of several ports of the server that runs, puts the one first that has the page. Absent: the order stays. */
  showPage?: (() => Promise<void>) | undefined;
  /** Output of a command, as it comes. */
  onOutput(text: string): void;
  /**
   * The run wrote this content; a path with an empty version was removed by it. `unseen`: it holds what nobody agreed to,
   * and what the call did not show.
   */
  wrote(path: ProjectPath, version: string, unseen?: boolean): void;
  /** Looks at the project as it is now; answered from what is known where nothing changed. */
  evidence(): Promise<Evidence>;
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Ties a schema to the function that takes its output. What the tool is for is told by the vocabulary. */
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
/** A call that came to what it was for. */
export const done = (title: string | Sentence, result: string) => outcome(true, title, result);
/** A call that did not. */
export const refused = (title: string | Sentence, result: string) => outcome(false, title, result);

/** Words that tell a model nothing and are paid for in every request. */
const UNSAID = new Set(["$schema", "additionalProperties", "minLength", "minimum", "minItems"]);

/** A tool's schema as it is sent: without what no model needs. */
export function sentSchema(input: z.ZodType): JSONSchema7 {
  return shorten(z.toJSONSchema(input, { target: "draft-7", io: "input" })) as JSONSchema7;
}

/** The same for the library, with the check of what comes back. @param schema is sent in its place */
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
