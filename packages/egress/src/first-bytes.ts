import type { Duplex } from "node:stream";
import { readGreeting, type Greeting } from "./client-hello.ts";

/** For a client to say what it wants once its tunnel stands. Milliseconds. */
const FIRST_MS = 15_000;

export type FirstBytes = Exclude<Greeting, { kind: "more" }> & { bytes: Buffer };

/**
 * What a client says first in a tunnel, with the bytes that were read for it, which are to be passed on.
 * Resolves with undefined where it says nothing, or ends before it has said enough.
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

/** Which of two says something first; what it says is still to be read. Resolves with undefined where both are silent, or one ends. */
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
