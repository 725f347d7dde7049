import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { attachedTo } from "./attached.ts";
import { isSpoken, Message, partsOf, readHead, readSpoken, textOf } from "./chat-messages.ts";
import { readBlock } from "./modification-block.ts";

/** Where bolt's clients keep a project: the paths of `files` begin with it. */
export const WORK_FOLDER = "/home/project/";

/** Entries of `files`: a client that keeps more of them is no project. */
const FILES = 20_000;

const Dirent = z.looseObject({
  type: z.enum(["file", "folder"]),
  content: z.string().nullish(),
  isBinary: z.boolean().nullish(),
});

/**
 * The body of bolt's `POST /api/chat`: AI SDK 4's `useChat` with what bolt.diy adds to it. Fields that mean nothing here
 * are let through unread, `apiKeys` among them: keys are the server's own.
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

/** A request of bolt's chat, read. */
export interface ChatRequest {
  /** The same for every request of one conversation. */
  chat: string;
  /** What the person said last. */
  text: string;
  /** `[Model: …]` and `[Provider: …]` of that message. */
  model?: string | undefined;
  provider?: string | undefined;
  /** Pictures of that message, as base64. */
  pictures: string[];
  /** What came with it and is not taken, each in a few words. */
  leftOut: string[];
  /** What was said before, oldest first. */
  earlier: { role: "user" | "assistant"; text: string }[];
  /** The client's files by their path in the project; undefined where it sent none. */
  files?: Map<string, { text?: string }> | undefined;
  /** Only talk: nothing is changed. */
  discuss: boolean;
  /** The client asks to be told what the model was given. */
  tellsContext: boolean;
  /** It reads bolt.diy's own marks in the text: reasoning is wrapped in it. */
  readsThoughts: boolean;
  steps?: number | undefined;
}

/** @throws ApiFailure where there is nothing to answer. */
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
  // Refused before a project is made for it.
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

/** A path of bolt's clients as it is in a project. */
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
