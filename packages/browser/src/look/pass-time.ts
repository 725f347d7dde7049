import type { CDPSession, Page } from "playwright-core";
import { until, type PageActivity } from "./wait-for-rest.ts";

/** Minimum page time that passes in each look, in milliseconds, however long that takes. */
const LEAST_MS = 10_000;
/**
 * Maximum page time, for a page that does not send requests all the time, in milliseconds: less
 * than a minute, after which dashboards refresh.
 */
const MOST_MS = 59_000;
/**
 * Number of requests in the minimum time that counts as sending requests all the time; a page
 * without requests gets the rest at once.
 */
const ASKS_MUCH = 20;
/** Real time limit for the time beyond the minimum, in milliseconds. */
const BEYOND_MS = 20_000;
/**
 * Step of page time if something outside of it (server events, a worker) has to keep pace, in
 * milliseconds.
 */
const STEP_MS = 500;
/**
 * Real milliseconds after which page time that does not advance is advanced in steps, or given up.
 */
const STANDS_MS = 1_000;
const STUCK_MS = 30_000;
/**
 * While a page waits for an answer, it gets some page time at this real interval, both in
 * milliseconds.
 */
const MOMENT_MS = 200;
const LITTLE_MS = 20;
/** Real time limit for a page's response, in milliseconds. */
const HEARD_MS = 500;
/** Number of 20 ms steps after its time is over. */
const LAST = 2;
/** Number of 20 ms steps for a page that navigates away. */
const LEAVING = 50;
/** Number of tasks after which time advances even in a page that is never idle. */
const STARVATION = 100;

/**
 * Advances the clock of an idle page as fast as its timers can run, so that what it does after
 * three or forty seconds is seen in a fraction of one. Open requests stop its clock, and afterwards
 * it is stopped for good. Rejects like `Activity.settled`.
 * @param end maximum page time, in milliseconds
 */
export async function passTime(
  page: Page,
  activity: PageActivity,
  cdp: CDPSession,
  end: number,
  signal: AbortSignal,
): Promise<void> {
  const { requests, sockets } = activity;
  const documents = () => [...requests.documents.values()].reduce((all, times) => all + times, 0);
  const started = performance.now();
  // A navigation is only reported by others, and later than the end of the page's time budget.
  let leaves = false;
  let ended = false;
  cdp.on("Page.frameRequestedNavigation", () => (leaves = true));
  await until(cdp.send("Page.enable"), signal);
  let opened = documents();
  let before = requests.count();
  let given = 0;
  let passed = 0;
  let inSteps = false;
  for (;;) {
    signal.throwIfAborted();
    if (activity.loop() !== undefined || page.isClosed()) return;
    const streams = sockets.any() || requests.hasStreams();
    if (streams || page.context().serviceWorkers().length > 0) inSteps = true;
    // The page's behaviour decides, not the speed of this machine.
    const asked = requests.count() - before;
    const most = Math.min(streams || asked >= ASKS_MUCH ? LEAST_MS : MOST_MS, end);
    if (passed >= most || performance.now() - started > BEYOND_MS) {
      if (ended) return;
      // A navigation at the very end shows a little later.
      ended = true;
      for (let moment = 0; moment < LAST && !leaves && documents() === opened; moment++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await grant(cdp, LITTLE_MS, true, () => documents() !== opened, activity, signal);
      }
      if (!leaves && documents() === opened) return;
    }
    const atOnce = given >= LEAST_MS && asked === 0;
    const ms = ended
      ? LITTLE_MS
      : Math.min(inSteps ? STEP_MS : atOnce ? MOST_MS : LEAST_MS, Math.ceil(most - passed));
    const how = await grant(cdp, ms, inSteps, () => documents() !== opened, activity, signal);
    if (how === "stands" && inSteps) return;
    if (how === "stands") inSteps = true;
    else given += ms;
    // The age of the displayed document counts, as far as it is credible.
    const age = await heard(cdp, signal);
    passed = age === undefined || given >= 2 * MOST_MS ? given : Math.min(given, age);
    if (leaves) await left(cdp, () => documents() !== opened, signal);
    leaves = false;
    await answered(cdp, activity, signal);
    if (documents() === opened) continue;
    // A new document gets its full time from its start.
    await loaded(page, cdp, activity, signal);
    opened = documents();
    before = requests.count();
    passed = given = 0;
    leaves = ended = false;
  }
}

/** Waits until the page has begun to navigate; if the request was a download, it stays. */
async function left(cdp: CDPSession, isLeft: () => boolean, signal: AbortSignal): Promise<void> {
  for (let moment = 0; moment < LEAVING && !isLeft(); moment++) {
    await little(cdp, signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until another document is displayed and has loaded. */
async function loaded(
  page: Page,
  cdp: CDPSession,
  { requests }: PageActivity,
  signal: AbortSignal,
): Promise<void> {
  await left(cdp, () => !requests.isLeaving(), signal);
  await whilePassing(page.waitForLoadState("load", { timeout: 0 }), cdp, signal);
}

/**
 * Waits for the answers to requests. A page with a stopped clock cannot process all of them, so it
 * gets a little time.
 */
async function answered(
  cdp: CDPSession,
  activity: PageActivity,
  signal: AbortSignal,
): Promise<void> {
  await whilePassing(activity.answered(signal), cdp, signal);
}

/** Waits, and meanwhile gives the page a little of its own time. */
async function whilePassing(
  waited: Promise<void>,
  cdp: CDPSession,
  signal: AbortSignal,
): Promise<void> {
  const done = waited.then(() => true);
  // The promise may reject after something else ended the wait.
  done.catch(() => {});
  for (;;) {
    const moment = new Promise<false>((resolve) => setTimeout(resolve, MOMENT_MS, false));
    if (await Promise.race([done, moment])) return;
    await little(cdp, signal);
  }
}

/**
 * Resolves when the page's earlier messages have arrived, since its answer comes after them; after half a second if the
 * page is busy or navigating.
 * @returns milliseconds of page time since the document was opened; undefined if it does not respond
 */
async function heard(cdp: CDPSession, signal: AbortSignal): Promise<number | undefined> {
  const answer = cdp.send("Runtime.evaluate", { expression: "performance.now()" }).then(
    ({ result }) => (typeof result.value === "number" ? result.value : undefined),
    () => undefined,
  );
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, HEARD_MS, undefined));
  return until(Promise.race([answer, late]), signal);
}

/**
 * Lets a little time pass, and waits for its end, which would otherwise be mistaken for that of the
 * next step.
 */
export async function little(cdp: CDPSession, signal: AbortSignal): Promise<void> {
  const passed = Promise.withResolvers<void>();
  cdp.once("Emulation.virtualTimeBudgetExpired", passed.resolve);
  const timer = setTimeout(passed.resolve, STANDS_MS);
  try {
    await allow(cdp, "advance", LITTLE_MS, signal);
    await until(passed.promise, signal);
  } finally {
    clearTimeout(timer);
    cdp.off("Emulation.virtualTimeBudgetExpired", passed.resolve);
  }
}

/**
 * Lets `budget` milliseconds of page time pass.
 * @returns `left` if the page opened another document, `stands` if its clock no longer advances
 */
async function grant(
  cdp: CDPSession,
  budget: number,
  inSteps: boolean,
  isLeft: () => boolean,
  { requests }: PageActivity,
  signal: AbortSignal,
): Promise<"passed" | "left" | "stands"> {
  const outcome = Promise.withResolvers<"passed" | "left" | "stands">();
  outcome.promise.catch(() => {});
  const passed = () => outcome.resolve("passed");
  cdp.once("Emulation.virtualTimeBudgetExpired", passed);
  const aborted = () => outcome.reject(signal.reason);
  signal.addEventListener("abort", aborted);
  let idleTicks = 0;
  const timer = setInterval(() => {
    if (isLeft()) outcome.resolve("left");
    // An open request stops the clock.
    idleTicks = requests.blocking().length > 0 ? 0 : idleTicks + 50;
    if (idleTicks >= (inSteps ? STUCK_MS : STANDS_MS)) outcome.resolve("stands");
  }, 50);
  try {
    await allow(cdp, inSteps ? "advance" : "pauseIfNetworkFetchesPending", budget, signal);
    return await outcome.promise;
  } finally {
    clearInterval(timer);
    signal.removeEventListener("abort", aborted);
    cdp.off("Emulation.virtualTimeBudgetExpired", passed);
  }
}

const allow = (
  cdp: CDPSession,
  policy: "advance" | "pauseIfNetworkFetchesPending",
  budget: number,
  signal: AbortSignal,
) =>
  until(
    cdp.send("Emulation.setVirtualTimePolicy", {
      policy,
      budget,
      maxVirtualTimeTaskStarvationCount: STARVATION,
    }),
    signal,
  );
