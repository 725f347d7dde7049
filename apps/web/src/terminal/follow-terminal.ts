import type { Terminal } from "@xterm/xterm";
import { connectTerminal, type TerminalEnd, type TerminalSocket } from "./terminal-socket.ts";

/** A lost connection is tried again after this long, in milliseconds. */
const AGAIN_MS = 2000;

/**
 * Shows one terminal of the project on a screen, and goes on after a lost connection, until the returned function is
 * called. `onEnd` hears of every end, and `undefined` when it goes on.
 */
export function followTerminal(options: {
  project: string;
  name: string;
  screen: Terminal;
  onEnd: (end: TerminalEnd | undefined) => void;
  /** What is typed, as it is sent; absent: as it is. */
  onTyped?: (data: string) => string;
}): () => void {
  const { project, name, screen, onEnd, onTyped } = options;
  let socket: TerminalSocket;
  let again: ReturnType<typeof setTimeout> | undefined;
  /** What is drawn just now happened before: a question in it was answered then, and is not answered to this shell. */
  let replaying = 0;

  function connect(): void {
    socket = connectTerminal({
      project,
      name,
      columns: screen.cols,
      rows: screen.rows,
      onPast(data) {
        onEnd(undefined);
        screen.reset();
        replaying++;
        screen.write(data, () => {
          replaying--;
          socket.drawn(data.length);
        });
      },
      onData(data) {
        onEnd(undefined);
        screen.write(data, () => socket.drawn(data.length));
      },
      onEnd(end) {
        onEnd(end);
        if (end.lost) again = setTimeout(connect, AGAIN_MS);
      },
    });
  }

  connect();
  const typed = screen.onData((data) => {
    if (replaying === 0) socket.write(onTyped?.(data) ?? data);
  });
  const resized = screen.onResize(({ cols, rows }) => socket.resize(cols, rows));
  return () => {
    clearTimeout(again);
    typed.dispose();
    resized.dispose();
    socket.close();
  };
}
