import type { RunScope } from "../../ports/run-scope.ts";
import { learnHabits, type ObservedModel } from "./observed-model.ts";

/** From its next request on the model is shown no pictures, and so in its next turns. */
export function forgoPictures(observed: ObservedModel, { run, emit }: RunScope): void {
  const { model } = observed;
  model.seesPictures = false;
  learnHabits(observed, { ...model.habits, pictures: "refused" });
  emit({ type: "pictures-refused", run, model: model.id });
}
