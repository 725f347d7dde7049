import { prose } from "../../text/prose.ts";
import { learnHabits, type ObservedModel } from "./observed-model.ts";

/** Consecutive edits, across turns, that do not find their place, until the model is told to write whole files. */
const MISSES = 4;

const WHOLE_FROM_NOW = `\n${prose(new URL("./whole-files-now.md", import.meta.url))}`;

/**
 * Counts edits that did not find their place. @returns a note for the model, to be added to the result; may be empty
 */
export function noteEdit(observed: ObservedModel, found: boolean): string {
  const { editsMissed = 0, wholeFiles, ...others } = observed.model.habits ?? {};
  if (wholeFiles) return found ? "" : WHOLE_FROM_NOW;
  const missed = found ? 0 : editsMissed + 1;
  if (missed === editsMissed) return "";
  const isOver = missed >= MISSES;
  learnHabits(observed, {
    ...others,
    ...(missed > 0 ? { editsMissed: missed } : {}),
    ...(isOver ? { wholeFiles: true as const } : {}),
  });
  return isOver ? WHOLE_FROM_NOW : "";
}
