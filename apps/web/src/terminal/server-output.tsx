import { useEffect, useRef } from "react";
import { useProjectId, useView } from "../live/live-context.tsx";
import { followTerminal } from "./follow-terminal.ts";
import { openScreen } from "./open-screen.ts";
import { words } from "../words/words.ts";

/** The name under which the project's own server is read. */
const SERVER = "server";

/** The server's output, as it comes; that of the last time above it. */
export default function ServerOutput() {
  const project = useProjectId();
  const box = useRef<HTMLDivElement>(null);
  const none = useView((view) => view.server === undefined);
  useEffect(() => {
    if (!box.current) return;
    const { terminal, close } = openScreen(box.current, {
      readOnly: true,
      name: words.terminal.serverOutput,
    });
    const leave = followTerminal({ project, name: SERVER, screen: terminal, onEnd: () => {} });
    return () => {
      leave();
      close();
    };
  }, [project]);
  return (
    <>
      {none && (
        <p className="absolute inset-0 z-10 p-3 text-small text-quiet">{words.terminal.noServer}</p>
      )}
      <div ref={box} className="h-full p-2" />
    </>
  );
}
