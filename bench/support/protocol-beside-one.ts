/** One version of the two that `protocol-beside` lets run by turns: its readers, in a process of their own. */
import { readersOf } from "./protocol-readers.ts";

/** Prepares a text, cut into pieces; or reads it so many times, and answers with the least time in milliseconds. */
export type Order = { reader: string; input: string; size: number; piece: number } | number;

let sink = 0;
const readers = await readersOf(process.argv[2]!, () => sink++);
let read = (): void => {};

process.on("message", (order: Order) => {
  if (typeof order === "number") {
    let least = Infinity;
    for (let turn = 0; turn < order; turn++) {
      const start = performance.now();
      read();
      least = Math.min(least, performance.now() - start);
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
    for (const one of pieces) writer.write(one);
    writer.end();
  };
  process.send!(sink);
});
process.send!(sink);
