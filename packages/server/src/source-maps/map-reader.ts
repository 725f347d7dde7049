import { Worker } from "node:worker_threads";

/** Where a place of what was sent stands in a source: counted from 0, named as the map names it. */
export interface MappedPlace {
  source: string;
  line: number;
  column: number;
}

/** A source map that was opened. */
export interface OpenMap {
  /** Lines and columns from 0; undefined where the map says nothing, cannot be read, or takes too long. Never rejects. */
  find(line: number, column: number): Promise<MappedPlace | undefined>;
}

/** Milliseconds for a map to be read, and for a question to it. */
const QUESTION_MS = 3_000;
/** Of memory, for the maps that are open. */
const MEGABYTES = 256;
/** Maps that are held at a time. */
const MAPS = 6;
/** Questions that wait; more are not answered. */
const WAITING = 64;
/** Milliseconds without a question until its memory is given back. */
const IDLE_MS = 30_000;
/** Characters of a source's name. */
const NAME = 1_024;

/**
 * What reads the maps, as text for Node: on a thread of its own, since they are made by generated code, and to read one may
 * take seconds and hundreds of megabytes (A107).
 */
const READER = `
const { parentPort } = require("node:worker_threads");
const { SourceMap } = require("node:module");
const maps = new Map();
parentPort.on("message", ({ map, text, line, column }) => {
  let place;
  try {
    if (text !== undefined) {
      maps.set(map, new SourceMap(JSON.parse(text)));
      if (maps.size > ${MAPS}) maps.delete(maps.keys().next().value);
    }
    const { originalSource: source, originalLine, originalColumn } = maps.get(map)?.findEntry(line, column) ?? {};
    if (typeof source === "string" && source !== "" && source.length <= ${NAME})
      if (Number.isSafeInteger(originalLine) && Number.isSafeInteger(originalColumn))
        place = { source, line: originalLine, column: originalColumn };
  } catch {}
  parentPort.postMessage(place);
});
`;

interface Question {
  map: number;
  text?: string | undefined;
  line: number;
  column: number;
}

function newReader(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES };
  // What goes wrong in it while nobody asks is heard by nobody.
  return new Worker(READER, { eval: true, env: {}, resourceLimits }).on("error", () => undefined);
}

/** Reads source maps of generated code beside this thread, one question after the other. */
export function createMapReader(ms = QUESTION_MS): { open(text: string): OpenMap } {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let last = 0;

  function end(): void {
    void worker?.terminate();
    worker = undefined;
  }

  async function ask(question: Question): Promise<MappedPlace | undefined> {
    clearTimeout(idle);
    worker ??= newReader();
    const asked = worker;
    const { promise, resolve } = Promise.withResolvers<MappedPlace | undefined>();
    const gone = () => {
      if (worker === asked) end();
      resolve(undefined);
    };
    const late = setTimeout(gone, ms);
    asked.once("message", resolve).once("error", gone).once("exit", gone);
    asked.ref();
    asked.postMessage(question);
    const place = await promise;
    clearTimeout(late);
    asked.off("message", resolve).off("error", gone).off("exit", gone).unref();
    idle = setTimeout(end, IDLE_MS).unref();
    return place;
  }

  return {
    open(text) {
      const map = ++last;
      let first: string | undefined = text;
      return {
        async find(line, column) {
          if (waiting >= WAITING) return undefined;
          waiting++;
          const asked = turn.then(() => {
            const question = { map, text: first, line, column };
            first = undefined;
            return ask(question);
          });
          turn = asked.catch(() => undefined);
          return asked.finally(() => waiting--);
        },
      };
    },
  };
}
