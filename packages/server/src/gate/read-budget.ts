import { z } from "zod";
import type { GateFile } from "./types.ts";

/** Megabytes of a first page with all that it wants: a phone has that in four seconds. */
const USUAL_MB = 2;

const Budget = z.object({ firstPageMB: z.number().positive().max(1_000).default(USUAL_MB) });

/** What the first page may weigh over the line, in megabytes: as `treadle.json` says (`firstPageMB`), else 2. */
export function readBudget(sources: readonly GateFile[]): number {
  const file = sources.find(({ path }) => path === "treadle.json");
  try {
    return Budget.parse(JSON.parse(file?.text ?? "{}")).firstPageMB;
  } catch {
    // What is wrong in it is told where its jobs are read.
    return USUAL_MB;
  }
}
