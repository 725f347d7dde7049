import { clipEnds, clipMiddle } from "../../text/clip.ts";
import type { KeepOutput } from "./keep-output.ts";

const countLines = (text: string) => text.split("\n").length;

/** Head and tail of an output, and between them how the rest is seen, where it is kept. */
export async function clipOutput(
  text: string,
  limit: number,
  keep: KeepOutput | undefined,
): Promise<string> {
  if (text.length <= limit) return text;
  const whole = "the whole is in the log";
  const shown = clipMiddle(text, limit, whole);
  if (!keep) return shown;
  const { head, tail } = clipEnds(text, limit);
  // The lines that the cuts run through are left out in part.
  const of = countLines(text);
  const left = { from: countLines(head), to: of - countLines(tail) + 1, of };
  const how = await keep(text, left);
  return how === undefined ? shown : clipMiddle(text, limit, how);
}
