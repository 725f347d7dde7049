import { useMemo, useState } from "react";
import { visible } from "@treadle/protocol/safe-text";
import type { Span } from "../api/changes.ts";
import { historyLines } from "../fold/history-lines.ts";
import { lastTurnStart, turnCheckpoints } from "../fold/select.ts";
import type { ProjectView } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { showChanges } from "../project/changes-store.ts";
import { ago } from "../ui/format.ts";
import { useNow } from "../ui/use-now.ts";
import { words } from "../words/words.ts";

const SELECT =
  "h-7 min-w-0 rounded border border-edge bg-raised px-1.5 text-ink pointer-coarse:h-11";
/** Stands for the files as they are, where a checkpoint is chosen. */
const NOW = "";

/** Which two states of the files are compared. */
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
      <select
        aria-label={words.changes.compared}
        value={kind}
        onChange={({ target: { value } }) => {
          setAsked(value === "two");
          if (value === "turn") showChanges(undefined);
          if (value === "start" && first !== undefined) showChanges({ from: first });
        }}
        className={SELECT}
      >
        {(lastTurn !== undefined || kind === "turn") && (
          <option value="turn">{words.changes.lastTurn}</option>
        )}
        {kind === "named" && <option value="named">{visible(turn ?? "")}</option>}
        <option value="start">{words.changes.sinceFirst}</option>
        <option value="two">{words.changes.twoCheckpoints}</option>
      </select>
      {kind === "two" && <TwoEnds span={span} />}
    </span>
  );
}

/** Characters of what was asked for that name a turn. */
const NAMED = 40;

/** What was asked for in the turn that began and ended with these checkpoints. */
function turnBetween(view: ProjectView, from: string, to: string | undefined): string | undefined {
  if (to === undefined) return undefined;
  const found = view.turns.find((turn) => {
    const { before, after } = turnCheckpoints(view, turn);
    return before === from && after === to;
  });
  if (!found) return undefined;
  const text = found.text.replace(/\s+/g, " ").trim();
  return words.changes.turnNamed(text.length > NAMED ? `${text.slice(0, NAMED)}…` : text);
}

function TwoEnds({ span: { from, to } }: { span: Span }) {
  const checkpoints = useView((view) => view.checkpoints);
  const turns = useView((view) => view.turns);
  const now = useNow(30_000);
  const named = useMemo(() => {
    const lines = historyLines({ checkpoints, turns });
    const names = new Map(
      lines.map(({ checkpoint, title, at }) => [checkpoint, `${visible(title)} · ${ago(at, now)}`]),
    );
    for (const one of [from, to])
      if (one !== undefined && !names.has(one)) {
        const kept = checkpoints.find(({ checkpoint }) => checkpoint === one);
        names.set(one, kept ? `${visible(kept.label)} · ${ago(kept.at, now)}` : one);
      }
    return [...names];
  }, [checkpoints, turns, from, to, now]);
  const options = named.map(([checkpoint, name]) => (
    <option key={checkpoint} value={checkpoint}>
      {name}
    </option>
  ));
  return (
    <>
      <span className="flex min-w-0 items-center gap-1.5 text-quiet">
        <span aria-hidden="true">{words.changes.from}</span>
        <select
          aria-label={words.changes.from}
          value={from}
          onChange={({ target }) => showChanges({ from: target.value, to })}
          className={`${SELECT} max-w-52`}
        >
          {options}
        </select>
      </span>
      <span className="flex min-w-0 items-center gap-1.5 text-quiet">
        <span aria-hidden="true">{words.changes.to}</span>
        <select
          aria-label={words.changes.to}
          value={to ?? NOW}
          onChange={({ target }) =>
            showChanges({ from, to: target.value === NOW ? undefined : target.value })
          }
          className={`${SELECT} max-w-52`}
        >
          <option value={NOW}>{words.changes.now}</option>
          {options}
        </select>
      </span>
    </>
  );
}
