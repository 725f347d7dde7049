import { Suspense, useCallback, useState } from "react";
import { Columns2, Plus, X } from "../ui/icons.ts";
import { useMe } from "../api/account.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { toggleTerminals } from "../project/terminals-store.ts";
import { IconButton } from "../ui/button.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";
import { useNarrow } from "../ui/use-narrow.ts";
import { words } from "../words/words.ts";
import { MAX_PANES } from "./panes.ts";
import { PortBar } from "./port-bar.tsx";
import { ServerControls } from "./server-controls.tsx";
import { TerminalMenu } from "./terminal-menu.tsx";
import type { PaneActions } from "./terminal-pane.tsx";
import { TerminalTabs } from "./terminal-tabs.tsx";
import { MAX_TERMINALS, SERVER_TAB, useTerminals } from "./use-terminals.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const { Part: TerminalPane } = lazyPart(() => import("./terminal-pane.tsx"));

/** The server's output and shells in the sandbox, side by side. A terminal runs until its tab is closed. */
export function TerminalPanel() {
  useFocusBack();
  const project = useProjectId();
  const terminals = useTerminals(project);
  const { tabs, panes, seen, focus, labelOf, choose, add, split, alone } = terminals;
  const state = useView((view) => view.server?.state);
  // Terminals side by side do not fit on a narrow page; they return when the page is wide again.
  const narrow = useNarrow();
  const shown = narrow ? [panes.chosen] : panes.shown;
  const [renaming, setRenaming] = useState<string>();
  const [actions, setActions] = useState<ReadonlyMap<string, PaneActions>>(new Map());
  const onActions = useCallback(
    (name: string, those: PaneActions | undefined) =>
      setActions((before) => {
        const next = new Map(before);
        if (those) next.set(name, those);
        else next.delete(name);
        return next;
      }),
    [],
  );
  const full = !tabs || tabs.length >= MAX_TERMINALS;
  const canSplit = !narrow && !full && shown.length < MAX_PANES;
  const isTeam = useMe()?.accounts === true;
  const isOwn = panes.chosen !== SERVER_TAB && terminals.isOwn(panes.chosen);
  const rename = isOwn ? () => setRenaming(panes.chosen) : undefined;

  return (
    <section aria-label={words.terminal.terminals} className="flex h-full flex-col bg-paper">
      <div className="flex h-8 shrink-0 items-stretch border-b border-line pr-1.5 pointer-coarse:h-12">
        <TerminalTabs terminals={terminals} renaming={renaming} onRenaming={setRenaming} />
        <IconButton
          name={words.terminal.newTerminal}
          className="my-0.5"
          disabled={full}
          onClick={add}
        >
          <Plus size={15} aria-hidden="true" />
        </IconButton>
        <span className="flex-1" />
        {panes.chosen === SERVER_TAB && <ServerControls state={state} />}
        {!narrow && (
          <IconButton
            name={words.terminal.split}
            className="my-0.5"
            disabled={!canSplit}
            onClick={split}
          >
            <Columns2 size={15} aria-hidden="true" />
          </IconButton>
        )}
        <TerminalMenu
          actions={actions.get(panes.chosen)}
          onRename={rename}
          sharing={terminals.entryOf(panes.chosen)?.sharing}
          onShare={
            isTeam && isOwn ? (sharing) => void terminals.share(panes.chosen, sharing) : undefined
          }
          onSplit={canSplit ? split : undefined}
          onAlone={shown.length > 1 ? alone : undefined}
        />
        <IconButton name={words.terminal.closeAll} className="my-0.5" onClick={toggleTerminals}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="flex min-h-0 flex-1">
        <Suspense fallback={<p className="p-3 text-small text-quiet">{words.terminal.opening}</p>}>
          {[SERVER_TAB, ...(tabs ?? [])]
            .filter((one) => tabs && seen.has(one))
            .map((one) => (
              <div
                key={one}
                role="tabpanel"
                id={`terminal-${one}`}
                aria-labelledby={`terminal-tab-${one}`}
                // A screen keeps its DOM position and is only reordered visually, because moving it would reset it.
                style={{ order: shown.indexOf(one) }}
                onFocusCapture={() => {
                  if (panes.chosen !== one) choose(one);
                }}
                className={
                  shown.includes(one)
                    ? `min-w-0 flex-1 basis-0 ${shown[0] === one ? "" : "border-l border-line"}`
                    : "hidden"
                }
              >
                <TerminalPane
                  name={one}
                  label={one === SERVER_TAB ? words.terminal.serverOutput : labelOf(one)}
                  focus={panes.chosen === one ? focus : 0}
                  onActions={onActions}
                />
              </div>
            ))}
        </Suspense>
      </div>
      <PortBar />
    </section>
  );
}
