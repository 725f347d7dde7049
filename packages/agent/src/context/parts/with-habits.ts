import type { ModelHabits } from "@treadle/protocol";
import type { UIMessage } from "ai";
import { prose } from "../../text/prose.ts";

const WHOLE_FILES = prose(new URL("./whole-files.md", import.meta.url));

/**
 * Adds instructions that this model's habits require. They are part of the message, since prompt
 * and tools are the same for every model so that their prefix is cached.
 */
export function withHabits(message: UIMessage, { wholeFiles }: ModelHabits): UIMessage {
  const others = message.parts.filter(({ type }) => type !== "data-habits");
  if (!wholeFiles) return message;
  return { ...message, parts: [...others, { type: "data-habits", data: "whole-files" }] };
}

/** The text of a `data-habits` part for the model. */
export const tellHabits = () => WHOLE_FILES;
