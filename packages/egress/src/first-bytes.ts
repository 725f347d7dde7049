import type { Duplex } from "node:stream";
import { readGreeting, type Greeting } from "./client-hello.ts";

/** Time limit in milliseconds for a client to send its first bytes in a new tunnel. */
const FIRST_MS = 15_000;

export type FirstBytes = Exclude<Greeting, { kind: "more" }> & { bytes: Buffer };

/**
 * Reads a client's first message in a tunnel, with the bytes consumed, which must be passed on. Resolves with undefined
 * if the client sends nothing, or ends too early.
 */
export function readFirstBytes(
  socket: Duplex,
  head: Buffer,
  ms = FIRST_MS,
): Promise<FirstBytes | undefined> {
  return new Promise((resolve) => {
    let bytes = head;
    const give = (first: FirstBytes | undefined) => {
      clearTimeout(timer);
      socket.off("data", onData).off("end", onEnd).off("close", onEnd).pause();
      resolve(first);
    };
    const look = () => {
      const greeting = readGreeting(bytes);
      if (greeting.kind !== "more") give({ ...greeting, bytes } as FirstBytes);
    };
    const onData = (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
      look();
    };
    const onEnd = () => give(undefined);
    const timer = setTimeout(onEnd, ms);
    socket.on("data", onData).on("end", onEnd).on("close", onEnd).resume();
    look();
  });
}

/** Which of two streams sends first; its data stays unread. Resolves with undefined if both are silent or one ends. */
export function firstToSpeak(
  one: Duplex,
  other: Duplex,
  ms = FIRST_MS,
): Promise<Duplex | undefined> {
  return new Promise((resolve) => {
    const give = (speaker: Duplex | undefined) => {
      clearTimeout(timer);
      for (const socket of [one, other]) {
        socket.off("end", onEnd).off("close", onEnd);
        socket.off("data", socket === one ? onOne : onOther).pause();
      }
      resolve(speaker);
    };
    const speaks = (socket: Duplex) => (piece: Buffer) => {
      give(socket);
      socket.unshift(piece);
    };
    const [onOne, onOther] = [speaks(one), speaks(other)];
    const onEnd = () => give(undefined);
    const timer = setTimeout(onEnd, ms);
    one.on("data", onOne).on("end", onEnd).on("close", onEnd).resume();
    other.on("data", onOther).on("end", onEnd).on("close", onEnd).resume();
  });
}
