import type { Quotas, QuotaUsage } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

export const QUOTAS_KEY = ["quotas"] as const;

export const readQuotas = (signal?: AbortSignal) => getJson<Quotas>("/api/quotas", signal);
export const setQuotas = (quotas: Quotas) => sendJson("PUT", "/api/quotas", quotas);
export const QUOTA_USAGE_KEY = [...QUOTAS_KEY, "usage"] as const;
export const readQuotaUsage = (signal?: AbortSignal) =>
  getJson<{ usage: QuotaUsage[] }>("/api/quotas/usage", signal);
/** The position of a project's waiting run in the server's queue, from 1; absent if no run waits. */
export const readLinePosition = (project: string, signal?: AbortSignal) =>
  getJson<{ position?: number }>(`/api/projects/${encodeURIComponent(project)}/line`, signal);
