import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { ApiFailure } from "../common/api-failure.ts";

/** Where bolt's clients keep a project: the paths of `files` begin with it. */
export const WORK_FOLDER = "/home/project/";

const Attachment = z.object({ contentType: z.string().optional(), url: z.string() });
const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  mediaType: z.string().optional(),
  mimeType: z.string().optional(),
  data: z.string().optional(),
});
const Message = z.looseObject({
  id: z.string().max(200).optional(),
  role: z.enum(["user", "assistant", "system", "data", "tool"]),
  content: z.union([z.string(), z.array(Part)]).optional(),
  parts: z.array(Part).optional(),
  experimental_attachments: z.array(Attachment).optional(),
});
const Dirent = z.looseObject({
  type: z.enum(["file", "folder"]),
  content: z.string().optional(),
  isBinary: z.boolean().optional(),
});

/**
 * The body of bolt's `POST /api/chat`: AI SDK 4's `useChat` with what bolt.diy adds to it. Fields that mean nothing here
 * are let through unread, `apiKeys` among them: keys are the server's own.
 */
export const ChatBody = z
  .looseObject({
    id: z.string().max(200).optional(),
    messages: z.array(Message).min(1).max(2_000),
    files: z.record(z.string(), Dirent.nullable().optional()).optional(),
    promptId: z.string().optional(),
    contextOptimization: z.boolean().optional(),
    chatMode: z.enum(["build", "discuss"]).optional(),
    maxLLMSteps: z.number().int().positive().max(1_000).optional(),
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
    throw new ApiFailure(400, "empty-prompt", "The last message is not a person's.");
  const { text, model, provider } = readHead(textOf(last));
  const first = spoken.find(({ role }) => role === "user") ?? last;
  const boltDiy = body.promptId !== undefined || body.contextOptimization !== undefined;
  return {
    chat: body.id ?? first.id ?? createHash("sha256").update(textOf(first)).digest("hex"),
    text,
    model,
    provider,
    pictures: picturesOf(last),
    earlier: readSpoken(spoken.slice(0, -1)).map(({ role, text: said }) => ({ role, text: said })),
    files: body.files && filesOf(body.files),
    discuss: body.chatMode === "discuss",
    tellsContext: body.contextOptimization === true,
    readsThoughts: boltDiy,
    steps: body.maxLLMSteps,
  };
}

type MessageBody = z.infer<typeof Message>;

/** What a person or a model said, without the marks of bolt.diy before it. */
export interface SpokenMessage {
  role: "user" | "assistant";
  text: string;
  model?: string | undefined;
  provider?: string | undefined;
}

const isSpoken = ({ role }: MessageBody) => role === "user" || role === "assistant";

/** What was said, oldest first. */
export const readSpoken = (messages: readonly MessageBody[]): SpokenMessage[] =>
  messages.filter(isSpoken).map((message) => ({
    role: message.role === "user" ? "user" : "assistant",
    ...readHead(textOf(message)),
  }));

/** A path of bolt's clients as it is in a project. */
export const plainPath = (path: string): string =>
  path.startsWith(WORK_FOLDER) ? path.slice(WORK_FOLDER.length) : path;

function textOf({ content, parts }: MessageBody): string {
  if (typeof content === "string" && content !== "") return content;
  const pieces = Array.isArray(content) ? content : (parts ?? []);
  return pieces.flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\n");
}

/** bolt.diy names the model in the text itself: `[Model: NAME]`, a blank line, `[Provider: NAME]`, a blank line. */
function readHead(written: string): { text: string; model?: string; provider?: string } {
  let text = written;
  const take = (name: string) => {
    const found = new RegExp(`^\\[${name}: ([^\\]\\n]*)\\]\\s*`).exec(text);
    if (found) text = text.slice(found[0].length);
    return found?.[1]?.trim();
  };
  const [model, provider] = [take("Model"), take("Provider")];
  return { text, model, provider };
}

/** Those that come within the message; what lies at an address of somebody's is not fetched. */
function picturesOf({
  experimental_attachments: attachments = [],
  parts = [],
  content,
}: MessageBody) {
  const pieces = [...parts, ...(Array.isArray(content) ? content : [])];
  const addresses = [
    ...attachments.map(({ url }) => url),
    ...pieces.flatMap(({ url, data, mediaType, mimeType }) =>
      url !== undefined
        ? [url]
        : data !== undefined && (mediaType ?? mimeType ?? "").startsWith("image/")
          ? [`data:image/*;base64,${data}`]
          : [],
    ),
  ];
  const read = addresses.flatMap(
    (url) => /^data:image\/[\w.+*-]+;base64,(.+)$/s.exec(url)?.[1] ?? [],
  );
  return [...new Set(read)];
}

function filesOf(files: NonNullable<z.infer<typeof ChatBody>["files"]>) {
  const read = new Map<string, { text?: string }>();
  for (const [path, entry] of Object.entries(files)) {
    if (entry?.type !== "file") continue;
    read.set(plainPath(path), entry.isBinary === true ? {} : { text: entry.content ?? "" });
  }
  return read;
}
