import { sentence } from "@treadle/protocol/sentences";
import type { TabAnswer, TabAsk } from "@treadle/protocol";
import { WorkspaceError, type Workspace, type WorkspaceNotice } from "../types.ts";
import type { TabFiles } from "./tab-files.ts";
import { TabLeft, type TabLink } from "./tab-link.ts";

type AnswerTo<Ask extends TabAsk> = Extract<TabAnswer, { kind: Ask["kind"] }>;

interface AskOptions {
  signal?: AbortSignal;
  onOutput?: (text: string) => void;
  /**
   * Called with the request's number in the tab that receives it, and a function that cancels it
   * there.
   */
  onAsked?: (id: number, cancel: () => void) => void;
  /** Called when work continues, or starts again. */
  onOpen?: () => void;
  onLeft?: () => void;
}

/**
 * Sends requests to the current tab: without one it waits and reports that, and it repeats requests
 * that a tab left unanswered.
 */
export interface TabAsking {
  /** Whether a tab is connected, with all files and installed packages. */
  readonly isOpen: boolean;
  /** Aborted once the workspace is stopped. */
  readonly stopped: AbortSignal;
  /** Call for a new, empty container; it is open once `prepare` has resolved. */
  arrived(prepare: () => Promise<unknown>): void;
  left(): void;
  /** Makes the next request reject with this error. */
  failed(error: unknown): void;
  refuseStopped(): void;
  /** Resolves when a tab is open; reports once that it is waiting. */
  whenOpen(signal?: AbortSignal): Promise<void>;
  /** Sends a request to the connected tab, whether or not it is ready. Rejects with `TabLeft` when the tab disconnects. */
  askNow<Ask extends TabAsk>(
    ask: Ask,
    options?: Pick<AskOptions, "onOutput" | "onAsked">,
  ): Promise<AnswerTo<Ask>>;
  /** Repeats a request until a tab has answered it; if the tab disconnects, waits for the next. */
  ask<Ask extends TabAsk>(ask: Ask, options?: AskOptions): Promise<AnswerTo<Ask>>;
  stop(): void;
}

export function createTabAsking(
  link: TabLink,
  base: Pick<Workspace, "revision">,
  files: Pick<TabFiles, "settled">,
  notify: (notice: WorkspaceNotice) => void,
): TabAsking {
  const stopping = new AbortController();
  /** Counts containers, and their ends. */
  let container = 0;
  let isOpen = false;
  let waiting: (() => void)[] = [];
  let failure: unknown;

  function refuseStopped(): void {
    if (stopping.signal.aborted)
      throw new WorkspaceError("stopped", sentence("workspace-was-stopped"));
  }

  async function whenOpen(signal?: AbortSignal): Promise<void> {
    refuseStopped();
    signal?.throwIfAborted();
    if (isOpen) return;
    if (waiting.length === 0 && !link.isReady) notify({ type: "tab", open: false });
    const stopSignal = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        stopSignal.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => {
        waiting = waiting.filter((one) => one !== go);
        reject(stopSignal.reason as Error);
      };
      stopSignal.addEventListener("abort", onAbort, { once: true });
      waiting.push(go);
    }).catch((error: unknown) => {
      refuseStopped();
      throw error;
    });
  }

  const askNow: TabAsking["askNow"] = async (ask, { onOutput, onAsked } = {}) => {
    await files.settled();
    if (failure !== undefined) {
      const error = failure;
      failure = undefined;
      throw error;
    }
    const asked = link.ask(ask, { revision: await base.revision(), onOutput });
    onAsked?.(asked.id, asked.cancel);
    return asked.answer;
  };

  return {
    get isOpen() {
      return isOpen;
    },
    stopped: stopping.signal,
    arrived(prepare) {
      const own = ++container;
      void prepare()
        .catch((error: unknown) => {
          if (!(error instanceof TabLeft)) failure ??= error;
        })
        .then(() => {
          if (container !== own) return;
          isOpen = true;
          const held = waiting;
          waiting = [];
          if (held.length > 0) notify({ type: "tab", open: true });
          for (const go of held) go();
        });
    },
    left() {
      isOpen = false;
      container++;
    },
    failed(error) {
      failure ??= error;
    },
    refuseStopped,
    whenOpen,
    askNow,
    async ask(request, { signal, onOpen, onLeft, ...heard } = {}) {
      for (;;) {
        await whenOpen(signal);
        onOpen?.();
        try {
          return await askNow(request, heard);
        } catch (error) {
          if (!(error instanceof TabLeft)) throw error;
          onLeft?.();
        }
      }
    },
    stop: () => stopping.abort(),
  };
}
