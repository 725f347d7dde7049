/** Where the page's line to a language server of the project begins. */
const servePath = (project: string, server: string): string =>
  `/api/projects/${encodeURIComponent(project)}/language-servers/${server}`;

/** Why a line was closed, as the server says it by number. */
const AGAIN = 4002;
const ASLEEP = 4003;
const REFUSED = 4004;

/** Why a line is over: it is tried again at once, when the person goes on, after a while, or not at all. */
export type LineEnd = "again" | "asleep" | "ended" | "refused";

export interface ServerLine {
  send(message: string): void;
  close(): void;
}

/** A WebSocket to a language server of the project; `onEnd` is called once, with the server's reason where there is one. */
export function openServerLine(
  project: string,
  server: string,
  listeners: {
    onReady(root: string): void;
    onMessage(text: string): void;
    onEnd(end: LineEnd, problem?: string): void;
  },
): ServerLine {
  const { protocol, host } = location;
  const socket = new WebSocket(
    `${protocol === "https:" ? "wss:" : "ws:"}//${host}${servePath(project, server)}`,
  );
  let ready = false;
  let isClosed = false;
  let problem: string | undefined;
  socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if (isClosed) return;
    if (ready) return listeners.onMessage(data);
    const first = JSON.parse(data) as { root?: string; problem?: string };
    problem = first.problem;
    if (first.root === undefined) return;
    ready = true;
    listeners.onReady(first.root);
  });
  socket.addEventListener("close", ({ code }) => {
    if (isClosed) return;
    isClosed = true;
    if (code === AGAIN) listeners.onEnd("again");
    else if (code === ASLEEP) listeners.onEnd("asleep");
    else if (code === REFUSED) listeners.onEnd("refused", problem);
    else listeners.onEnd("ended");
  });
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    close() {
      isClosed = true;
      socket.close();
    },
  };
}
