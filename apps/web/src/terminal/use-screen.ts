import type { Terminal } from "@xterm/xterm";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import { portsKey, useOpenPorts } from "../api/terminals.ts";
import { useKnownFiles } from "../evidence/use-known-files.ts";
import { useProjectId } from "../live/live-context.tsx";
import { showPreview } from "../project/previewed-store.ts";
import { useWork } from "../project/work-store.ts";
import { words } from "../words/words.ts";
import { addressTarget, type LinkTarget } from "./find-links.ts";
import { followTerminal } from "./follow-terminal.ts";
import { linkScreen } from "./link-screen.ts";
import { linesFrom } from "./logical-lines.ts";
import { openScreen } from "./open-screen.ts";
import { createPressedKeys } from "./pressed-keys.ts";
import type { PressedKeys } from "./terminal-keys.tsx";
import { addShortcuts } from "./terminal-shortcuts.ts";
import type { TerminalEnd } from "./terminal-socket.ts";
import { watchErrors } from "./watch-errors.ts";

/** The screen as used by the buttons around it. */
export interface ScreenHandle {
  terminal: Terminal;
  keys: PressedKeys;
  /** The selected text, or all of it. */
  text(): string;
  clear(): void;
  /** Sends text as if it were typed. */
  type(text: string): void;
}

/** Shows a terminal of the project in an element for as long as it is mounted. */
export function useScreen(
  box: RefObject<HTMLDivElement | null>,
  {
    name,
    label,
    readOnly,
    screen,
    onScreen,
    onFind,
  }: {
    name: string;
    label: string;
    readOnly: boolean;
    screen: ScreenHandle | undefined;
    /** Called with the screen, and with undefined when it is gone. */
    onScreen: (screen: ScreenHandle | undefined) => void;
    onFind: () => void;
  },
) {
  const project = useProjectId();
  const client = useQueryClient();
  const files = useKnownFiles();
  const ports = useOpenPorts(project);
  const [ended, setEnded] = useState<TerminalEnd>();
  const [error, setError] = useState<string>();
  const [serial, setSerial] = useState(0);
  const known = useEffectEvent(() => ({ files, ports }));
  const find = useEffectEvent(onFind);
  const labelled = useEffectEvent(() => label);

  useEffect(() => {
    const parent = box.current;
    if (!parent) return;
    const { terminal, close } = openScreen(parent, {
      readOnly,
      name: labelled(),
      onAddress(address) {
        const target = addressTarget(address, known().ports);
        if (target) onOpen(target);
      },
    });
    const pressed = createPressedKeys(
      (data) => terminal.input(data),
      () => terminal.modes.applicationCursorKeysMode,
    );
    const followed = followTerminal({
      project,
      name,
      screen: terminal,
      onEnd: setEnded,
      onPorts: (listening) => client.setQueryData(portsKey(project), listening),
      onTyped(data) {
        if (data.includes("\r")) errors.sent();
        return pressed.typed(data);
      },
    });
    const errors = watchErrors(terminal, followed.isReplay, setError);
    const unlink = linkScreen(terminal, {
      known: () => known(),
      titleOf,
      onOpen,
      onHover: (title) => void (parent.title = title ?? ""),
    });
    addShortcuts(terminal, () => find());
    onScreen({
      terminal,
      keys: pressed.keys,
      text: () =>
        terminal.getSelection() || linesFrom(terminal.buffer.active, 0).join("\n").trimEnd(),
      clear: followed.clear,
      type: followed.type,
    });
    return () => {
      onScreen(undefined);
      setError(undefined);
      unlink();
      errors.end();
      followed.leave();
      close();
    };
  }, [box, client, name, onScreen, project, readOnly, serial]);
  useEffect(() => {
    screen?.terminal.textarea?.setAttribute("aria-label", label);
  }, [label, screen]);

  return {
    ended,
    error,
    hideError: () => setError(undefined),
    openAgain: () => {
      setEnded(undefined);
      setSerial(serial + 1);
    },
  };
}

function titleOf(target: LinkTarget): string {
  if (target.kind === "web") return target.address;
  if (target.kind === "preview")
    return words.terminal.openPreview({ address: `:${target.port}${target.path}` });
  const { path, place } = target;
  return place
    ? words.evidence.openAt({ path, line: place.line })
    : words.terminal.openFile({ path });
}

function onOpen(target: LinkTarget): void {
  if (target.kind === "web") window.open(target.address, "_blank", "noopener,noreferrer");
  else if (target.kind === "preview") showPreview(target.port, target.path);
  else useWork.getState().openFile(target.path, target.place);
}
