import { useEffect, useRef, useState } from "react";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { followTerminal } from "./follow-terminal.ts";
import { openScreen } from "./open-screen.ts";
import { createPressedKeys } from "./pressed-keys.ts";
import { TerminalKeys, type PressedKeys } from "./terminal-keys.tsx";
import { terminalLabel } from "./terminal-names.ts";
import type { TerminalEnd } from "./terminal-socket.ts";
import { words } from "../words/words.ts";

/**
 * A shell in the sandbox. Leaving the page is not ending it: the same name finds the same shell, or its text.
 * @param focus grows whenever what is typed next is for this one; 0: nothing was asked yet
 */
export default function Terminal({ name, focus }: { name: string; focus: number }) {
  const project = useProjectId();
  const box = useRef<HTMLDivElement>(null);
  const focusScreen = useRef(() => {});
  const keys = useRef<PressedKeys>(undefined);
  const [ended, setEnded] = useState<TerminalEnd>();
  const [serial, setSerial] = useState(0);

  useEffect(() => {
    if (!box.current) return;
    const { terminal, close } = openScreen(box.current, {
      readOnly: false,
      name: terminalLabel(name),
    });
    focusScreen.current = () => terminal.focus();
    const pressed = createPressedKeys(
      (data) => terminal.input(data),
      () => terminal.modes.applicationCursorKeysMode,
    );
    keys.current = pressed.keys;
    const leave = followTerminal({
      project,
      name,
      screen: terminal,
      onEnd: setEnded,
      onTyped: pressed.typed,
    });
    return () => {
      leave();
      close();
    };
  }, [name, project, serial]);
  useEffect(() => {
    if (focus > 0) focusScreen.current();
  }, [focus, serial]);

  return (
    <div className="flex h-full flex-col">
      <div ref={box} className="min-h-0 flex-1 p-2" />
      {!ended && <TerminalKeys keys={() => keys.current} />}
      {ended && (
        <p role="status" className="flex items-center gap-2 px-2 pb-2 text-small text-quiet">
          {ended.sentence}
          {ended.lost ? (
            words.terminal.trying
          ) : (
            <Button
              onClick={() => {
                setEnded(undefined);
                setSerial(serial + 1);
              }}
            >
              {words.terminal.openAgain}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
