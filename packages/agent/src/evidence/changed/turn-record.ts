import type { ProjectPath } from "@treadle/protocol";
import type { FileDifference, Workspace } from "@treadle/workspace";
import type { Browser } from "../../ports/browser.ts";
import { readFacts } from "../../project/project-facts.ts";
import { readText } from "../../project/project-files.ts";
import { codeOf } from "./changed-lines.ts";
import { givenLines } from "./given-lines.ts";
import { isAnsweredByName } from "./touched-routes.ts";
import { recordCode, type CodeRecord } from "./what-ran.ts";
import { readWrittenCode, type WrittenCode } from "./written-code.ts";

/** How many files of one turn have their functions parsed. */
const FILES = 60;

/**
 * Creates the record of which code of a turn runs; it is empty at first.
 * @param since a checkpoint, or the differences from another moment
 * @param given the texts of files that a template has written since then
 * @returns undefined if none of the code can be observed, or if it cannot be compared
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

/** Wraps a browser so that the record notes which code its pages run. */
export const recorded = (browser: Browser, code: CodeRecord | undefined): Browser =>
  code
    ? { ...browser, look: (request) => browser.look({ ...request, code: code.watch() }) }
    : browser;
