import type { CDPSession, Page } from "playwright-core";
import { until, type PageActivity } from "./wait-for-rest.ts";

/** Milliseconds of the page's own time that pass in each look, whatever time that takes here. */
const LEAST_MS = 10_000;
/** The same of a page that does not ask all the time. Not the whole minute after which boards bring themselves up to date. */
const MOST_MS = 59_000;
/** Requests in the least, with which a page asks all the time; one that asks nothing has the rest at once. */
const ASKS_MUCH = 20;
/** Milliseconds of ours for what goes beyond the least. */
const BEYOND_MS = 20_000;
/** A step where something outside the page's time (a server that tells of news, a worker) has to keep pace with it. */
const STEP_MS = 500;
/** Milliseconds of ours until time that does not pass is passed in steps, or not at all. */
const STANDS_MS = 1_000;
const STUCK_MS = 30_000;
/** So often, in milliseconds of ours, a page that waits for an answer gets so much of its own time. */
const MOMENT_MS = 200;
const LITTLE_MS = 20;
/** Milliseconds of ours for a page to answer at all. */
const HEARD_MS = 500;
/** Moments of 20 ms after its time is over. */
const LAST = 2;
/** Moments of 20 ms for a page that leaves to begin with it. */
const LEAVING = 50;
/** Tasks after which time goes on also in a page that never has nothing to do. */
const STARVATION = 100;

/**
 * Moves the clock of a page on that has come to rest, as fast as its timers can be run: what it does after three seconds,
 * or after forty, is seen in a fraction of one. Requests hold its clock. Afterwards that stands still, for good.
 * Rejects as `Activity.settled` does.
 * @param end milliseconds of its own time, beyond which none passes
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
  // The page tells that it leaves before it tells that its time is over; that it left is told by others, and later.
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
    // What decides is what the page does, and not how fast this machine is.
    const asked = requests.count() - before;
    const most = Math.min(streams || asked >= ASKS_MUCH ? LEAST_MS : MOST_MS, end);
    if (passed >= most || performance.now() - started > BEYOND_MS) {
      if (ended) return;
      // What it does with its last breath (it leaves) shows a little later.
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
    // What counts is the age of the document that is shown, as far as it can be believed.
    const age = await heard(cdp, signal);
    passed = age === undefined || given >= 2 * MOST_MS ? given : Math.min(given, age);
    if (leaves) await left(cdp, () => documents() !== opened, signal);
    leaves = false;
    await answered(cdp, activity, signal);
    if (documents() === opened) continue;
    // Another document: it has its own time before it, from when it is there.
    await loaded(page, cdp, activity, signal);
    opened = documents();
    before = requests.count();
    passed = given = 0;
    leaves = ended = false;
  }
}

/** Waits until the page has begun to leave; what it asked for may also be a file to keep, and it stays. */
async function left(cdp: CDPSession, isLeft: () => boolean, signal: AbortSignal): Promise<void> {
  for (let moment = 0; moment < LEAVING && !isLeft(); moment++) {
    await little(cdp, signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until another document is shown and has loaded. */
async function loaded(
  page: Page,
  cdp: CDPSession,
  { requests }: PageActivity,
  signal: AbortSignal,
): Promise<void> {
  await left(cdp, () => !requests.isLeaving(), signal);
  await whilePassing(page.waitForLoadState("load", { timeout: 0 }), cdp, signal);
}

/** Waits for what was asked. A page whose clock stands still cannot take every answer: it gets a little time for that. */
async function answered(
  cdp: CDPSession,
  activity: PageActivity,
  signal: AbortSignal,
): Promise<void> {
  await whilePassing(activity.answered(signal), cdp, signal);
}

/** Waits, and lets the page have a little of its own time meanwhile: this is its clock, which no library knows. */
async function whilePassing(
  waited: Promise<void>,
  cdp: CDPSession,
  signal: AbortSignal,
): Promise<void> {
  const done = waited.then(() => true);
  // It may be left alone for what ends this first.
  done.catch(() => {});
  for (;;) {
    const moment = new Promise<false>((resolve) => setTimeout(resolve, MOMENT_MS, false));
    if (await Promise.race([done, moment])) return;
    await little(cdp, signal);
  }
}

/**
 * Resolves when what the page told until now has come: it answers after that, unless it is busy or leaves.
 * @returns milliseconds of its own time since the document was opened; undefined where it does not say
 */
async function heard(cdp: CDPSession, signal: AbortSignal): Promise<number | undefined> {
  const answer = cdp.send("Runtime.evaluate", { expression: "performance.now()" }).then(
    ({ result }) => (typeof result.value === "number" ? result.value : undefined),
    () => undefined,
  );
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, HEARD_MS, undefined));
  return until(Promise.race([answer, late]), signal);
}

/** Lets a little time pass, and waits for its end, which would else be taken for that of the next. */
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

/** Lets so much time pass. @returns what came of it */
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
    // A request holds the clock.
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
