import { PRESS_SCRIPT, type ListedControl, type PressEffects } from "@treadle/probe";
import type { PressReport } from "@treadle/protocol/checks";
import type { Page, Request } from "playwright-core";
import { z } from "zod";
import { lookAtPage } from "./look-at-page.ts";
import { pictureOf } from "./picture-of.ts";
import { until } from "./wait-for-rest.ts";
import type { PageCode } from "./watch-code.ts";
import { watchHiddenErrors } from "./watch-hidden-errors.ts";
import { isHot } from "./watch-sockets.ts";

/** Maximum number of controls pressed per page, and the time limit in milliseconds. */
const CONTROLS = 40;
const PRESS_MS = 10_000;
/**
 * Number of controls without effect that are retried in other states, and the time limit in
 * milliseconds.
 */
const SUSPECTS = 8;
const AGAIN_MS = 12_000;
/** Number of controls pressed before, to create something for the others to act on. */
const BEFORE = 8;
/** Number of neighbouring controls pressed right before a control. */
const BESIDE = 2;
/** Milliseconds for observing what a page does by itself. */
const IDLE_MS = 1_100;
/** Milliseconds for a press to have an effect: at first, and in the last try. */
const EFFECT_MS = 350;
const LAST_EFFECT_MS = 900;
const POLL_MS = 30;
/** Milliseconds for effects of hovering alone: before a press, and after the pointer has left. */
const HOVER_MS = 60;
const LEAVE_MS = 250;
const OPEN_MS = 10_000;
const PICTURES = 5;

const SUBJECT_CHARS = 200;
const Listed: z.ZodType<ListedControl[]> = z
  .array(
    z.object({
      key: z.string().max(SUBJECT_CHARS),
      subject: z.string().max(SUBJECT_CHARS),
      kind: z.enum(["control", "link"]),
      isSubmit: z.boolean(),
      group: z.number(),
    }),
  )
  .max(100);

/** An expression that calls a function of the script in the page. */
const inPage = (call: string): string => `window[Symbol.for("treadle.press")]?.${call}`;

/** The outcome of a press. `gone`: the control does not exist, or is covered. */
type Outcome = "effect" | "nothing" | "left" | "gone" | "threw";

/**
 * Opens a page and presses each of its controls, and those without effect once more after the
 * others, with fields filled in. Links with a target are left alone. Rejects only with the signal's
 * reason.
 */
export async function pressControls(
  page: Page,
  request: {
    origin: string;
    path: string;
    signal: AbortSignal;
    ms: number;
    /** Records the executed code before the page is reopened. */
    watched?: Pick<PageCode, "take"> | undefined;
  },
): Promise<PressReport> {
  const { origin, path, signal } = request;
  const address = `${origin}${path}`;
  const events = watchEvents(page);
  await page.addInitScript(PRESS_SCRIPT);
  await watchHiddenErrors(page);
  await page
    .context()
    .grantPermissions(["clipboard-read", "clipboard-write"], { origin })
    .catch(() => {});
  /** Errors caused by a press, and not by leaving the page. */
  const byPress = new Set<string>();
  const found: Omit<PressReport, "report"> = { pressed: 0, left: 0, dead: [] };
  const report = await lookAtPage(page, {
    ...request,
    async use({ settled }, ends) {
      const ask = <T>(call: string) => until(page.evaluate<T>(inPage(call)), ends);
      const wait = (ms: number) => until(page.waitForTimeout(ms), ends);
      const open = async () => {
        await request.watched?.take(true);
        await until(page.goto(address, { waitUntil: "load", timeout: OPEN_MS }), ends);
        await settled();
      };
      // The page may have replaced the function, so the result is validated.
      const list = async () => Listed.catch([]).parse(await ask<unknown>("list()"));
      const isAway = () => page.url().split("#")[0] !== address.split("#")[0];
      const place = (key: string) =>
        ask<{ x: number; y: number } | undefined>(`place(${JSON.stringify(key)})`);

      /** Presses a control at its position, and waits for the effect. */
      async function press({ key, kind, isSubmit }: ListedControl, ms: number): Promise<Outcome> {
        if (isSubmit) await ask(`fill(${JSON.stringify(key)})`);
        const point = await place(key);
        if (!point) return "gone";
        const thrown = events.thrown();
        await until(page.mouse.move(point.x, point.y), ends);
        await wait(HOVER_MS);
        await ask(`arm(${JSON.stringify(key)})`);
        events.arm();
        // For a link without a target, only the address changes.
        const shownAddress = () => page.url().replace(kind === "link" ? /#.*$/ : /#$/, "");
        const url = shownAddress();
        await until(page.mouse.click(point.x, point.y), ends);
        const outcome = await comesOf(() => shownAddress() !== url, ms);
        const now = events.thrown().slice(thrown.length);
        if (now.length === 0) return outcome;
        found.threw ??= key.replace(/ #\d+$/, "");
        for (const message of now) byPress.add(message);
        return outcome === "left" ? "left" : "threw";
      }

      async function comesOf(isElsewhere: () => boolean, ms: number): Promise<Outcome> {
        const late = performance.now() + ms;
        let effects: PressEffects | undefined;
        do {
          await wait(POLL_MS);
          if (!events.leaves()) {
            if (isElsewhere()) return isAway() ? "left" : "effect";
            if (events.any()) return "effect";
            effects = await ask<PressEffects | undefined>("effects()").catch(() => undefined);
          }
          if (events.leaves() || !effects) {
            // A document that is being replaced, possibly by itself, does not respond until then.
            const open = performance.now() + OPEN_MS;
            while (events.isUnderWay() && performance.now() < open) await wait(POLL_MS);
            await settled();
            return isAway() ? "left" : "effect";
          }
          if (effects.hard.length > 0) return "effect";
        } while (performance.now() < late);
        if (!effects.soft) return "nothing";
        // Removes the effects of pointer and focus.
        await until(page.mouse.move(0, 0), ends);
        await ask("rest()");
        await wait(LEAVE_MS);
        const stays = await ask<PressEffects | undefined>("effects()");
        return stays && !stays.soft && stays.hard.length === 0 ? "nothing" : "effect";
      }

      await ask("idle()");
      events.idle();
      await wait(IDLE_MS);
      const controls = (await list()).slice(0, CONTROLS);
      const alive: ListedControl[] = [];
      const suspects: ListedControl[] = [];
      const end = performance.now() + PRESS_MS;
      for (const [index, control] of controls.entries()) {
        if (performance.now() > end) {
          found.left = controls.length - index;
          break;
        }
        let outcome = await press(control, EFFECT_MS);
        if (outcome === "gone") {
          await open();
          outcome = await press(control, EFFECT_MS);
        }
        if (outcome !== "gone") found.pressed++;
        if (outcome === "nothing") suspects.push(control);
        if (outcome === "effect") alive.push(control);
        if (outcome === "left") await open();
      }
      if (suspects.length === 0) return;

      const last = performance.now() + AGAIN_MS;
      await open();
      await ask("idle()");
      await wait(IDLE_MS);
      await ask("fill()");
      for (const control of alive.slice(0, BEFORE))
        if ((await press(control, EFFECT_MS)) === "left") await open();
      await ask("tick()");
      for (const control of suspects.slice(0, SUSPECTS)) {
        if (performance.now() > last) return;
        const before = alive
          .filter(({ group }) => group === control.group)
          .toSorted((a, b) => apart(controls, a, control) - apart(controls, b, control))
          .slice(0, BESIDE);
        let outcome: Outcome = "nothing";
        for (const other of [undefined, ...before]) {
          if (other) await press(other, EFFECT_MS);
          else await ask("fill()");
          outcome = await press(control, other ? EFFECT_MS : LAST_EFFECT_MS);
          if (outcome !== "nothing") break;
        }
        if (outcome === "left") await open();
        if (outcome !== "nothing") continue;
        const picture = found.dead.length < PICTURES ? await pictured(control) : undefined;
        const { kind, subject } = control;
        found.dead.push({ kind, subject, picture });
      }

      async function pictured({ key }: ListedControl): Promise<Uint8Array | undefined> {
        const named = JSON.stringify(key);
        if (!(await ask<boolean>(`outline(${named}, true)`))) return undefined;
        const picture = await until(pictureOf(page), ends);
        await ask(`outline(${named}, false)`);
        return picture;
      }
    },
  });
  signal.throwIfAborted();
  const uncaughtErrors = [...byPress].flatMap(
    (thrown) => report.uncaughtErrors.find(({ message }) => message.includes(thrown)) ?? [],
  );
  return { ...found, report: { ...report, uncaughtErrors, consoleErrors: [] } };
}

const apart = (all: readonly ListedControl[], one: ListedControl, other: ListedControl) =>
  Math.abs(all.indexOf(one) - all.indexOf(other));

/**
 * Effects that the page's own scripts do not see: requests, dialogs, files, windows; and errors.
 */
function watchEvents(page: Page) {
  const byItself = new Set<string>();
  let state: "off" | "idle" | "armed" = "off";
  let count = 0;
  let isLeaving = false;
  /** The request for another document, until that is displayed or fails. */
  let underWay: Request | undefined;
  const thrown: string[] = [];
  const note = (what: string) => {
    if (state === "idle") byItself.add(what);
    else if (state === "armed" && !byItself.has(what)) count++;
  };
  page.on("dialog", (dialog) => {
    note("dialog");
    void dialog.accept().catch(() => {});
  });
  page.on("download", (download) => {
    note("download");
    void download.cancel().catch(() => {});
  });
  page.on("popup", () => note("popup"));
  page.on("filechooser", () => note("filechooser"));
  page.on("request", (request) => {
    note(`${request.method()} ${request.url()}`);
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
    isLeaving = true;
    underWay = request;
  });
  page.on("requestfailed", (request) => {
    if (request === underWay) underWay = undefined;
  });
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) underWay = undefined;
  });
  page.on("websocket", (socket) => {
    if (!isHot(socket.url())) socket.on("framesent", () => note("framesent"));
  });
  page.on("pageerror", ({ message }) => thrown.push(message));
  return {
    idle: () => void (state = "idle"),
    arm() {
      state = "armed";
      count = 0;
      isLeaving = false;
    },
    any: () => count > 0,
    /** Whether another document was requested. */
    leaves: () => isLeaving,
    isUnderWay: () => underWay !== undefined,
    thrown: () => [...thrown],
  };
}
