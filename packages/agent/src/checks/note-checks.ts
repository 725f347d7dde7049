import type { Workspace } from "@treadle/workspace";
import { abortable } from "../async/waiting.ts";
import { readChecks } from "./read-checks.ts";
import { countChecks, type CountedChecks, type ChecksStore } from "./which-checks-count.ts";

/** A store for the applying checks that lasts for one run only. */
export function countedInRun(): ChecksStore {
  let counted: CountedChecks | undefined;
  return { read: () => counted, save: (next) => void (counted = next) };
}

/**
 * Records the checks that apply before the run changes anything. Rejects as the workspace does.
 * @param by the author of the file's changes since the last run
 */
export async function noteChecks(
  workspace: Workspace,
  checks: ChecksStore,
  by: "model" | "outside",
  signal: AbortSignal,
): Promise<void> {
  const { version, ...file } = await abortable(readChecks(workspace), signal);
  const { counted } = countChecks(file, checks.read(), { by });
  checks.save(counted, version);
}
