import { plainOutput } from "@treadle/protocol/safe-text";
import type { EndedPart, Workspace } from "@treadle/workspace";
import { clipLine } from "../text/clip.ts";
import { fence } from "../text/fence.ts";

/** Characters of a part's name, and of what each said last. */
const NAME = 120;
const TEXT = 1_200;

/**
 * Parts of the running server that ended while others continue, in words for the model: for example
 * an API beside a page that is still served. Empty if all of them run, or nothing is known about
 * them.
 */
export async function endedNote(workspace: Workspace): Promise<string> {
  const parts = (await workspace.endedParts?.().catch(() => [])) ?? [];
  return parts.map(noteOf).join("");
}

function noteOf({ name, code, signal, text }: EndedPart): string {
  const how = code === undefined ? `by ${signal ?? "a signal"}` : `with exit code ${code}`;
  const lastLines = plainOutput(text).trim().slice(-TEXT);
  const words = `\nA part of the server has ended ${how} and does not run: ${clipLine(plainOutput(name), NAME)}.`;
  return lastLines === "" ? words : `${words}\n${fence("stderr", lastLines)}`;
}
