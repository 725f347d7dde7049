import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "./support/browser.ts";
import { openTemplatePlace, VERIFIED_MS } from "./support/template-page.ts";
import { headingOf, type TemplateName } from "./support/template-run.ts";

/** The quick templates of each kind; `npm run soak` tests all of them. */
const QUICK: [TemplateName, string][] = [
  ["react", "kept"],
  ["vanilla", "reloaded"],
  ["express", "nothing"],
  ["static", "nothing"],
];

let browser: Browser;
let place: Awaited<ReturnType<typeof openTemplatePlace>>;

beforeAll(async () => {
  browser = await startBrowser();
  place = await openTemplatePlace(browser);
});
afterAll(async () => {
  await place?.close();
  await browser?.close();
});

describe("a project that starts with a template", () => {
  it.each(QUICK)(
    "%s is verified, has no error, and shows a change by hand",
    async (name, afterEdit) => {
      expect(await place.look(name)).toEqual({
        heading: headingOf(name),
        lang: "en",
        title: "App",
        problems: [],
        afterEdit,
      });
    },
    2 * VERIFIED_MS,
  );
});
