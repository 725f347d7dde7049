import { Worker } from "node:worker_threads";
import { createLanes } from "./lanes.ts";
import { ParserFailure } from "./parser-failure.ts";
import type { ThreadMessage } from "./thread-messages.ts";

/** Limits of a pool. */
export interface PoolLimits {
  /** Maximum number of threads. */
  threads: number;
  /** Heap limit of one thread, in megabytes. */
  heapMegabytes: number;
  /**
   * Time limit for starting a thread and importing a parser's module, in milliseconds. Generous: no text is parsed yet.
   */
  loadMs: number;
  /** Threads end after this many milliseconds without a job. */
  idleMs: number;
  /** Maximum number of waiting jobs in one lane; further ones are refused as `busy`. */
  waitingPerLane: number;
}

/** One call of a parser. */
export interface PoolJob {
  /** The address of a module that exports `parse`. */
  module: string;
  /** Arguments of `parse`; the structured clone algorithm copies them. */
  args: readonly unknown[];
  /** Time limit for `parse`, in milliseconds. */
  limitMs: number;
  /** Lanes take turns, so that one project's texts do not delay another's. */
  lane: string;
  signal?: AbortSignal | undefined;
}

interface Entry extends PoolJob {
  resolve(value: unknown): void;
  reject(failure: ParserFailure): void;
}

/** Runs parsers on worker threads. */
export interface ParserPool {
  /** @returns what `parse` returned. @throws ParserFailure */
  run(job: PoolJob): Promise<unknown>;
  /** Ends all threads; jobs that still run fail as `aborted`. */
  close(): Promise<void>;
}

const THREAD = new URL(`./parser-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url); // prettier-ignore
/** When run from sources, packages of the repository must resolve to their sources as well. */
const EXEC_ARGV = import.meta.url.endsWith(".ts") ? ["--conditions=treadle-source"] : [];

/** Creates a pool whose threads start with the first job that needs them. */
export function createParserPool(limits: PoolLimits): ParserPool {
  const lanes = createLanes<Entry>(limits.waitingPerLane);
  const idle = new Set<Worker>();
  const busy = new Map<Worker, (failure: ParserFailure) => void>();
  let idleTimer: NodeJS.Timeout | undefined;

  function startThread(): Worker {
    const worker = new Worker(THREAD, {
      env: {},
      execArgv: EXEC_ARGV,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
    });
    // A thread that fails between two jobs is replaced; no job is affected.
    return worker.on("error", () => idle.delete(worker)).on("exit", () => idle.delete(worker));
  }

  function dispatch(): void {
    clearTimeout(idleTimer);
    while (busy.size < limits.threads) {
      const entry = lanes.take();
      if (!entry) break;
      const [worker = startThread()] = idle;
      idle.delete(worker);
      perform(worker, entry);
    }
    if (busy.size === 0 && idle.size > 0) idleTimer = setTimeout(endIdle, limits.idleMs).unref();
  }

  function endIdle(): void {
    for (const worker of idle) void worker.terminate();
    idle.clear();
  }

  function perform(
    worker: Worker,
    { module, args, limitMs, signal, resolve, reject }: Entry,
  ): void {
    let timer = setTimeout(onTimeout, limits.loadMs);
    function settle(isReusable: boolean): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      busy.delete(worker);
      worker.unref();
      if (isReusable) idle.add(worker);
      else void worker.terminate();
      dispatch();
    }
    function fail(failure: ParserFailure): void {
      settle(false);
      reject(failure);
    }
    function onTimeout(): void {
      fail(new ParserFailure("timeout", `The text took longer than ${limitMs} ms to read.`));
    }
    function onAbort(): void {
      fail(new ParserFailure("aborted", "The caller stopped waiting for the text."));
    }
    function onError(error: Error & { code?: string }): void {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      fail(new ParserFailure(isMemory ? "memory" : "failed", error.message));
    }
    function onExit(): void {
      fail(new ParserFailure("failed", "The parser's thread ended."));
    }
    function onMessage(message: ThreadMessage): void {
      switch (message.type) {
        case "loaded":
          clearTimeout(timer);
          timer = setTimeout(onTimeout, limitMs);
          break;
        case "result":
          settle(true);
          resolve(message.value);
          break;
        case "error":
          settle(true);
          reject(new ParserFailure("failed", message.message));
      }
    }
    busy.set(worker, fail);
    worker.ref();
    worker.on("message", onMessage).once("error", onError).once("exit", onExit);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      worker.postMessage({ module, args });
    } catch (error) {
      // An argument that cannot be copied is a fault of the caller; the thread has not seen it.
      settle(true);
      reject(new ParserFailure("failed", String(error)));
    }
  }

  return {
    run(job) {
      if (job.signal?.aborted)
        return Promise.reject(new ParserFailure("aborted", "The caller has stopped already."));
      return new Promise((resolve, reject) => {
        const entry = { ...job, resolve, reject };
        if (!lanes.add(job.lane, entry))
          return reject(new ParserFailure("busy", "Too many texts are waiting to be read."));
        job.signal?.addEventListener(
          "abort",
          () => {
            if (lanes.remove(job.lane, entry))
              reject(new ParserFailure("aborted", "The caller stopped waiting for the text."));
          },
          { once: true },
        );
        dispatch();
      });
    },
    async close() {
      clearTimeout(idleTimer);
      const threads = [...idle, ...busy.keys()];
      for (let entry = lanes.take(); entry; entry = lanes.take())
        entry.reject(new ParserFailure("aborted", "The pool was closed."));
      for (const fail of busy.values()) fail(new ParserFailure("aborted", "The pool was closed."));
      idle.clear();
      await Promise.all(threads.map((worker) => worker.terminate()));
    },
  };
}
