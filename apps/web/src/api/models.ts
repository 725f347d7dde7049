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

/** Discards what Treadle has learned about a model's behaviour. */
export const forgetHabits = (model: string) =>
  sendJson<ModelsInfo | undefined>("POST", "/api/models/forget", { model });

/** Sets whether a model reads pictures; undefined guesses by its name. */
export const setSees = (model: string, sees: boolean | undefined) =>
  sendJson<ModelsInfo | undefined>("PUT", "/api/models/sees", { model, sees });

/** Sets how much a model thinks; undefined uses its default. */
export const setThinking = (model: string, thinking: ThinkingLevel | undefined) =>
  sendJson<ModelsInfo | undefined>("PUT", "/api/models/thinking", { model, thinking });

/** Sets how long a model's provider caches prompts; undefined uses the default. */
export const setCache = (model: string, cache: CacheLevel | undefined) =>
  sendJson<ModelsInfo | undefined>("PUT", "/api/models/cache", { model, cache });

/**
 * Requests a single word, with the typed settings instead of the stored ones. Stores nothing. @throws ApiFailure with the
 * provider's message
 */
export const testProvider = (
  provider: string,
  typed: { model?: string | undefined; key?: string | undefined; address?: string | undefined },
) => sendJson("POST", "/api/models/test", { provider, ...typed });
