import type { ProjectPath } from "@treadle/protocol";
import type { FileDifference, Workspace } from "@treadle/workspace";
import type { Browser } from "../ports/browser.ts";
import { readFacts } from "../project/project-facts.ts";
import { readText } from "../project/project-files.ts";
import { codeOf } from "./changed-lines.ts";
import { givenLines } from "./given-lines.ts";
import { isAnsweredByName } from "./touched-routes.ts";
import { recordCode, type CodeRecord } from "./what-ran.ts";
import { readWrittenCode, type WrittenCode } from "./written-code.ts";

/** Files of one turn whose functions are read. */
const FILES = 60;

/**
 * A record of what runs of the code that a turn wrote, before anything is looked at.
 * @param since a checkpoint, or what differs from some other moment
 * @param given text of files as a template put them there since then
 * @returns undefined where nothing of it could be seen to run, or it cannot be compared
 */
export async function openCodeRecord(
  workspace: Workspace,
  since: string | readonly FileDifference[],
  given: ReadonlyMap<ProjectPath, string> = new Map(),
): Promise<CodeRecord | undefined> {
  const differences =
    typeof since === "string" ? await workspace.diff(since).catch(() => undefined) : since;
  if (!differences) return undefined;
  const turn = codeOf(differences);
  const code = new Map<ProjectPath, WrittenCode>();
  const ofTemplate = new Map<ProjectPath, ReadonlySet<number>>();
  for (const path of [...turn.lines.keys()].slice(0, FILES)) {
    const text = await readText(workspace, path);
    const written = text === undefined ? undefined : await readWrittenCode(path, text);
    if (!written) continue;
    code.set(path, written);
    ofTemplate.set(path, givenLines(text!, written, given.get(path)));
  }
  if (code.size === 0) return undefined;
  const packages = Object.keys((await readFacts(workspace)).manifest?.dependencies ?? {});
  const answered = [...code.keys()].filter((path) => isAnsweredByName(path, packages));
  return recordCode(turn, code, new Set(answered), ofTemplate);
}

/** The same browser, of whose looks the record takes note. */
export const recorded = (browser: Browser, code: CodeRecord | undefined): Browser =>
  code
    ? { ...browser, look: (request) => browser.look({ ...request, code: code.watch() }) }
    : browser;
