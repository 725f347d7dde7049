import type { LinePaths } from "../api/line-paths.ts";
import type { Line, LineListeners } from "./line-types.ts";

/** A connection of server-sent events, with POST for sending. Its reader is loaded on first use. */
export function openStreamLine(paths: LinePaths, listeners: LineListeners): Line {
  let isOver = false;
  let close = () => {};
  let send = (_message: string) => {};
  const early: string[] = [];
  const end: LineListeners["onEnd"] = (failure) => {
    if (isOver) return;
    isOver = true;
    close();
    listeners.onEnd(failure);
  };

  async function open(): Promise<void> {
    const [{ readEvents }, { sendInOrder }] = await Promise.all([
      import("./event-stream.ts"),
      import("./send-in-order.ts"),
    ]);
    if (isOver) return;
    const sender = paths.input && sendInOrder(paths.input, () => end(undefined));
    if (sender) send = (message) => sender.send(message);
    for (const message of early.splice(0)) send(message);
    ({ close } = readEvents(paths.events, {
      onOpen: () => listeners.onOpen(),
      onAlive: () => listeners.onAlive(),
      onEvent(kind, data) {
        if (kind === "joined" && sender) sender.begin((JSON.parse(data) as { key: string }).key);
        else if (kind === "reset") listeners.onMessage(JSON.stringify("reset"));
        else if (kind === "latest") listeners.onMessage(`{"latest":${data}}`);
        else if (kind === "message") listeners.onMessage(data);
      },
      onEnd: end,
    }));
  }

  // The module failed to load: the server is gone or has a newer version; reconnecting finds out.
  open().catch(() => end(undefined));
  send = (message) => void early.push(message);
  return {
    send: (message) => send(message),
    close() {
      isOver = true;
      close();
    },
  };
}
