import type { CacheLevel, ModelsInfo, ThinkingLevel } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

export const readModels = (signal?: AbortSignal) => getJson<ModelsInfo>("/api/models", signal);

export const chooseModel = (model: string) =>
  sendJson<ModelsInfo | undefined>("PUT", "/api/models/choice", { model });

export const setKey = (provider: string, settings: { key?: string; address?: string }) =>
  sendJson<ModelsInfo | undefined>(
    "PUT",
    `/api/models/keys/${encodeURIComponent(provider)}`,
    settings,
  );

export const removeKey = (provider: string) =>
  sendJson("DELETE", `/api/models/keys/${encodeURIComponent(provider)}`);

/** Forgets what a model has shown of itself. */
export const forgetHabits = (model: string) =>
  sendJson<ModelsInfo | undefined>("POST", "/api/models/forget", { model });

/** Says whether a model reads pictures; undefined: it is guessed by its name. */
export const setSees = (model: string, sees: boolean | undefined) =>
  sendJson<ModelsInfo | undefined>("PUT", "/api/models/sees", { model, sees });

/** Says how much a model is to think; undefined: as it likes. */
export const setThinking = (model: string, thinking: ThinkingLevel | undefined) =>
  sendJson<ModelsInfo | undefined>("PUT", "/api/models/thinking", { model, thinking });

/** Says how long a model's provider is to cache prompts; undefined: as usual. */
export const setCache = (model: string, cache: CacheLevel | undefined) =>
  sendJson<ModelsInfo | undefined>("PUT", "/api/models/cache", { model, cache });

/** Asks for one word, with what is typed in place of what is kept. Keeps none of it. @throws ApiFailure with what the provider said. */
export const testProvider = (
  provider: string,
  typed: { model?: string | undefined; key?: string | undefined; address?: string | undefined },
) => sendJson("POST", "/api/models/test", { provider, ...typed });
