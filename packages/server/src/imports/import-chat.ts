import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LogEvent } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import type { Store } from "@treadle/store";
import { syncFiles, type ExportedChat } from "@treadle/bolt";
import { IMPORT_MARK } from "../project-context/drafts.ts";
import { newMessageId, newRunId } from "@treadle/common";
import { keepCheckpoint } from "@treadle/workspace";
import { NAME_LIMIT, plainName } from "../project-context/project-name.ts";
import type { Runtimes } from "../runtime/runtimes.ts";
import type { ImportParts } from "./import-archive.ts";

export interface ImportedChat {
  id: string;
  name: string;
  files: number;
  /** Notes for the person. */
  notes: Sentence[];
}

/** Maximum number of notes. */
const NOTES = 20;

/**
 * Creates a project from one of bolt's chats: its final files, which nobody has accepted yet (A82),
 * and its conversation, for the page and the model. A failed import leaves nothing behind.
 */
export async function importChat(
  store: Store,
  chat: ExportedChat,
  parts: Pick<ImportParts, "create" | "remove" | "folder"> & { runtimes: Runtimes },
): Promise<ImportedChat> {
  const name = plainName(chat.name).slice(0, NAME_LIMIT) || "Imported chat";
  const id = await parts.create(name);
  try {
    const folder = parts.folder(id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, IMPORT_MARK), "");
    const runtime = await parts.runtimes.get(id);
    const workspace = await runtime.workspace();
    const files = new Map([...chat.files].map(([path, text]) => [path, { text }]));
    const { refused } = await syncFiles(workspace, await runtime.clientFiles(), files, {});
    await saveTurns(store, id, chat);
    if (files.size > refused.length) await keepCheckpoint(runtime, workspace, "Imported from bolt"); // prettier-ignore
    await store.log.settled();
    await rm(join(folder, IMPORT_MARK));
    const notes = [...chat.notes, ...refused.map((why) => sentence("import-not-written", { why }))];
    const more = notes.length - NOTES;
    return {
      id,
      name,
      files: files.size - refused.length,
      notes:
        more > 0
          ? [...notes.slice(0, NOTES), sentence("import-more-notes", { count: more })]
          : notes,
    };
  } catch (error) {
    await parts.remove(id);
    throw error;
  }
}

async function saveTurns(store: Store, id: string, { turns }: ExportedChat): Promise<void> {
  const add = (event: LogEvent) => void store.log.append(id, event);
  const put = (message: string, role: "user" | "assistant", text: string) =>
    store.messages.put(id, { id: message, role, parts: [{ type: "text", text }] });
  for (const { asked, answer } of turns) {
    const message = newMessageId();
    add({ type: "message", message, role: "user", text: asked.text, queued: false });
    if (asked.text.trim() !== "") await put(message, "user", asked.text);
    if (answer.text === "") continue;
    const run = newRunId();
    const model = [asked.provider, asked.model].filter(Boolean).join(":") || "bolt";
    add({ type: "run-start", run, message, model, dialect: "artifact" });
    add({ type: "text", run, id: `${run}-t`, text: answer.text, whole: true });
    add({
      type: "run-end",
      run,
      outcome: "done",
      summary: "",
      revision: "",
      steps: 1,
      usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
      ms: 0,
    });
    await put(newMessageId(), "assistant", answer.text);
  }
}
