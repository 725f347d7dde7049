import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { setTimeout as sleep } from "node:timers/promises";
import { WorkspaceError } from "../types.ts";
import { ApiFailure, apiError } from "./api-failure.ts";
import type { Api } from "./api.ts";
import { podProgress, type Pod } from "./pod-progress.ts";

/** Time limit for a pod to run, in milliseconds; pulling the image is part of it. */
const START_MS = 300_000;
/** Milliseconds after which a pod that no node takes is given up. */
const UNSCHEDULED_MS = 60_000;
/** Time limit for a pod to end, in milliseconds. */
const END_MS = 60_000;
/** Seconds between being told to end and being killed. */
const GRACE_SECONDS = 1;

const NOT_FOUND = 404;
const CONFLICT = 409;

/** The pods of one namespace. */
export interface Pods {
  path(name: string): string;
  /**
   * Creates a pod and waits until it runs. One of the same name, which another server left, is removed first: a project
   * never has two.
   * @param spec an object of the API, whose name is `name`
   * @throws WorkspaceError `sandbox` with what prevents it
   */
  start(name: string, spec: object): Promise<Pod>;
  /** The pod as it is now; undefined if there is none. */
  find(name: string): Promise<Pod | undefined>;
  /** Ends a pod. Resolves when everything in it is gone, at the latest after a minute; never rejects. */
  remove(name: string): Promise<void>;
  /** Removes pods with these labels that have ended by themselves. Never rejects. */
  sweep(selector: string): Promise<void>;
  /** Waits for the removals under way. */
  close(): Promise<void>;
}

export function openPods(api: Api, namespace: string): Pods {
  const { server } = api.cluster;
  const folder = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const path = (name: string) => `${folder}/${name}`;

  const removals = new Set<Promise<void>>();

  const find = (name: string) =>
    api.ask<Pod>("GET", path(name)).catch((error: unknown) => {
      if (error instanceof ApiFailure && error.status === NOT_FOUND) return undefined;
      throw error;
    });

  /** Calls `look` with the pod after each change, until it returns true, the pod is gone, or the time is over. */
  async function follow(name: string, ms: number, look: (pod: Pod) => boolean): Promise<void> {
    const signal = AbortSignal.timeout(ms);
    const selector = `?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
    // The server ends a watch now and then.
    while (!signal.aborted) {
      if (!(await find(name))) return;
      try {
        for await (const { type, object } of api.watch<Pod>(`${folder}${selector}`, signal)) {
          if (type === "ERROR") break;
          if (type === "DELETED" || look(object)) return;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  async function create(name: string, spec: object): Promise<void> {
    try {
      await api.ask("POST", folder, spec);
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== CONFLICT) throw error;
      await remove(name);
      await api.ask("POST", folder, spec);
    }
  }

  function remove(name: string): Promise<void> {
    const removal = removeNow(name).finally(() => removals.delete(removal));
    removals.add(removal);
    return removal;
  }

  async function removeNow(name: string): Promise<void> {
    try {
      await api.ask("DELETE", `${path(name)}?gracePeriodSeconds=${GRACE_SECONDS}`);
      await follow(name, END_MS, () => false);
    } catch {
      // It is gone, or the API server is: then it ends by itself.
    }
  }

  /** Waits until a new pod runs. Rejects with what prevents it. */
  async function waitUntilRunning(name: string): Promise<Pod> {
    let running: Pod | undefined;
    let why: Sentence | undefined;
    let isFinal = false;
    const unscheduled = new AbortController();
    const started = performance.now();
    await Promise.race([
      follow(name, START_MS, (pod) => {
        const progress = podProgress(pod);
        if (progress.kind === "ready") running = pod;
        else why = progress.why;
        isFinal = progress.kind !== "waiting";
        return isFinal;
      }),
      (async () => {
        while (performance.now() - started < UNSCHEDULED_MS || !why)
          await sleep(1_000, undefined, { signal: unscheduled.signal, ref: false });
      })().catch(() => undefined),
    ]);
    unscheduled.abort();
    if (running) return running;
    throw new WorkspaceError(
      "sandbox",
      sentence("sandbox-not-started", {
        why: why ?? sentence("kubernetes-start-late", { seconds: START_MS / 1000 }),
      }),
    );
  }

  return {
    path,
    find,
    remove,
    close: async () => void (await Promise.all(removals)),
    async start(name, spec) {
      try {
        await create(name, spec);
        return await waitUntilRunning(name);
      } catch (error) {
        void remove(name);
        throw apiError(error, server);
      }
    },
    async sweep(selector) {
      try {
        const { items } = await api.ask<{ items: Pod[] }>(
          "GET",
          `${folder}?labelSelector=${encodeURIComponent(selector)}`,
        );
        const ended = items.filter(({ status }) =>
          ["Failed", "Succeeded"].includes(status?.phase ?? ""),
        );
        await Promise.all(ended.map(({ metadata }) => remove(metadata.name)));
      } catch {
        // Pods that ended take no room of a node; the next start tries again.
      }
    },
  };
}
