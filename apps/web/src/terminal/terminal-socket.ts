import { terminalPaths } from "../api/terminals.ts";
import type { CodedText } from "@treadle/protocol";
import { codedWords } from "../words/coded-words.ts";
import { openLine } from "../live/line.ts";
import { words } from "../words/words.ts";

type FromServer =
  | { type: "past"; data: string; goesOn?: true }
  | { type: "data"; data: string }
  | { type: "ports"; ports: number[] }
  | { type: "exit"; code: number }
  | { type: "error"; message: string; messageCode?: CodedText };

/**
 * Acknowledges drawn output to the server in steps of this many characters. The server tolerates a far larger backlog
 * before it waits.
 */
const ACK_STEP_CHARS = 16 * 1024;

export interface TerminalSocket {
  write(data: string): void;
  resize(columns: number, rows: number): void;
  /** Acknowledges drawn characters, which limits how fast the server sends. */
  drawn(characters: number): void;
  /** Discards the output except for the prompt line. */
  clear(): void;
  /** Disconnects without ending the shell. */
  close(): void;
}

/** Why a connection ended: the shell exited, the server refused it, or it was lost. */
export interface TerminalEnd {
  sentence: string;
  /** Whether it may reconnect automatically. */
  lost: boolean;
}

/** The connection to one terminal of the project. `onEnd` is called once. */
export function connectTerminal(options: {
  project: string;
  name: string;
  columns: number;
  rows: number;
  /** Earlier output, which replaces everything received so far, or with `isContinuation` a further part of it. */
  onReplay: (data: string, isContinuation: boolean) => void;
  onData: (data: string) => void;
  /** The ports on which the project's processes now listen. */
  onPorts: (ports: number[]) => void;
  onEnd: (end: TerminalEnd) => void;
}): TerminalSocket {
  const { project, name, columns, rows, onReplay, onData, onPorts, onEnd } = options;
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
          return onReplay(message.data, message.goesOn === true);
        case "ports":
          return onPorts(message.ports);
        case "exit":
          return end(words.terminal.ended({ code: message.code }));
        case "error":
          return end(codedWords(message.message, message.messageCode));
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
      if (undrawn < ACK_STEP_CHARS) return;
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
