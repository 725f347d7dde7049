/** URL prefix of the connection to a language server. */
const servePath = (project: string, server: string): string =>
  `/api/projects/${encodeURIComponent(project)}/language-servers/${server}`;

/** Close codes of the server. */
const CLOSE_RETRY = 4002;
const CLOSE_ASLEEP = 4003;
const CLOSE_REFUSED = 4004;

/** Why a connection ended, which decides whether to retry: at once, when the person continues, after a delay, or never. */
export type LineEnd = "again" | "asleep" | "ended" | "refused";

export interface ServerLine {
  send(message: string): void;
  close(): void;
}

/** A WebSocket to a language server of the project; `onEnd` is called once, with the server's reason if it gave one. */
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
    if (code === CLOSE_RETRY) listeners.onEnd("again");
    else if (code === CLOSE_ASLEEP) listeners.onEnd("asleep");
    else if (code === CLOSE_REFUSED) listeners.onEnd("refused", problem);
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
