import type { Run } from "../../loop/state.ts";

/** Edits in a row that miss their place, over turns, until the model is told to write whole files. */
const MISSES = 4;

const WHOLE_FROM_NOW =
  "\nYour edits keep missing their place. From now on do not use edit_file: read the file and write it whole with write_file.";

/** Counts edits that did not find their place. @returns what the model is told beside the result. */
export function noteEdit(run: Run, found: boolean): string {
  const { model, learn } = run.ports;
  const { editsMissed = 0, wholeFiles } = model.habits ?? {};
  if (wholeFiles) return found ? "" : WHOLE_FROM_NOW;
  const missed = found ? 0 : editsMissed + 1;
  if (missed === editsMissed) return "";
  const { editsMissed: _before, ...others } = model.habits ?? {};
  const over = missed >= MISSES;
  model.habits = {
    ...others,
    ...(missed > 0 ? { editsMissed: missed } : {}),
    ...(over ? { wholeFiles: true as const } : {}),
  };
  learn?.(model.habits);
  return over ? WHOLE_FROM_NOW : "";
}
