import type { RunPorts } from "@treadle/agent";

/**
 * The active looks of a project's runs, so that the person can stop one without stopping its run.
 */
export interface LookStops {
  readonly begin: NonNullable<RunPorts["beginLook"]>;
  /** Stops active looks. Returns whether there were any. */
  stop(): boolean;
}

export function createLookStops(): LookStops {
  const going = new Set<AbortController>();
  return {
    begin() {
      const controller = new AbortController();
      going.add(controller);
      return { signal: controller.signal, end: () => void going.delete(controller) };
    },
    stop() {
      const isAny = going.size > 0;
      for (const controller of going)
        controller.abort(new DOMException("Stopped by the person.", "AbortError"));
      return isAny;
    },
  };
}
