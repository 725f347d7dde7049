import { tailOf } from "@treadle/protocol/safe-text";
import type { ServerState } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { serverText } from "../../text/server-text.ts";
import type { Observation } from "../observation.ts";
import type { Served } from "./serve.ts";
import { takesChanges } from "../../project/takes-changes.ts";
import { crashedPart } from "./watcher-crash.ts";

/** Milliseconds of uptime after which a server with timers counts as stable. */
const STANDS_MS = 6_500;
const LOOK_MS = 100;
/** Matches code that schedules work for later, which may include an exit. */
const BY_THE_CLOCK = String.raw`\bset(?:Timeout|Interval)\(|\bprocess\.exit\b|\bcron\b|\bschedule`;

/**
 * Confirms right before the verdict that the observed server is still running. A server whose sources use timers is watched
 * until it has been up for a while.
 */
export async function observeLasting(
  served: Served,
  whatEnded: () => ServerState | undefined,
  look: Observation,
): Promise<void> {
  const { workspace, clock, signal, settle } = look;
  const { script } = served;
  if (script !== undefined && !takesChanges(script) && (await actsByTheClock(look))) {
    const upMs = clock.now() - (workspace.server?.since ?? clock.now());
    // Counts intervals instead of reading the clock: on a busy machine the app's own timers are late as well.
    for (let looks = Math.ceil((STANDS_MS - upMs) / LOOK_MS); looks > 0; looks--) {
      if (whatEnded()) break;
      await clock.sleep(LOOK_MS, signal);
    }
    // An exit during the request is reported before its answer.
    await workspace.connect(served.ports?.[0] ?? 0).then(
      (stream) => stream.destroy(),
      () => undefined,
    );
  }
  const gone = whatEnded();
  if (gone) {
    const { command, exitCode } = gone;
    const how =
      gone.state !== "crashed"
        ? sentence("went-away", { command })
        : exitCode === undefined
          ? sentence("crashed-early", { command })
          : sentence("crashed-soon", { command, code: String(exitCode) });
    settle("serve", "failed", how, {
      detail: serverText(gone),
    });
    return;
  }
  const crashed = crashedPart(workspace.serverLog());
  if (crashed !== undefined)
    settle("serve", "failed", sentence("part-crashed", { what: crashed }), {
      detail: tailOf(workspace.serverLog(), 4_000),
    });
}

async function actsByTheClock({ workspace }: Observation): Promise<boolean> {
  const { matches } = await workspace.files.search({
    pattern: BY_THE_CLOCK,
    regex: true,
    glob: "*.{js,mjs,cjs,ts,mts,cts}",
    limit: 1,
  });
  return matches.length > 0;
}
