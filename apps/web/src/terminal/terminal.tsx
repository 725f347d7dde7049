import { useEffect, useRef, useState } from "react";
import { terminalAddress } from "../api/projects.ts";
import { useProjectId } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { openScreen } from "./open-screen.ts";

type FromServer = { type: "data"; data: string } | { type: "exit"; code: number };

/** A shell in the sandbox. */
export default function Terminal({ name }: { name: number }) {
  const project = useProjectId();
  const box = useRef<HTMLDivElement>(null);
  const [ended, setEnded] = useState<string>();
  const [serial, setSerial] = useState(0);

  useEffect(() => {
    if (!box.current) return;
    setEnded(undefined);
    const { terminal, close } = openScreen(box.current, {
      readOnly: false,
      name: `Terminal ${name}`,
    });
    const socket = new WebSocket(
      terminalAddress(project, crypto.randomUUID(), {
        columns: terminal.cols,
        rows: terminal.rows,
      }),
    );
    const send = (message: object) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    };
    let over = false;
    socket.addEventListener("message", (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as FromServer;
      if (message.type === "data") terminal.write(message.data);
      else {
        over = true;
        setEnded(`The shell ended with ${message.code}.`);
      }
    });
    socket.addEventListener("close", () => {
      if (!over) setEnded("The connection to the terminal is lost.");
    });
    terminal.onData((data) => send({ type: "data", data }));
    terminal.onResize(({ cols, rows }) => send({ type: "resize", columns: cols, rows }));
    terminal.focus();
    return () => {
      over = true;
      socket.close();
      close();
    };
  }, [name, project, serial]);

  return (
    <div className="flex h-full flex-col">
      <div ref={box} className="min-h-0 flex-1 p-2" />
      {ended !== undefined && (
        <p className="flex items-center gap-2 px-2 pb-2 text-small text-quiet">
          {ended} <Button onClick={() => setSerial(serial + 1)}>Open again</Button>
        </p>
      )}
    </div>
  );
}
