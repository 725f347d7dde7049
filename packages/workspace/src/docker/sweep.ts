import { isAlive } from "../host/leftovers.ts";
import type { Engine } from "./engine.ts";

/** What every container of ours is marked with: whose it is, and the process that it is for. */
export const OWNER_LABEL = "dev.treadle.owner";
export const SERVER_LABEL = "dev.treadle.server";

/**
 * Removes containers that servers left behind which were killed (their guest ends by itself as a rule: its input has ended).
 * @param owner only those of this data folder: another's server may run in another machine, over the same engine
 */
export async function sweepContainers(engine: Engine, owner: string): Promise<void> {
  const all = await engine.listContainers({
    all: true,
    filters: { label: [`${OWNER_LABEL}=${owner}`] },
  });
  await Promise.all(
    all
      .filter(({ Labels }) => {
        const pid = Number(Labels[SERVER_LABEL]);
        return !(pid > 0) || (pid !== process.pid && !isAlive(pid));
      })
      .map(({ Id }) =>
        engine
          .getContainer(Id)
          .remove({ force: true, v: true })
          .catch(() => undefined),
      ),
  );
}
