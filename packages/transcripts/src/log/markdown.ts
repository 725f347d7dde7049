import type { LogEntry } from "@treadle/protocol";

/**
 * Writes a conversation as Markdown, piece by piece: messages, actions, and how each turn ended. Entries must arrive in
 * order.
 */
export async function* conversationMarkdown(
  name: string,
  entries: AsyncIterable<LogEntry>,
): AsyncGenerator<string> {
  yield `# ${name.replace(/\s+/g, " ")}\n`;
  for await (const { event, at } of entries) {
    switch (event.type) {
      case "message":
        yield `\n## You, ${new Date(at).toISOString().slice(0, 16).replace("T", " ")}\n\n${event.text}\n`;
        break;
      case "run-start":
        yield `\n## ${event.model}\n`;
        break;
      case "text":
        yield event.whole ? `\n${event.text}\n` : event.text;
        break;
      case "plan":
        yield `\n${event.text}\n`;
        break;
      case "call-end":
        yield `\n- ${event.title.replace(/\s+/g, " ")}${event.status === "ok" ? "" : ` (${event.status})`}\n`;
        break;
      case "run-end":
        yield `\n**${event.verdict ?? event.outcome}**${event.summary ? `: ${event.summary}` : ""}\n`;
        break;
    }
  }
}
