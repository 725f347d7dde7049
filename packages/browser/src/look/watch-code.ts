import type { CodeWatch, RanFile } from "@treadle/protocol/checks";
import type { CDPSession, Page } from "playwright-core";
import { placeFunctions } from "../source-maps/place-functions.ts";
import { isForeign } from "../source-maps/place-problems.ts";
import { loadText } from "./load-text.ts";
import type { Look } from "./types.ts";
import { until } from "./wait-for-rest.ts";

/** Time limit for evaluating a page's coverage, in milliseconds. */
const LIMIT_MS = 8_000;
/** Maximum number of scripts per page, and length of one in characters. */
const SCRIPTS = 400;
const SCRIPT_CHARS = 12 * 1024 * 1024;

interface Script {
  /** Its position in the page, from 0; a separate script begins at 0 and 0. */
  line: number;
  column: number;
  length: number;
}

const onlyRan = ({ path, functions }: RanFile): RanFile => ({
  path,
  functions: functions.filter(({ ran }) => ran),
});

const GONE: Script = { line: 0, column: 0, length: 0 };

/** The project's code that a page runs, from before it is opened. */
export interface PageCode {
  /**
   * Records what ran until now, never rejects: another document may run in another process with
   * separate counts.
   * @param opens whether another document is about to be opened
   */
  take(opens: boolean): Promise<void>;
  /** Records that something else runs the app's code unobserved, so that any code may have run there. */
  lose(): void;
  /**
   * Reports the code that has run so far. Never rejects, except with the signal's reason; reports nothing if that code
   * is unknown.
   */
  report(signal: AbortSignal): Promise<void>;
}

/** Begins to count a page's code; await it before the page is opened. */
export async function watchCode(
  page: Page,
  { paths, onRan }: CodeWatch,
  { origin, source }: Pick<Look, "origin" | "source">,
): Promise<PageCode> {
  const cdp = await page.context().newCDPSession(page);
  const scripts = await followScripts(cdp);
  await cdp.send("Profiler.enable");
  await cdp.send("Profiler.startPreciseCoverage", { callCount: false, detailed: false });
  const counts = createCounts();
  const take = async () => {
    const { result } = await cdp.send("Profiler.takePreciseCoverage");
    counts.add(result);
  };
  /** Number of intended and of displayed documents. */
  let [opened, shown] = [1, 0];
  let isLost = false;
  page.on("request", (request) => {
    const isDocument = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (isDocument && !request.redirectedFrom()) shown++;
  });
  return {
    async take(opens) {
      if (opens) opened++;
      await take().catch(() => {});
    },
    lose: () => void (isLost = true),
    async report(signal) {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
      try {
        await until(take(), ends);
        const files = await ranFiles({ cdp, counts, scripts, paths, origin, source }, ends);
        // It is unknown what ran in a page just before it navigated by itself.
        onRan(isLost || shown > opened ? files.map(onlyRan) : files);
      } catch {
        signal.throwIfAborted();
      }
    },
  };
}

type Functions = readonly {
  ranges: readonly { startOffset: number; endOffset: number; count: number }[];
}[];

/** Counts over all scripts of all displayed documents. A reparsed script has another id. */
function createCounts() {
  const known = new Map<string, { id: string; url: string; ran: Map<string, boolean> }>();
  return {
    add(result: readonly { scriptId: string; url: string; functions: Functions }[]) {
      for (const { scriptId: id, url, functions } of result) {
        const key = `${id} ${url}`;
        const script = known.get(key) ?? { id, url, ran: new Map<string, boolean>() };
        known.set(key, script);
        for (const { ranges } of functions) {
          const [range] = ranges;
          if (!range) continue;
          const place = `${range.startOffset}-${range.endOffset}`;
          script.ran.set(place, range.count > 0 || script.ran.get(place) === true);
        }
      }
    },
    scripts: () => [...known.values()],
  };
}

/**
 * Follows the scripts with a debugger that never pauses the page. Without one, code that ran before the first query
 * would be unknown.
 */
async function followScripts(cdp: CDPSession): Promise<LiveScripts> {
  const scripts = new Map<string, Script>();
  const latest = new Map<string, string>();
  cdp.on("Debugger.scriptParsed", ({ scriptId, url, startLine, startColumn, length = 0 }) => {
    scripts.set(scriptId, { line: startLine, column: startColumn, length });
    if (startLine === 0 && startColumn === 0) latest.set(url, scriptId);
  });
  await cdp.send("Debugger.enable");
  await cdp.send("Debugger.setSkipAllPauses", { skip: true });
  return { scripts, latest };
}

/** The parsed scripts by id. */
interface LiveScripts {
  scripts: ReadonlyMap<string, Script>;
  /** Ids by address, for scripts in separate files. */
  latest: ReadonlyMap<string, string>;
}

async function ranFiles(
  {
    cdp,
    counts,
    scripts: { scripts, latest },
    paths,
    origin,
    source,
  }: Pick<Look, "origin" | "source"> &
    Pick<CodeWatch, "paths"> & {
      cdp: CDPSession;
      counts: ReturnType<typeof createCounts>;
      scripts: LiveScripts;
    },
  ends: AbortSignal,
): Promise<RanFile[]> {
  const load = (path: string) => loadText(cdp, origin + path, ends);
  // The source of a replaced document may be gone.
  const sourceOf = async (scriptId: string | undefined) =>
    scriptId === undefined
      ? undefined
      : await until(
          cdp.send("Debugger.getScriptSource", { scriptId }).then(
            ({ scriptSource }) => scriptSource || undefined,
            () => undefined,
          ),
          ends,
        );
  const files: RanFile[] = [];
  let read = 0;
  for (const { id: ranId, url, ran } of counts.scripts()) {
    const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : undefined;
    if (path === undefined || isForeign(path)) continue;
    const scriptId = scripts.has(ranId) ? ranId : latest.get(url);
    const { line, column, length } = scripts.get(scriptId ?? "") ?? GONE;
    if (length > SCRIPT_CHARS || read++ >= SCRIPTS) continue;
    const text = (await sourceOf(scriptId)) ?? (await load(path));
    if (text === undefined) continue;
    const around = line > 0 || column > 0 ? await load(path) : undefined;
    const script = {
      path,
      text,
      within: around === undefined ? undefined : { text: around, line, column },
      functions: [...ran].map(([place, did]) => {
        const [start = 0, end = 0] = place.split("-").map(Number);
        return { start, end, ran: did };
      }),
    };
    const placed = placeFunctions(script, paths, load, async (file) => source?.(file));
    files.push(...(await until(placed, ends)));
  }
  return files;
}
