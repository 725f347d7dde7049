import type { PageStep, PageUse, PageUseRequest } from "@treadle/agent";
import type { Dialog, Page } from "playwright-core";
import { findTarget, type Target } from "./find-target.ts";
import { lookAtPage } from "./look-at-page.ts";
import { pictureOf } from "./picture-of.ts";
import { until } from "./wait-for-rest.ts";
import type { PageCode } from "./watch-code.ts";

/** Milliseconds that something which is expected is given to come. */
const EXPECT_MS = 4_000;
/** Milliseconds that something which is waited for is given to come. */
const WAIT_MS = 15_000;
/** Milliseconds for one action. */
const ACT_MS = 5_000;
/** Characters of the outline. */
const OUTLINE = 8_000;
/** Characters of a dialog or a text that are told. */
const TOLD = 200;
/** Milliseconds between two looks for what is expected, while the page comes to rest. */
const AGAIN_MS = 50;
/** Milliseconds that something which was there is given to be there again, once a page that was loaded anew rests. */
const STAYS_MS = 1_500;
/** Lines of the page's console that are told: the last. */
const LINES = 10;

/** Opens a page and takes the steps in it, as a person would. Rejects only with the signal's reason. */
export async function usePage(
  page: Page,
  request: PageUseRequest & {
    origin: string;
    path: string;
    signal: AbortSignal;
    ms: number;
    /** Takes note of what ran before each step. */
    watched?: Pick<PageCode, "take"> | undefined;
  },
): Promise<PageUse> {
  const { origin, steps, signal, expectMs = EXPECT_MS, stays = [] } = request;
  const taken: PageUse["steps"] = [];
  const asked: string[] = [];
  const printed = readConsole(page);
  // Nobody is there to answer: what a page asks is agreed to, and told.
  page.on("dialog", (dialog: Dialog) => {
    asked.push(`the page asked “${dialog.message().slice(0, TOLD)}”, and got a yes`);
    void dialog.accept().catch(() => {});
  });
  let rest = async (): Promise<void> => {};
  const report = await lookAtPage(page, {
    ...request,
    async use(settled, ends) {
      rest = settled;
      const held = watchExpectations(page, steps);
      const note = (step: PageStep, index: number, failure: string | undefined) => {
        const notes = [...(failure === undefined ? [] : [failure]), ...asked.splice(0)];
        taken[index] = {
          ok: failure === undefined,
          said: notes.length === 0 ? nameOf(step) : `${nameOf(step)}: ${notes.join("; ")}`,
          ...(held.alreadyHeld(index) && { alreadyHeld: true }),
        };
      };
      /** Whether the page was left before it had come to rest, as what was expected of it was there. */
      let isRestless = false;
      for (const [index, step] of steps.entries()) {
        const next = steps[index + 1];
        let failure: string | undefined;
        try {
          if (!isExpectation(step))
            await request.watched?.take(step.do === "open" || step.do === "reload");
          await until(held.before(index), ends);
          failure = await until(take(page, origin, step, expectMs), ends);
          if (!failure && !isExpectation(step))
            isRestless =
              next?.do === "expect" && !loadsAnew(step) && !held.alreadyHeld(index + 1)
                ? await until(holdsBeforeRest(page, next, settled), ends)
                : (await settled(), false);
        } catch (error) {
          signal.throwIfAborted();
          failure = ends.aborted ? "the time for all steps is up" : reason(error);
        }
        note(step, index, failure);
        if (failure !== undefined) return;
      }
      // What it throws at last counts, and what an answer takes back again was never there.
      if (!isRestless) return;
      await settled();
      const last = steps.at(-1)!;
      const failure =
        last.do === "expect" ? await until(expectThere(page, last, expectMs), ends) : undefined;
      if (failure !== undefined) note(last, steps.length - 1, `${failure} once the page rests`);
    },
  });
  const isHeld = taken.length === steps.length && taken.every(({ ok }) => ok);
  const isPictured = request.picture === true || (request.picture === "on-failure" && !isHeld);
  const picture = isPictured ? await pictureOf(page) : undefined;
  const outline = await outlineOf(page);
  const address = addressOf(page);
  const lines = printed();
  // What is thrown after this belongs to no step.
  const { uncaughtErrors, consoleErrors, failedRequests } = report;
  const seen = {
    ...report,
    uncaughtErrors: [...uncaughtErrors],
    consoleErrors: [...consoleErrors],
    failedRequests: [...failedRequests],
  };
  const looksAgain = isHeld && stays.length > 0;
  if (looksAgain) await request.watched?.take(true);
  const kept = looksAgain ? await loadAnew(page, request, rest) : undefined;
  signal.throwIfAborted();
  return { steps: taken, outline, address, console: lines, picture, report: seen, ...kept };
}

/** The last lines of the page's console since this was called, and what it threw. */
function readConsole(page: Page): () => string[] {
  const lines: string[] = [];
  const add = (line: string) => {
    lines.push(line.slice(0, TOLD));
    if (lines.length > LINES) lines.shift();
  };
  page.on("console", (message) => add(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => add(`uncaught: ${error.message}`));
  return () => [...lines];
}

/** Path and query of what the page shows. */
function addressOf(page: Page): string {
  const url = URL.parse(page.url());
  return url ? url.pathname + url.search : "/";
}

/**
 * Waits until the page rests or shows what is expected, whichever is first.
 * @returns whether it was shown before the page rested
 */
async function holdsBeforeRest(
  page: Page,
  expected: PageStep,
  settled: () => Promise<void>,
): Promise<boolean> {
  let rests = false;
  const resting = settled().finally(() => (rests = true));
  // Where nobody waits for it any more, it may still fail.
  resting.catch(() => {});
  for (;;) {
    const holds = await expectThere(page, expected, 0).then(
      (failure) => failure === undefined,
      () => false,
    );
    if (rests) break;
    if (holds) return true;
    await Promise.race([resting, page.waitForTimeout(AGAIN_MS)]);
  }
  await resting;
  return false;
}

/**
 * Loads the page anew and looks for what was there before, among the expectations that are to stay.
 * @returns those that are there again, and those that are not; neither where the page does not come to rest
 */
async function loadAnew(
  page: Page,
  { steps, stays = [], signal }: PageUseRequest & { signal: AbortSignal },
  settled: () => Promise<void>,
): Promise<Pick<PageUse, "stayed" | "gone">> {
  const stayed: number[] = [];
  const gone: number[] = [];
  try {
    const there: number[] = [];
    for (const index of stays)
      if ((await expectThere(page, steps[index]!, 0)) === undefined) there.push(index);
    if (there.length === 0) return {};
    const wasLoaded = (index: number) => steps.slice(index + 1).some(loadsAnew);
    if (!there.every(wasLoaded)) {
      await until(page.reload({ waitUntil: "load", timeout: WAIT_MS }), signal);
      await until(settled(), signal);
    }
    for (const index of there) {
      const failure = wasLoaded(index)
        ? undefined
        : await until(expectThere(page, steps[index]!, STAYS_MS), signal);
      (failure === undefined ? stayed : gone).push(index);
    }
    return { stayed, gone };
  } catch {
    return {};
  }
}

const loadsAnew = ({ do: act }: PageStep) => act === "reload" || act === "open";

/** Takes one step. @returns what went wrong, in words. */
async function take(
  page: Page,
  origin: string,
  step: PageStep,
  expectMs: number,
): Promise<string | undefined> {
  const { on, text = "" } = step;
  switch (step.do) {
    case "open": {
      // Behind a slash nothing can name another host.
      const path = text.startsWith("/") ? text : `/${text}`;
      await page.goto(`${origin}${path}`, { waitUntil: "load", timeout: WAIT_MS });
      return undefined;
    }
    case "reload":
      await page.reload({ waitUntil: "load", timeout: WAIT_MS });
      return undefined;
    case "expect":
      return expectThere(page, step, expectMs);
    case "expect_gone":
      return expectGone(page, on ?? text, expectMs);
    case "press":
      if (on === undefined) {
        await page.keyboard.press(text);
        return undefined;
      }
  }
  if (on === undefined) return "it does not name an element";
  const target = await findTarget(page, on, step.do === "wait" ? WAIT_MS : ACT_MS);
  if (!target) return "there is no such element on the page";
  await act(target, step.do, text);
  return undefined;
}

async function act({ locator }: Target, what: PageStep["do"], text: string): Promise<void> {
  const timeout = ACT_MS;
  switch (what) {
    case "click":
      return locator.click({ timeout });
    case "type":
      return locator.fill(text, { timeout });
    case "press":
      return locator.press(text, { timeout });
    case "select":
      await locator.selectOption({ label: text }, { timeout });
  }
}

async function expectThere(
  page: Page,
  { on, text }: PageStep,
  ms: number,
): Promise<string | undefined> {
  const words = on ?? text;
  if (words === undefined) return "it does not say what";
  const target = await findTarget(page, words, ms);
  if (!target) return "it is not there";
  if (on === undefined || text === undefined) return undefined;
  const until = performance.now() + ms;
  for (;;) {
    const says = await contentOf(target);
    if (text === "" ? says === "" : says.includes(text)) return undefined;
    if (performance.now() >= until) return `it says “${says.slice(0, TOLD)}”`;
    await page.waitForTimeout(100);
  }
}

async function expectGone(page: Page, words: string, ms: number): Promise<string | undefined> {
  const until = performance.now() + ms;
  while (await findTarget(page, words, 0)) {
    if (performance.now() >= until) return "it is still there";
    await page.waitForTimeout(100);
  }
  return undefined;
}

/**
 * Looks, before anything is done and before each action, whether the expectations hold already that are to follow. One
 * that held at both moments says nothing of the action.
 */
function watchExpectations(page: Page, steps: readonly PageStep[]) {
  const atFirst = new Set<PageStep>();
  const vacuous = new Set<PageStep>();
  const holds = async (step: PageStep) =>
    (await (
      step.do === "expect"
        ? expectThere(page, step, 0)
        : expectGone(page, step.on ?? step.text ?? "", 0)
    ).catch(() => "it cannot be looked for")) === undefined;
  return {
    /** Called before the step is taken. */
    async before(index: number): Promise<void> {
      if (index === 0)
        for (const step of steps.filter(isExpectation)) if (await holds(step)) atFirst.add(step);
      const step = steps[index];
      if (!step || isExpectation(step)) return;
      for (let next = index + 1; next < steps.length && isExpectation(steps[next]!); next++)
        if (atFirst.has(steps[next]!) && (await holds(steps[next]!))) vacuous.add(steps[next]!);
    },
    alreadyHeld: (index: number) => vacuous.has(steps[index]!),
  };
}

const isExpectation = ({ do: act }: PageStep) => act === "expect" || act === "expect_gone";

/** What a person reads there: a field's value, else its text. */
async function contentOf({ locator }: Target): Promise<string> {
  const timeout = ACT_MS;
  return locator
    .inputValue({ timeout })
    .catch(() => locator.innerText({ timeout }))
    .catch(() => "");
}

async function outlineOf(page: Page): Promise<string> {
  const outline = await page
    .locator("body")
    .ariaSnapshot({ timeout: ACT_MS })
    .catch(() => "");
  return outline.length > OUTLINE ? `${outline.slice(0, OUTLINE)}\n… more is left out` : outline;
}

function nameOf({ do: what, on, text }: PageStep): string {
  const quoted = text === undefined ? "" : ` ${JSON.stringify(text)}`;
  if (on === undefined) return `${what}${quoted}`;
  return what === "type" || what === "press"
    ? `${what}${quoted} in ${on}`
    : `${what} ${on}${quoted}`;
}

/** The first line of what the browser said says it; its log follows. */
const reason = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .split("\n", 1)[0]!
    .replace(/^\w+\.\w+: /, "")
    .slice(0, TOLD);
