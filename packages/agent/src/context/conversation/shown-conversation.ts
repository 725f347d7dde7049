import { isToolUIPart, type UIMessage } from "ai";
import type { Model } from "../../ports/model.ts";
import { withoutAddresses } from "./without-addresses.ts";
import { withoutPictures } from "./without-pictures.ts";

type Part = UIMessage["parts"][number];

const LEFT_OUT = "(left out: a later call shows this file as it is)";

/** The conversation as the model sees it: a summary replaces the older part, and a short note each outdated content. */
export function shownConversation(messages: readonly UIMessage[]): UIMessage[] {
  const dropped = new Set<string>();
  let summary: { message: UIMessage; covered: Covered } | undefined;
  const lines: UIMessage[] = [];
  for (const message of messages) {
    const note = contextNote(message);
    if (note?.kind === "dropped") for (const call of note.calls) dropped.add(call);
    else if (note?.kind === "summary") summary = { message, covered: note.covered };
    else lines.push(message);
  }
  return withoutCovered(lines, summary)
    .map((message) => withoutStale(message, dropped))
    .filter(({ parts }) => parts.length > 0);
}

function withoutCovered(
  messages: UIMessage[],
  summary: { message: UIMessage; covered: Covered } | undefined,
): UIMessage[] {
  if (!summary) return messages;
  const at = messages.findIndex(({ id }) => id === summary.covered.message);
  // The message that the summary refers to is gone: showing too much is better than nothing.
  if (at === -1) return messages;
  const half = messages[at]!;
  return [
    summary.message,
    { ...half, parts: stepsFrom(half, summary.covered.steps) },
    ...messages.slice(at + 1),
  ];
}

/** A message's parts without its first `steps` steps. */
function stepsFrom({ parts }: UIMessage, steps: number): Part[] {
  let step = 0;
  return parts.filter((part) => {
    if (part.type === "step-start") step++;
    return step > steps;
  });
}

function withoutStale(message: UIMessage, dropped: ReadonlySet<string>): UIMessage {
  if (dropped.size === 0) return message;
  return {
    ...message,
    parts: message.parts.map((part) => {
      if (!isToolUIPart(part) || !dropped.has(part.toolCallId)) return part;
      if (part.state !== "output-available") return part;
      const { content, ...input } = part.input as { content?: unknown };
      return content === undefined
        ? { ...part, output: LEFT_OUT }
        : { ...part, input: { ...input, content: LEFT_OUT } };
    }),
  };
}

/** The conversation as a given model sees it. */
export function shownTo(
  { seesPictures }: Pick<Model, "seesPictures">,
  messages: readonly UIMessage[],
): UIMessage[] {
  const shown = withoutAddresses(shownConversation(messages));
  return seesPictures === false ? withoutPictures(shown) : shown;
}

/** Where a summary ends: it covers all earlier messages and the first `steps` steps of this one. */
export interface Covered {
  message: string;
  steps: number;
}

/**
 * Treadle's own notes in a conversation. Messages are never changed or removed; a note records
 * which part of them the model sees, so that the next step shows the same history.
 */
export type ContextNote =
  | { from: "treadle"; kind: "summary"; covered: Covered }
  | { from: "treadle"; kind: "dropped"; calls: string[] };

export function contextNote({ metadata }: UIMessage): ContextNote | undefined {
  const { kind } = (metadata ?? {}) as Partial<ContextNote>;
  return kind === "summary" || kind === "dropped" ? (metadata as ContextNote) : undefined;
}
