import { useEffect, useRef, useState } from "react";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { openScreen } from "./open-screen.ts";
import { connectTerminal } from "./terminal-socket.ts";

/** A shell in the sandbox. Leaving the page is not ending it: the same name finds the same shell. */
export default function Terminal({ name, ending }: { name: number; ending: Set<number> }) {
  const project = useProjectId();
  const box = useRef<HTMLDivElement>(null);
  const [ended, setEnded] = useState<string>();
  const [serial, setSerial] = useState(0);

  useEffect(() => {
    if (!box.current) return;
    const { terminal, close } = openScreen(box.current, {
      readOnly: false,
      name: `Terminal ${name}`,
    });
    const socket = connectTerminal({
      project,
      name: String(name),
      columns: terminal.cols,
      rows: terminal.rows,
      onData: (data) => terminal.write(data),
      onEnd: setEnded,
    });
    terminal.onData(socket.write);
    terminal.onResize(({ cols, rows }) => socket.resize(cols, rows));
    terminal.focus();
    return () => {
      if (ending.delete(name)) socket.kill();
      socket.close();
      close();
    };
  }, [ending, name, project, serial]);

  return (
    <div className="flex h-full flex-col">
      <div ref={box} className="min-h-0 flex-1 p-2" />
      {ended !== undefined && (
        <p className="flex items-center gap-2 px-2 pb-2 text-small text-quiet">
          {ended}
          <Button
            onClick={() => {
              setEnded(undefined);
              setSerial(serial + 1);
            }}
          >
            Open again
          </Button>
        </p>
      )}
    </div>
  );
}
