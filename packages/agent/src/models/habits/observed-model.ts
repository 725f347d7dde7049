import type { ModelHabits } from "@treadle/protocol";
import type { Model } from "../../ports/model.ts";

/** A model, and who keeps what it shows of itself for its next turns. */
export interface ObservedModel {
  readonly model: Model;
  /** In place of what was known before. */
  learn?: ((habits: ModelHabits) => void) | undefined;
}

/** Remembers what the model has shown. */
export function learnHabits({ model, learn }: ObservedModel, habits: ModelHabits): void {
  model.habits = habits;
  learn?.(habits);
}
