import type { ComparedAttempt } from "@treadle/protocol";
import { addUsage, evidenceOf, NO_USAGE } from "@treadle/protocol/fold";
import type { CallItem, ProjectView, Turn } from "../fold/types.ts";
import { linesOfCalls } from "../fold/line-counts.ts";
import { words } from "../words/words.ts";

/** Whether the attempt is unfinished. */
export const isOpen = ({ state }: ComparedAttempt): boolean =>
  state === "waiting" || state === "making" || state === "going";

/** The title of each attempt: its model, numbered if there are several of that model. */
export function titlesOf(
  attempts: readonly ComparedAttempt[],
  label: (model: string) => string,
): string[] {
  const seen = new Map<string, number>();
  return attempts.map(({ model }) => {
    const before = seen.get(model) ?? 0;
    seen.set(model, before + 1);
    const several = attempts.filter((one) => one.model === model).length > 1;
    return several ? words.compare.nth({ model: label(model), number: before + 1 }) : label(model);
  });
}

/** The attempt's own turns, without those copied from the project. */
export const turnsSince = ({ turns }: Pick<ProjectView, "turns">, since: number): Turn[] =>
  turns.filter(({ at }) => at >= since);

/** The current figures of an attempt. */
export interface Figures {
  /** Total time of finished turns, in milliseconds. */
  ms: number;
  /** When the active turn began, in milliseconds since 1970. */
  since: number | undefined;
  tokens: number;
  costUsd: number | undefined;
  lines: { added: number; removed: number } | undefined;
  /** The project's own checks: how many hold, and how many ran. */
  checks: { held: number; all: number } | undefined;
}

export function figuresOf(view: ProjectView, since: number): Figures {
  const turns = turnsSince(view, since);
  const ended = turns.flatMap(({ end }) => (end ? [end] : []));
  const open = turns.find((turn) => turn.end === undefined && turn.run !== undefined);
  const used = ended.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
  const usage = open ? addUsage(used, view.runUsage) : used;
  const calls = turns.flatMap(({ items }) =>
    items.filter((item): item is CallItem => item.kind === "call"),
  );
  const { checks } = evidenceOf(view);
  return {
    ms: ended.reduce((sum, { ms }) => sum + ms, 0),
    since: open?.startedAt,
    tokens: usage.inputTokens + usage.outputTokens,
    costUsd: usage.costUsd,
    lines: linesOfCalls(calls),
    checks: checks && {
      held: checks.filter(({ state }) => state === "held").length,
      all: checks.length,
    },
  };
}
