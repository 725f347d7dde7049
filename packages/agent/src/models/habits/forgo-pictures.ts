import type { ModelFailure } from "../errors/model-failure.ts";
import type { Run } from "../../loop/state.ts";
import type { StepRecord } from "../../answer/step-record.ts";

/** Whether the request was refused because of its pictures: without them it can be asked again. */
export function picturesRefused(
  { refusesPictures }: ModelFailure,
  { context }: StepRecord,
): boolean {
  return refusesPictures === true && (context?.parts.pictures ?? 0) > 0;
}

/** From its next request on the model is shown no pictures, and so in its next turns. */
export function forgoPictures(run: Run): void {
  const { model, learn } = run.ports;
  model.seesPictures = false;
  model.habits = { ...model.habits, pictures: "refused" };
  learn?.(model.habits);
  run.emit({ type: "pictures-refused", run: run.request.run, model: model.id });
}
