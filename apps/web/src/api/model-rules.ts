import type { KeyProvider, ModelPrice, ModelRule } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const segment = encodeURIComponent;

export const MODEL_RULES_KEY = ["model-rules"] as const;

export const readModelRules = (signal?: AbortSignal) =>
  getJson<{ rules: ModelRule[]; prices: Record<string, ModelPrice> }>("/api/model-rules", signal);
/** Sets a rule about which models may be used; without `models` the rule is removed. */
export const setModelRule = ({ kind, subject, models }: ModelRule) =>
  sendJson("PUT", `/api/model-rules/${kind}/${segment(subject)}`, { models });
/** Sets a model's price. @param price undefined removes it */
export const setModelPrice = (model: string, price: ModelPrice | undefined) =>
  sendJson("PUT", "/api/model-prices", { model, price });

/** The API path of a team's model keys, or of the person's own. */
export const keysPath = (team: string | undefined) =>
  team === undefined ? "/api/me/model-keys" : `/api/teams/${segment(team)}/model-keys`;
export const readKeyProviders = (path: string, signal?: AbortSignal) =>
  getJson<{ providers: KeyProvider[] }>(path, signal);
export const setModelKey = (path: string, provider: string, key: string) =>
  sendJson("PUT", `${path}/${segment(provider)}`, { key });
export const removeModelKey = (path: string, provider: string) =>
  sendJson("DELETE", `${path}/${segment(provider)}`);
