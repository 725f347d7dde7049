import { createArtifactParser } from "@treadle/dialects";
import { applyModification, parseModifications } from "@treadle/dialects/modifications";
import { z } from "@hono/zod-openapi";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { isSpoken, readSpoken, type SpokenMessage } from "./chat-messages.ts";
import { ChatBody, plainPath } from "./chat-request.ts";
import { readBlock } from "./modification-block.ts";

/** Maximum number of chats per file, and of messages per chat. */
const CHATS = 200;
const MESSAGES = 10_000;

const Files = ChatBody.shape.files;
const Snapshot = z.looseObject({ files: Files }).nullish();
const Chat = z.looseObject({
  description: z.string().nullish(),
  messages: ChatBody.shape.messages
    .max(MESSAGES)
    .refine((messages) => messages.some(isSpoken), "none has the role of a person or a model"),
  files: Files,
  snapshot: Snapshot,
});

/** A chat from bolt.new or bolt.diy. */
export interface ExportedChat {
  name: string;
  turns: { asked: SpokenMessage; answer: { text: string } }[];
  /** The files according to its artifacts, modifications and snapshot, by their paths there. */
  files: Map<string, string>;
  /** What was not imported. */
  notes: Sentence[];
}

/**
 * Parses an export of bolt's clients: one chat (`messages`, `description`), several (`chats`), or
 * only messages.
 * @throws ApiFailure that says what is wrong with it
 */
export function readChatExport(text: string): ExportedChat[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw wrong(sentence("import-no-json"));
  }
  const given = Array.isArray(body) ? { messages: body } : body;
  const { chats } = (given ?? {}) as { chats?: unknown };
  const listed = Array.isArray(chats) ? chats : [given];
  if (listed.length === 0 || listed.length > CHATS)
    throw wrong(sentence("import-chats-count", { count: listed.length, limit: CHATS }));
  return listed.map((one, index) => {
    const read = Chat.safeParse(one);
    if (read.success) return chatOf(read.data, index);
    const { path, message } = read.error.issues[0]!;
    throw wrong(
      sentence("import-field-invalid", { field: path.join(".") || "messages", why: message }),
    );
  });
}

function chatOf(chat: z.infer<typeof Chat>, index: number): ExportedChat {
  const files = new Map<string, string>();
  const notes: Sentence[] = [];
  const turns: ExportedChat["turns"] = [];
  for (const message of readSpoken(chat.messages)) {
    if (message.role === "user") {
      const { block, rest } = readBlock(message.text);
      if (block !== undefined) modify(files, block, notes);
      turns.push({ asked: { ...message, text: rest }, answer: { text: "" } });
      continue;
    }
    const asked = { role: "user" as const, text: "", model: undefined, provider: undefined };
    if (turns.length === 0) turns.push({ asked, answer: { text: "" } });
    const { answer } = turns.at(-1)!;
    const prose = readAnswer(message.text, files, notes).trim();
    answer.text += `${answer.text === "" ? "" : "\n\n"}${prose}`;
  }
  // The final state, if the export contains it, including the person's own changes.
  for (const [path, entry] of Object.entries({ ...chat.snapshot?.files, ...chat.files })) {
    if (entry?.type !== "file") continue;
    if (entry.isBinary === true)
      notes.push(sentence("import-file-binary", { path })); // prettier-ignore
    else files.set(plainPath(path), entry.content ?? "");
  }
  const first = turns.find(({ asked }) => asked.text.trim() !== "")?.asked.text;
  const name = chat.description?.trim() || first?.trim().slice(0, 60) || `Chat ${index + 1}`;
  return { name, turns, files, notes };
}

/** The text of an answer, with a line per action; adds its files to `files`. */
function readAnswer(text: string, files: Map<string, string>, notes: Sentence[]): string {
  let prose = "";
  const parser = createArtifactParser({
    onEvent(event) {
      if (event.type === "text") prose += event.text;
      if (event.type === "error")
        notes.push(sentence("import-answer-part-left-out", { why: event.message }));
      if (event.type !== "action-close" || !event.complete) return;
      const { actionType, filePath, operation, content } = event;
      if (actionType === "file" && filePath !== undefined) {
        const path = plainPath(filePath);
        if (operation === "delete") files.delete(path);
        else files.set(path, content);
        prose += `\n- ${operation === "delete" ? "Removed" : "Wrote"} \`${path}\`\n`;
      } else prose += `\n- Ran \`${content.trim()}\`\n`;
    },
  });
  parser.write(text);
  parser.end();
  return prose;
}

/** Applies the person's changes, which bolt.new puts into their message. */
function modify(files: Map<string, string>, block: string, notes: Sentence[]): void {
  for (const change of parseModifications(block)) {
    const path = plainPath(change.path);
    const after = applyModification(files.get(path), change);
    if (!after.ok)
      notes.push(sentence("import-change-unfit", { path })); // prettier-ignore
    else if (after.content === undefined) files.delete(path);
    else files.set(path, after.content);
  }
}

const wrong = (why: Sentence) => new ApiFailure(422, "bad-chat", sentence("chat-invalid", { why }));
