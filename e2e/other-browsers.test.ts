import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFirefox } from "./support/bidi-firefox.ts";
import { click, until, type OtherBrowser } from "./support/other-browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { root } from "./support/treadle.ts";
import { startWebKit } from "./support/webdriver-webkit.ts";

/** Only where it is asked for: which browsers a machine has must not decide what `npm test` does. */
const shouldRunAll = process.env.TREADLE_BROWSERS === "all";

const there = (...paths: string[]) =>
  shouldRunAll ? paths.find((path) => existsSync(path)) : undefined;

const firefox = there("/usr/bin/firefox-esr", "/usr/bin/firefox");
const webkit = {
  driver: there("/usr/bin/WebKitWebDriver"),
  browser: there(
    ...["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
  ),
  screen: there("/usr/bin/Xvfb"),
};

const browsers: {
  name: string;
  start: (() => Promise<OtherBrowser>) | undefined;
  needs: string;
}[] = [
  {
    name: "Firefox, over WebDriver BiDi",
    start: firefox === undefined ? undefined : () => startFirefox(firefox),
    needs: "firefox-esr",
  },
  {
    name: "WebKit, over WebDriver",
    start:
      webkit.driver && webkit.browser && webkit.screen
        ? () => startWebKit(webkit as Record<keyof typeof webkit, string>)
        : undefined,
    needs: "webkit2gtk-driver and xvfb",
  },
];

describe.each(browsers)("in $name", ({ name, start, needs }) => {
  describe.skipIf(!start)(
    start ? "a person" : `NOT RUN: wants TREADLE_BROWSERS=all, and ${needs}`,
    () => {
      let { treadle } = {} as Stage;
      let browser: OtherBrowser;
      setStage({ script: scriptNamed("clock-plain"), page: false }, (stage) => {
        ({ treadle } = stage);
      });
      beforeAll(async () => {
        browser = await start!();
      });
      afterAll(() => browser?.close());

      const picture = async (subject: string) => {
        const folder = join(root, ".cache/pictures");
        mkdirSync(folder, { recursive: true });
        // A missing picture says nothing about the page.
        const taken = await browser.picture().catch((error: Error) => console.warn(error.message));
        if (taken) writeFileSync(join(folder, `${name.split(",")[0]}-${subject}.png`), taken);
      };
      const shown = async (text: string) =>
        (await browser.inFrames("document.body.innerText")).some(
          (one) => typeof one === "string" && one.includes(text),
        );
      const is = (selector: string) =>
        browser.evaluate(`document.querySelector('${selector}') !== null`);

      it("sends a prompt, and gets an app that is seen to work, in the preview", async () => {
        await browser.goto(treadle.address);
        await until("the field", () => is("textarea"));
        await click(browser, "textarea", "");
        await browser.type("Build a clock");
        await browser.press("Enter");
        await until("the page of the project", () =>
          browser.evaluate('location.pathname.startsWith("/p/")'),
        );
        const verified = () => is('[role=status][data-verdict="runs"]');
        await until("runs", verified, 120_000);
        await until("the app", () => shown("10:24"));
        await picture("built");
      });

      it("edits a file, and the preview shows it", async () => {
        await click(browser, "[role=tab]", "Code");
        await click(browser, "[role=treeitem]", "index.html");
        await until("the text", () =>
          browser.evaluate(
            'document.querySelector(".cm-content") !== null && document.querySelector(".cm-content").innerText.includes("10:24")',
          ),
        );
        await click(browser, ".cm-line", "");
        await browser.press("Control+Home");
        await browser.type("By hand ");
        await browser.press("Control+s");
        await until("saved", () => is('[data-file-state="saved"]'));
        await picture("edited");
        const { projects } = (await (await treadle.api("/api/projects")).json()) as {
          projects: { id: string }[];
        };
        const file = await treadle.api(`/api/projects/${projects[0]!.id}/files/index.html`);
        expect(await file.text()).toContain("By hand ");
        await click(browser, "[role=tab]", "Preview");
        await until("the edit in the app", () => shown("By hand"));
      });

      it("types into a terminal, and sees a command's output", async () => {
        await click(browser, "button", "Terminal");
        const prints = (text: string) =>
          browser.evaluate(
            `document.querySelector(".xterm-rows") !== null && document.querySelector(".xterm-rows").innerText.includes(${JSON.stringify(text)})`,
          );
        await until("a prompt", () => prints("$"));
        await browser.type("echo $((6 * 7))-there");
        await browser.press("Enter");
        await until("what it printed", () => prints("42-there"));
        await picture("terminal");
      });
    },
  );
});
