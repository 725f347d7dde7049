import type { LogEvent } from "@treadle/protocol";
import { VERDICTS } from "@treadle/protocol/evidence";
import { readProjectPath } from "@treadle/protocol/project-path";
import { z } from "zod";

/** Maximum length of an id, a name or a title, and of other texts. */
const Name = z.string().max(2_000);
const Words = z.string();
const Count = z.number().min(0);
/** A valid date, in milliseconds since 1970. */
const Moment = Count.max(8.64e15);
const Flag = z.literal(true).optional();
const Cut = Count.optional();
const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Used = z.object({
  inputTokens: Count,
  cachedInputTokens: Count,
  outputTokens: Count,
  costUsd: Count.optional(),
});
const Lines = z.object({ added: Count, removed: Count });
const Picture = z.object({
  hash: Hash,
  mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  size: Count,
});
const LastWords = z.object({ done: Words, try: Words.optional(), name: Words.optional() });
const InRun = { run: Name };
const Piece = { text: Words, whole: Flag };

/**
 * The events that an import takes from a log, and their expected shapes: messages, actions and findings. Events that
 * grant access (approvals, hosts, accepted files), ask or wait, or name checkpoints and servers of their origin are left
 * out. A verdict is imported only as the end of its turn, and applies to no files (A101).
 */
const EVENTS = {
  message: z.object({
    message: Name,
    role: z.literal("user"),
    text: Words,
    by: z.object({ id: Name, name: Name }).optional(),
    pictures: z.array(Picture).max(100).optional(),
    fix: Flag,
    prove: z.array(Words).max(20).optional(),
    plan: Words.optional(),
    queued: z.boolean(),
  }),
  "message-taken": z.object({ ...InRun, message: Name }),
  "message-removed": z.object({ message: Name }),
  mentioned: z.object({
    ...InRun,
    message: Name,
    items: z.array(
      z.object({
        text: Words,
        kind: z.enum([
          "path",
          "url",
          "resource",
          "problems",
          "terminal",
          "preview",
          "diff",
          "checkpoint",
        ]),
        path: Words.optional(),
        ok: z.boolean(),
        said: Words,
      }),
    ),
  }),
  "run-start": z.object({
    ...InRun,
    message: Name,
    model: Name,
    dialect: z.enum(["native", "artifact", "tags"]),
    mode: z.enum(["plan", "discuss", "act"]).optional(),
  }),
  waiting: z.object({
    ...InRun,
    reason: z.enum(["model", "retry", "registry", "server", "tab"]),
    text: Words,
    until: Moment.optional(),
  }),
  "tools-missing": z.object({
    ...InRun,
    servers: z.array(z.object({ name: Name, why: Words })),
  }),
  repair: z.object({ ...InRun, attempt: Count, limit: Count, reason: Words }),
  plan: z.object({ ...InRun, text: Words }),
  "run-end": z.object({
    ...InRun,
    outcome: z.enum(["done", "stopped", "interrupted", "error", "budget"]),
    verdict: z.enum(VERDICTS).optional(),
    summary: Words,
    said: LastWords.optional(),
    revision: z.unknown().transform(() => ""),
    steps: Count,
    usage: Used,
    ms: Count,
    error: z
      .object({ code: Name, message: Words, canContinue: z.boolean() })
      // An imported run cannot be continued here.
      .transform((error) => ({ ...error, canContinue: false }))
      .optional(),
  }),
  "step-start": z.object({ ...InRun, step: Count }),
  text: z.object({ ...InRun, id: Name, ...Piece }),
  reasoning: z.object({ ...InRun, id: Name, ...Piece }),
  group: z.object({ ...InRun, id: Name, title: Words }),
  "step-end": z.object({
    ...InRun,
    step: Count,
    finish: z.enum(["stop", "tool-calls", "length", "filter", "error", "aborted"]),
    usage: Used,
    context: z.object({ parts: z.record(Name, Count), window: Count.optional() }).optional(),
  }),
  "call-open": z.object({ ...InRun, call: Name, tool: Name }),
  "call-delta": z.object({
    call: Name,
    field: Name,
    ...Piece,
    path: Words.optional(),
    cut: Cut,
  }),
  "call-input": z.object({ call: Name, input: z.record(z.string(), z.unknown()) }),
  "call-start": z.object({ call: Name }),
  output: z.object({ call: Name, ...Piece, cut: Cut }),
  "call-end": z.object({
    call: Name,
    status: z.enum(["ok", "error", "denied", "interrupted"]),
    title: Words,
    result: Words,
    cut: Cut,
    picture: z.object({ hash: Hash, mediaType: Name }).optional(),
    lines: Lines.optional(),
    ms: Count,
  }),
  todo: z.object({
    by: z.enum(["model", "person"]),
    items: z.array(z.object({ text: Words, status: z.enum(["todo", "doing", "done"]) })).max(1_000),
    run: Name.optional(),
  }),
  files: z.object({
    changes: z
      .array(
        z.object({
          path: z.string(),
          kind: z.enum(["written", "removed"]),
          by: z.enum(["model", "person", "command"]),
          size: Count,
          version: Name.optional(),
        }),
      )
      .transform((changes) => changes.filter(({ path }) => readProjectPath(path).ok)),
  }),
} satisfies Partial<Record<LogEvent["type"], z.ZodType>>;

export type TakenType = keyof typeof EVENTS;

export const TAKEN: ReadonlySet<string> = new Set(Object.keys(EVENTS));
const isTaken = (type: string): type is TakenType => Object.hasOwn(EVENTS, type);

/**
 * Validates an entry of a foreign log.
 * @returns undefined if its type is not imported
 * @throws ZodError if it is invalid
 */
export function readEntry(
  type: string,
  entry: { at?: unknown; event?: unknown },
): { at: number; event: LogEvent } | undefined {
  if (!isTaken(type)) return undefined;
  const at = Moment.parse(entry.at);
  return { at, event: { type, ...EVENTS[type].parse(entry.event) } as LogEvent };
}
