import { asSentence, type Sentence } from "@treadle/protocol/sentences";
import type { Found } from "./types.ts";

/** Creates a finding, with the codes of its text beside the English. */
export function finding({
  title,
  todo,
  ...rest
}: Omit<Found, "title" | "todo"> & {
  title: string | Sentence;
  todo: string | Sentence;
}): Found {
  const [titleSentence, asked] = [asSentence(title), asSentence(todo)];
  return {
    ...rest,
    title: titleSentence.text,
    titleCode: titleSentence.coded,
    todo: asked.text,
    todoCode: asked.coded,
  };
}
