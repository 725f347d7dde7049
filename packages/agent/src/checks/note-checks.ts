import { abortable } from "../async/abortable.ts";
import type { Run } from "../loop/state.ts";
import { CHECKS_FILE } from "./parse-checks.ts";
import { readChecks } from "./read-checks.ts";
import { withStanding, type Standing, type StandingChecks } from "./standing-checks.ts";

/** Where nobody keeps what counts: from the beginning of the run on. */
export function standingInRun(): StandingChecks {
  let standing: Standing | undefined;
  return { read: () => standing, keep: (next) => void (standing = next) };
}

/** Before the run changes anything: what stands now counts for it. Rejects as the workspace does. */
export async function noteChecks({ ports, request, checks, signal }: Run): Promise<void> {
  const { version, ...file } = await abortable(readChecks(ports.workspace), signal);
  const outside = request.changes.some(({ path }) => path === CHECKS_FILE);
  const { standing } = withStanding(file, checks.read(), { by: outside ? "outside" : "model" });
  checks.keep(standing, version);
}
