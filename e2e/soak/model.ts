/**
 * A real, small model over a real server: `npm run soak model`. Three sentences in each dialect through `treadle run`, one
 * in a context that is too small, one that is stopped, one on the page. It can build nothing; what is asked is that every
 * run ends honestly and in time, that Stop stops it, and that the page stays what it is. Needs a build, Python and PyPI.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { picture, startBrowser } from "../support/browser.ts";
import { personAt } from "../support/person.ts";
import { prepareSmallModel, startSmallModel, type SmallModel } from "../support/small-model.ts";
import { bareEnvironment, bin, cache, startTreadle } from "../support/treadle.ts";

const SENTENCES = [
  "Make a page that says hello.",
  "Build a todo list with a button that adds an entry.",
  "Write an Express server that answers with the time.",
];
/** The time limit of a run, in seconds, and how long it may take beyond that to end. */
const SECONDS = 60;
const GRACE_MS = 30_000;
/** How long the command may take to start on a busy machine. */
const START_MS = 120_000;

const print = (text: string) => process.stdout.write(`${text}\n`);
let failed = 0;
const check = (name: string, wrong: string[], more = "") => {
  if (wrong.length > 0) failed++;
  print(
    `${wrong.length === 0 ? "ok  " : "FAIL"} ${name.padEnd(46)} ${[...wrong, more].join("; ")}`,
  );
};

const prepared = prepareSmallModel();
if ("why" in prepared) {
  print(`The small model cannot be had here, so nothing was run: ${prepared.why}`);
  process.exit(0);
}

const wide = await startSmallModel(prepared, 8_192);
const data = mkdtempSync(join(tmpdir(), "treadle-model-"));
for (const dialect of ["native", "artifact", "tags"])
  for (const [index, sentence] of SENTENCES.entries())
    check(`${dialect}, sentence ${index + 1}`, ...(await run(wide, dialect, sentence)));
check("Stop", ...(await run(wide, "artifact", SENTENCES[1]!, 5_000)));
const narrow = await startSmallModel(prepared, 1_024);
check("a context that overflows", ...(await run(narrow, "artifact", SENTENCES[0]!)));
narrow.close();
await onThePage(wide.url);
check("the model's server", [wide.ended() ?? []].flat());
wide.close();
rmSync(data, { recursive: true, force: true });
print(`${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/**
 * Returns what is wrong with one run, and how it ended.
 * @param stopAfter milliseconds
 */
async function run(
  model: SmallModel,
  dialect: string,
  sentence: string,
  stopAfter?: number,
): Promise<[string[], string]> {
  const dir = mkdtempSync(join(tmpdir(), "treadle-model-run-"));
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [bin, "run", sentence, "--dir", dir, "--dialect", dialect, "--json", "--data", data, "--timeout", String(SECONDS), "--max-steps", "4"],
    { env: environment(model.url), stdio: ["ignore", "pipe", "pipe"] },
  ); // prettier-ignore
  let output = "";
  let stopped = 0;
  // On a busy machine the command itself starts slowly, so its limit counts from the beginning of
  // the run.
  let late = setTimeout(() => child.kill("SIGKILL"), START_MS);
  let isBegun = false;
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (!isBegun && output.includes('"run-start"')) {
      isBegun = true;
      clearTimeout(late);
      late = setTimeout(() => child.kill("SIGKILL"), SECONDS * 1_000 + GRACE_MS);
    }
    if (stopAfter === undefined || stopped > 0 || !output.includes('"step-start"')) return;
    stopped = performance.now() + stopAfter;
    setTimeout(() => child.kill("SIGINT"), stopAfter);
  });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  clearTimeout(late);
  const ms = performance.now() - started;
  rmSync(dir, { recursive: true, force: true });
  const lines = output
    .trim()
    .split("\n")
    .flatMap((line) => asJson(line));
  const result = lines.at(-1) as { type?: string; outcome?: string; verdict?: string; summary?: string } | undefined; // prettier-ignore
  const ends = lines.filter((line) => (line as { event?: { type: string } }).event?.type === "run-end"); // prettier-ignore
  const gone = model.ended();
  const wrong = [
    ...(gone === undefined ? [] : [gone]),
    ...(code === null ? ["it had to be killed"] : []),
    ...(result?.type === "result" ? [] : ["it told no result"]),
    ...(ends.length === 1 ? [] : [`it ended ${ends.length} times`]),
    ...(result?.verdict === "verified" ? ["a model that can build nothing was verified: look at it"] : []),
    ...(stopped > 0 && performance.now() - stopped > 5_000 ? ["Stop took longer than 5 s"] : []),
  ]; // prettier-ignore
  return [wrong, `${(ms / 1000).toFixed(0)} s, ${result?.outcome} ${result?.verdict ?? ""}: ${result?.summary ?? ""}`]; // prettier-ignore
}

async function onThePage(url: string): Promise<void> {
  const browser = await startBrowser();
  const treadle = await startTreadle({ env: environment(url) });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => void errors.push(error.message));
  const person = personAt(page, treadle);
  const wrong: string[] = [];
  try {
    await person.open();
    await person.ask(SENTENCES[1]!);
    const stop = page.getByRole("button", { name: "Stop", exact: true });
    await stop.waitFor({ timeout: 30_000 });
    await page.waitForTimeout(8_000);
    await picture(page, "small-model-going");
    if (await stop.isVisible()) {
      await stop.click();
      await stop.waitFor({ state: "hidden", timeout: 5_000 });
    }
    await person.sendMessage(SENTENCES[0]!);
    await stop.waitFor({ timeout: 30_000 });
    await stop.waitFor({ state: "hidden", timeout: 180_000 }).catch(() => stop.click());
    await picture(page, "small-model-ended");
  } catch (error) {
    wrong.push((error as Error).message.split("\n")[0]!);
  }
  await browser.close();
  await treadle.stop();
  check("the page", [...wrong, ...errors]);
}

function environment(url: string): Record<string, string> {
  return {
    ...bareEnvironment(),
    TREADLE_CACHE: cache,
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: "none",
    TREADLE_MODEL: "openai-compatible:smollm2",
  };
}

function asJson(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
