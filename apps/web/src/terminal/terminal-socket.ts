import { terminalAddress } from "../api/projects.ts";

type FromServer =
  | { type: "data"; data: string }
  | { type: "exit"; code: number }
  | { type: "error"; message: string };

export interface TerminalSocket {
  write(data: string): void;
  resize(columns: number, rows: number): void;
  /** Ends the shell itself; leaving does not. */
  kill(): void;
  close(): void;
}

/** The connection to one terminal of the project. `onEnd` is called once, with a sentence for the person. */
export function connectTerminal(options: {
  project: string;
  name: string;
  columns: number;
  rows: number;
  onData: (data: string) => void;
  onEnd: (sentence: string) => void;
}): TerminalSocket {
  const { project, name, columns, rows, onData, onEnd } = options;
  const socket = new WebSocket(terminalAddress(project, name, { columns, rows }));
  let over = false;
  const end = (sentence: string) => {
    if (over) return;
    over = true;
    onEnd(sentence);
  };
  const send = (message: object) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  socket.addEventListener("message", (event: MessageEvent<string>) => {
    const message = JSON.parse(event.data) as FromServer;
    if (message.type === "data") onData(message.data);
    else if (message.type === "exit") end(`The shell ended with ${message.code}.`);
    else end(message.message);
  });
  socket.addEventListener("close", () => end("The connection to the terminal is lost."));
  return {
    write: (data) => send({ type: "data", data }),
    resize: (nextColumns, nextRows) =>
      send({ type: "resize", columns: nextColumns, rows: nextRows }),
    kill: () => send({ type: "kill" }),
    close: () => {
      over = true;
      socket.close();
    },
  };
}
