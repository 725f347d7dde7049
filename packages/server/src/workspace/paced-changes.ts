import type { FileChange, LogEvent } from "@treadle/protocol";
import { createTokenBucket } from "@treadle/common";

type Files = Extract<LogEvent, { type: "files" }>;

/** Changes that are logged immediately. A template, or moving a large folder, stays within this number. */
const AT_ONCE = 4_000;
/** Additional changes per second that may be logged immediately. */
const A_SECOND = 100;
/** Beyond that: the interval, and the number of changes per interval. */
const EVERY_MS = 2_000;
const IN_ONE = 200;
/**
 * Files with a pending change that are remembered. Beyond this number the oldest are dropped; the revision still shows
 * that there was more.
 */
const WAITING = 10_000;

/**
 * Limits how many file changes of programs are logged: for a file that is written repeatedly only the last change
 * is logged. Nothing else limits them, since the log does not count towards a project's quotas.
 */
export function createPacedChanges(options: { now(): number; append(event: Files): void }) {
  const { now, append } = options;
  const waiting = new Map<string, { change: FileChange; isNew: boolean }>();
  const atOnce = createTokenBucket({ burst: AT_ONCE, perSecond: A_SECOND, now });
  let revision: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const emit = (changes: FileChange[]) => append({ type: "files", changes, revision });

  function wait(change: FileChange): void {
    const before = waiting.get(change.path);
    waiting.delete(change.path);
    if (before?.isNew && change.kind === "removed") return;
    const isNew = before?.isNew ?? (change.kind === "written" && !before);
    waiting.set(change.path, { change, isNew });
    if (waiting.size > WAITING) waiting.delete(waiting.keys().next().value ?? "");
  }

  function tellSome(most: number): void {
    const some = [...waiting.keys()].slice(0, most);
    if (some.length === 0) return;
    const changes = some.map((path) => waiting.get(path)!.change);
    for (const path of some) waiting.delete(path);
    emit(changes);
  }

  function later(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      tellSome(IN_ONE);
      if (waiting.size > 0) later();
    }, EVERY_MS).unref();
  }

  return {
    add(changes: FileChange[], at: string | undefined): void {
      revision = at;
      if (waiting.size === 0 && atOnce.take(changes.length)) return emit(changes);
      for (const change of changes) wait(change);
      later();
    },
    /** Logs all pending changes; call when no more follow. */
    end(): void {
      clearTimeout(timer);
      timer = undefined;
      tellSome(WAITING);
    },
  };
}
