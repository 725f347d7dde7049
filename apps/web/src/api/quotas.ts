import type { Quotas } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

export const QUOTAS_KEY = ["quotas"] as const;

export const readQuotas = (signal?: AbortSignal) => getJson<Quotas>("/api/quotas", signal);
export const setQuotas = (quotas: Quotas) => sendJson("PUT", "/api/quotas", quotas);
/** The place of a project's waiting run in the line, from 1; absent if none waits. */
export const readLinePosition = (project: string, signal?: AbortSignal) =>
  getJson<{ position?: number }>(`/api/projects/${encodeURIComponent(project)}/line`, signal);
