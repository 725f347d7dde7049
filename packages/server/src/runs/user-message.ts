import { planPart, problemsPart, type RunRequest } from "@treadle/agent";
import type { QueuedMessage } from "@treadle/store";
import { picturePart } from "../pictures/message-pictures.ts";

/**
 * What the person said, with its pictures by name. What they asked for with a button stands in parts of its own: text of
 * a page, a program or a model is no words of theirs (A27).
 */
export function userMessage(item: QueuedMessage): RunRequest["message"] {
  const { message, text, pictures = [], fix, plan } = item;
  const parts = [
    ...pictures.map(picturePart),
    { type: "text" as const, text },
    ...(plan === undefined ? [] : [planPart(plan)]),
    ...(fix ? [problemsPart()] : []),
  ];
  return { id: message, role: "user", parts };
}
