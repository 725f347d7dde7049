import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ModelsInfo } from "@treadle/protocol";
import { readModels } from "./models.ts";

export const MODELS_KEY = ["models"] as const;

export function useModels() {
  return useQuery({
    queryKey: MODELS_KEY,
    queryFn: ({ signal }) => readModels(signal),
    staleTime: 30_000,
  });
}

/** Refetches the models; resolves when the answer has arrived. */
export function useRefreshModels(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: MODELS_KEY });
}

/** The provider's short name for `provider:model`, with a suffix if another available model has the same name. */
export function modelLabel(models: ModelsInfo | undefined, id: string): string {
  const colon = id.indexOf(":");
  const short = id.slice(colon + 1);
  const own = models?.providers.find((one) => one.id === id.slice(0, colon));
  const label = own?.models.find((model) => model.id === id)?.label ?? short;
  const alike = models?.providers.filter(({ source, models: all }) =>
    all.some((one) => source && one.label === label && one.id !== id),
  );
  if (!own || !alike?.length) return label;
  return `${label} · ${alike.includes(own) ? short : own.name}`;
}
