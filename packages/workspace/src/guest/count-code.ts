/**
 * Loaded by Node before a program's own code (`--require`): counts which functions of the project's
 * files run, and reports them to the guest on request. V8 does the counting; the program is not
 * rewritten, and counts are read only on request or when the program exits by itself. Worker
 * threads load this too, and report for themselves.
 */
import type { Profiler } from "node:inspector";
import { createLineReader } from "./line-reader.ts";

/** Maximum size of all scripts in one report, and of one script, in characters. */
const ALL_CHARS = 24 * 1024 * 1024;
const SCRIPT_CHARS = 6 * 1024 * 1024;
/** Maximum length of a request (names of files), in characters. */
const QUESTION_CHARS = 64 * 1024;
/**
 * Maximum number of one-millisecond waits, at the program's exit, for a pipe that the guest does
 * not read.
 */
const END_TRIES = 500;

/** Begins the line that names a script's source map. */
const MAPPED = "# sourceMappingURL=";

const guestSocket = process.env.TREADLE_CODE;

// Skips an older Node, which a project may bring with it.
if (guestSocket !== undefined && typeof process.getBuiltinModule === "function")
  try {
    count(guestSocket);
  } catch {
    // A failure here must not affect the program.
  }

function count(path: string): void {
  const { Session } = process.getBuiltinModule("node:inspector");
  const { connect } = process.getBuiltinModule("node:net");
  const { threadId } = process.getBuiltinModule("node:worker_threads");
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: false });

  const guest = connect(path);
  // The connection must not keep the program alive.
  guest.unref();
  guest.on("error", () => guest.destroy());
  guest.write(`${JSON.stringify({ pid: process.pid, threadId })}\n`);
  guest.setEncoding("utf8").on(
    "data",
    createLineReader({
      longest: QUESTION_CHARS,
      onLine(line) {
        const { ask, names } = JSON.parse(line) as { ask: number; names: string[] };
        guest.write(`${JSON.stringify({ ask, scripts: scriptsOf(names) })}\n`);
      },
      onTooLong: () => guest.destroy(),
    }),
  );
  process.on("exit", () => {
    const { fd } = (guest as unknown as { _handle?: { fd?: number } })._handle ?? {};
    if (guest.destroyed || fd === undefined || fd < 0) return;
    try {
      writeNow(fd, `${JSON.stringify({ scripts: scriptsOf(undefined) })}\n`);
    } catch {
      // The guest treats a missing answer as unknown.
    }
  });

  /**
   * Functions that ran for the first time since the last request, of the project's own files and
   * their build output.
   */
  function scriptsOf(names: readonly string[] | undefined) {
    let result: Profiler.ScriptCoverage[] = [];
    session.post("Profiler.takePreciseCoverage", (_error, taken) => {
      result = taken?.result ?? [];
    });
    const own = result.filter(({ url }) => isOwn(url));
    if (own.length === 0) return [];
    session.post("Debugger.enable");
    session.post("Debugger.setSkipAllPauses", { skip: true });
    let chars = 0;
    const scripts = own.flatMap(({ scriptId, url, functions }) => {
      let text = "";
      session.post("Debugger.getScriptSource", { scriptId }, (_error, source) => {
        text = source?.scriptSource ?? "";
      });
      const isMapped = text.includes(MAPPED);
      const isNamed = !names || names.some((name) => url.includes(name) || text.includes(name));
      if (!isNamed || text.length > SCRIPT_CHARS || (chars += text.length) > ALL_CHARS)
        return [{ url, isMapped, text: "", places: functions.length > 1 ? [0, 0, 1] : [] }];
      const places = functions.flatMap(({ ranges: [range] }) =>
        range ? [range.startOffset, range.endOffset, range.count > 0 ? 1 : 0] : [],
      );
      return [{ url, isMapped, text, places }];
    });
    session.post("Debugger.disable");
    return scripts;
  }
}

/**
 * Accepts files outside of packages, code evaluated under the name of such a file, and code
 * evaluated by a bundler.
 */
const isOwn = (url: string): boolean =>
  /^(?:file:\/\/)?\/|^webpack-internal:/.test(url) && !url.includes("/node_modules/");

/** Writes synchronously, because nothing asynchronous runs any more while the process exits. */
function writeNow(fd: number, text: string): void {
  const { writeSync } = process.getBuiltinModule("node:fs");
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let rest = Buffer.from(text);
  for (let tries = 0; rest.length > 0 && tries < END_TRIES;)
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      tries++;
      Atomics.wait(pause, 0, 0, 1);
    }
}
