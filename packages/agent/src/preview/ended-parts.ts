import { plainOutput } from "@treadle/protocol/safe-text";
import type { EndedPart, Workspace } from "@treadle/workspace";
import { clipLine } from "../text/clip.ts";
import { fence } from "../text/fence.ts";

/** Maximum characters of a part's name, and of the end of its output. */
const NAME = 120;
const TEXT = 1_200;

/**
 * Describes for the model the parts of the running server that ended while others continue, such as an API beside a
 * page that is still served. Empty if all parts run, or nothing is known about them.
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
