import { planPart, problemsPart, type RunRequest } from "@treadle/agent";
import type { QueuedMessage } from "@treadle/store";
import { picturePart } from "@treadle/pictures";

/**
 * The person's message for the model, with references to its pictures. Requests made by button are separate parts,
 * because text of a page, a program or a model is not the person's own (A27).
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
