import { useMemo, useState } from "react";
import { visible } from "@treadle/protocol/safe-text";
import type { Span } from "../api/changes.ts";
import { historyLines } from "../fold/history-lines.ts";
import { lastTurnStart, turnCheckpoints } from "../fold/select.ts";
import type { ProjectView } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { showChanges } from "../project/changes-store.ts";
import { formatAgo } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";

const SELECT =
  "h-7 min-w-0 rounded border border-edge bg-raised px-1.5 text-ink pointer-coarse:h-11";
/** Select value for the current files instead of a checkpoint. */
const NOW = "";

/** Selects the two states to compare. */
export function SpanChoice({ span }: { span: Span }) {
  const first = useView((view) => view.checkpoints[0]?.checkpoint);
  const lastTurn = useView(lastTurnStart);
  const [asked, setAsked] = useState(false);
  const { from, to } = span;
  const turn = useView((view) => turnBetween(view, from, to));
  const kind =
    turn !== undefined && !asked
      ? "named"
      : asked || to !== undefined || (from !== lastTurn && from !== first)
        ? "two"
        : from === lastTurn
          ? "turn"
          : "start";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <Select
        aria-label={words.changes.compared}
        value={kind}
        onChoose={(value) => {
          setAsked(value === "two");
          if (value === "turn") showChanges(undefined);
          if (value === "start" && first !== undefined) showChanges({ from: first });
        }}
        className={SELECT}
        options={[
          ...(lastTurn !== undefined || kind === "turn"
            ? [{ value: "turn" as const, name: words.changes.lastTurn }]
            : []),
          ...(kind === "named" ? [{ value: kind, name: visible(turn ?? "") }] : []),
          { value: "start", name: words.changes.sinceFirst },
          { value: "two", name: words.changes.twoCheckpoints },
        ]}
      />
      {kind === "two" && <TwoEnds span={span} />}
    </span>
  );
}

/** Maximum characters of a request used as a turn's name. */
const MAX_NAME_CHARS = 40;

/** The request of the turn that began and ended with these checkpoints; undefined if no turn did. */
function turnBetween(view: ProjectView, from: string, to: string | undefined): string | undefined {
  if (to === undefined) return undefined;
  const found = view.turns.find((turn) => {
    const { before, after } = turnCheckpoints(view, turn);
    return before === from && after === to;
  });
  if (!found) return undefined;
  const text = found.text.replace(/\s+/g, " ").trim();
  return words.changes.turnNamed({
    text: text.length > MAX_NAME_CHARS ? `${text.slice(0, MAX_NAME_CHARS)}…` : text,
  });
}

function TwoEnds({ span: { from, to } }: { span: Span }) {
  const checkpoints = useView((view) => view.checkpoints);
  const turns = useView((view) => view.turns);
  const now = useNow(30_000);
  const named = useMemo(() => {
    const lines = historyLines({ checkpoints, turns });
    const names = new Map(
      lines.map(({ checkpoint, title, at }) => [
        checkpoint,
        `${visible(title)} · ${formatAgo(at, now)}`,
      ]),
    );
    for (const one of [from, to])
      if (one !== undefined && !names.has(one)) {
        const match = checkpoints.find(({ checkpoint }) => checkpoint === one);
        names.set(one, match ? `${visible(match.label)} · ${formatAgo(match.at, now)}` : one);
      }
    return [...names];
  }, [checkpoints, turns, from, to, now]);
  const options = named.map(([value, name]) => ({ value, name }));
  return (
    <>
      <span className="flex min-w-0 items-center gap-1.5 text-quiet">
        <span aria-hidden="true">{words.changes.from}</span>
        <Select
          aria-label={words.changes.from}
          value={from}
          options={options}
          onChoose={(chosen) => showChanges({ from: chosen, to })}
          className={`${SELECT} max-w-52`}
        />
      </span>
      <span className="flex min-w-0 items-center gap-1.5 text-quiet">
        <span aria-hidden="true">{words.changes.to}</span>
        <Select
          aria-label={words.changes.to}
          value={to ?? NOW}
          options={[{ value: NOW, name: words.changes.now }, ...options]}
          onChoose={(chosen) => showChanges({ from, to: chosen === NOW ? undefined : chosen })}
          className={`${SELECT} max-w-52`}
        />
      </span>
    </>
  );
}
