import { ApiFailure } from "@treadle/common";
import type { ModelsInfo } from "@treadle/protocol";
import { providerMeant } from "./provider-names.ts";

/** The models of this server. */
interface Models {
  info(): Promise<ModelsInfo>;
  /** The model for new runs; undefined if none is chosen or found. */
  chosen(): Promise<string | undefined>;
  /** @throws ApiFailure `model-unknown`, `model-missing`, `key-missing`. */
  resolve(id: string): Promise<unknown>;
}

/**
 * The model that a bolt client names, if it exists here; undefined for the configured one.
 * @param named `model` is the name alone if there is a `provider`, else a full id
 * @throws ApiFailure if its key is missing, or if no model is configured either
 */
export async function modelMeant(
  models: Models,
  { model, provider }: { model?: string | undefined; provider?: string | undefined },
): Promise<string | undefined> {
  if (model === undefined) return undefined;
  const { providers } = await models.info();
  const id = provider === undefined ? model : `${providerMeant(providers, provider)}:${model}`;
  try {
    await models.resolve(id);
    return id;
  } catch (error) {
    // The client's list may be different: a missing key is reported, an unknown name is ignored.
    if (!(error instanceof ApiFailure) || error.code === "key-missing") throw error;
    if ((await models.chosen()) === undefined) throw error;
    return undefined;
  }
}
