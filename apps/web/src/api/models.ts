import type { ModelsInfo } from "@treadle/protocol";
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

/** @throws ApiFailure with what the provider said. */
export const testProvider = (provider: string, model?: string) =>
  sendJson<{ ok: boolean; message?: string } | undefined>("POST", "/api/models/test", {
    provider,
    model,
  });
