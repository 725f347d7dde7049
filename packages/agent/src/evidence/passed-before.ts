import type { Check } from "../checks/parse-checks.ts";
import type { DataCopies, DataCopy } from "../ports/data-copies.ts";
import { readFacts } from "../project/project-facts.ts";
import { stableJson } from "../text/stable-json.ts";
import { serverCommand } from "./server-command.ts";
import { tryCheck } from "./try-check.ts";

/** Milliseconds for all checks on the revision before the turn; what is not tried by then is not known to have passed. */
const WHOLE_MS = 20_000;
/** Milliseconds that something expected is given to come: on a revision without the feature most of it never does. */
const EXPECT_MS = 1_200;

/** The revision that stood before the turn, and what it is tried with. */
export interface RevisionBefore {
  copies: DataCopies;
  /** Checkpoint or revision. */
  checkpoint: string;
  signal: AbortSignal;
}

/**
 * Runs checks on the revision before the turn: one that passes there as well proves nothing of the turn.
 * @returns those that passed; undefined where that revision cannot be tried without installing something first
 */
export async function passedBefore(
  checks: readonly Check[],
  now: Pick<DataCopy, "workspace">,
  { copies, checkpoint, signal }: RevisionBefore,
): Promise<ReadonlySet<Check> | undefined> {
  const passed = new Set<Check>();
  const copy = await copies.open();
  if (!copy) return undefined;
  try {
    const { workspace, browser } = copy;
    await workspace.restore(checkpoint);
    const [before, after] = await Promise.all([readFacts(workspace), readFacts(now.workspace)]);
    const dependencies = ({ manifest }: typeof before) => stableJson(manifest?.dependencies ?? {});
    if (dependencies(before) !== dependencies(after)) return undefined;
    const command = serverCommand(before, undefined);
    const { use } = browser;
    if (!command || !use) return passed;
    const ends = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]);
    const server = await workspace.start(command.command, { signal: ends, alone: true });
    const [port] = server.ports;
    if (server.state !== "up" || port === undefined) return passed;
    for (const check of checks) {
      const { state } = await tryCheck(async () => ({ use, port }), check, {
        signal: ends,
        expectMs: EXPECT_MS,
      });
      if (state === "held") passed.add(check);
    }
    return passed;
  } catch {
    // What could not be tried there is not known to have passed.
    signal.throwIfAborted();
    return passed;
  } finally {
    await copy.close();
  }
}
