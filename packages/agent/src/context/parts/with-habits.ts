import type { ModelHabits } from "@treadle/protocol";
import type { UIMessage } from "ai";
import { prose } from "../../text/prose.ts";

const WHOLE_FILES = prose(new URL("./whole-files.md", import.meta.url));

/**
 * The person's message with what the model has to be told because of its habits. It stays with the message: prompt and
 * tools are the same for every model, so that their prefix is cached.
 */
export function withHabits(message: UIMessage, { wholeFiles }: ModelHabits): UIMessage {
  const others = message.parts.filter(({ type }) => type !== "data-habits");
  if (!wholeFiles) return message;
  return { ...message, parts: [...others, { type: "data-habits", data: "whole-files" }] };
}

/** The part as the model reads it. */
export const tellHabits = () => WHOLE_FILES;
