import type { ApprovalPolicy, Usage } from "@treadle/protocol";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ProjectRecord, Store } from "@treadle/store";
import { removeTree } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { trustOf } from "./trust-of.ts";
import { holdRuntime, stopping, type HeldRuntime } from "./held-runtime.ts";
import { createProjectRuntime } from "./project-runtime.ts";
import type { ProjectRuntime } from "./types.ts";
import { readView } from "../project-context/read-fold.ts";
import { recoverProject } from "../runs/recover.ts";
import { DEFAULT_IDLE_MS } from "./idle-setting.ts";
import type { RuntimeParts } from "../project-context/project-context.ts";
import { IMPORT_MARK, sweepDrafts } from "../project-context/drafts.ts";
import { projectFolder } from "../project-context/project-folder.ts";
import type { AwakeProject } from "../workspace/owners-room.ts";

/** The runtimes of all projects. */
export interface Runtimes {
  /** The runtime of a project, created on the first call. @throws ApiFailure 404, or 503 after `close`. */
  get(project: string): Promise<ProjectRuntime>;
  /** Whether the project exists and is neither deleted nor being deleted. */
  has(project: string): boolean | Promise<boolean>;
  /** The runtime if there is one; it may be closing. */
  known(project: string): ProjectRuntime | undefined;
  /** The projects with an open sandbox, except for `besides`. */
  awake(besides: string): AwakeProject[];
  /** The project whose preview has that capability; undefined if there is none. */
  projectOf(capability: string): string | undefined;
  created(project: ProjectRecord): void;
  /**
   * Tokens and cost (US$) of a project and its parallel requests together, without the active run of `project`
   * itself. Projects that are not loaded are left out.
   */
  sharedUsage(project: string): { tokens: number; costUsd: number };
  /** The approval policy of projects that have no own one. */
  defaultApprovals(): ApprovalPolicy;
  /** Stops a project's runs and closes its workspace. `get` opens it again. */
  release(project: string): Promise<void>;
  /** Closes the project and deletes its stored data. A folder of the person's own is left in place. */
  remove(project: string): Promise<void>;
  /**
   * Closes the project and hides it. `putBack` undoes that, until `sweep` removes the project after `UNDO_MS`.
   * @throws ApiFailure 404
   */
  delete(project: string): Promise<void>;
  /** Shows a deleted project again. @throws ApiFailure 404 if it is not deleted, or already removed */
  putBack(project: string): Promise<void>;
  /**
   * Suspends projects that were idle for `idleMs`, closes those idle for twice as long, and deletes those marked as
   * removed.
   */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** How long a deleted project can be put back, in milliseconds. */
export const UNDO_MS = 10 * 60_000;

/** Logged when a project opens whose last look never ended, because Treadle did. */
const LOOK_OVER = { type: "look-end" } as const;

type Hold =
  /** The project is being closed and hidden. */
  | { kind: "deleting" }
  /** The project is being put back, so it can be neither removed nor put back again. */
  | { kind: "putting-back" }
  | { kind: "removing"; done: Promise<void> };

export async function openRuntimes(parts: RuntimeParts): Promise<Runtimes> {
  const { store, ownership } = parts;
  const { idleMs = DEFAULT_IDLE_MS } = parts;
  /** By project, for those whose runtime exists, or is being created or closed. */
  const held = new Map<string, HeldRuntime>();
  /** The deletion, restoration or removal in progress, by project: one at a time. */
  const holds = new Map<string, Hold>();
  const capabilities = new Map<string, string>();
  /** The project of which a parallel request's copy was made, by the copy's id. */
  const origins = new Map<string, string>();
  const entered = ({ id, capability, parallelOf }: ProjectRecord) => {
    capabilities.set(capability, id);
    if (parallelOf !== undefined) origins.set(id, parallelOf);
  };
  let closed = false;
  const importMark = (id: string) => join(projectFolder(parts.dataDirectory, id), IMPORT_MARK);

  /** Ends what a server left that was killed while it owned the project. */
  async function recover(id: string, from: Store): Promise<void> {
    const record = await from.projects.get(id);
    if (!record) return;
    entered(record);
    const folder = projectFolder(parts.dataDirectory, id);
    // The server was killed during the import of this project, so nothing of the project is left.
    if (existsSync(importMark(id))) {
      await from.projects.remove(id);
      await removeTree(folder).catch((error: Error) => parts.onNotice(error.message));
      return;
    }
    sweepDrafts(folder);
    await recoverProject(from, record);
    await parts.published?.takeOver(id);
  }

  async function make(id: string): Promise<ProjectRuntime> {
    // A caller that waited until the runtime closed finds the project removed (A71).
    if (isGoing(id)) throw notFound("project");
    await ownership.own(id);
    const record = await store.projects.get(id);
    if (!record) throw notFound("project");
    const fold = await readView(store, id);
    if (fold.state.look) {
      store.log.append(id, LOOK_OVER);
      fold.add(LOOK_OVER, parts.clock.now());
    }
    const runtime = createProjectRuntime(record, fold, parts);
    // The app's server that the log reports as running ended with the last runtime.
    runtime.serverIsGone();
    // Logs that a killed or older Treadle left uncompacted are compacted in the background.
    store.log.compact(id).catch(() => undefined);
    return runtime;
  }

  function heldOf(id: string): HeldRuntime {
    let one = held.get(id);
    if (!one) {
      const made = holdRuntime(
        () => make(id),
        () => void (held.get(id) === made && held.delete(id)),
      );
      held.set(id, (one = made));
    }
    return one;
  }

  const release = async (id: string): Promise<void> => held.get(id)?.release();

  /** Whether the project is being deleted or removed. Other callers treat it as absent. */
  const isGoing = (id: string): boolean =>
    ["deleting", "removing"].includes(holds.get(id)?.kind ?? "");

  const ready = (): ProjectRuntime[] => [...held.values()].flatMap((one) => one.current() ?? []);

  async function remove(record: ProjectRecord): Promise<void> {
    const { id, capability } = record;
    await ownership.own(id);
    capabilities.delete(capability);
    await release(id);
    await parts.published?.remove(id);
    // The project is gone only once its files are. A failed removal is reported and can be retried.
    await removeTree(projectFolder(parts.dataDirectory, id)).catch((error: Error) => {
      capabilities.set(capability, id);
      throw new ApiFailure(500, "files-stay", sentence("files-stay", { why: error.message }));
    });
    await parts.mcp?.forget(id);
    origins.delete(id);
    await trustOf(parts, id).removed();
    await store.projects.remove(id);
  }

  const deletedOne = async (project: string) =>
    (await store.projects.deleted()).find(({ id }) => id === project);

  /**
   * Removes a project, or waits for a removal in progress.
   * @param find reads the project's record; undefined if it is not to be removed any more
   */
  async function removeOnce(
    id: string,
    find: () => Promise<ProjectRecord | undefined>,
  ): Promise<void> {
    const record = holds.get(id)?.kind === "removing" ? undefined : await find();
    const before = holds.get(id);
    if (before?.kind === "removing") return before.done;
    // While the project is being deleted or put back, it cannot be removed.
    if (before || !record) throw notFound("project");
    const done = remove(record).finally(() => holds.delete(id));
    holds.set(id, { kind: "removing", done });
    await done;
  }

  const records = await store.projects.list();
  for (const record of records) entered(record);
  await ownership.start(
    {
      recover,
      async close(id) {
        await release(id);
        await parts.published?.rest(id);
        parts.published?.back(id);
      },
      isUsed: (id) =>
        held.has(id) || parts.published?.isAwake(id) === true || existsSync(importMark(id)),
      unattended: () => parts.published?.withJobs() ?? [],
    },
    records.map(({ id }) => id),
  );

  return {
    async get(id) {
      // A page that reconnects during the stop would start a sandbox that nothing ends.
      if (closed) throw stopping();
      if (isGoing(id)) throw notFound("project");
      // One that is open may be about to be handed over to another server.
      await ownership.own(id);
      return heldOf(id).open();
    },
    known: (id) => held.get(id)?.current(),
    awake: (besides) => ready().filter((one) => one.id !== besides && one.isAwake()),
    projectOf: (capability) => capabilities.get(capability),
    defaultApprovals: () => ({ mode: parts.approvalMode, always: [] }),
    created: entered,
    has(id) {
      if (isGoing(id)) return false;
      if (held.get(id)?.current()) return true;
      return store.projects.get(id).then((record) => record !== undefined);
    },
    sharedUsage(project) {
      const origin = origins.get(project) ?? project;
      const copies = [...origins].flatMap(([copy, from]) => (from === origin ? [copy] : []));
      const used = { tokens: 0, costUsd: 0 };
      const add = ({ inputTokens, outputTokens, costUsd = 0 }: Usage, sign: 1 | -1) => {
        used.tokens += sign * (inputTokens + outputTokens);
        used.costUsd += sign * costUsd;
      };
      for (const id of [origin, ...copies]) {
        const view = held.get(id)?.current()?.view;
        if (!view) continue;
        add(view.usage, 1);
        if (id !== origin) add(view.inheritedUsage, -1);
        if (id !== project) add(view.runUsage, 1);
      }
      return used;
    },
    release,
    remove: (id) =>
      removeOnce(id, async () => (await store.projects.get(id)) ?? (await deletedOne(id))),
    async delete(id) {
      const record = await store.projects.get(id);
      if (!record || holds.has(id)) throw notFound("project");
      // The project can no longer be opened. Closing it records its last state, so it is marked after that.
      holds.set(id, { kind: "deleting" });
      capabilities.delete(record.capability);
      try {
        await release(id);
        await parts.published?.rest(id);
        await store.projects.update(id, { deletedAt: parts.clock.now() });
      } catch (error) {
        capabilities.set(record.capability, id);
        parts.published?.back(id);
        throw error;
      } finally {
        holds.delete(id);
      }
    },
    async putBack(id) {
      if (holds.has(id)) throw notFound("project");
      holds.set(id, { kind: "putting-back" });
      try {
        const record = await deletedOne(id);
        if (!record) throw notFound("project");
        await store.projects.update(id, { deletedAt: undefined });
        capabilities.set(record.capability, id);
        parts.published?.back(id);
        await recoverProject(store, record);
      } finally {
        holds.delete(id);
      }
    },
    async sweep() {
      const now = parts.clock.now();
      for (const { id, deletedAt = now } of await store.projects.deleted()) {
        if (now - deletedAt <= UNDO_MS) continue;
        // The project may have been put back, and deleted again, while others were being removed.
        const stillGone = async () => {
          const record = await deletedOne(id);
          return record?.deletedAt === deletedAt ? record : undefined;
        };
        await removeOnce(id, stillGone).catch((error: Error) => {
          // Another server may own the project, which removes it then.
          if (!(error instanceof ApiFailure && [404, 503].includes(error.status)))
            parts.onNotice(error.message);
        });
      }
      const unused = ready().filter((runtime) => now - runtime.usedAt() > idleMs);
      await Promise.all(
        unused.map(async (runtime) => {
          const { id } = runtime;
          const ending = held.get(id)?.isStuck()
            ? release(id)
            : runtime.isAwake()
              ? runtime.sleep()
              : now - runtime.usedAt() > 2 * idleMs
                ? release(id)
                : undefined;
          // Tried again at the next sweep.
          await ending?.catch((error: Error) =>
            parts.onNotice(`A project could not be put to sleep: ${error.message}`),
          );
        }),
      );
    },
    async close() {
      closed = true;
      const ended = await Promise.allSettled([...held.values()].map((one) => one.close()));
      for (const result of ended) if (result.status === "rejected") throw result.reason;
    },
  };
}
