import type { Limits } from "../ports/limits.ts";

export const DEFAULT_LIMITS: Limits = {
  steps: 40,
  repairs: 4,
  ms: 30 * 60_000,
  modelIdleMs: 120_000,
  modelTries: 5,
  goOns: 2,
};
