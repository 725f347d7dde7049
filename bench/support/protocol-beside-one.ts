/**
 * One of the two versions that `protocol-beside` runs alternately: its readers, in a separate
 * process.
 */
import { onePass } from "./one-pass.ts";
import { readersOf, type Writer } from "./protocol-readers.ts";

/**
 * Prepares a text, split into pieces; or reads it several times, and returns the shortest times in
 * milliseconds.
 */
export type Order = { reader: string; input: string; size: number; piece: number } | number;

/** The shortest time of a reading, and of one pass over the same pieces. */
export interface Least {
  read: number;
  pass: number;
}

/**
 * Number of pieces per call. With a single loop over all of them, whether the engine compiles the
 * reader into the loop is a matter of chance: the same reader then took 5.2 or 6.9 ms, in whole
 * processes.
 */
const TOGETHER = 64;

let sink = 0;
const readers = await readersOf(process.argv[2]!, () => sink++);
let read = (): void => {};
let pass = (): void => {};

process.on("message", (order: Order) => {
  if (typeof order === "number") {
    const least: Least = { read: Infinity, pass: Infinity };
    for (let turn = 0; turn < order; turn++) {
      least.read = Math.min(least.read, timeOf(read));
      least.pass = Math.min(least.pass, timeOf(pass));
    }
    process.send!(least);
    return;
  }
  const { make, texts } = readers[order.reader]!;
  const text = texts[order.input]!(order.size);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += order.piece)
    pieces.push(text.slice(at, at + order.piece));
  read = () => {
    const writer = make();
    for (let from = 0; from < pieces.length; from += TOGETHER) write(writer, pieces, from);
    writer.end();
  };
  pass = () => {
    sink += onePass(pieces);
  };
  process.send!(sink);
});
process.send!(sink);

function write(writer: Writer, pieces: readonly string[], from: number): void {
  const end = Math.min(from + TOGETHER, pieces.length);
  for (let index = from; index < end; index++) writer.write(pieces[index]!);
}

function timeOf(body: () => void): number {
  const start = performance.now();
  body();
  return performance.now() - start;
}
