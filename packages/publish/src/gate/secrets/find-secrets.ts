import { offThread } from "@treadle/parsing";
import type { parse } from "./find-secrets.parser.ts";
import { NOT_SEARCHED } from "../files/not-searched.ts";
import type { Found } from "../types.ts";

const LIMIT_MS = 60_000;

const findOffThread = offThread<typeof parse>(import.meta.url, "./find-secrets.parser.ts", {
  limitMs: LIMIT_MS,
});

/** Finds secrets in files. Files that take too long are a finding. */
export const findSecrets = (...args: Parameters<typeof parse>): Promise<Found[]> =>
  findOffThread({ lane: "gate" }, ...args).catch(() => [NOT_SEARCHED]);
