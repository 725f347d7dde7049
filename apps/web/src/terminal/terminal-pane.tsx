import { Suspense, useEffect, useRef, useState } from "react";
import { controlServer } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { useCanStart } from "../preview/use-can-start.ts";
import { takeCommand, useTerminalsShown } from "../project/terminals-store.ts";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { ErrorBar } from "./error-bar.tsx";
import { TerminalKeys } from "./terminal-keys.tsx";
import { SERVER_TAB } from "./use-terminals.ts";
import { useScreen, type ScreenHandle } from "./use-screen.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const { Part: SearchBar } = lazyPart(() => import("./search-bar.tsx"));

/** The actions on a terminal that the panel's buttons run. */
export interface PaneActions extends ScreenHandle {
  find(): void;
}

/**
 * A shell in the sandbox, or the output of the project's server. Leaving the page does not end it: the same name
 * returns the same shell, or its output.
 * @param focus increases whenever the terminal has to take the focus; 0: never requested
 * @param onActions receives its actions, and undefined when it is gone
 */
export default function TerminalPane({
  name,
  label,
  focus,
  onActions,
}: {
  name: string;
  label: string;
  focus: number;
  onActions: (name: string, actions: PaneActions | undefined) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [searching, setSearching] = useState(false);
  const isServer = name === SERVER_TAB;
  const silent = useView((view) => view.server === undefined) && isServer;
  const [screen, setScreen] = useState<ScreenHandle>();
  const { ended, error, hideError, openAgain } = useScreen(box, {
    name,
    label,
    readOnly: isServer,
    screen,
    onScreen: setScreen,
    onFind: () => setSearching(true),
  });
  useEffect(() => {
    if (screen) onActions(name, { ...screen, find: () => setSearching(true) });
    return () => onActions(name, undefined);
  }, [name, onActions, screen]);
  useEffect(() => {
    if (focus > 0 && !isServer) screen?.terminal.focus();
  }, [focus, isServer, screen]);
  const isAsked = useTerminalsShown(({ command }) => command?.terminal === name);
  useEffect(() => {
    const command = screen && isAsked ? takeCommand(name) : undefined;
    // Line breaks become Enter, so the shell runs each line of the command.
    if (command !== undefined) screen?.type(`${command.trimEnd().replaceAll(/\r?\n/g, "\r")}\r`);
  }, [isAsked, name, screen]);

  return (
    <div className="flex h-full min-w-0 flex-col">
      {searching && screen && (
        <Suspense fallback={null}>
          <SearchBar
            terminal={screen.terminal}
            onClose={() => {
              setSearching(false);
              screen.terminal.focus();
            }}
          />
        </Suspense>
      )}
      {silent && <NoServer />}
      <div ref={box} className={`min-h-0 flex-1 p-2 ${silent ? "opacity-0" : ""}`} />
      {error !== undefined && <ErrorBar terminal={name} error={error} onHide={hideError} />}
      {!ended && !isServer && <TerminalKeys keys={() => screen?.keys} />}
      {ended && !isServer && (
        <p role="status" className="flex items-center gap-2 px-2 pb-2 text-small text-quiet">
          {ended.sentence}
          {ended.lost ? (
            words.terminal.trying
          ) : (
            <Button onClick={openAgain}>{words.terminal.openAgain}</Button>
          )}
        </p>
      )}
    </div>
  );
}

/** Shown in place of the output of a server that was never started: a way to start it, if there is one. */
function NoServer() {
  const project = useProjectId();
  const canStart = useCanStart(project);
  const { act, busy, problem } = useAct();
  return (
    <div className="flex flex-wrap items-center gap-2 p-3 text-small">
      <p className="text-quiet">
        {canStart ? words.terminal.noServer : words.terminal.noServerYet}
      </p>
      {canStart && (
        <Button disabled={busy} onClick={() => void act(() => controlServer(project, "start"))}>
          {words.terminal.startServer}
        </Button>
      )}
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}
