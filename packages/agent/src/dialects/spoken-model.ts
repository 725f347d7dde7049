import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { DialectName, RunMode } from "@treadle/protocol";
import { learnHabits, type ObservedModel } from "../models/habits/observed-model.ts";
import { withDialect } from "./with-dialect.ts";

/** The model with the features that a run uses. Features that it rejects are switched off during the run. */
export interface SpokenModel extends ObservedModel {
  readonly mode: RunMode;
  /** Changes only if the model turns out not to support tool calls. */
  dialect: DialectName;
  /** The model, wrapped in its dialect. */
  languageModel: LanguageModelV4;
  /** Whether requests set temperature 0; switched off if the model rejects that. */
  sendsTemperature: boolean;
  /** Whether requests set how much to think; switched off if the model rejects that. */
  sendsThinking: boolean;
}

export function speakTo(
  observed: ObservedModel,
  dialect: DialectName,
  mode: RunMode = "act",
): SpokenModel {
  const { model } = observed;
  return {
    ...observed,
    mode,
    dialect,
    languageModel: withDialect(model.languageModel, dialect, mode),
    sendsTemperature: model.takesTemperature,
    sendsThinking: model.thinking !== undefined,
  };
}

/** Switches the model to bolt's tags, from its next request on and in later turns. */
export function speakArtifacts(spoken: SpokenModel): void {
  const { model, mode } = spoken;
  spoken.dialect = "artifact";
  spoken.languageModel = withDialect(model.languageModel, "artifact", mode);
  learnHabits(spoken, { ...model.habits, dialect: "artifact" });
}
