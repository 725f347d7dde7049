import { Plus, X } from "lucide-react";
import { lazy, Suspense } from "react";
import { useProjectId, useView } from "../live/live-context.tsx";
import { IconButton } from "../ui/button.tsx";
import { useWork } from "../project/work-store.ts";
import { ServerControls } from "./server-controls.tsx";
import { terminalLabel } from "./terminal-names.ts";
import { SERVER_TAB, useTerminals } from "./use-terminals.ts";
import { words } from "../words/words.ts";

const ServerOutput = lazy(() => import("./server-output.tsx"));
const Terminal = lazy(() => import("./terminal.tsx"));

/** Terminals that one page opens at a time. */
const TERMINALS = 6;

/** What the server prints, and shells in the sandbox. A terminal lives until its tab is closed. */
export function TerminalPanel() {
  const project = useProjectId();
  const { tabs, chosen, shown, focus, choose, add, close: closeTab } = useTerminals(project);
  const close = useWork((state) => state.toggleTerminal);
  const state = useView((view) => view.server?.state);

  const tab = (id: string, label: string) => (
    <button
      type="button"
      role="tab"
      id={`terminal-tab-${id}`}
      aria-selected={chosen === id}
      aria-controls={`terminal-${id}`}
      onClick={() => choose(id)}
      className={`shrink-0 border-b-2 px-2.5 text-small -outline-offset-2 ${
        chosen === id ? "border-accent text-ink" : "border-transparent text-quiet hover:text-ink"
      }`}
    >
      {label}
    </button>
  );

  return (
    <section aria-label={words.terminal.terminals} className="flex h-full flex-col bg-paper">
      <div className="flex h-8 shrink-0 items-stretch border-b border-line pr-1.5">
        <div
          role="tablist"
          aria-label={words.terminal.terminals}
          className="flex min-w-0 overflow-x-auto"
        >
          {tab(SERVER_TAB, words.terminal.server)}
          {tabs?.map((one) => (
            <span key={one} role="presentation" className="flex shrink-0 items-stretch">
              {tab(one, terminalLabel(one))}
              <IconButton
                name={words.terminal.close(terminalLabel(one))}
                className="my-1 size-6"
                onClick={() => closeTab(one)}
              >
                <X size={12} aria-hidden="true" />
              </IconButton>
            </span>
          ))}
        </div>
        <IconButton
          name={words.terminal.newTerminal}
          className="my-0.5"
          disabled={!tabs || tabs.length >= TERMINALS}
          onClick={add}
        >
          <Plus size={15} aria-hidden="true" />
        </IconButton>
        <span className="flex-1" />
        {chosen === SERVER_TAB && <ServerControls state={state} />}
        <IconButton name={words.terminal.closeAll} className="my-0.5" onClick={close}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="relative min-h-0 flex-1">
        <Suspense fallback={<p className="p-3 text-small text-quiet">{words.terminal.opening}</p>}>
          {tabs && chosen === SERVER_TAB && (
            <div
              role="tabpanel"
              id="terminal-server"
              aria-labelledby="terminal-tab-server"
              className="absolute inset-0"
            >
              <ServerOutput />
            </div>
          )}
          {tabs
            ?.filter((one) => shown.has(one))
            .map((one) => (
              <div
                key={one}
                role="tabpanel"
                id={`terminal-${one}`}
                aria-labelledby={`terminal-tab-${one}`}
                className={chosen === one ? "absolute inset-0" : "hidden"}
              >
                <Terminal name={one} focus={chosen === one ? focus : 0} />
              </div>
            ))}
        </Suspense>
      </div>
    </section>
  );
}
