import { ApiFailure } from "@treadle/common";
import type { ModelSettings } from "../models/types.ts";
import { providerMeant } from "./provider-names.ts";

/**
 * The model that a client of bolt's names, if it is one of ours; undefined: the one that is chosen here.
 * @param named `model` is the name alone where there is a `provider`, else a whole id
 * @throws ApiFailure where its key is missing, or where none is chosen either
 */
export async function modelMeant(
  models: ModelSettings,
  { model, provider }: { model?: string | undefined; provider?: string | undefined },
): Promise<string | undefined> {
  if (model === undefined) return undefined;
  const { providers } = await models.info();
  const id = provider === undefined ? model : `${providerMeant(providers, provider)}:${model}`;
  try {
    await models.resolve(id);
    return id;
  } catch (error) {
    // Its list may be another's: a key that is missing is told, a name that nobody knows is not what was asked for.
    if (!(error instanceof ApiFailure) || error.code === "key-missing") throw error;
    if ((await models.chosen()) === undefined) throw error;
    return undefined;
  }
}
