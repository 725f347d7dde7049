import type { StoredMessage } from "@treadle/store";
import { z } from "zod";

const Id = z.string().min(1).max(2_000);
const PICTURE = /^treadle-picture:[0-9a-f]{64}$/;
const partOf = <Type extends string>(type: Type) =>
  z.object({ type: z.literal(type), data: z.object({ text: z.string() }) });
const call = {
  toolCallId: Id,
  state: z.enum(["input-available", "output-available", "output-error"]),
  input: z.record(z.string(), z.unknown()),
  output: z.string().optional(),
  errorText: z.string().optional(),
};
const hasItsAnswer = ({
  state,
  output,
  errorText,
}: {
  state: string;
  output?: string | undefined;
  errorText?: string | undefined;
}) =>
  (state === "output-available") === (output !== undefined) &&
  (state === "output-error") === (errorText !== undefined);

/**
 * Parts that are imported, with their imported fields: nothing that is only for a provider, and no
 * address.
 */
const Taken = z.union([
  z.object({
    type: z.literal("text"),
    text: z.string(),
    state: z.literal("done").optional(),
  }),
  z.object({ type: z.literal("step-start") }),
  // A picture's bytes are not available here: the part is replaced by a word.
  z.object({
    type: z.literal("file"),
    mediaType: z.string().regex(/^image\/[a-z]+$/),
    url: z.string().regex(PICTURE),
  }),
  z
    .object({ type: z.string().regex(/^tool-[a-z_]{1,64}$/), ...call })
    .refine(hasItsAnswer, "That is no call."),
  z
    .object({
      type: z.literal("dynamic-tool"),
      toolName: z.string().regex(/^[\w-]{1,128}$/),
      ...call,
    })
    .refine(hasItsAnswer, "That is no call."),
  z.object({ type: z.literal("data-mode"), data: z.enum(["plan", "discuss"]) }),
  partOf("data-problems"),
  partOf("data-plan"),
  z.object({
    type: z.literal("data-mentions"),
    data: z.object({ items: z.array(z.unknown()).transform(() => []), text: z.string() }),
  }),
]);

/**
 * Parts that only apply at their origin: reasoning is signed for that server, and the others are
 * generated again here.
 */
const Left = z.object({
  type: z.enum([
    "reasoning",
    "data-briefing",
    "data-standing",
    "data-changes",
    "data-habits",
    "data-picture",
  ]),
});

const Note = z.union([
  z.object({
    from: z.literal("treadle"),
    kind: z.literal("summary"),
    covered: z.object({ message: Id, steps: z.number().int().min(0) }),
  }),
  z.object({ from: z.literal("treadle"), kind: z.literal("dropped"), calls: z.array(Id) }),
  z.object({
    from: z.literal("treadle"),
    kind: z.enum(["evidence", "continue", "results", "todo"]),
    list: z.string().optional(),
  }),
  z.object({ model: z.string().max(500) }),
  z.object({}),
]);

const Message = z.object({
  id: Id,
  // No system messages: a conversation must not contain instructions to the model.
  role: z.enum(["user", "assistant"]),
  metadata: Note.optional(),
  parts: z.array(z.union([Taken, Left])),
});

/**
 * Validates a message of a foreign log.
 * @throws ZodError if it is invalid, or has a forbidden role
 */
export function readMessage(given: unknown): StoredMessage {
  const { parts, ...message } = Message.parse(given);
  return { ...message, parts: parts.filter((part) => !Left.safeParse(part).success) };
}
