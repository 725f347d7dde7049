import type { SuspendedRun } from "@treadle/protocol";
import type { StepRecord } from "../model-call/step-record.ts";
import { clipLine } from "../text/clip.ts";
import { findTool } from "../tools/all-tools.ts";
import { createBestRevision, type BestRevision } from "./best-revision.ts";

/** The run's attempts to fix failures. */
export interface Repairs {
  count: number;
  /** Titles of the actions in each attempt; absent if there were none. */
  tried?: string[][];
  /** Signature of the last reported failure, and how often it has recurred in a row. */
  lastFailure?: string;
  /** The revision that it was seen in: the same one again means that nothing was changed. */
  lastFailedRevision?: string;
  sameFailures: number;
  /** Whether the model was told which requirements no check proves; it is told once in a run. */
  wasToldUnproven?: boolean;
  /** Whether the model was told which checks fail as they stood before it changed them; once in a run as well. */
  wasToldChanged?: boolean;
  readonly best: BestRevision;
}

/** The part of the repairs' state that is saved while a run waits. */
type SavedRepairs = Pick<
  SuspendedRun,
  | "repairs"
  | "tried"
  | "lastFailure"
  | "lastFailedRevision"
  | "sameFailures"
  | "wasToldUnproven"
  | "wasToldChanged"
  | "best"
>;

export function createRepairs(saved?: SavedRepairs): Repairs {
  const best = createBestRevision();
  if (saved?.best) best.restore(saved.best);
  return {
    count: saved?.repairs ?? 0,
    tried: saved?.tried?.map((titles) => [...titles]),
    lastFailure: saved?.lastFailure,
    lastFailedRevision: saved?.lastFailedRevision,
    sameFailures: saved?.sameFailures ?? 0,
    wasToldUnproven: saved?.wasToldUnproven || undefined,
    wasToldChanged: saved?.wasToldChanged || undefined,
    best,
  };
}

export function saveRepairs({
  count,
  tried,
  lastFailure,
  lastFailedRevision,
  sameFailures,
  wasToldUnproven,
  wasToldChanged,
  best,
}: Repairs): SavedRepairs {
  const savedBest = best.save();
  return {
    repairs: count,
    lastFailure,
    lastFailedRevision,
    sameFailures,
    wasToldUnproven: wasToldUnproven || undefined,
    wasToldChanged: wasToldChanged || undefined,
    tried,
    best: savedBest,
  };
}

/** Maximum number of actions named for one attempt, and characters of all attempts. */
const NAMED = 3;
const WORDS = 400;

/** Records a step's changes and commands of the current repair, for the final summary. */
export function noteTried({ tried }: Repairs, { calls }: StepRecord): void {
  const now = tried?.at(-1);
  if (!now) return;
  for (const { tool, outcome } of calls)
    if (outcome?.status === "ok" && (findTool(tool)?.changes || findTool(tool)?.commands))
      now.push(outcome.title);
}

/** The attempted repairs in order, as a sentence for the person; empty if there were none. */
export function triedWords({ tried = [] }: Repairs): string {
  const done = tried.filter((titles) => titles.length > 0);
  if (done.length === 0) return "";
  const words = done.map((titles, index) => {
    const more = titles.length > NAMED ? ` and ${titles.length - NAMED} more` : "";
    return `${index + 1}. ${titles.slice(0, NAMED).join(", ")}${more}`;
  });
  return ` Tried: ${clipLine(words.join("; "), WORDS)}.`;
}
