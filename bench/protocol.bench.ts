/**
 * The speeds of `@treadle/protocol`. Each parser is compared with one pass over the same pieces, in the same run, that
 * only searches a character with `indexOf` and copies. Prints ratios, what is allocated for a character, and
 * the growth of time per doubling of the text. `node bench/protocol.bench.ts [WORDS]` runs only what has them in its name.
 */
import { getHeapStatistics } from "node:v8";
import {
  applyEdits,
  createArgumentReader,
  createArtifactParser,
  createSearchReplaceReader,
  createToolTagParser,
} from "@treadle/protocol";

const MB = 1_048_576;
const SIZES = [0.25, 0.5, 1, 2, 8];
const PIECES = [1, 16, 1024];
const CODE = "  const value = compute(items, index + 1); // keep the order\n";
const JSX = '    <div className="row"><b>{item.name}</b>{count < 3 && "`few`"}</div>\n';
const PROSE = "Some words of prose, with `code` and a < b, as models write them.\n";

let sink = 0;

interface Writer {
  write(chunk: string): void;
  end(): void;
}

const READERS: Record<
  string,
  { make: () => Writer; inputs: Record<string, (size: number) => string> }
> = {
  "artifact parser": {
    make: () => createArtifactParser({ onEvent: count }),
    inputs: {
      "one big file": (size) => artifact([repeat(CODE, size)]),
      "one big JSX file": (size) => artifact([repeat(JSX, size)]),
      "20 files": (size) =>
        artifact(Array.from({ length: 20 }, () => repeat(CODE + JSX, size / 20))),
      "many small files": (size) =>
        artifact(Array.from({ length: Math.ceil(size / 200) }, () => repeat(CODE, 150))),
      prose: (size) => repeat(PROSE, size),
    },
  },
  "tool-tag parser": {
    make: () => createToolTagParser({ tools: { write_file: ["path", "content"] }, onEvent: count }),
    inputs: {
      "one big file": (size) => tools([repeat(CODE, size)]),
      "one big JSX file": (size) => tools([repeat(JSX, size)]),
      "20 files": (size) => tools(Array.from({ length: 20 }, () => repeat(CODE + JSX, size / 20))),
      "many small files": (size) =>
        tools(Array.from({ length: Math.ceil(size / 200) }, () => repeat(CODE, 150))),
      prose: (size) => repeat(PROSE, size),
    },
  },
  "SEARCH/REPLACE reader": {
    make: () => createSearchReplaceReader({ onEdit: () => sink++ }) as Writer,
    inputs: {
      diffs: (size) =>
        repeat(`------- SEARCH\n${CODE.repeat(5)}=======\n${JSX.repeat(5)}+++++++ REPLACE\n`, size),
    },
  },
  "argument reader": {
    make: () => createArgumentReader({ onEvent: count }),
    inputs: {
      "one big string": (size) => JSON.stringify({ path: "a.ts", content: repeat(CODE, size) }),
    },
  },
};

for (const [reader, { make, inputs }] of Object.entries(READERS)) {
  console.log(`\n${reader}: time as a multiple of one indexOf-and-copy pass over the same pieces`);
  for (const [input, text] of Object.entries(inputs))
    if (`${reader} ${input}`.includes(process.argv[2] ?? "")) compare(make, input, text);
}
edits();

function compare(make: () => Writer, input: string, textOf: (size: number) => string): void {
  for (const piece of PIECES) {
    const cells: string[] = [];
    let before: { size: number; time: number } | undefined;
    let growth = 0;
    for (const size of SIZES) {
      const pieces = cut(textOf(size * MB), piece);
      const read = () => {
        const writer = make();
        for (const part of pieces) writer.write(part);
        writer.end();
      };
      // By turns, so that both meet the same machine; the least of each, since what disturbs only adds.
      let pass = Number.POSITIVE_INFINITY;
      let time = Number.POSITIVE_INFINITY;
      for (let round = 0; round < roundsOf(pieces.length); round++) {
        pass = Math.min(
          pass,
          timeOf(() => onePass(pieces)),
        );
        time = Math.min(time, timeOf(read));
      }
      if (before)
        growth = Math.max(growth, (time / before.time) ** (1 / Math.log2(size / before.size)));
      before = { size, time };
      const allocated = allocatedBy(make, pieces) / (size * MB);
      cells.push(
        `${size} MB ${(time / pass).toFixed(1)}× (${time.toFixed(1)} ms, ${allocated.toFixed(0)} B/char)`,
      );
    }
    console.log(
      `  ${input}, pieces of ${piece}: ${cells.join(" · ")} · growth per doubling ≤ ${growth.toFixed(2)}`,
    );
  }
}

function roundsOf(pieces: number): number {
  return pieces > MB ? 4 : pieces > MB / 8 ? 8 : 20;
}

function timeOf(body: () => void): number {
  const start = performance.now();
  body();
  return performance.now() - start;
}

/** Bytes allocated: the heap's growth from look to look; where it shrank, it was collected. */
function allocatedBy(make: () => Writer, pieces: readonly string[]): number {
  const writer = make();
  let sum = 0;
  let last = getHeapStatistics().used_heap_size;
  for (const [index, part] of pieces.entries()) {
    writer.write(part);
    if (index % 256 > 0) continue;
    const now = getHeapStatistics().used_heap_size;
    sum += Math.max(0, now - last);
    last = now;
  }
  writer.end();
  return sum;
}

/** What the least possible reader does: look for a character in each piece, and keep the piece. */
function onePass(pieces: readonly string[]): void {
  const out: string[] = [];
  for (const piece of pieces) {
    sink += piece.indexOf("<");
    out.push(piece);
  }
  sink += out.join("").length;
}

function edits(): void {
  const lines = Array.from(
    { length: 20_000 },
    (_, at) => `        const value${at} = read(${at});`,
  );
  const original = `${lines.join("\n")}\n`;
  const blocks = Array.from({ length: 40 }, (_, index) => {
    const at = index * 487 + 100;
    const old = lines.slice(at, at + 6).map((line) => line.slice(4));
    return { old: `${old.join("\n")}\n`, new: `${old.join("\n").replaceAll("read", "load")}\n` };
  });
  const times = Array.from({ length: 15 }, () =>
    timeOf(() => {
      const result = applyEdits(original, blocks);
      if (!result.ok || result.applied !== 40) throw new Error("the edits were not applied");
      sink += result.content.length;
    }),
  );
  const time = Math.min(...times);
  console.log(
    `\napplyEdits, 40 indent-drift blocks on 20,000 lines (${(original.length / MB).toFixed(1)} MB): ${time.toFixed(1)} ms, ${times[0]!.toFixed(1)} ms the first time`,
  );
}

function count(event: { type: string }): void {
  sink += event.type.length;
}

function repeat(line: string, size: number): string {
  return line.repeat(Math.max(1, Math.floor(size / line.length)));
}

function artifact(files: string[]): string {
  const actions = files.map(
    (content, at) =>
      `<boltAction type="file" filePath="src/f${at}.tsx">\n${content}</boltAction>\n`,
  );
  return `<boltArtifact id="a" title="An app">\n${actions.join("")}</boltArtifact>\n`;
}

function tools(files: string[]): string {
  return files
    .map(
      (content, at) =>
        `<write_file>\n<path>src/f${at}.tsx</path>\n<content>\n${content}</content>\n</write_file>\n`,
    )
    .join("");
}

function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

if (sink === 0) throw new Error("nothing was read");
