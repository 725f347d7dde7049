/** The activity of a project. Only one is possible at a time, because all of them read the files and most write them. */
export type ActivityState =
  | "idle"
  /** A run is active, or messages are queued for one. */
  | "running"
  /** A run waits for the person. Nothing is running, and nothing else may begin. */
  | "waiting"
  /** The last run has ended in the log; its follow-up work (saving a checkpoint) is in progress. */
  | "finishing"
  /** Evidence of the current files is gathered outside of any run: install, build, serve, look. */
  | "looking"
  /** The conversation is being summarised. */
  | "compacting"
  /** The files are being restored to a checkpoint. */
  | "restoring"
  /** The project is closed: nothing can begin. */
  | "closed";

export type ActivityEvent =
  /** A message was queued, or the person answered a question. */
  | "run"
  /** The run needs the person to continue. */
  | "wait"
  /** The run's end is logged, and no other is queued. */
  | "run-end"
  /** Nothing is queued, and the follow-up work of the last run is done. */
  | "runs-over"
  | "look"
  | "compact"
  | "restore"
  /** A look, a compaction or a restore has ended. */
  | "over"
  | "close";

/** Activities that a new message ends. */
export const GIVES_WAY: ReadonlySet<ActivityState> = new Set(["looking", "compacting"]);

const START = {
  run: "running",
  look: "looking",
  compact: "compacting",
  restore: "restoring",
} as const;

/**
 * The valid transitions; other events are refused. A run that replaces other work still waits until that has ended
 * before it touches anything, and so does work that follows a run.
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

/** The state after an event; undefined if the event is invalid now. */
export const after = (state: ActivityState, event: ActivityEvent): ActivityState | undefined =>
  TRANSITIONS[state][event];
