import { tailOf } from "@treadle/protocol/safe-text";
import type { ServerState } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { serverText } from "../text/server-text.ts";
import type { Observation } from "./observation.ts";
import type { Served } from "./serve.ts";
import { takesChanges } from "../project/takes-changes.ts";
import { crashedPart } from "./watcher-crash.ts";

/** Milliseconds since it came up after which a server that does things by the clock counts as standing. */
const STANDS_MS = 6_500;
const LOOK_MS = 100;
/** What makes a program do something later than when it was asked, its end among it. */
const BY_THE_CLOCK = String.raw`\bset(?:Timeout|Interval)\(|\bprocess\.exit\b|\bcron\b|\bschedule`;

/**
 * The last thing before a verdict: the server that all this was seen of still stands. One whose sources do something by
 * the clock is watched until it has been up for a while.
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
    // Counted, not read from the clock: on a machine so busy that each look comes late, the app's own clock is late as well.
    for (let looks = Math.ceil((STANDS_MS - upMs) / LOOK_MS); looks > 0; looks--) {
      if (whatEnded()) break;
      await clock.sleep(LOOK_MS, signal);
    }
    // What ended while this was asked is told before the answer.
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
