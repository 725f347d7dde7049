import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ApiFailure } from "@treadle/common";
import { createLifecycle, type Lifecycle } from "@treadle/protocol/lifecycle";
import { sentence } from "@treadle/protocol/sentences";
import type { Store } from "@treadle/store";
import type { Owner, OwnedProjects, Ownership } from "./ownership.ts";
import {
  FREE,
  ownershipTransition,
  type OwnershipEffect,
  type OwnershipEvent,
  type OwnershipState,
} from "./ownership-lifecycle.ts";

/** How long an answer about another server's project is used again, in milliseconds. */
const FOUND_MS = 1_000;
/** How often the states of projects are looked at while they are handed over, in milliseconds. */
const HANDOVER_MS = 20;
/** Leases of jobs have this prefix, which no project's id has. */
const JOB = "job:";

const HERE: Owner = { kind: "here" };
const NOBODY: Owner = { kind: "nobody" };

const elsewhere = () => new ApiFailure(503, "elsewhere", sentence("store-not-owner"));

/** One project with which this server has to do. */
interface Held {
  lifecycle: Lifecycle<OwnershipState, OwnershipEvent>;
  epoch: number;
  /** When it was taken, by the server's clock. */
  since: number;
}

export interface LeaseOwnership extends Ownership {
  /**
   * Like `own`, but does not wait for a project that is being closed: what closes it writes as well, and the database
   * refuses that if the lease is lost.
   */
  ownToWrite(project: string): Promise<void>;
  /** Begins to renew, and to take over what other servers leave. */
  begin(): void;
  /** Forgets what is known of a project's owner, because it did not answer as expected. */
  forgetOwner(project: string): void;
  /** Stops renewing. Leases that were not released end by themselves. */
  close(): Promise<void>;
}

/**
 * Ownership by lease. A lease is renewed three times within its duration. Whoever finds one that ended without being
 * released takes it over and ends what was left, so that no project stays interrupted because nobody opens it.
 * @param parts.store the store whose writes are not preceded by `own`
 * @param parts.address where other servers reach this one
 * @param parts.leaseMs how long a server may be silent before its projects are taken over, in milliseconds
 */
export function createLeaseOwnership(parts: {
  store: Store;
  address: string;
  leaseMs: number;
  now(): number;
  onNotice(text: string): void;
}): LeaseOwnership {
  const { store, address, leaseMs, now } = parts;
  const { leases } = store;
  const server = randomUUID();
  const held = new Map<string, Held>();
  const callers = new Map<number, PromiseWithResolvers<void>>();
  const found = new Map<string, { owner: Owner; until: number }>();
  const jobs = new Map<string, number>();
  let lastCaller = 0;
  let isDraining = false;
  let projects: OwnedProjects | undefined;
  let work: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  leases.fence((project, epoch) => {
    const one = held.get(project);
    if (one?.epoch === epoch) one.lifecycle.send({ type: "lost" });
  });

  function heldOf(project: string): Held {
    const known = held.get(project);
    if (known) return known;
    const one: Held = {
      epoch: 0,
      since: now(),
      lifecycle: createLifecycle(
        FREE,
        ownershipTransition,
        (effect: OwnershipEffect) => perform(project, one, effect),
        ({ phase }) => void (phase === "free" && held.get(project) === one && held.delete(project)),
      ),
    };
    held.set(project, one);
    return one;
  }

  function perform(project: string, one: Held, effect: OwnershipEffect): void {
    const { send } = one.lifecycle;
    switch (effect.type) {
      case "acquire":
        leases.acquire(project, { server, address }, leaseMs).then(
          (lease) => {
            if (lease.server !== server) return send({ type: "denied" });
            one.epoch = lease.epoch;
            one.since = now();
            send({ type: "granted" });
          },
          (error: Error) => {
            parts.onNotice(error.message);
            send({ type: "failed" });
          },
        );
        return;
      case "recover":
        recover(project).then(
          () => send({ type: "recovered" }),
          (error: Error) => {
            parts.onNotice(error.message);
            send({ type: "recovery-failed" });
          },
        );
        return;
      case "close":
        void closeProject(project).finally(() => send({ type: "closed" }));
        return;
      case "unlock":
        void unlock(project, one.epoch).finally(() => send({ type: "released" }));
        return;
      case "forget":
        leases.forget(project);
        return;
      default:
        for (const caller of effect.callers) {
          const waiting = callers.get(caller);
          callers.delete(caller);
          if (effect.type === "admit") waiting?.resolve();
          else waiting?.reject(elsewhere());
        }
    }
  }

  const recover = async (project: string) => projects?.recover(project, store);

  async function closeProject(project: string): Promise<void> {
    try {
      await projects?.close(project);
      // What was appended while it was closing is written before somebody else may own it.
      await store.log.settled();
    } catch (error) {
      parts.onNotice((error as Error).message);
    }
  }

  /** Releases a lease. One that cannot be released ends by itself, since it is not renewed. */
  async function unlock(project: string, epoch: number): Promise<void> {
    try {
      const record = await store.projects.get(project);
      await leases.release(project, epoch, (record?.queue?.length ?? 0) > 0);
    } catch (error) {
      parts.onNotice((error as Error).message);
    }
  }

  const ownAnyway = async (project: string): Promise<void> => {
    const { phase } = held.get(project)?.lifecycle.state ?? FREE;
    if (phase === "owned") return;
    if (isDraining) throw elsewhere();
    const caller = ++lastCaller;
    const answer = Promise.withResolvers<void>();
    callers.set(caller, answer);
    found.delete(project);
    heldOf(project).lifecycle.send({ type: "want", caller });
    return answer.promise;
  };

  /** While the server drains, nothing new begins: not even in a project whose turn to be handed over has not come. */
  const own = async (project: string): Promise<void> => {
    if (isDraining) throw elsewhere();
    return ownAnyway(project);
  };

  async function leads(job: string): Promise<boolean> {
    if (jobs.has(job)) return true;
    if (isDraining) return false;
    const lease = await leases.acquire(JOB + job, { server, address }, leaseMs);
    if (lease.server === server) jobs.set(job, lease.epoch);
    return lease.server === server;
  }

  async function renew(): Promise<void> {
    // Those that are taken while the statement runs may be missing from its answer.
    const before = [...held].map(([project, one]) => ({ project, one, epoch: one.epoch }));
    const renewed = await leases.renew(server, leaseMs);
    for (const { project, one, epoch } of before)
      if (epoch > 0 && one.epoch === epoch && renewed.get(project) !== epoch)
        one.lifecycle.send({ type: "lost" });
    for (const [name, epoch] of renewed) {
      if (name.startsWith(JOB)) continue;
      // Its release failed.
      if (!held.has(name)) await leases.release(name, epoch, true);
    }
    for (const [job, epoch] of jobs) if (renewed.get(JOB + job) !== epoch) jobs.delete(job);
  }

  /** Releases what nobody uses here any more, and takes over what other servers left. */
  async function look(): Promise<void> {
    for (const [project, { lifecycle, since }] of held)
      if (now() - since > leaseMs && !projects?.isUsed(project))
        lifecycle.send({ type: "release" });
    const unattended = (await leads("unattended")) ? (projects?.unattended() ?? []) : [];
    for (const name of [...(await leases.orphans()), ...unattended]) {
      if (isDraining || name.startsWith(JOB) || held.has(name)) continue;
      // Another server may be quicker.
      await own(name).catch(() => undefined);
    }
  }

  /** Renews and looks, one after the other; a database that does not answer is asked again. */
  function tick(): void {
    work = renew()
      .then(() => (isDraining ? undefined : look()))
      .catch((error: Error) => parts.onNotice(error.message))
      .then(() => void (timer = setTimeout(tick, leaseMs / 3).unref()));
  }

  return {
    own,
    isShared: true,
    ownToWrite(project) {
      const phase = held.get(project)?.lifecycle.state.phase;
      return phase === "closing" || phase === "dropping" ? Promise.resolve() : ownAnyway(project);
    },
    isHere: (project) => held.get(project)?.lifecycle.state.phase === "owned",
    async start(those) {
      projects = those;
    },
    begin: tick,
    async ownerOf(project) {
      if (held.has(project)) return HERE;
      const known = found.get(project);
      if (known && known.until > now()) return known.owner;
      const lease = await leases.find(project);
      if (!lease || lease.server === server) return NOBODY;
      const owner: Owner = { kind: "elsewhere", address: lease.address };
      found.set(project, { owner, until: now() + FOUND_MS });
      return owner;
    },
    forgetOwner: (project) => void found.delete(project),
    leads,
    async drain() {
      isDraining = true;
      for (const [project, one] of held) {
        while (!["free", "owned"].includes(one.lifecycle.state.phase)) await delay(HANDOVER_MS);
        one.lifecycle.send({ type: "release" });
        while (held.has(project)) await delay(HANDOVER_MS);
      }
      for (const [job, epoch] of jobs) await leases.release(JOB + job, epoch, false);
      jobs.clear();
    },
    async close() {
      isDraining = true;
      clearTimeout(timer);
      await work;
      clearTimeout(timer);
    },
  };
}
