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
  /** What was asked for where the checkpoint is a turn's result; else what was kept. */
  title: string;
  /** What was kept, where the title is something else. */
  note?: string;
  /** The checkpoint before this one, to compare with. */
  before?: string;
  /** What the person calls it: the title then. */
  name?: string;
  /** It was thinned out: there is nothing to go back to. */
  thinned?: true;
  /** Whose work it is: a model, by its id, the person, or a command. */
  by: { model: string } | "person" | "command";
}

/** Characters of a message that name a line. */
const NAMED = 80;

/**
 * The checkpoints, the newest first; a revision that was kept twice in a row is one line. With `handEdits` a line that is the
 * person's own work is named after it, else after the turn that it went before.
 */
export function historyLines(
  view: Pick<ProjectView, "checkpoints" | "turns"> & Partial<Pick<ProjectView, "handEdits">>,
): HistoryLine[] {
  const turns = new Map(view.turns.map((turn) => [turn.run, turn]));
  const last = new Map(view.checkpoints.map((one) => [one.run, one.checkpoint]));
  const lines: HistoryLine[] = [];
  for (const one of view.checkpoints) {
    const same = lines.at(-1)?.revision === one.revision;
    // What has a name is the one that is meant.
    if (same && lines.at(-1)?.name !== undefined && one.name === undefined) continue;
    if (same) lines.pop();
    const turn = one.run === undefined ? undefined : turns.get(one.run);
    const before = lines.at(-1)?.checkpoint;
    lines.push({
      checkpoint: one.checkpoint,
      revision: one.revision,
      at: one.at,
      ...named(
        one,
        turn,
        last.get(one.run) === one.checkpoint,
        view.handEdits?.get(one.checkpoint),
      ),
      name: one.name,
      thinned: one.thinned,
      by: handOf(one, turn),
      before,
    });
  }
  return lines.toReversed();
}

/** How going back to a checkpoint is told: which one, in the words of its message, with the short name of its files. */
export function wentBack(
  view: Pick<ProjectView, "checkpoints" | "turns">,
  { checkpoint, label }: { checkpoint: string; label: string },
): string {
  const one = view.checkpoints.find((candidate) => candidate.checkpoint === checkpoint);
  const last = view.checkpoints.findLast(({ run }) => run !== undefined && run === one?.run);
  const turn = view.turns.find(({ run }) => run !== undefined && run === one?.run);
  const { title } = one ? named(one, turn, last === one) : { title: label };
  const to =
    turn !== undefined && turn.before === checkpoint && askedOf(turn) !== ""
      ? words.fold.backBefore({ asked: askedOf(turn) })
      : words.fold.backTo({ what: title });
  return `${to}${one ? ` · ${shortRevision(one.revision)}` : ""}`;
}

/** Whose work a checkpoint is: a run's own is its model's, what one found is that of who was at work before. */
function handOf({ by, checkpoint }: Checkpoint, turn: Turn | undefined): HistoryLine["by"] {
  if (turn?.model !== undefined && turn.before !== checkpoint) return { model: turn.model };
  return by.includes("command") && !by.includes("person") ? "command" : "person";
}

const askedOf = ({ text }: Turn): string => text.replace(/\s+/g, " ").trim().slice(0, NAMED);

function named(
  one: Checkpoint,
  turn: Turn | undefined,
  isResult: boolean,
  edited = 0,
): Pick<HistoryLine, "title" | "note"> {
  const asked = turn ? askedOf(turn) : "";
  if (one.name !== undefined)
    return { title: one.name, note: asked === "" ? codedWords(one.label, one.labelCode) : asked };
  const isFound = turn?.before === one.checkpoint;
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
