import { modelLabel, useModels } from "../api/queries.ts";

/** A model that was shown a picture and reads none. */
export function BlindLine({ model }: { model: string }) {
  const { data: models } = useModels();
  return (
    <p className="text-small text-quiet">
      {modelLabel(models, model)} refused the pictures and was asked again without them. That is
      remembered; change it under the model’s name.
    </p>
  );
}
