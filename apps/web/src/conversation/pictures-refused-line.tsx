import { useEffect } from "react";
import { modelLabel, useModels, useRefreshModels } from "../api/queries.ts";
import { words } from "../words/words.ts";

/** Says that the model was sent a picture but cannot read pictures. */
export function PicturesRefusedLine({ model }: { model: string }) {
  const { data: models } = useModels();
  const refresh = useRefreshModels();
  const known = models?.providers.flatMap((one) => one.models).find(({ id }) => id === model);
  // The server knows this now, but the settings that this page loaded earlier do not.
  const isNews = known !== undefined && known.sees !== false;
  useEffect(() => {
    if (isNews) void refresh();
    // Runs once, because the person may set afterwards that the model reads pictures.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isNews]);
  return (
    <p className="text-small text-quiet">
      {words.conversation.picturesRefused({ model: modelLabel(models, model) })}
    </p>
  );
}
