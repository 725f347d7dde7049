import type { CodeWatch, RanFile } from "@treadle/protocol/checks";
import type { CDPSession, Page } from "playwright-core";
import { placeFunctions } from "../source-maps/place-functions.ts";
import { isForeign } from "../source-maps/place-problems.ts";
import { loadText } from "./load-text.ts";
import type { Look } from "./types.ts";
import { until } from "./wait-for-rest.ts";

/** Milliseconds for finding out what ran of a page. */
const LIMIT_MS = 8_000;
/** Scripts of one page, and characters of one, that are read. */
const SCRIPTS = 400;
const SCRIPT_CHARS = 12 * 1024 * 1024;

interface Script {
  /** Where it begins in its page, from 0; a script of its own begins at 0 and 0. */
  line: number;
  column: number;
  length: number;
}

const onlyRan = ({ path, functions }: RanFile): RanFile => ({
  path,
  functions: functions.filter(({ ran }) => ran),
});

const GONE: Script = { line: 0, column: 0, length: 0 };

/** What of the project's code a page runs, from before it is opened. */
export interface PageCode {
  /**
   * Takes note of what ran until now, never rejects: another document may have another process, which knows nothing of it.
   * @param opens whether another document is about to be opened
   */
  take(opens: boolean): Promise<void>;
  /** Something else runs the app's code as well, of which nothing is known: what did not run here may have run there. */
  lose(): void;
  /** Tells what ran of it until now. Never rejects: where that cannot be known, nothing is told. */
  report(signal: AbortSignal): Promise<void>;
}

/** Begins to count what a page runs; has to be waited for before the page is opened. */
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
  /** Documents that were opened on purpose, and those that were. */
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
        // Of a page that left by itself nobody knows what it ran at last.
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

/** What ran, of all scripts of all documents that were shown. One that was parsed anew has another id. */
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

/** Without a debugger nothing is known of what ran before it is asked; this one never stops a page. */
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

/** The scripts that were parsed, by their ids. */
interface LiveScripts {
  scripts: ReadonlyMap<string, Script>;
  /** Ids by address, of those that are files of their own. */
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
  // That of a document which was left may be gone.
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
