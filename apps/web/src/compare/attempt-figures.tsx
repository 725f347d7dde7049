import { useLiveStore, useView } from "../live/live-context.tsx";
import { formatClock, formatMoney, formatTokens } from "../ui/format.ts";
import { LineCountView } from "../ui/line-count.tsx";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";
import { figuresOf } from "./attempts.ts";

/** The figures by which attempts are compared: time, cost, tokens, checks and size. */
export function AttemptFigures({ since }: { since: number }) {
  const store = useLiveStore();
  // Renders again when one of these values changes, but not for streamed text.
  useView(
    (view) => `${view.runUsage.outputTokens} ${view.turns.length} ${view.open} ${view.evidenceAt}`,
  );
  const figures = figuresOf(store.getState().view, since);
  const now = useNow(1000, figures.since !== undefined);
  const ms = figures.ms + (figures.since === undefined ? 0 : Math.max(0, now - figures.since));
  const { costUsd, checks, lines } = figures;
  const rows: [string, React.ReactNode][] = [
    [words.compare.time, formatClock(ms)],
    [words.compare.price, costUsd === undefined ? "–" : formatMoney(costUsd)],
    [words.compare.tokens, formatTokens(figures.tokens)],
    [words.compare.lines, lines ? <LineCountView lines={lines} /> : "–"],
    ...(checks
      ? [
          [
            words.compare.checks,
            words.compare.heldOf({ held: checks.held, all: checks.all }),
          ] satisfies [string, string],
        ]
      : []),
  ];
  return (
    <dl className="numbers grid grid-cols-[repeat(auto-fill,minmax(84px,1fr))] gap-x-3 gap-y-2 border-b border-line px-3 py-2">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt className="text-small text-quiet">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
