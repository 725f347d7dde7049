import { useEffect, useRef } from "react";
import { useProjectId, useView } from "../live/live-context.tsx";
import { openScreen } from "./open-screen.ts";
import { connectTerminal, type TerminalSocket } from "./terminal-socket.ts";

/** The name under which the project's own server is read. */
const SERVER = "server";
/** A lost connection is tried again after this long, in milliseconds. */
const AGAIN_MS = 2000;

/** The server's output, as it comes. */
export default function ServerOutput() {
  const project = useProjectId();
  const box = useRef<HTMLDivElement>(null);
  const none = useView((view) => view.server === undefined);
  useEffect(() => {
    if (!box.current) return;
    const { terminal, close } = openScreen(box.current, { readOnly: true, name: "Server output" });
    let socket: TerminalSocket;
    let again: ReturnType<typeof setTimeout>;
    const connect = () => {
      // What was printed so far is sent again to whoever connects.
      terminal.reset();
      socket = connectTerminal({
        project,
        name: SERVER,
        columns: terminal.cols,
        rows: terminal.rows,
        onData: (data) => terminal.write(data),
        onEnd: () => {
          again = setTimeout(connect, AGAIN_MS);
        },
      });
    };
    connect();
    return () => {
      clearTimeout(again);
      socket.close();
      close();
    };
  }, [project]);
  return (
    <>
      {none && (
        <p className="absolute inset-0 z-10 p-3 text-small text-quiet">
          No server was started yet.
        </p>
      )}
      <div ref={box} className="h-full p-2" />
    </>
  );
}
