import {
  beginningOf,
  isExpectation,
  type PageStep,
  type PageUse,
  type PageUseRequest,
  shiftClock,
  stepWords,
} from "@treadle/protocol/checks";
import type { BrowserContext, Page } from "playwright-core";
import { lookAtPage, type PageRest } from "./look-at-page.ts";
import { holdsBeforeRest, loadAnew, loadsAnew } from "./look-again.ts";
import { pictureOf } from "./picture-of.ts";
import { expectStep } from "./steps/expectation.ts";
import { watchPerson, type Person } from "./steps/person.ts";
import { addressOf, takeStep, WAIT_MS } from "./steps/take-step.ts";
import { until, watchActivity } from "./wait-for-rest.ts";
import { undrawnOf } from "./undrawn.ts";
import type { PageCode } from "./watch-code.ts";
import { watchExpectations } from "./watch-expectations.ts";

/** Runs in the page. Databases are not read: for a page with one, the result is unknown. */
const READ = `(async () => {
  if ((await indexedDB.databases()).length > 0) return undefined;
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]);
})()`;

/**
 * A page's stored data in the browser: storage and cookies. Undefined if unknown. Never rejects.
 */
const keptByBrowser = (page: Page): Promise<string | undefined> =>
  page.evaluate<string | undefined>(READ).catch(() => undefined);

/** Time limit for an expectation, in milliseconds. */
const EXPECT_MS = 4_000;
/** Time limit for the outline, in milliseconds. */
const OUTLINE_MS = 5_000;
/** Maximum length of the outline, in characters. */
const OUTLINE = 8_000;
/** Maximum length of a reported error, in characters. */
const SHOWN = 200;
/**
 * Maximum length of answers to requests in characters, and the final wait for one in milliseconds.
 */
const ANSWERS = 100_000;
const ANSWERS_MS = 500;
/** Number of reported console lines, the last. */
const LINES = 10;

/**
 * Opens a page and takes the steps in it, as people would. Rejects only with the signal's reason.
 */
export async function usePage(
  page: Page,
  request: PageUseRequest & {
    origin: string;
    path: string;
    /** Opens an empty page in a separate context, for another person. */
    another(): Promise<Page>;
    signal: AbortSignal;
    ms: number;
    /** Records the executed code before each step. */
    watched?: Pick<PageCode, "take" | "lose"> | undefined;
  },
): Promise<PageUse> {
  const { origin, path, steps, signal, another, expectMs = EXPECT_MS, stays = [] } = request;
  const taken: PageUse["steps"] = [];
  const nowhere: NonNullable<PageUse["nowhere"]>[number][] = [];
  const printed = readConsole(page);
  const { size, date } = beginningOf(steps);
  const ahead = date && date.getTime() - Date.now();
  if (ahead !== undefined) await setClock(page.context(), ahead);
  if (size) await page.setViewportSize(size);
  let rest: PageRest = { settled: async () => {}, answered: async () => {} };
  const first = watchPerson(page, origin, {
    settled: () => rest.settled(),
    answered: () => rest.answered(),
  });
  const persons = new Map<string | undefined, Person>([[undefined, first]]);
  let outlineBefore: string | undefined;
  let keptBefore: string | undefined;
  const report = await lookAtPage(page, {
    ...request,
    async use(ofPage, ends) {
      rest = ofPage;
      const held = watchExpectations(persons, steps);
      const note = (step: PageStep, index: number, failure: string | undefined) => {
        const asked = persons.get(step.as)?.asked.splice(0) ?? [];
        const notes = [...(failure === undefined ? [] : [failure]), ...asked];
        const words = stepWords(step);
        taken[index] = {
          ok: failure === undefined,
          said: notes.length === 0 ? words : `${words}: ${notes.join("; ")}`,
          alreadyHeld: held.alreadyHeld(index) || undefined,
        };
      };
      /**
       * Whether the next step began before the page was idle, because the expectation already held.
       */
      let isRestless = false;
      for (const [index, step] of steps.entries()) {
        const next = steps[index + 1];
        let failure: string | undefined;
        try {
          const person = persons.get(step.as) ?? (await until(enter(step, ends), ends));
          if (!isExpectation(step)) await request.watched?.take(loadsAnew(step));
          await until(held.before(index), ends);
          person.nowhere.splice(0);
          const from = shownAddress(person.page);
          if (request.outlineBefore && !isExpectation(step)) {
            outlineBefore = await outlineOf(page);
            keptBefore = await keptByBrowser(page);
          }
          failure = await until(takeStep(person, step, expectMs), ends);
          if (!failure && !isExpectation(step)) {
            const isShownNext =
              next?.do === "expect" &&
              next.as === step.as &&
              !loadsAnew(step) &&
              !held.alreadyHeld(index + 1);
            isRestless = isShownNext && (await until(holdsBeforeRest(person, next), ends));
            if (isFilledIn(step, next)) await until(person.answered(), ends);
            else if (!isShownNext) await person.settled();
          }
          if (!loadsAnew(step))
            nowhere.push(...person.nowhere.map((one) => ({ ...one, step: index, from })));
        } catch (error) {
          signal.throwIfAborted();
          failure = ends.aborted ? "the time for all steps is up" : reason(error);
        }
        note(step, index, failure);
        if (failure !== undefined) return;
      }
      // Late errors count, and so does content that an answer removes again.
      if (!isRestless) return;
      const last = steps.at(-1)!;
      const person = persons.get(last.as) ?? first;
      await person.settled();
      const failure =
        last.do === "expect" ? await until(expectStep(person, last, expectMs), ends) : undefined;
      if (failure !== undefined) note(last, steps.length - 1, `${failure} once the page rests`);
    },
  });

  /** Another person opens the app, at the first one's start page. */
  async function enter({ as }: PageStep, ends: AbortSignal): Promise<Person> {
    request.watched?.lose();
    const other = await another();
    if (ahead !== undefined) await setClock(other.context(), ahead);
    const activity = watchActivity(other);
    const person = watchPerson(other, origin, {
      settled: () => activity.settled(ends),
      answered: () => activity.answered(ends),
    });
    persons.set(as, person);
    await other.goto(addressOf(origin, path), { waitUntil: "load", timeout: WAIT_MS });
    await person.settled();
    return person;
  }

  const isHeld = taken.length === steps.length && taken.every(({ ok }) => ok);
  const isPictured = request.picture === true || (request.picture === "on-failure" && !isHeld);
  // The page of the failed step's person.
  const shown = persons.get(isHeld ? undefined : steps[taken.length - 1]?.as)?.page ?? page;
  const picture = isPictured ? await pictureOf(shown) : undefined;
  const undrawn = picture ? await undrawnOf(shown) : [];
  const outline = await outlineOf(shown);
  const savedOutline = request.outlineBefore ? await keptByBrowser(page) : undefined;
  const address = shownAddress(shown);
  const lines = printed();
  const others = [...persons.values()].slice(1).flatMap(({ thrown }) => thrown);
  // Later errors belong to no step.
  const { uncaughtErrors, consoleErrors, failedRequests } = report;
  const seen = {
    ...report,
    uncaughtErrors: [...uncaughtErrors, ...others.map((message) => ({ message }))],
    consoleErrors: [...consoleErrors],
    failedRequests: [...failedRequests],
  };
  const changed = [...persons.values()].flatMap((person) => person.changed);
  const looksAgain = isHeld && stays.length > 0;
  if (looksAgain) await request.watched?.take(true);
  const again = looksAgain ? await loadAnew(first, { steps, stays, signal }) : undefined;
  signal.throwIfAborted();
  return {
    steps: taken,
    outline,
    outlineBefore,
    keepsOther:
      savedOutline !== undefined && keptBefore !== undefined
        ? savedOutline !== keptBefore
        : undefined,
    address,
    console: lines,
    picture,
    undrawn: undrawn.length > 0 ? undrawn : undefined,
    nowhere,
    changed:
      changed.length > 0
        ? { answers: await answersOf(changed), isReadBack: first.isReadBack }
        : undefined,
    report: seen,
    ...again,
  };
}

/**
 * Whether the next step fills in the same form: between its fields and its button nobody waits for
 * the page to be idle.
 */
const isFilledIn = (step: PageStep, next: PageStep | undefined): boolean =>
  step.do === "type" &&
  next?.as === step.as &&
  next?.on !== undefined &&
  ["type", "select", "check", "uncheck", "click"].includes(next.do);

/** The answers so far: a stream of events never ends. */
async function answersOf(answers: readonly Promise<string>[]): Promise<string> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, ANSWERS_MS, "").unref());
  const texts = await Promise.all(answers.map((answer) => Promise.race([answer, late])));
  return texts.join("\n").slice(0, ANSWERS);
}

const setClock = (context: BrowserContext, ms: number) =>
  context.addInitScript({ content: shiftClock(ms) });

/** The last lines of the page's console since this was called, and its errors. */
function readConsole(page: Page): () => string[] {
  const lines: string[] = [];
  const add = (line: string) => {
    lines.push(line.slice(0, SHOWN));
    if (lines.length > LINES) lines.shift();
  };
  page.on("console", (message) => add(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => add(`uncaught: ${error.message}`));
  return () => [...lines];
}

/** Path and query of the displayed page. */
function shownAddress(page: Page): string {
  const url = URL.parse(page.url());
  return url ? url.pathname + url.search : "/";
}

async function outlineOf(page: Page): Promise<string> {
  const outline = await page
    .locator("body")
    .ariaSnapshot({ timeout: OUTLINE_MS })
    .catch(() => "");
  return outline.length > OUTLINE ? `${outline.slice(0, OUTLINE)}\n… more is left out` : outline;
}

/** The first line of the browser's error, without its log. */
const reason = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .split("\n", 1)[0]!
    .replace(/^\w+\.\w+: /, "")
    .slice(0, SHOWN);
