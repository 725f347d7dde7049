import type { Accounts } from "@treadle/accounts";
import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import { withOpen, type Awake, type WorkspaceDriver } from "@treadle/workspace";

/** A sandbox that was used within this time may be needed for the next page, and stays open. In milliseconds. */
const JUST_MS = 10_000;

/** A project whose sandbox is open. */
export type AwakeProject = Awake & { readonly id: string };

/**
 * Limits how many sandboxes each person's projects have open. At the limit, the least recently used
 * idle one of the same person is closed for the next.
 * @param parts.awake all projects whose sandbox is open or being opened
 * @returns a driver whose `open` rejects with ApiFailure 403 `quota-reached` if all of the person's
 * others are in use
 */
export function withOwnersRoom(
  driver: WorkspaceDriver,
  parts: { quotas: Accounts["quotas"]; awake(): AwakeProject[]; now(): number },
): WorkspaceDriver {
  const { quotas, awake, now } = parts;
  /** Projects that wait for room. `awake` already includes them, but they have no sandbox yet. */
  const pending = new Set<string>();
  /** The latest opening of each person, which resolves once it has room; the next one waits for it. */
  const turns = new Map<string, Promise<void>>();

  async function makeRoom(project: string, owner: string): Promise<void> {
    const { awakePerPerson: limit = Infinity } = await quotas.read();
    if (limit === Infinity) return;
    const owned = new Set(await quotas.owned(owner));
    const others = awake().filter(({ id }) => id !== project && owned.has(id) && !pending.has(id));
    const idle = others
      .filter((one) => now() - one.usedAt() > JUST_MS)
      .toSorted((a, b) => a.usedAt() - b.usedAt());
    const excess = others.length - limit + 1;
    if (excess > idle.length)
      throw new ApiFailure(
        403,
        "quota-reached",
        sentence("quota-awake", { used: others.length, limit }),
      );
    for (const one of idle.slice(0, Math.max(0, excess))) await one.sleep();
  }

  async function enter(project: string): Promise<void> {
    for (const owner of await quotas.ownersOf(project)) {
      const turn = (turns.get(owner) ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => makeRoom(project, owner));
      turns.set(owner, turn);
      try {
        await turn;
      } finally {
        if (turns.get(owner) === turn) turns.delete(owner);
      }
    }
  }

  return withOpen(driver, async (options) => {
    const { project } = options;
    pending.add(project);
    try {
      await enter(project);
    } finally {
      pending.delete(project);
    }
    return driver.open(options);
  });
}
