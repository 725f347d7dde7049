import type { UIMessage } from "ai";
import { shownConversation } from "../conversation/shown-conversation.ts";
import type { Briefing } from "./types.ts";

const TYPE = "data-briefing";

/** What the model still has before it: what was told last, where that was not summed up since. */
export function toldBriefing(messages: readonly UIMessage[]): Briefing | undefined {
  return shownConversation([...messages])
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === TYPE)
    .map((part) => (part as { data: unknown }).data as Briefing)
    .at(-1);
}

/** The person's message with the briefing in front of it. */
export function withBriefing(message: UIMessage, briefing: Briefing | undefined): UIMessage {
  if (!briefing) return message;
  return { ...message, parts: [{ type: TYPE, data: briefing }, ...message.parts] };
}

/** All that was told and holds, for when what told it is summed up; empty where nothing was. */
export function standingText(messages: readonly UIMessage[]): string {
  const briefing = toldBriefing(messages);
  return briefing ? Object.values(briefing.sections).filter(Boolean).join("\n\n") : "";
}
