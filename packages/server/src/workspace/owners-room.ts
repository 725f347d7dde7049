import type { Accounts } from "@treadle/accounts";
import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import { JUST_USED_MS, withOpen, type Awake, type WorkspaceDriver } from "@treadle/workspace";

/** A project whose sandbox is open. */
export type AwakeProject = Awake & { readonly id: string };

type Quotas = Pick<Accounts["quotas"], "limitOf" | "projectsOf" | "holdersOf">;
type Holder = Awaited<ReturnType<Quotas["holdersOf"]>>[number];

export interface OwnersRoom {
  /**
   * Whether a project could be opened now: the limits of its people and teams allow it, if necessary by closing idle
   * ones.
   * @param soon projects that are about to be opened, and count as open
   */
  isFree(project: string, soon: readonly string[]): Promise<boolean>;
  /**
   * Limits how many sandboxes the projects of each person and team have open. At the limit, the least recently used
   * idle one of the same person or team is closed for the next.
   * @returns a driver whose `open` rejects with ApiFailure 403 `quota-reached` if all others are in use
   */
  limit(driver: WorkspaceDriver): WorkspaceDriver;
}

/** @param parts.awake all projects whose sandbox is open or being opened */
export function createOwnersRoom(parts: {
  quotas: Quotas;
  awake(): AwakeProject[];
  now(): number;
}): OwnersRoom {
  const { quotas, awake, now } = parts;
  /** Projects that wait for room. `awake` already includes them, but they have no sandbox yet. */
  const pending = new Set<string>();
  /** The latest opening of each person or team, which resolves once it has room; the next one waits for it. */
  const turns = new Map<string, Promise<void>>();

  /** Which sandboxes to close for a project; undefined if too few are idle. */
  async function plan(project: string, holder: Holder, soon: readonly string[] = []) {
    const limit = await quotas.limitOf(holder, "awake");
    if (limit === Infinity) return { close: [], used: 0, limit };
    const owned = new Set(await quotas.projectsOf(holder));
    const others = awake().filter(({ id }) => id !== project && owned.has(id) && !pending.has(id));
    const coming = soon.filter((id) => id !== project && owned.has(id) && !others.some((one) => one.id === id)); // prettier-ignore
    const idle = others
      .filter(({ id, usedAt }) => now() - usedAt() > JUST_USED_MS && !soon.includes(id))
      .toSorted((a, b) => a.usedAt() - b.usedAt());
    const used = others.length + coming.length;
    const excess = Math.max(0, used - limit + 1);
    return { close: excess > idle.length ? undefined : idle.slice(0, excess), used, limit };
  }

  async function makeRoom(project: string, holder: Holder): Promise<void> {
    const { close, used, limit } = await plan(project, holder);
    if (!close) {
      const code = holder.kind === "team" ? "quota-team-awake" : "quota-awake";
      throw new ApiFailure(403, "quota-reached", sentence(code, { used, limit }));
    }
    for (const one of close) await one.sleep();
  }

  async function enter(project: string): Promise<void> {
    for (const holder of await quotas.holdersOf(project)) {
      const key = `${holder.kind} ${holder.id}`;
      const turn = (turns.get(key) ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => makeRoom(project, holder));
      turns.set(key, turn);
      try {
        await turn;
      } finally {
        if (turns.get(key) === turn) turns.delete(key);
      }
    }
  }

  return {
    async isFree(project, soon) {
      if (awake().some(({ id }) => id === project)) return true;
      for (const holder of await quotas.holdersOf(project))
        if (!(await plan(project, holder, soon)).close) return false;
      return true;
    },
    limit: (driver) =>
      withOpen(driver, async (options) => {
        const { project } = options;
        pending.add(project);
        try {
          await enter(project);
        } finally {
          pending.delete(project);
        }
        return driver.open(options);
      }),
  };
}
