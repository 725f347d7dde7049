import { Dialog } from "@base-ui/react/dialog";
import { totalUsage } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { DialogHead } from "../ui/dialog-head.tsx";
import { ago, money, tokens } from "../ui/format.ts";
import { useNow } from "../ui/use-now.ts";
import { visibleProse } from "@treadle/protocol/safe-text";
import { CompactButton } from "./compact-button.tsx";
import { contextRows } from "./context-rows.ts";
import { closeContext, useContextStore } from "../project/context-store.ts";

/** What the model's window held at its last request, by kind, and what that and all before it cost. */
export function ContextDialog() {
  const open = useContextStore((state) => state.open);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && closeContext()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dim z-40" />
        <Dialog.Popup className="floating fixed top-[8vh] left-1/2 z-50 max-h-[84vh] w-100 -translate-x-1/2 overflow-y-auto">
          <DialogHead title="What the model is shown" />
          <div className="space-y-4 p-4">
            <Window />
            <Costs />
            <Compacted />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Window() {
  const request = useView((view) => view.request);
  if (!request) return <p className="text-quiet">No model was asked in this project yet.</p>;
  const { context, model } = request;
  const { total, rows } = contextRows(context);
  const { window } = context;
  return (
    <section aria-labelledby="window">
      <h3 id="window" className="font-semibold">
        In the last request
      </h3>
      <p className="numbers mt-1 text-small text-quiet">
        {model !== undefined && `${model}. `}
        {window === undefined
          ? `About ${tokens(total)} tokens; how many fit is not known.`
          : `About ${tokens(total)} of ${tokens(window)} tokens; ${tokens(Math.max(0, window - total))} are left.`}
      </p>
      <ul className="mt-2 space-y-1.5">
        {rows.map(({ kind, name, tokens: count, part }) => (
          <li key={kind} data-kind={kind}>
            <div className="flex justify-between gap-3">
              <span>{name}</span>
              <span className="numbers text-quiet">≈ {tokens(count)}</span>
            </div>
            <div className="mt-0.5 h-1 overflow-hidden rounded bg-line" aria-hidden="true">
              <div className="h-full bg-accent" style={{ width: `${part * 100}%` }} />
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-small text-quiet">Estimated: four characters are a token.</p>
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
        What it costs
      </h3>
      <dl className="numbers mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        {request && (
          <>
            <dt className="text-quiet">Last request</dt>
            <dd className="text-right">
              {tokens(request.usage.inputTokens)} read ({tokens(request.usage.cachedInputTokens)}{" "}
              cached), {tokens(request.usage.outputTokens)} written
            </dd>
          </>
        )}
        {last && (
          <>
            <dt className="text-quiet">Last turn</dt>
            <dd className="text-right">
              {usageWords(last.inputTokens + last.outputTokens, last.costUsd)}
            </dd>
          </>
        )}
        <dt className="text-quiet">Project</dt>
        <dd className="text-right">{spent}</dd>
      </dl>
      {request && <p className="mt-1 text-small text-quiet">As the provider counted.</p>}
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
        Summing up
      </h3>
      <p className="numbers mt-1 text-small text-quiet">
        {compacted
          ? `Last summed up ${ago(compacted.at, now)}, from about ${tokens(compacted.before)} to ${tokens(compacted.after)} tokens.`
          : "Nothing was summed up so far."}{" "}
        A conversation that no longer fits is summed up by itself. Files and history stay as they
        are.
      </p>
      {compacted?.text !== undefined && (
        <details className="mt-2">
          <summary className="text-small text-accent hover:underline pointer-coarse:min-h-11">
            What stands in its place
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
  return `${tokens(count)} tokens${costUsd === undefined ? "" : ` · ${money(costUsd)}`}`;
}
