/** Characters on their way to a page above which it is not sent more, and below which it is sent the newest again. */
export const WINDOW = { most: 512 * 1024, least: 64 * 1024 };

export type ToPage =
  /** What is kept, in place of all that was sent before. It holds answers to nobody: the page types nothing back. */
  | { type: "past"; data: string }
  | { type: "data"; data: string }
  | { type: "exit"; code: number }
  | { type: "error"; message: string };

/**
 * Sends a terminal's output to one page as fast as the page draws it. A page that falls behind misses what is printed
 * meanwhile and is then sent what is kept (F19): the program is not held up by it, nor are the other pages, and what
 * waits is bounded.
 */
export function createPacedSender(options: {
  send(message: ToPage, sent: () => void): void;
  /** Characters that wait in the socket. */
  waiting(): number;
  past(): string;
}): {
  /** Starts with what is kept, where there is something. */
  begin(): void;
  data(text: string): void;
  /** The page has drawn so many characters. A client that never says so is paced by its socket alone. */
  drawn(characters: number): void;
} {
  let undrawn = 0;
  let tells = false;
  let behind = false;

  const pressure = () => Math.max(options.waiting(), tells ? undrawn : 0);
  const send = (message: ToPage & { data: string }) => {
    undrawn += message.data.length;
    options.send(message, catchUp);
  };
  const sendPast = () => {
    const data = options.past();
    if (data !== "") send({ type: "past", data });
  };
  function catchUp(): void {
    if (!behind || pressure() > WINDOW.least) return;
    behind = false;
    sendPast();
  }

  return {
    begin: sendPast,
    data(text) {
      if (behind) return;
      if (pressure() > WINDOW.most) {
        behind = true;
        return;
      }
      send({ type: "data", data: text });
    },
    drawn(characters) {
      tells = true;
      undrawn = Math.max(0, undrawn - characters);
      catchUp();
    },
  };
}
