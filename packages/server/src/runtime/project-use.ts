/** Who uses a project now: as long as somebody does, its sandbox stays. */
export interface ProjectUse {
  /** Something was wanted of its workspace just now. */
  used(): void;
  /** Milliseconds since 1970 when it was used last; now, while somebody uses it. */
  usedAt(): number;
  /** Somebody looks at its preview, until the returned function is called. */
  watch(): () => void;
  /** A page is open; called when the project is removed or the server ends. @returns what forgets it. */
  onClose(listener: () => void): () => void;
  /** Tells all that are open. */
  close(): void;
}

/** @param isBusy whether work is in progress in the project, regardless of viewers */
export function createProjectUse(now: () => number, isBusy: () => boolean): ProjectUse {
  const open = new Set<() => void>();
  let watching = 0;
  let last = now();
  const used = () => void (last = now());
  return {
    used,
    usedAt: () => (open.size > 0 || watching > 0 || isBusy() ? now() : last),
    watch() {
      watching++;
      let isOver = false;
      return () => {
        if (!isOver) watching--;
        isOver = true;
        used();
      };
    },
    onClose(listener) {
      open.add(listener);
      return () => open.delete(listener);
    },
    close() {
      for (const listener of open) listener();
      open.clear();
    },
  };
}
