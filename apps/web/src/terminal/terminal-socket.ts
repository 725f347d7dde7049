import { terminalPaths } from "../api/terminals.ts";
import { openLine } from "../live/line.ts";
import { words } from "../words/words.ts";

type FromServer =
  | { type: "past"; data: string; goesOn?: true }
  | { type: "data"; data: string }
  | { type: "ports"; ports: number[] }
  | { type: "exit"; code: number }
  | { type: "error"; message: string };

/** The server is told what was drawn in steps of so many characters; it waits for it long before it is behind by more. */
const DRAWN_STEP = 16 * 1024;

export interface TerminalSocket {
  write(data: string): void;
  resize(columns: number, rows: number): void;
  /** So many characters more are on the screen: the server sends no faster than that. */
  drawn(characters: number): void;
  /** What was printed is forgotten, but for the line where the shell waits. */
  clear(): void;
  /** Leaving does not end the shell. */
  close(): void;
}

/** Why a connection is over: the shell's own end, a refusal, or that it broke. */
export interface TerminalEnd {
  sentence: string;
  /** It may be tried again by itself. */
  lost: boolean;
}

/** The connection to one terminal of the project. `onEnd` is called once. */
export function connectTerminal(options: {
  project: string;
  name: string;
  columns: number;
  rows: number;
  /** What was printed before, in place of all that came; `goesOn`: more of it. */
  onPast: (data: string, goesOn: boolean) => void;
  onData: (data: string) => void;
  /** What the project's processes listen on now. */
  onPorts: (ports: number[]) => void;
  onEnd: (end: TerminalEnd) => void;
}): TerminalSocket {
  const { project, name, columns, rows, onPast, onData, onPorts, onEnd } = options;
  let isClosed = false;
  let undrawn = 0;
  const end = (sentence: string, lost = false) => {
    if (isClosed) return;
    isClosed = true;
    onEnd({ sentence, lost });
  };
  const line = openLine(terminalPaths(project, name, { columns, rows }), {
    onOpen: () => {},
    onAlive: () => {},
    onMessage(text) {
      if (isClosed) return;
      const message = JSON.parse(text) as FromServer;
      switch (message.type) {
        case "data":
          return onData(message.data);
        case "past":
          return onPast(message.data, message.goesOn === true);
        case "ports":
          return onPorts(message.ports);
        case "exit":
          return end(words.terminal.ended({ code: message.code }));
        case "error":
          return end(message.message);
      }
    },
    onEnd: () => end(words.terminal.lost, true),
  });
  const send = (message: object) => line.send(JSON.stringify(message));
  return {
    write: (data) => send({ type: "data", data }),
    resize: (nextColumns, nextRows) =>
      send({ type: "resize", columns: nextColumns, rows: nextRows }),
    drawn(characters) {
      undrawn += characters;
      if (undrawn < DRAWN_STEP) return;
      send({ type: "drawn", characters: undrawn });
      undrawn = 0;
    },
    clear: () => send({ type: "clear" }),
    close: () => {
      isClosed = true;
      line.close();
    },
  };
}
