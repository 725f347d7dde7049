import type { PageStep, PageUse } from "@treadle/agent";
import type { Dialog, Page } from "playwright-core";
import { findTarget, type Target } from "./find-target.ts";
import { lookAtPage } from "./look-at-page.ts";
import { pictureOf } from "./picture-of.ts";
import { until } from "./wait-for-rest.ts";

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

/** Opens a page and takes the steps in it, as a person would. Rejects only with the signal's reason. */
export async function usePage(
  page: Page,
  request: {
    origin: string;
    path: string;
    steps: PageStep[];
    picture?: boolean;
    expectMs?: number | undefined;
    signal: AbortSignal;
    ms: number;
  },
): Promise<PageUse> {
  const { origin, steps, signal, expectMs = EXPECT_MS } = request;
  const taken: PageUse["steps"] = [];
  const asked: string[] = [];
  // Nobody is there to answer: what a page asks is agreed to, and told.
  page.on("dialog", (dialog: Dialog) => {
    asked.push(`the page asked “${dialog.message().slice(0, TOLD)}”, and got a yes`);
    void dialog.accept().catch(() => {});
  });
  const report = await lookAtPage(page, {
    ...request,
    async use(settled, ends) {
      const held = watchExpectations(page, steps);
      for (const [index, step] of steps.entries()) {
        let failure: string | undefined;
        try {
          await until(held.before(index), ends);
          failure = await until(take(page, origin, step, expectMs), ends);
          if (!failure && !isExpectation(step)) await settled();
        } catch (error) {
          signal.throwIfAborted();
          failure = ends.aborted ? "the time for all steps is up" : reason(error);
        }
        const notes = [...(failure === undefined ? [] : [failure]), ...asked.splice(0)];
        taken.push({
          ok: failure === undefined,
          said: notes.length === 0 ? nameOf(step) : `${nameOf(step)}: ${notes.join("; ")}`,
          ...(held.alreadyHeld(index) && { alreadyHeld: true }),
        });
        if (failure !== undefined) return;
      }
    },
  });
  const picture = request.picture ? await pictureOf(page) : undefined;
  return { steps: taken, outline: await outlineOf(page), picture, report };
}

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
