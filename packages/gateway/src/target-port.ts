import { inTime } from "@treadle/common";
import type { PreviewHost } from "@treadle/common";
import type { PreviewTarget } from "./types.ts";
import type { Waiting } from "./waiting-page.ts";

/**
 * Milliseconds that a request waits for a server that is starting. A page then shows a notice; other requests keep
 * waiting.
 */
export const WAKE_MS = { page: 1_500, other: 30_000 };

/** Wakes a sleeping server, and waits for it up to a limit. */
export async function awake(target: PreviewTarget, ms: number): Promise<void> {
  if (!target.wake || !target.isAsleep?.()) return;
  await inTime(target.wake(), ms);
}

/** The port that a host names, or the first one; undefined unless a process of the project listens on it (A16). */
export function choosePort(target: PreviewTarget, named: PreviewHost): number | undefined {
  const ports = target.ports();
  return named.port === undefined ? ports[0] : ports.find((port) => port === named.port);
}

/** Why a target is unavailable now. */
export function waitingFor(target: PreviewTarget): Waiting {
  if (target.isAsleep?.()) return "waking";
  const state = target.state?.();
  if (state !== undefined && state !== "up") return state;
  return target.ports().length > 0 || state === "up" ? "starting" : "stopped";
}
