import { afterAll, describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { openReactPage } from "./support/react-page.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

/** The tools around the running app for a person who builds a page. */
let { treadle, page, person } = {} as Stage;

setStage({ script: scriptNamed("preview") }, async (stage) => {
  ({ treadle, page, person } = stage);
  await openReactPage(stage);
});

/** Replaces a file's content, like the editor. */
async function write(path: string, change: (text: string) => string): Promise<void> {
  const address = `/api/projects/${person.projectId()}/files/${path}`;
  const { text, version } = (await (await treadle.api(address)).json()) as {
    text: string;
    version: string;
  };
  const answer = await treadle.api(address, {
    method: "PUT",
    headers: { "if-match": `"${version}"` },
    body: JSON.stringify({ text: change(text) }),
  });
  expect(answer.ok).toBe(true);
}
const button = (name: string | RegExp) => page.getByRole("button", { name });
const heading = () => person.preview().getByRole("heading", { name: "Words" });
const inside = (expression: string) => page.frames().at(-1)!.evaluate(expression);

describe("the window of the app", () => {
  const choose = async (name: string | RegExp) => {
    await button(/^Window: /).click();
    await page.getByRole("menuitemradio", { name }).click();
  };

  it("has a phone's size, can be rotated, and is kept over a reload", async () => {
    await choose(/iPhone 16 393/);
    await expect.poll(() => inside("innerWidth + ' ' + innerHeight")).toBe("393 852");
    await picture(page, "preview-phone");
    await button("Turn it").click();
    await expect.poll(() => inside("innerWidth + ' ' + innerHeight")).toBe("852 393");
    await page.reload();
    await heading().waitFor();
    await expect.poll(() => inside("innerWidth")).toBe(852);
  });

  it("can be resized by pointer and keys, without reloading the page", async () => {
    await inside("window.mark = 1");
    await choose("Free width");
    const edge = page.getByRole("slider", { name: "Width of the preview" });
    await expect.poll(() => inside("innerWidth")).toBe(640);
    const box = (await edge.boundingBox())!;
    await page.mouse.move(box.x + 12, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 12 - 100, box.y + 100, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => Number(await inside("innerWidth"))).toBeLessThan(450);
    await edge.press("Shift+ArrowRight");
    await expect.poll(async () => Number(await inside("innerWidth"))).toBeGreaterThan(520);
    await choose("Fit the pane");
    await edge.waitFor({ state: "detached" });
    expect(await inside("window.mark")).toBe(1);
  });

  it("fills the screen, and comes back", async () => {
    await button("Full screen").click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
    await button("Leave full screen").click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
  });
});

describe("the console of the page", () => {
  const log = () => page.getByRole("log", { name: "What the page printed" });

  it("shows the page's output, by level and filter, and links to the source line", async () => {
    await write("src/App.tsx", (text) =>
      text.replace(
        "<h1>",
        `<h1 onClick={() => { console.log("pressed", { at: 1 }); console.warn("careful"); fetch("/nowhere.json"); throw new Error("on purpose"); }}>`,
      ),
    );
    await button(/^Console and network/).click();
    await expect
      .poll(async () => {
        await heading().click();
        return log().getByText("pressed {at: 1}").count();
      })
      .toBeGreaterThan(0);
    await log().getByText("Uncaught Error: on purpose").first().waitFor();
    await page.getByRole("button", { name: /^Errors \d/ }).waitFor();
    await picture(page, "preview-console");
    await page.getByRole("button", { name: /^Errors \d/ }).click();
    await expect.poll(() => log().getByText("on purpose").count()).toBe(0);
    await page.getByRole("searchbox", { name: "Filter" }).fill("careful");
    await expect.poll(() => log().getByText("pressed").count()).toBe(0);
    await log()
      .getByRole("button", { name: /App\.tsx/ })
      .first()
      .click();
    await log()
      .getByRole("button", { name: /src\/App\.tsx:4:/ })
      .first()
      .click();
    await expect
      .poll(() => page.locator(".cm-activeLine").filter({ visible: true }).innerText())
      .toContain("careful");
    await person.tab("Preview");
    await page.getByRole("searchbox", { name: "Filter" }).fill("");
  });

  it("shows the page's requests with their answers", async () => {
    await page.getByRole("tab", { name: /^Network/ }).click();
    const requests = page.getByRole("region", { name: "What the page requested" });
    await requests.getByText("/nowhere.json").first().waitFor();
    await requests.getByText("/src/App.tsx", { exact: false }).first().waitFor();
    await picture(page, "preview-network");
    await page.getByRole("tab", { name: /^Console/ }).click();
  });

  it("can be cleared and closed", async () => {
    await button("Clear").click();
    await page.getByText("The page has printed nothing since it was loaded.").waitFor();
    await button("Close the console").click();
    await log().waitFor({ state: "detached" });
    await write("src/App.tsx", (text) => text.replace(/<h1 onClick=.*?\}\}>/, "<h1>"));
    await page
      .getByRole("region", { name: "What is wrong with the app" })
      .waitFor({ state: "detached" });
  });
});

it("adds a picture of an area of the page to the message", async () => {
  await button("Picture of an area, for the chat").click();
  const shot = page.getByRole("region", { name: "Picture of the page" });
  const image = shot.getByRole("img");
  await image.waitFor({ timeout: 60_000 });
  const box = (await image.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 220, box.y + 120, { steps: 4 });
  await page.mouse.up();
  await picture(page, "preview-area");
  await shot.getByRole("button", { name: "Put the area into the chat" }).click();
  await shot.waitFor({ state: "detached" });
  await page.getByRole("img", { name: /^page/ }).waitFor();
  await picture(page, "preview-area-given");
});

describe("on a phone", () => {
  const toPreview = () =>
    page.getByRole("navigation").getByRole("button", { name: "Preview" }).click();

  it("puts into a menu what does not fit into the bar", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await toPreview();
    await button("More of the preview").click();
    const dark = page.getByRole("menuitem", { name: "Show in dark" });
    await dark.waitFor();
    await picture(page, "preview-phone-tools");
    await dark.click();
    // Playwright's own colour scheme overrides what the frame requests.
    const scheme = () => page.locator("iframe").evaluate((frame) => frame.style.colorScheme);
    await expect.poll(scheme).toBe("dark");
    await button("More of the preview").click();
    await page.getByRole("menuitem", { name: "Show in light" }).click();
  });

  it("says that the browser gives embedded pages no storage, until the user dismisses it", async () => {
    await page.addInitScript(() => {
      if (window.top === window) return;
      Object.defineProperty(window, "localStorage", {
        configurable: true,
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
      // Like an app that stores its data there.
      addEventListener("load", () => void window.localStorage);
    });
    await page.reload();
    await toPreview();
    const note = page.getByRole("note").filter({ hasText: "keeps nothing" });
    await note.waitFor();
    await picture(page, "preview-keeps-nothing");
    await note.getByRole("button", { name: "Do not show this again" }).click();
    await note.waitFor({ state: "detached" });
    await page.reload();
    await toPreview();
    await heading().waitFor();
    expect(await note.count()).toBe(0);
  });

  afterAll(() => page.setViewportSize({ width: 1440, height: 900 }));
});

it("lets the user choose which server is shown if several listen", async () => {
  await write(
    "vite.config.ts",
    (text) =>
      `import { createServer } from "node:http";\ncreateServer((_, answer) => answer.setHeader("content-type", "text/html").end("<h1>The other</h1>")).listen(5599).on("error", () => {});\n${text}`,
  );
  await button(/^Port: /).click({ timeout: 60_000 });
  await page.getByRole("menuitemradio", { name: "Port 5599" }).click();
  await person.preview().getByRole("heading", { name: "The other" }).waitFor();
  await picture(page, "preview-other-port");
  await button(/^Port: 5599/).click();
  await page.getByRole("menuitemradio").filter({ hasNotText: "5599" }).first().click();
  await heading().waitFor();
});
