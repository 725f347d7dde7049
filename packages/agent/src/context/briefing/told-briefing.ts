import type { UIMessage } from "ai";
import { shownConversation } from "../conversation/shown-conversation.ts";
import type { Briefing } from "./types.ts";

const TYPE = "data-briefing";

/** The newest briefing that the model still sees, that is, which was not summarised since. */
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
 * The sections that still apply, for a summary of the messages that held them; empty if there are
 * none.
 */
export function standingText(messages: readonly UIMessage[]): string {
  const briefing = toldBriefing(messages);
  return briefing ? Object.values(briefing.sections).filter(Boolean).join("\n\n") : "";
}
