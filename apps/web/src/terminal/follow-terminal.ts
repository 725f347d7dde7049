import type { Terminal } from "@xterm/xterm";
import { isAnswer } from "./is-answer.ts";
import { connectTerminal, type TerminalEnd, type TerminalSocket } from "./terminal-socket.ts";

/** A lost connection is tried again after this long, in milliseconds. */
const AGAIN_MS = 2000;

/** Puts the screen back to its beginning, in order with what is drawn: what waits to be drawn was before it. */
const RESET = "\x1bc";

/** One terminal of the project on a screen. */
export interface FollowedTerminal {
  /** Whether what is drawn just now was printed before. */
  isPast(): boolean;
  /** What was printed is forgotten here and by the server. */
  clear(): void;
  leave(): void;
}

/**
 * Shows one terminal of the project on a screen, and goes on after a lost connection, until it is left. `onEnd` hears of
 * every end, and `undefined` when it goes on.
 */
export function followTerminal(options: {
  project: string;
  name: string;
  screen: Terminal;
  onEnd: (end: TerminalEnd | undefined) => void;
  onPorts: (ports: number[]) => void;
  /** What is typed, as it is sent; absent: as it is. */
  onTyped?: (data: string) => string;
}): FollowedTerminal {
  const { project, name, screen, onEnd, onPorts, onTyped } = options;
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
      onPorts,
      onPast(data, goesOn) {
        onEnd(undefined);
        replaying++;
        screen.write(goesOn ? data : RESET + data, () => {
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
    if (replaying === 0 || !isAnswer(data)) socket.write(onTyped?.(data) ?? data);
  });
  const resized = screen.onResize(({ cols, rows }) => socket.resize(cols, rows));
  return {
    isPast: () => replaying > 0,
    clear() {
      screen.clear();
      socket.clear();
    },
    leave() {
      clearTimeout(again);
      typed.dispose();
      resized.dispose();
      socket.close();
    },
  };
}
