import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Least, Order } from "./protocol-beside-one.ts";
import { readersOf } from "./protocol-readers.ts";

const ONE = fileURLToPath(new URL("protocol-beside-one.ts", import.meta.url));
const SIZE = 262_144;
const PIECES = [1, 16, 1024];
/**
 * Processes of each version, one after the other: how the compiler and the machine treat one is
 * random.
 */
const PAIRS = 4;
/** Rounds of each version per process. */
const TURNS = 10;

/**
 * Prints, for every reader, text and size of pieces, the shortest time of the version in `root` as
 * a multiple of that of the one in `before`, and as a multiple of the shortest pass over the same
 * pieces. Both are built checkouts; they run alternately, in several processes each.
 */
export async function beside(root: string, before: string, filter: string): Promise<void> {
  const rows = Object.entries(await readersOf(root, () => {})).flatMap(([reader, { texts }]) =>
    Object.keys(texts).flatMap((input) =>
      PIECES.map((piece) => ({
        reader,
        input,
        piece,
        size: SIZE,
        now: Infinity,
        before: Infinity,
        pass: Infinity,
      })),
    ),
  );
  const asked = rows.filter((row) => nameOf(row).includes(filter));
  for (let pair = 0; pair < PAIRS; pair++)
    for (const row of asked) {
      const [now, earlier] = await Promise.all([start(root, row), start(before, row)]);
      const turns = row.piece > 16 ? 8 : 3;
      for (let turn = 0; turn < TURNS; turn++) {
        const least = await ask(now, turns);
        row.now = Math.min(row.now, least.read);
        row.pass = Math.min(row.pass, least.pass);
        row.before = Math.min(row.before, (await ask(earlier, turns)).read);
      }
      now.disconnect();
      earlier.disconnect();
    }
  for (const row of asked)
    console.log(
      `${nameOf(row)}: ${(row.now / row.before).toFixed(2)} of the time before (${row.now.toFixed(2)} ms, ${row.before.toFixed(2)} ms), ${(row.now / row.pass).toFixed(1)} times the floor`,
    );
  const slowest = Math.max(...asked.map(({ now, before: earlier }) => now / earlier));
  const long = asked.filter(({ piece }) => piece === PIECES.at(-1));
  const floor = Math.max(...long.map(({ now, pass }) => now / pass));
  console.log(
    `\nThe slowest row: ${slowest.toFixed(2)} of the time before. At pieces of 1,024 the worst is ${floor.toFixed(1)} times the floor (aim 10).`,
  );
}

function nameOf({ reader, input, piece }: { reader: string; input: string; piece: number }) {
  return `${reader}, ${input}, pieces of ${piece}`;
}

async function start(root: string, row: Exclude<Order, number>): Promise<ChildProcess> {
  const version = fork(ONE, [root]);
  await once(version, "message");
  await ask(version, row);
  return version;
}

async function ask(version: ChildProcess, order: Order): Promise<Least> {
  version.send(order);
  const [answer] = await once(version, "message");
  return answer;
}
