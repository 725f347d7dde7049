import type { LogEvent } from "../log/types.ts";
import { Draft } from "./draft.ts";
import { emptyState, foldEvent } from "./fold-event.ts";
import type { ProjectState } from "./types.ts";

/** The log of one project, read event by event. */
export interface LogFold {
  /** The current state: one object that is modified with each event. */
  readonly state: ProjectState;
  /** Applies the next event. `at`: its time in milliseconds since 1970. */
  add(event: LogEvent, at: number): void;
}

/**
 * Creates a fold for callers that keep one state while the project is open. To compare older states with newer ones,
 * see `Draft`.
 */
export function createLogFold(): LogFold {
  const draft = new Draft(emptyState());
  return { state: draft.state, add: (event, at) => foldEvent(draft, event, at) };
}
