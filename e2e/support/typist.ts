import type { TogetherFromPage, TogetherToPage } from "@treadle/protocol";
import { WebSocket } from "ws";
import * as Y from "yjs";

/** Somebody who types words into a file that is edited together. */
export interface Typist {
  /** Types a word on a line of its own, at a place in the text: 0 is its beginning, 1 its end. */
  type(word: string, place: number): void;
  text(): string;
  /** Whether the server has all that was typed, and has written it. */
  isSaved(): boolean;
  close(): void;
}

export async function openTypist(
  origin: string,
  token: string,
  project: string,
  path: string,
): Promise<Typist> {
  const address = `${origin.replace("http", "ws")}/api/projects/${project}/together`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  const doc = new Y.Doc();
  const text = doc.getText("text");
  let sent = 0;
  let isSaved = false;
  const send = (message: TogetherFromPage) => socket.send(JSON.stringify(message));
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => send({ type: "open", path }));
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as TogetherToPage;
      if (message.type === "refused") reject(new Error(`${path} cannot be edited together`));
      if (message.type === "opened" || message.type === "edit")
        Y.applyUpdate(doc, Buffer.from(message.update, "base64"), socket);
      if (message.type === "opened") resolve();
      if (message.type === "state") isSaved = message.state === "synced" && message.taken === sent;
    });
  });
  doc.on("update", (update: Uint8Array, from: unknown) => {
    if (from === socket) return;
    sent++;
    isSaved = false;
    send({ type: "edit", path, update: Buffer.from(update).toString("base64") });
  });
  return {
    type(word, place) {
      const lines = text.toString().split("\n");
      const line = Math.floor(place * lines.length);
      const at = lines.slice(0, line + 1).join("\n").length;
      text.insert(at, `\n${word}`);
    },
    text: () => text.toString(),
    isSaved: () => isSaved,
    close: () => socket.close(),
  };
}
