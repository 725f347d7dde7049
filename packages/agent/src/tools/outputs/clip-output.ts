import { clipEnds, clipMiddle } from "../../text/clip.ts";
import type { KeepOutput } from "./keep-output.ts";

const countLines = (text: string) => text.split("\n").length;

/** Head and tail of an output, and between them how the rest is seen, where it is kept. */
export async function clipOutput(
  text: string,
  limit: number,
  keepOutput: KeepOutput | undefined,
): Promise<string> {
  if (text.length <= limit) return text;
  const note = "the whole is in the log";
  const shown = clipMiddle(text, limit, note);
  if (!keepOutput) return shown;
  const { head, tail } = clipEnds(text, limit);
  // The lines that the cuts run through are left out in part.
  const total = countLines(text);
  const left = { from: countLines(head), to: total - countLines(tail) + 1, total };
  const how = await keepOutput(text, left);
  return how === undefined ? shown : clipMiddle(text, limit, how);
}
