import type { Checkpoint, ProjectView, Turn } from "./types.ts";

/** One line of the history. */
export interface HistoryLine {
  checkpoint: string;
  revision: string;
  /** Milliseconds since 1970. */
  at: number;
  /** What was asked for where the checkpoint is a turn's result; else what was kept. */
  title: string;
  /** What was kept, where the title is something else. */
  note?: string;
  /** The checkpoint before this one, to compare with. */
  before?: string;
}

/** Characters of a message that name a line. */
const NAMED = 80;

/** The checkpoints, the newest first; a revision that was kept twice in a row is one line. */
export function historyLines(view: Pick<ProjectView, "checkpoints" | "turns">): HistoryLine[] {
  const turns = new Map(view.turns.map((turn) => [turn.run, turn]));
  const last = new Map(view.checkpoints.map((one) => [one.run, one.checkpoint]));
  const lines: HistoryLine[] = [];
  for (const one of view.checkpoints) {
    if (lines.at(-1)?.revision === one.revision) lines.pop();
    const turn = one.run === undefined ? undefined : turns.get(one.run);
    const before = lines.at(-1)?.checkpoint;
    lines.push({
      checkpoint: one.checkpoint,
      revision: one.revision,
      at: one.at,
      ...words(one, turn, last.get(one.run) === one.checkpoint),
      ...(before === undefined ? {} : { before }),
    });
  }
  return lines.toReversed();
}

function words(
  one: Checkpoint,
  turn: Turn | undefined,
  isResult: boolean,
): Pick<HistoryLine, "title" | "note"> {
  const asked = turn?.text.replace(/\s+/g, " ").trim().slice(0, NAMED) ?? "";
  if (asked === "") return { title: one.label };
  if (turn?.before === one.checkpoint) return { title: `Before “${asked}”` };
  if (!isResult) return { title: one.label };
  return one.label === asked ? { title: asked } : { title: asked, note: one.label };
}
