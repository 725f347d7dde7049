import { keepCheckpoint } from "../run/keep-checkpoint.ts";
import type { Run } from "../run/state.ts";
import { clipLine } from "../text/clip.ts";

/** Characters of the list of paths that is told. */
const TOLD = 600;

/**
 * Looks whether a command or a server changed files that something outside the sandbox obeys, and puts them back. What
 * they had become is in a checkpoint. May reject as the workspace does.
 * @returns what the model is told, empty where nothing was
 */
export async function putBackObeyed(run: Run): Promise<string> {
  const { obeyed, request } = run;
  if (!obeyed) return "";
  const { approvals } = run.ports;
  for (const [path, version] of request.personWrites)
    if (approvals?.isPersons?.(path, version) ?? true) obeyed.agreed(path, version);
  const changed = await obeyed.changed();
  if (changed.length === 0) return "";
  const names = clipLine(changed.join(", "), TOLD);
  await keepCheckpoint(run, `What a command made of ${clipLine(names, 80)}`);
  const back = await obeyed.putBack(changed);
  const left = changed.filter((path) => !back.includes(path));
  return `\nPut back as they were: ${names}. Agents, editors, git or CI obey them outside this project, so a command may not change them, nor the scripts of package.json that run at an install. If that is really needed, use write_file: the person is then asked.${left.length > 0 ? ` Not put back, for they were too long or no files: ${left.join(", ")}.` : ""}`;
}
