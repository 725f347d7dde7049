import { getToolName, isToolUIPart, type UIMessage } from "ai";
import { tellPlanPart } from "../parts/plan-part.ts";
import { clipMiddle } from "../../text/clip.ts";

const INPUT = 400;
const RESULT = 800;

/** A conversation as plain text with shortened calls and results. */
export function transcriptOf(messages: readonly UIMessage[], limit: number): string {
  const lines = messages.flatMap((message) =>
    message.parts.flatMap((part): string[] => {
      if (part.type === "text")
        return [`${message.role === "user" ? speaker(message) : "Treadle"}: ${part.text}`];
      const plan = "data" in part ? tellPlanPart(part) : undefined;
      if (plan !== undefined) return [plan];
      if (!isToolUIPart(part)) return [];
      const input = clipMiddle(JSON.stringify(part.input ?? {}), INPUT);
      const result =
        part.state === "output-available"
          ? String(part.output)
          : part.state === "output-error"
            ? `error: ${part.errorText}`
            : "";
      return [`[${getToolName(part)} ${input}]\n${clipMiddle(result, RESULT)}`];
    }),
  );
  return clipMiddle(lines.join("\n\n"), limit);
}

function speaker({ metadata }: UIMessage): string {
  const { from } = (metadata ?? {}) as { from?: unknown };
  return from === "treadle" ? "Checks" : "Person";
}

/** The person's messages: the newest in full, older ones while they fit. */
export function personsWords(messages: readonly UIMessage[], limit: number): string {
  const lines: string[] = [];
  let left = limit;
  for (const message of messages.toReversed()) {
    if (message.role !== "user" || speaker(message) !== "Person") continue;
    const text = message.parts
      .flatMap((part) => (part.type === "text" ? [part.text] : []))
      .join("\n");
    if (left <= 0) break;
    lines.unshift(clipMiddle(text, left));
    left -= text.length;
  }
  return lines.map((text) => `- ${text}`).join("\n");
}

/** A line for each call; replaces a summary that could not be made. */
export function doneCalls(messages: readonly UIMessage[], limit: number): string {
  const lines = messages.flatMap(({ parts }) =>
    parts.flatMap((part): string[] => {
      if (!isToolUIPart(part)) return [];
      const { path, command } = (part.input ?? {}) as Record<string, unknown>;
      const what = typeof path === "string" ? path : typeof command === "string" ? command : "";
      return [
        `${getToolName(part)} ${what}: ${part.state === "output-available" ? "ok" : "failed"}`,
      ];
    }),
  );
  return clipMiddle(lines.join("\n"), limit);
}
