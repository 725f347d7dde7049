import { createArtifactParser } from "@treadle/dialects";
import type { StoredMessage } from "@treadle/store";
import { newMessageId } from "@treadle/common";
import type { ChatRequest } from "./chat-request.ts";

/** Converts a foreign conversation: its messages, and the files that its artifacts wrote. */
export function readEarlier(earlier: ChatRequest["earlier"]): {
  messages: StoredMessage[];
  files: Map<string, { text?: string }>;
} {
  const files = new Map<string, { text?: string }>();
  const messages = earlier.flatMap(({ role, text }): StoredMessage[] => {
    const prose = role === "assistant" ? readAnswer(text, files) : text;
    if (prose.trim() === "") return [];
    return [{ id: newMessageId(), role, parts: [{ type: "text", text: prose }] }];
  });
  return { messages, files };
}

/** The text of an answer with one line per action: the files themselves are in the project. */
function readAnswer(text: string, files: Map<string, { text?: string }>): string {
  let prose = "";
  const parser = createArtifactParser({
    onEvent(event) {
      if (event.type === "text") prose += event.text;
      if (event.type !== "action-close" || !event.complete) return;
      const { actionType, filePath, operation, content } = event;
      if (actionType === "file" && filePath !== undefined && operation !== "delete") {
        files.set(filePath, { text: content });
        prose += `\n(wrote ${filePath})\n`;
      } else if (actionType === "file" && filePath !== undefined) {
        files.delete(filePath);
        prose += `\n(removed ${filePath})\n`;
      } else prose += `\n(ran: ${content.trim()})\n`;
    },
  });
  parser.write(text);
  parser.end();
  return prose;
}
