/** Queues that take turns: one entry of each lane after the other. */
export interface Lanes<Entry> {
  /** Adds an entry at the end of its lane. @returns false if the lane is full */
  add(lane: string, entry: Entry): boolean;
  /** Removes and returns the next entry, or undefined if all lanes are empty. */
  take(): Entry | undefined;
  /** Removes an entry. @returns whether it was still waiting */
  remove(lane: string, entry: Entry): boolean;
}

/** @param limit maximum number of entries in one lane */
export function createLanes<Entry>(limit: number): Lanes<Entry> {
  // A lane that had its turn moves to the end of the map. An empty lane is not in it.
  const lanes = new Map<string, Set<Entry>>();
  return {
    add(lane, entry) {
      const waiting = lanes.get(lane) ?? new Set();
      if (waiting.size >= limit) return false;
      lanes.set(lane, waiting.add(entry));
      return true;
    },
    take() {
      const [first] = lanes;
      if (!first) return undefined;
      const [lane, waiting] = first;
      const [entry] = waiting;
      waiting.delete(entry!);
      lanes.delete(lane);
      if (waiting.size > 0) lanes.set(lane, waiting);
      return entry;
    },
    remove(lane, entry) {
      const waiting = lanes.get(lane);
      if (!waiting?.delete(entry)) return false;
      if (waiting.size === 0) lanes.delete(lane);
      return true;
    },
  };
}
