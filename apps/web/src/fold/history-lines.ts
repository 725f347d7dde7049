import { codedWords } from "../words/coded-words.ts";
import { shortRevision } from "./select.ts";
import type { Checkpoint } from "@treadle/protocol/fold";
import type { ProjectView, Turn } from "./types.ts";
import { words } from "../words/words.ts";

/** One line of the history. */
export interface HistoryLine {
  checkpoint: string;
  revision: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The request, if the checkpoint is a turn's result; otherwise the checkpoint's label. */
  title: string;
  /** The checkpoint's label, if the title is something else. */
  note?: string;
  /** The previous checkpoint, to compare with. */
  before?: string;
  /** The person's name for it, which is then the title. */
  name?: string;
  /** The checkpoint was thinned out and cannot be restored. */
  thinned?: true;
  /** The author: a model, by its id, the person, or a command. */
  by: { model: string } | "person" | "command";
}

/** Maximum characters of a message used as a title. */
const MAX_TITLE_CHARS = 80;

/**
 * The checkpoints, the newest first. Consecutive checkpoints of the same revision are one line. With `handEdits`, a
 * line of the person's own work is titled accordingly; otherwise after the turn that followed it.
 */
export function historyLines(
  view: Pick<ProjectView, "checkpoints" | "turns"> & Partial<Pick<ProjectView, "handEdits">>,
): HistoryLine[] {
  const turns = new Map(view.turns.map((turn) => [turn.run, turn]));
  const last = new Map(view.checkpoints.map((one) => [one.run, one.checkpoint]));
  const lines: HistoryLine[] = [];
  for (const one of view.checkpoints) {
    const same = lines.at(-1)?.revision === one.revision;
    // The named checkpoint is the one to show.
    if (same && lines.at(-1)?.name !== undefined && one.name === undefined) continue;
    if (same) lines.pop();
    const turn = one.run === undefined ? undefined : turns.get(one.run);
    const before = lines.at(-1)?.checkpoint;
    lines.push({
      checkpoint: one.checkpoint,
      revision: one.revision,
      at: one.at,
      ...titleOf(
        one,
        turn,
        last.get(one.run) === one.checkpoint,
        view.handEdits?.get(one.checkpoint),
      ),
      name: one.name,
      thinned: one.thinned,
      by: authorOf(one, turn),
      before,
    });
  }
  return lines.toReversed();
}

/** Describes going back to a checkpoint: by the request of its turn or its label, and by its revision's short name. */
export function describeRestore(
  view: Pick<ProjectView, "checkpoints" | "turns">,
  { checkpoint, label }: { checkpoint: string; label: string },
): string {
  const one = view.checkpoints.find((candidate) => candidate.checkpoint === checkpoint);
  const last = view.checkpoints.findLast(({ run }) => run !== undefined && run === one?.run);
  const turn = view.turns.find(({ run }) => run !== undefined && run === one?.run);
  const { title } = one ? titleOf(one, turn, last === one) : { title: label };
  const to =
    turn !== undefined && turn.before === checkpoint && askedOf(turn) !== ""
      ? words.fold.backBefore({ asked: askedOf(turn) })
      : words.fold.backTo({ what: title });
  return `${to}${one ? ` · ${shortRevision(one.revision)}` : ""}`;
}

/**
 * The author of a checkpoint: the run's model, except for the checkpoint before a run, which someone else's work made.
 */
function authorOf({ by, checkpoint }: Checkpoint, turn: Turn | undefined): HistoryLine["by"] {
  if (turn?.model !== undefined && turn.before !== checkpoint) return { model: turn.model };
  return by.includes("command") && !by.includes("person") ? "command" : "person";
}

const askedOf = ({ text }: Turn): string =>
  text.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_CHARS);

function titleOf(
  one: Checkpoint,
  turn: Turn | undefined,
  isResult: boolean,
  edited = 0,
): Pick<HistoryLine, "title" | "note"> {
  const asked = turn ? askedOf(turn) : "";
  if (one.name !== undefined)
    return { title: one.name, note: asked === "" ? codedWords(one.label, one.labelCode) : asked };
  const isFound = turn?.before === one.checkpoint;
  // The label describes the person's change better than a number of files.
  if (one.labelCode?.code === "design-changed" && turn === undefined)
    return { title: codedWords(one.label, one.labelCode) };
  if (edited > 0 && (turn === undefined || isFound))
    return {
      title: words.fold.youChanged({ amount: edited }),
      note: isFound && asked !== "" ? words.fold.before({ asked }) : undefined,
    };
  if (asked === "") return { title: codedWords(one.label, one.labelCode) };
  if (isFound) return { title: words.fold.before({ asked }) };
  if (!isResult) return { title: codedWords(one.label, one.labelCode) };
  return {
    title: asked,
    note: one.label === asked ? undefined : codedWords(one.label, one.labelCode),
  };
}
