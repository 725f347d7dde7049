import { append, gather, type Gathered } from "./gathered.ts";

/** Appends to a text, or replaces it if the log entry holds the complete text. */
export function growText(before: Gathered, text: string, isComplete: true | undefined): Gathered {
  return isComplete ? gather(text) : append(before, text);
}
