import { append, gather, type Gathered } from "./gathered.ts";

/** A text with what came of it; the log tells the `whole` of it where it is settled or was begun anew. */
export function grow(before: Gathered, text: string, isComplete: true | undefined): Gathered {
  return isComplete ? gather(text) : append(before, text);
}
