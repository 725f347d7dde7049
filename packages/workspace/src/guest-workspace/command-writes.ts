import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Params, Result } from "../wire/requests.ts";

type Span = Params<"made-changes">["spans"][number];

/** Maximum number of time spans; beyond it, the two oldest are merged. */
const MOST = 200;

interface Known {
  /**
   * Spans of time in which anything but the project's own scripts ran, in milliseconds since 1970,
   * oldest first.
   */
  spans: readonly Span[];
  /** When the active span began. */
  openSince?: number;
}

/**
 * Finds files outside the project's sources (build output, state of tools, downloads) that commands, terminals and tool
 * servers have written. No revision contains them, so nothing can be proven with them. Files that the project's own
 * server, an install or a build by Treadle writes there are derived from the revision.
 *
 * The writer of a file cannot be observed. So the time spans of such programs are recorded, and files written during
 * them are attributed to them.
 */
export function createCommandWrites(options: {
  stateDirectory: string;
  leftBehind(): Promise<Result<"left-behind">>;
  made(params: Params<"made-changes">): Promise<Result<"made-changes">>;
}) {
  const file = join(options.stateDirectory, "command-writes.json");
  let known = read(file);
  /** When the last of these programs ended, in milliseconds since 1970; 0 if none has since the project was opened. */
  let lastEnd = 0;
  /** Programs that are running. */
  const running = new Set<symbol>();

  function save(next: Known): void {
    known = next;
    writeFileSync(`${file}.new`, JSON.stringify(known));
    renameSync(`${file}.new`, file);
  }

  /** Ends the active span if no program that could write is running, including background processes. */
  async function settle(): Promise<void> {
    if (known.openSince === undefined) return;
    const { now, isAny } = await options.leftBehind();
    const { spans, openSince } = known;
    if (openSince === undefined || isAny || running.size > 0) return;
    save({ spans: limited([...spans, { from: openSince, to: Math.max(openSince, now) }]) });
  }

  return {
    /** Called when the project is opened: no program from before runs any more. */
    opened: settle,
    /**
     * Call when a program starts, unless it is a script that Treadle runs by itself.
     * @returns a function to call at its end
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
    /** Whether such a program has run since a time (in milliseconds since 1970), or runs now. */
    hasRunSince: (at: number): boolean =>
      running.size > 0 || known.openSince !== undefined || lastEnd >= at,
    /** Finds files written during the recorded spans. */
    async look(): Promise<Result<"made-changes">> {
      await settle();
      const { spans, openSince } = known;
      const asked =
        openSince === undefined
          ? spans
          : [...spans, { from: openSince, to: Number.MAX_SAFE_INTEGER }];
      const found = await options.made({ spans: [...asked] });
      const isClean = found.made.length === 0 && !found.isFetchedChanged;
      // Change times only increase, so a span without files never gets any.
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
    // The file is missing, or was cut by a crash of the machine.
  }
  return { spans: [] };
}
