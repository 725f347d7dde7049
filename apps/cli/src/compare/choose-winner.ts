import { createInterface } from "node:readline/promises";
import type { Comparison } from "@treadle/protocol";
import { askToGoOn } from "../terminal/ask-person.ts";
import { plain } from "../terminal/plain.ts";
import type { RunPlace } from "../run/prepare-run.ts";
import { attemptTable } from "./attempt-table.ts";
import { bestOf, endedOf, type EndedAttempt, type WonBy } from "./winner.ts";

/** The chosen attempt, and the reason. */
export interface Winner {
  attempt: EndedAttempt;
  by: WonBy | "first" | "person";
  /** A sentence. */
  why: string;
}

const WHY: Record<WonBy, string> = {
  only: "Only one attempt finished.",
  verdict: "Its verdict is the best.",
  checks: "Its checks hold best.",
  cost: "It cost the least of the equally good ones.",
};

/**
 * Chooses the best attempt. If several are equal, asks the person, or takes the first in a pipe.
 * @param interrupted the person stopped the comparison: an attempt that ended before is taken only if they confirm it
 * @returns undefined if there is none, or if the person takes none
 */
export async function chooseWinner(
  { attempts }: Comparison,
  { isThere, terminal }: Pick<RunPlace, "isThere" | "terminal">,
  interrupted: boolean,
): Promise<Winner | undefined> {
  const ended = endedOf(attempts).filter(({ result }) => !interrupted || result.outcome === "done");
  const { best, by } = bestOf(ended);
  const [first] = best;
  if (!first) return undefined;
  if (interrupted) {
    const text = `Attempt ${first.number} (${first.model}) is the best of those that finished. It can be taken into the folder.`;
    if (!isThere || !(await askToGoOn(text, terminal))) return undefined;
    return { attempt: first, by, why: WHY[by] };
  }
  if (best.length === 1) return { attempt: first, by, why: WHY[by] };
  const numbers = best.map(({ number }) => number).join(", ");
  const alike = `Attempts ${numbers} are equally good by verdict, checks and cost.`;
  if (!isThere) return { attempt: first, by: "first", why: `${alike} The first is taken.` };
  terminal.output.write(`\n${attemptTable(best)}`);
  const chosen = await askWhich(best, `${alike} Which one? [${first.number}] `, terminal);
  return chosen && { attempt: chosen, by: "person", why: "As you chose." };
}

/** Asks which of the best attempts is taken. Enter means the first; undefined if nobody answers. */
async function askWhich(
  best: readonly EndedAttempt[],
  text: string,
  { input, output }: RunPlace["terminal"],
): Promise<EndedAttempt | undefined> {
  const terminal = createInterface({ input, terminal: false });
  const lines = terminal[Symbol.asyncIterator]();
  try {
    for (;;) {
      output.write(plain(text));
      const { done, value } = await lines.next();
      if (done) return undefined;
      if (value.trim() === "") return best[0];
      const found = best.find(({ number }) => String(number) === value.trim());
      if (found) return found;
    }
  } finally {
    terminal.close();
  }
}
