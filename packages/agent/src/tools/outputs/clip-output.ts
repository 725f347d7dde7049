import { clipEnds, clipMiddle } from "../../text/clip.ts";
import type { KeepOutput } from "./keep-output.ts";

const countLines = (text: string) => text.split("\n").length;

/**
 * Clips an output to its head and tail, with a line between them about how to read the rest, if it
 * is saved.
 */
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
  // The lines at both cuts count as omitted.
  const total = countLines(text);
  const left = { from: countLines(head), to: total - countLines(tail) + 1, total };
  const how = await keepOutput(text, left);
  return how === undefined ? shown : clipMiddle(text, limit, how);
}
