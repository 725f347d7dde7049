import type { Comparison, StartComparison } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const apiPath = (comparison: string, rest = "") =>
  `/api/comparisons/${encodeURIComponent(comparison)}${rest}`;

/** Active comparisons, the newest first. */
export async function listComparisons(signal?: AbortSignal): Promise<Comparison[]> {
  return (await getJson<{ comparisons: Comparison[] }>("/api/comparisons", signal)).comparisons;
}

export const startComparison = (request: StartComparison) =>
  sendJson<{ id: string }>("POST", "/api/comparisons", request);

export const readComparison = (comparison: string, signal?: AbortSignal) =>
  getJson<Comparison>(apiPath(comparison), signal);

export const stopComparison = (comparison: string) =>
  sendJson("POST", apiPath(comparison, "/stop"));

/**
 * Applies an attempt's result to the project, and ends the comparison. @param overwrite whether to overwrite changes
 * made in the project meanwhile
 */
export const keepAttempt = (comparison: string, attempt: number, overwrite: boolean) =>
  sendJson<{ project: string }>("POST", apiPath(comparison, "/keep"), { attempt, over: overwrite });

/** Ends a comparison without keeping any attempt. */
export const dropComparison = (comparison: string) => sendJson("DELETE", apiPath(comparison));
