import type { ModelsInfo } from "@treadle/protocol";
import { z } from "@hono/zod-openapi";
import { providerMeant } from "./provider-names.ts";

const BoltModel = z.object({ name: z.string(), label: z.string(), provider: z.string() });

/** The fields of bolt.diy's `GET /api/models` beside those that the page reads. */
export const BoltModels = z.object({
  modelList: z.array(BoltModel),
  defaultProvider: z.object({ name: z.string(), staticModels: z.array(BoltModel) }).optional(),
});

/**
 * Providers and models for bolt's clients, with model names without their provider.
 * @param provider the client's name for a provider: returns only its models, or none if it is
 * unknown
 */
export function boltModels(
  { chosen, providers }: ModelsInfo,
  provider?: string,
): z.infer<typeof BoltModels> {
  const listed = provider === undefined ? undefined : providerMeant(providers, provider);
  const read = providers.map(({ id, name, models }) => ({
    id,
    name,
    staticModels: models.map((model) => ({
      name: model.id.slice(model.id.indexOf(":") + 1),
      label: model.label,
      provider: name,
    })),
  }));
  const usual =
    read.find(({ id }) => id === chosen?.split(":", 1)[0]) ??
    read.find(({ staticModels }) => staticModels.length > 0);
  return {
    modelList: read
      .filter(({ id }) => listed === undefined || id === listed)
      .flatMap(({ staticModels }) => staticModels),
    defaultProvider: usual && { name: usual.name, staticModels: usual.staticModels },
  };
}
