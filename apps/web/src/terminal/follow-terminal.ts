import type { Terminal } from "@xterm/xterm";
import { isAnswer } from "./is-answer.ts";
import { connectTerminal, type TerminalEnd, type TerminalSocket } from "./terminal-socket.ts";

/** Delay before reconnecting, in milliseconds. */
const AGAIN_MS = 2000;

/** Resets the screen as part of the output, so that it takes effect after everything still waiting to be drawn. */
const RESET = "\x1bc";

/** A terminal of the project, shown on a screen. */
export interface FollowedTerminal {
  /** Whether the output being drawn is a replay of earlier output. */
  isReplay(): boolean;
  /** Clears the output here and on the server. */
  clear(): void;
  /** Types text once the shell is connected. */
  type(text: string): void;
  leave(): void;
}

/**
 * Shows a terminal of the project on a screen and reconnects after a lost connection, until it is left. `onEnd` is
 * called at each end, and with `undefined` when it continues.
 */
export function followTerminal(options: {
  project: string;
  name: string;
  screen: Terminal;
  onEnd: (end: TerminalEnd | undefined) => void;
  onPorts: (ports: number[]) => void;
  /** Transforms typed text before it is sent; undefined sends it unchanged. */
  onTyped?: (data: string) => string;
}): FollowedTerminal {
  const { project, name, screen, onEnd, onPorts, onTyped } = options;
  let socket: TerminalSocket;
  let again: ReturnType<typeof setTimeout> | undefined;
  /**
   * Number of replays being drawn. A terminal query in old output was answered at the time, so the answer is not sent
   * to this shell.
   */
  let replaying = 0;
  let joined = false;
  /** Text to type once the terminal is connected. */
  let waiting = "";

  function connect(): void {
    socket = connectTerminal({
      project,
      name,
      columns: screen.cols,
      rows: screen.rows,
      onPorts,
      onReplay(data, isContinuation) {
        onEnd(undefined);
        join();
        replaying++;
        screen.write(isContinuation ? data : RESET + data, () => {
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

  /** Call when the server has sent something: typed text now reaches the shell, so the waiting text is sent. */
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
    isReplay: () => replaying > 0,
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
