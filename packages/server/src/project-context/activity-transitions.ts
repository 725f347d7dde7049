/** The activity of a project. Only one is possible at a time, because all of them read the files and most write them. */
export type ActivityState =
  | "idle"
  /** A run is active, or messages are queued for one. */
  | "running"
  /** A run waits for the person. Nothing is done, and nothing else may begin. */
  | "waiting"
  /** The last run has ended in the log; its follow-up work (saving a checkpoint) is in progress. */
  | "finishing"
  /** Evidence of the files as they stand is gathered, outside of any run: they are installed, built, served, seen. */
  | "looking"
  /** The conversation is being summed up. */
  | "compacting"
  /** The files are being put back to a checkpoint. */
  | "restoring"
  /** The project is closed: nothing begins any more. */
  | "closed";

export type ActivityEvent =
  /** A message was queued, or the person answered a question. */
  | "run"
  /** The run can do nothing without the person. */
  | "wait"
  /** The log has the run's end, and no other is in line. */
  | "run-end"
  /** Nothing is in line, and what followed the last run's end is done. */
  | "runs-over"
  | "look"
  | "compact"
  | "restore"
  /** A look, a compaction or a restore is over. */
  | "over"
  | "close";

/** Nobody waits for these: a message that comes ends them. */
export const GIVES_WAY: ReadonlySet<ActivityState> = new Set(["looking", "compacting"]);

const START = {
  run: "running",
  look: "looking",
  compact: "compacting",
  restore: "restoring",
} as const;

/**
 * What may follow on what; an event that is not here is refused. What a run replaces is still awaited before the run
 * touches anything, and so is the end of a run by what follows it.
 */
const TRANSITIONS: {
  readonly [State in ActivityState]: { readonly [Event in ActivityEvent]?: ActivityState };
} = {
  idle: { ...START, wait: "waiting", close: "closed" },
  running: {
    run: "running",
    wait: "waiting",
    "run-end": "finishing",
    "runs-over": "idle",
    close: "closed",
  },
  waiting: { run: "running", "runs-over": "idle", close: "closed" },
  finishing: { ...START, "runs-over": "idle", close: "closed" },
  looking: { run: "running", over: "idle", close: "closed" },
  compacting: { run: "running", over: "idle", close: "closed" },
  restoring: { run: "running", over: "idle", close: "closed" },
  closed: {},
};

/** The state after an event; undefined where the event may not come now. */
export const after = (state: ActivityState, event: ActivityEvent): ActivityState | undefined =>
  TRANSITIONS[state][event];
