import type { UIMessage } from "ai";
import { shownConversation } from "../conversation/shown-conversation.ts";
import type { Briefing } from "./types.ts";

const TYPE = "data-briefing";

/** The newest briefing that the model still sees; those that a summary replaced are left out. */
export function toldBriefing(messages: readonly UIMessage[]): Briefing | undefined {
  return shownConversation([...messages])
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === TYPE)
    .map((part) => (part as { data: unknown }).data as Briefing)
    .at(-1);
}

/** Puts the briefing in front of the person's message. */
export function withBriefing(message: UIMessage, briefing: Briefing | undefined): UIMessage {
  if (!briefing) return message;
  return { ...message, parts: [{ type: TYPE, data: briefing }, ...message.parts] };
}

/**
 * Removes the files that are not in `given` from the briefing of a message; its text stays.
 * @returns the same parts if nothing was removed
 */
export function tellFiles<Part>(parts: Part[], given: ReadonlySet<string>): Part[] {
  const isLess = (part: Part) =>
    isBriefing(part) && part.data.files.some((path) => !given.has(path));
  if (!parts.some(isLess)) return parts;
  return parts.map((part) => {
    if (!isBriefing(part)) return part;
    const files = part.data.files.filter((path) => given.has(path));
    return { ...part, data: { ...part.data, files } };
  });
}

const isBriefing = (part: unknown): part is { type: typeof TYPE; data: Briefing } =>
  (part as { type: string }).type === TYPE;

/**
 * The sections that still apply, for a summary of the messages that held them; empty if there are
 * none.
 */
export function standingText(messages: readonly UIMessage[]): string {
  const briefing = toldBriefing(messages);
  return briefing ? Object.values(briefing.sections).filter(Boolean).join("\n\n") : "";
}
