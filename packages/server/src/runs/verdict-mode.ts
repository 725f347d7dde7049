import { VERDICT_MODES, type VerdictMode } from "@treadle/protocol/evidence";

/**
 * How much turns have to prove in projects where nobody chose.
 * @param value of TREADLE_VERDICTS
 * @throws Error with a sentence that names the variable
 */
export function readVerdictMode(value: string | undefined): VerdictMode {
  const word = value?.trim() ?? "";
  if (word === "") return "thorough";
  const mode = VERDICT_MODES.find((one) => one === word);
  if (!mode) throw new Error(`TREADLE_VERDICTS is thorough or quick, not ${JSON.stringify(word)}.`);
  return mode;
}
