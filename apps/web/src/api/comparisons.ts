import type { Comparison, StartComparison } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

const at = (comparison: string, rest = "") =>
  `/api/comparisons/${encodeURIComponent(comparison)}${rest}`;

/** Active comparisons, the newest first. */
export async function listComparisons(signal?: AbortSignal): Promise<Comparison[]> {
  return (await getJson<{ comparisons: Comparison[] }>("/api/comparisons", signal)).comparisons;
}

export const startComparison = (request: StartComparison) =>
  sendJson<{ id: string }>("POST", "/api/comparisons", request);

export const readComparison = (comparison: string, signal?: AbortSignal) =>
  getJson<Comparison>(at(comparison), signal);

export const stopComparison = (comparison: string) => sendJson("POST", at(comparison, "/stop"));

/** @param overwrite whether to overwrite changes made in the project meanwhile */
export const keepAttempt = (comparison: string, attempt: number, overwrite: boolean) =>
  sendJson<{ project: string }>("POST", at(comparison, "/keep"), { attempt, over: overwrite });

/** Ends a comparison without keeping any attempt. */
export const dropComparison = (comparison: string) => sendJson("DELETE", at(comparison));
