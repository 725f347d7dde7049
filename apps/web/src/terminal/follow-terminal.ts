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
  /** Sends text as if it was typed, as soon as the shell is there. */
  type(text: string): void;
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
  let joined = false;
  /** What is typed once the terminal is joined. */
  let waiting = "";

  function connect(): void {
    socket = connectTerminal({
      project,
      name,
      columns: screen.cols,
      rows: screen.rows,
      onPorts,
      onPast(data, goesOn) {
        onEnd(undefined);
        join();
        replaying++;
        screen.write(goesOn ? data : RESET + data, () => {
          replaying--;
          socket.drawn(data.length);
        });
      },
      onData(data) {
        onEnd(undefined);
        join();
        screen.write(data, () => socket.drawn(data.length));
      },
      onEnd(end) {
        onEnd(end);
        if (end.lost) again = setTimeout(connect, AGAIN_MS);
      },
    });
  }

  /** The server has sent something: what is typed reaches the shell. */
  function join(): void {
    joined = true;
    if (waiting !== "") socket.write(waiting);
    waiting = "";
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
    type(text) {
      if (joined) socket.write(text);
      else waiting += text;
    },
    leave() {
      clearTimeout(again);
      typed.dispose();
      resized.dispose();
      socket.close();
    },
  };
}
