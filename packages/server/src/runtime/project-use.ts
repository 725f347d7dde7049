/** Tracks the use of a project: its sandbox stays open while it is used. */
export interface ProjectUse {
  /** Records a use of the project's workspace. */
  used(): void;
  /** When the project was last used, in milliseconds since 1970; now, while it is in use. */
  usedAt(): number;
  /** Records that the project's preview is viewed, until the returned function is called. */
  watch(): () => void;
  /**
   * Registers an open page. The listener is called when the project is removed or the server stops.
   * @returns a function that unregisters it
   */
  onClose(listener: () => void): () => void;
  /** Notifies all open pages, and forgets them. */
  close(): void;
}

/**
 * Creates the record of a project's use.
 * @param isBusy tells whether work is in progress in the project, regardless of viewers
 */
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
