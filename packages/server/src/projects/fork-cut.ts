import type { LogEntry, LogEvent } from "@treadle/protocol";

/** The position at which a log is cut so that it ends in its state at a checkpoint. */
export interface Cut {
  /** Number of the last included entry. */
  until: number;
  /** Earlier entries to leave out: of messages and runs that were unfinished then. */
  without: number[];
  /** Checkpoints saved up to that position. */
  checkpoints: string[];
  /** Included messages. */
  messages: Set<string>;
}

/** Finds the cut for a checkpoint. Call `add` with all entries of the log in order, and then `cut`. */
export function createForkCut(checkpoint: string) {
  const entries: { seq: number; run?: string; message?: string; call?: string }[] = [];
  const calls = new Map<string, string>();
  const ends = new Map<string, number>();
  const begun = new Map<string, string[]>();
  const all: { seq: number; checkpoint: string; run: string | undefined }[] = [];

  const add = ({ seq, event }: LogEntry): void => {
    const { call } = event as { call?: string };
    if (event.type === "call-open") calls.set(event.call, event.run);
    const run = runOf(event) ?? (call === undefined ? undefined : calls.get(call));
    const message = event.type === "message" ? event.message : undefined;
    if (event.type === "run-start" || event.type === "message-taken")
      begun.set(event.run, [...(begun.get(event.run) ?? []), event.message]);
    if (event.type === "run-end") ends.set(event.run, seq);
    if (event.type === "checkpoint") {
      const { checkpoint: name, run: keptBy } = event;
      all.push({ seq, checkpoint: name, run: keptBy });
    }
    // A checkpoint stays valid whatever happened to the run that saved it.
    if (event.type === "checkpoint" || (run === undefined && message === undefined)) return;
    entries.push({ seq, run, message });
  };

  return {
    add,
    /**
     * The cut after the checkpoint, and after the end of its run if the run belongs to the conversation.
     * @param head the conversation of the checkpoint, by its last message
     * @returns undefined if the log does not contain the checkpoint
     */
    cut(head: string): Cut | undefined {
      const checkpointRow = all.findLast((one) => one.checkpoint === checkpoint);
      if (!checkpointRow) return undefined;
      const isIts =
        checkpointRow.run !== undefined && begun.get(checkpointRow.run)?.includes(head) === true;
      const end = isIts ? ends.get(checkpointRow.run!) : undefined;
      const until = Math.max(checkpointRow.seq, end ?? 0);
      const endedRuns = new Set([...ends].filter(([, seq]) => seq <= until).map(([run]) => run));
      const messages = new Set([...endedRuns].flatMap((run) => begun.get(run) ?? []));
      const without = entries
        .filter(({ seq }) => seq <= until)
        .filter(({ run, message }) =>
          message === undefined ? !endedRuns.has(run!) : !messages.has(message),
        )
        .map(({ seq }) => seq);
      const checkpoints = all.filter(({ seq }) => seq <= until).map((one) => one.checkpoint);
      return { until, without, checkpoints, messages };
    },
  };
}

const runOf = (event: LogEvent): string | undefined => (event as { run?: string }).run;
