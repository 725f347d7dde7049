import { totalUsage } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { DialogBox } from "../ui/dialog-box.tsx";
import { formatAgo, formatMoney, formatTokens } from "../ui/format.ts";
import { useNow } from "../ui/use-now.ts";
import { visibleProse } from "@treadle/protocol/safe-text";
import { CompactButton } from "./compact-button.tsx";
import { contextRows } from "./context-rows.ts";
import { closeContext, useContextStore } from "../project/context-store.ts";
import { words } from "../words/words.ts";

/** The contents of the model's context at its last request, by kind, with its cost and the total. */
export function ContextDialog() {
  const open = useContextStore((state) => state.open);
  return (
    <DialogBox
      open={open}
      onClose={closeContext}
      title={words.usage.shown}
      className="top-[8vh] max-h-[84vh] w-100 overflow-y-auto"
    >
      <div className="space-y-4 p-4">
        <Window />
        <Costs />
        <Compacted />
      </div>
    </DialogBox>
  );
}

function Window() {
  const request = useView((view) => view.request);
  if (!request) return <p className="text-quiet">{words.usage.noneYet}</p>;
  const { context, model } = request;
  const { total, rows } = contextRows(context);
  const { window } = context;
  return (
    <section aria-labelledby="window">
      <h3 id="window" className="font-semibold">
        {words.usage.lastRequest}
      </h3>
      <p className="numbers mt-1 text-small text-quiet">
        {model !== undefined && `${model}. `}
        {window === undefined
          ? words.usage.about({ used: formatTokens(total) })
          : words.usage.aboutOf({
              used: formatTokens(total),
              total: formatTokens(window),
              left: formatTokens(Math.max(0, window - total)),
            })}
      </p>
      <ul className="mt-2 space-y-1.5">
        {rows.map(({ kind, name, tokens: count, part }) => (
          <li key={kind} data-kind={kind}>
            <div className="flex justify-between gap-3">
              <span>{name}</span>
              <span className="numbers text-quiet">≈ {formatTokens(count)}</span>
            </div>
            <div className="mt-0.5 h-1 overflow-hidden rounded bg-line" aria-hidden="true">
              <div className="h-full bg-accent" style={{ width: `${part * 100}%` }} />
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-small text-quiet">{words.usage.estimated}</p>
    </section>
  );
}

function Costs() {
  const request = useView((view) => view.request);
  const last = useView((view) =>
    view.run === undefined ? view.turns.findLast(({ end }) => end)?.end?.usage : view.runUsage,
  );
  const spent = useView((view) => {
    const total = totalUsage(view);
    return usageWords(total.tokens, total.costUsd);
  });
  return (
    <section aria-labelledby="costs">
      <h3 id="costs" className="font-semibold">
        {words.usage.costs}
      </h3>
      <dl className="numbers mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        {request && (
          <>
            <dt className="text-quiet">{words.usage.request}</dt>
            <dd className="text-right">
              {words.usage.requestUse({
                read: formatTokens(request.usage.inputTokens),
                cached: formatTokens(request.usage.cachedInputTokens),
                written: formatTokens(request.usage.outputTokens),
              })}
            </dd>
          </>
        )}
        {last && (
          <>
            <dt className="text-quiet">{words.usage.lastTurn}</dt>
            <dd className="text-right">
              {usageWords(last.inputTokens + last.outputTokens, last.costUsd)}
            </dd>
          </>
        )}
        <dt className="text-quiet">{words.usage.project}</dt>
        <dd className="text-right">{spent}</dd>
      </dl>
      {request && <p className="mt-1 text-small text-quiet">{words.usage.asCounted}</p>}
    </section>
  );
}

function Compacted() {
  const compacted = useView((view) => view.compacted);
  const asked = useView((view) => view.request !== undefined);
  const now = useNow(60_000);
  if (!asked) return null;
  return (
    <section aria-labelledby="compacted">
      <h3 id="compacted" className="font-semibold">
        {words.usage.summary}
      </h3>
      <p className="numbers mt-1 text-small text-quiet">
        {compacted
          ? words.usage.summed({
              when: formatAgo(compacted.at, now),
              from: formatTokens(compacted.before),
              to: formatTokens(compacted.after),
            })
          : words.usage.notSummed}{" "}
        {words.usage.byItself}
      </p>
      {compacted?.text !== undefined && (
        <details className="mt-2">
          <summary className="text-small text-accent hover:underline pointer-coarse:min-h-11">
            {words.usage.inItsPlace}
          </summary>
          <p
            dir="auto"
            className="mt-1 max-h-80 overflow-auto border-l border-line pl-3 text-small break-words whitespace-pre-wrap"
          >
            {visibleProse(compacted.text)}
          </p>
        </details>
      )}
      <CompactButton />
    </section>
  );
}

function usageWords(count: number, costUsd: number | undefined): string {
  return `${formatTokens(count)} tokens${costUsd === undefined ? "" : ` · ${formatMoney(costUsd)}`}`;
}
