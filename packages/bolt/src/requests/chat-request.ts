import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { attachedTo } from "./attached.ts";
import { isSpoken, Message, partsOf, readHead, readSpoken, textOf } from "./chat-messages.ts";
import { readBlock } from "./modification-block.ts";

/** The project folder of bolt's clients, with which the paths in `files` begin. */
export const WORK_FOLDER = "/home/project/";

/** Maximum number of entries in `files`. */
const FILES = 20_000;

const Dirent = z.looseObject({
  type: z.enum(["file", "folder"]),
  content: z.string().nullish(),
  isBinary: z.boolean().nullish(),
});

/**
 * The body of bolt's `POST /api/chat`: AI SDK 4's `useChat` with bolt.diy's additions. Unknown
 * fields are ignored, including `apiKeys`, as keys are the server's own.
 */
export const ChatBody = z
  .looseObject({
    id: z.string().max(200).nullish(),
    messages: z.array(Message).min(1).max(2_000),
    files: z.record(z.string(), Dirent.nullish()).nullish(),
    promptId: z.string().nullish(),
    contextOptimization: z.boolean().nullish(),
    chatMode: z.enum(["build", "discuss"]).nullish(),
    maxLLMSteps: z.number().int().positive().max(1_000).nullish(),
  })
  .openapi("BoltChat");

/** A parsed request of bolt's chat. */
export interface ChatRequest {
  /** The id of the conversation. */
  chat: string;
  /** The person's last message. */
  text: string;
  /** The model that the message names by `[Model: …]`, and its provider by `[Provider: …]`. */
  model?: string | undefined;
  provider?: string | undefined;
  /** Pictures of that message, in base64. */
  pictures: string[];
  /** Rejected attachments, each described in a few words. */
  leftOut: string[];
  /** Earlier messages, oldest first. */
  earlier: { role: "user" | "assistant"; text: string }[];
  /** The client's files by project path; undefined if it sent none. */
  files?: Map<string, { text?: string }> | undefined;
  /** Whether nothing may be changed. */
  discuss: boolean;
  /** Whether the client wants to know which files the model was given. */
  tellsContext: boolean;
  /** Whether it understands bolt.diy's markup, in which reasoning is wrapped. */
  readsThoughts: boolean;
  steps?: number | undefined;
}

/** Parses and checks a request. @throws ApiFailure if there is nothing to answer */
export function readChat(body: z.infer<typeof ChatBody>): ChatRequest {
  const spoken = body.messages.filter(isSpoken);
  const last = spoken.at(-1);
  if (last?.role !== "user")
    throw new ApiFailure(400, "empty-prompt", sentence("prompt-not-person"));
  const { text: words, model, provider } = readHead(textOf(last));
  const { pictures, texts, leftOut } = attachedTo(
    last.experimental_attachments ?? [],
    partsOf(last),
  );
  const text = [words, ...texts.map((one) => `Attached “${one.name}”:\n\n${one.text}`)].join(
    "\n\n",
  );
  // Rejects an empty message before a project is created for it.
  if (readBlock(text).rest.trim() === "")
    throw new ApiFailure(400, "empty-prompt", sentence("prompt-empty"));
  const first = spoken.find(({ role }) => role === "user") ?? last;
  const boltDiy = (body.promptId ?? body.contextOptimization ?? undefined) !== undefined;
  return {
    chat: body.id ?? first.id ?? createHash("sha256").update(textOf(first)).digest("hex"),
    text,
    model,
    provider,
    pictures,
    leftOut,
    earlier: readSpoken(spoken.slice(0, -1)).map(({ role, text: body }) => ({ role, text: body })),
    files: body.files ? filesOf(body.files) : undefined,
    discuss: body.chatMode === "discuss",
    tellsContext: body.contextOptimization === true,
    readsThoughts: boltDiy,
    steps: body.maxLLMSteps ?? undefined,
  };
}

/** Converts a path of bolt's clients to a project path. */
export const plainPath = (path: string): string =>
  path.startsWith(WORK_FOLDER) ? path.slice(WORK_FOLDER.length) : path;

function filesOf(files: NonNullable<z.infer<typeof ChatBody>["files"]>) {
  const read = new Map<string, { text?: string }>();
  const entries = Object.entries(files);
  if (entries.length > FILES)
    throw new ApiFailure(413, "too-many-files", sentence("too-many-files", { limit: FILES }));
  for (const [path, entry] of entries) {
    if (entry?.type !== "file") continue;
    read.set(plainPath(path), entry.isBinary === true ? {} : { text: entry.content ?? "" });
  }
  return read;
}
