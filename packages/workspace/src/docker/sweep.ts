import { isAlive } from "../host/leftovers.ts";
import type { Engine } from "./engine.ts";

/** Labels of every container of Treadle: its owner, and the process that started it. */
export const OWNER_LABEL = "dev.treadle.owner";
export const SERVER_LABEL = "dev.treadle.server";

/**
 * Removes containers of killed servers (their guests usually exit by themselves, since their input
 * has ended).
 * @param owner only containers of this data folder: other servers, on other machines, may use the
 * same engine
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
