import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Params, Result } from "../wire/requests.ts";

type Span = Params<"made-changes">["spans"][number];

/** Spans that are told apart; beyond that the two oldest become one. */
const MOST = 200;

interface Known {
  /** Times in which something else than the project's own scripts ran, in milliseconds since 1970, oldest first. */
  spans: readonly Span[];
  /** When the one that goes on began. */
  openSince?: number;
}

/**
 * What commands, terminals and tool servers have written beside the project's own files (the output of builds, the state
 * of tools, what was fetched), as far as it stands. No revision holds it, so nothing is proven of a revision with it. What
 * the project's own server, an install or a build that Treadle runs writes there is made from the revision.
 *
 * Nothing sees who writes a file. So it is kept when such a thing ran, and what was written in that time counts as its.
 */
export function createCommandWrites(options: {
  stateDirectory: string;
  leftBehind(): Promise<Result<"left-behind">>;
  made(params: Params<"made-changes">): Promise<Result<"made-changes">>;
}) {
  const file = join(options.stateDirectory, "command-writes.json");
  let known = read(file);
  /** When the last of these ended, in milliseconds since 1970, as far as this opening of the project knows. */
  let lastEnd = 0;
  /** What runs now. */
  const running = new Set<symbol>();

  function save(next: Known): void {
    known = next;
    writeFileSync(`${file}.new`, JSON.stringify(known));
    renameSync(`${file}.new`, file);
  }

  /** Ends the span that goes on, if nothing runs any more that could write: not even what was left in the background. */
  async function settle(): Promise<void> {
    if (known.openSince === undefined) return;
    const { now, isAny } = await options.leftBehind();
    const { spans, openSince } = known;
    if (openSince === undefined || isAny || running.size > 0) return;
    save({ spans: limited([...spans, { from: openSince, to: Math.max(openSince, now) }]) });
  }

  return {
    /** Nothing of the time before runs any more. */
    opened: settle,
    /**
     * Something begins that is no script which Treadle runs by itself.
     * @returns to be called at its end
     */
    async begin(): Promise<() => Promise<void>> {
      const one = Symbol();
      running.add(one);
      try {
        const { now } = await options.leftBehind();
        const { openSince } = known;
        if (openSince === undefined || now < openSince) save({ ...known, openSince: now });
      } catch (error) {
        running.delete(one);
        throw error;
      }
      return async () => {
        running.delete(one);
        lastEnd = Date.now();
        if (running.size === 0) await settle();
      };
    },
    /** Whether something of that kind ran since a time, or runs, in milliseconds since 1970. */
    hasRunSince: (at: number): boolean =>
      running.size > 0 || known.openSince !== undefined || lastEnd >= at,
    /** What stands of what was written so. */
    async look(): Promise<Result<"made-changes">> {
      await settle();
      const { spans, openSince } = known;
      const asked =
        openSince === undefined
          ? spans
          : [...spans, { from: openSince, to: Number.MAX_SAFE_INTEGER }];
      const found = await options.made({ spans: [...asked] });
      const isClean = found.made.length === 0 && !found.isFetchedChanged;
      // A time of change never goes back: what is not there of these spans by now never comes.
      if (isClean && spans.length > 0 && known.spans === spans) save({ ...known, spans: [] });
      return found;
    },
  };
}

function limited(spans: readonly Span[]): readonly Span[] {
  const [first, second, ...others] = spans;
  return first && second && spans.length > MOST
    ? [{ from: first.from, to: second.to }, ...others]
    : spans;
}

function read(file: string): Known {
  try {
    const known = JSON.parse(readFileSync(file, "utf8")) as Known;
    const isTime = (value: unknown) => Number.isSafeInteger(value);
    const isSpan = ({ from, to }: Span) => isTime(from) && isTime(to);
    if (known.spans.every(isSpan) && (known.openSince === undefined || isTime(known.openSince)))
      return known;
  } catch {
    // There is none yet, or a machine's end has cut it.
  }
  return { spans: [] };
}
