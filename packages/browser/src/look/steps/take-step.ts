import { isExpectation, sizeOf, type PageStep } from "@treadle/protocol/checks";
import type { Locator } from "playwright-core";
import { setOnline } from "../set-online.ts";
import { expectStep, missing } from "./expectation.ts";
import { findTarget } from "./find-target.ts";
import { requestAsPage } from "./isolated.ts";
import type { Person } from "./person.ts";

/** Time limit for something to appear, in milliseconds. */
export const WAIT_MS = 15_000;
/** Time limit for one action, in milliseconds. */
const ACT_MS = 5_000;

/**
 * Takes one step, as the person that it names.
 * @returns a description of what failed; undefined if the step succeeded
 */
export async function takeStep(
  person: Person,
  step: PageStep,
  expectMs: number,
): Promise<string | undefined> {
  if (isExpectation(step)) return expectStep(person, step, expectMs);
  const { page, origin } = person;
  const { on, text = "" } = step;
  switch (step.do) {
    case "open":
      await page.goto(addressOf(origin, text), { waitUntil: "load", timeout: WAIT_MS });
      return undefined;
    case "reload":
      await page.reload({ waitUntil: "load", timeout: WAIT_MS });
      return undefined;
    case "pause":
      await page.waitForTimeout(Number(text) * 1_000);
      return undefined;
    case "size":
      await page.setViewportSize(sizeOf(step));
      return undefined;
    case "date":
      // The date was set when the page was opened.
      return undefined;
    case "offline":
    case "online":
      await setOnline(page, step.do === "online");
      return undefined;
    case "request":
      return request(person, step);
    case "press":
      if (on === undefined) {
        await page.keyboard.press(text);
        return undefined;
      }
  }
  if (on === undefined) return "it does not name an element";
  if (step.do === "upload") return upload(person, step, on);
  const target = await findTarget(page, on, step.do === "wait" ? WAIT_MS : ACT_MS);
  if (!target) return missing(person, on);
  if (step.do === "drag") return drag(person, target.locator, step.to ?? "");
  await act(target.locator, step.do, text);
  return undefined;
}

async function act(locator: Locator, what: PageStep["do"], text: string): Promise<void> {
  const timeout = ACT_MS;
  switch (what) {
    case "click":
      return locator.click({ timeout });
    // A control already in the requested state is left alone.
    case "check":
    case "uncheck":
      return locator.setChecked(what === "check", { timeout });
    case "hover":
      return locator.hover({ timeout });
    case "type":
      return locator.fill(text, { timeout });
    case "press":
      return locator.press(text, { timeout });
    case "select":
      await locator.selectOption({ label: text }, { timeout });
  }
}

async function drag(person: Person, from: Locator, to: string): Promise<string | undefined> {
  const target = await findTarget(person.page, to, ACT_MS);
  if (!target) return missing(person, to);
  await from.dragTo(target.locator, { timeout: ACT_MS });
  return undefined;
}

async function request(person: Person, step: PageStep): Promise<undefined> {
  const { method = "GET", text = "/", body } = step;
  const url = addressOf(person.origin, text);
  person.requested.add(url);
  person.answer = undefined;
  person.answer = await requestAsPage(person.page, { method, url, body });
}

/** Fills the file field itself, or uses the control that opens the file dialog. */
async function upload(
  person: Person,
  { file = "", text = "" }: PageStep,
  on: string,
): Promise<string | undefined> {
  const { page } = person;
  const payload = { name: file, mimeType: typeOf(file), buffer: Buffer.from(text) };
  const timeout = ACT_MS;
  // File fields are often hidden behind a label.
  const field = page.getByLabel(on, { exact: true }).and(page.locator('input[type="file"]'));
  if ((await field.count()) > 0) {
    await field.first().setInputFiles(payload, { timeout });
    return undefined;
  }
  const target = await findTarget(page, on, ACT_MS);
  if (!target) return missing(person, on);
  const isField = await target.locator.and(page.locator('input[type="file"]')).count();
  if (isField > 0) {
    await target.locator.setInputFiles(payload, { timeout });
    return undefined;
  }
  const asked = page.waitForEvent("filechooser", { timeout }).catch(() => undefined);
  await target.locator.click({ timeout });
  const chooser = await asked;
  if (!chooser) return "it asks for no file";
  await chooser.setFiles(payload, { timeout });
  return undefined;
}

const TYPES: Record<string, string> = {
  csv: "text/csv",
  json: "application/json",
  txt: "text/plain",
  md: "text/markdown",
  xml: "application/xml",
  svg: "image/svg+xml",
};

const typeOf = (file: string) =>
  TYPES[file.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream";

/** An address of the app. With a leading slash, the path cannot change the host. */
export const addressOf = (origin: string, path: string): string =>
  `${origin}${path.startsWith("/") ? path : `/${path}`}`;
