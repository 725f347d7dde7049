import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

/** The preview of a React app that a user changes by hand, breaks and has repaired. */
let { treadle, browser, page, person } = {} as Stage;
/** A page of another origin, whose policy lets it read pictures. */
let paper: Page;

setStage({ script: scriptNamed("preview"), page: { colorScheme: null } }, async (stage) => {
  ({ treadle, browser, page, person } = stage);
  paper = await browser.newPage();
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
});

const files = () => `/api/projects/${person.projectId()}/files`;

/** Replaces a file's content, like the editor. */
async function write(path: string, change: (text: string) => string): Promise<void> {
  const before = await treadle.api(`${files()}/${path}`);
  const { text, version } = (await before.json()) as { text: string; version: string };
  const answer = await treadle.api(`${files()}/${path}`, {
    method: "PUT",
    headers: { "if-match": `"${version}"` },
    body: JSON.stringify({ text: change(text) }),
  });
  expect(answer.ok).toBe(true);
}

const frameOf = (at: Page) => at.locator('iframe[title="Preview of the app"]');

/** The colour at the bottom of the preview, where its page is empty. */
async function ground(at: Page): Promise<number[]> {
  const box = (await frameOf(at).boundingBox())!;
  const clip = { x: box.x + 20, y: box.y + box.height - 20, width: 1, height: 1 };
  const point = (await at.screenshot({ clip })).toString("base64");
  return paper.evaluate(async (base64) => {
    const image = await createImageBitmap(
      await (await fetch(`data:image/png;base64,${base64}`)).blob(),
    );
    const context = new OffscreenCanvas(1, 1).getContext("2d")!;
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
  }, point);
}

async function inBrowser<T>(
  options: BrowserContextOptions,
  use: (other: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...options,
    storageState: await page.context().storageState(),
  });
  try {
    const other = await context.newPage();
    await other.goto(page.url());
    await frameOf(other).contentFrame().getByRole("heading", { name: "Words" }).waitFor();
    return await use(other);
  } finally {
    await context.close();
  }
}

const WHITE = [255, 255, 255];
/** Chromium's background for a page that supports dark mode. */
const DARK = [18, 18, 18];

describe("light and dark", () => {
  it("shows a page without a background as a separate tab would, in a browser that prefers dark", async () => {
    await write("src/index.css", () => ":root { color-scheme: light dark; }\n");
    await inBrowser({ colorScheme: "dark" }, async (other) => {
      await expect.poll(() => ground(other)).toEqual(DARK);
      await picture(other, "preview-dark");
    });
    await write("src/index.css", () => "h1 { color: black; }\n");
    await inBrowser({ colorScheme: "dark" }, async (other) => {
      await expect.poll(() => ground(other)).toEqual(WHITE);
    });
  });

  it("shows it dark with the switch in its bar, and light again", async () => {
    await write("src/index.css", () => ":root { color-scheme: light dark; }\n");
    await expect.poll(() => ground(page)).toEqual(WHITE);
    const prefers = () =>
      page
        .frames()
        .at(-1)!
        .evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
    expect(await prefers()).toBe(false);
    await page.getByRole("button", { name: "Show in dark" }).click();
    await expect.poll(() => ground(page)).toEqual(DARK);
    expect(await prefers()).toBe(true);
    await picture(page, "preview-switched");
    await page.getByRole("button", { name: "Show in light" }).click();
    await expect.poll(() => ground(page)).toEqual(WHITE);
  });
});

it("shows a change made while the page was loading, before its dev server could apply it", async () => {
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const other = await context.newPage();
  const fetched = other.waitForResponse((answer) => answer.url().includes("/src/App.tsx"));
  let letIn = () => {};
  const held = new Promise<void>((resolve) => (letIn = resolve));
  // The connection that applies updates is not there yet, but the files change already.
  await context.routeWebSocket(
    (url) => url.host !== new URL(treadle.origin).host,
    async (socket) => {
      await held;
      socket.connectToServer();
    },
  );
  await other.goto(page.url());
  await (await fetched).finished();
  await frameOf(other).contentFrame().getByText("Said on a page.").waitFor();
  await write("src/App.tsx", (text) => text.replace("Said on a page.", "Said meanwhile."));
  letIn();
  await frameOf(other).contentFrame().getByText("Said meanwhile.").waitFor();
  await context.close();
  // Two at once, which a dev server may count as one.
  await write("src/App.tsx", (text) => text.replace("Said meanwhile.", "Said in passing."));
  await write("src/App.tsx", (text) => text.replace("Said in passing.", "Said on a page."));
  await person.preview().getByText("Said on a page.").waitFor();
});

describe("an app that was broken by hand", () => {
  const wrong = () => page.getByRole("region", { name: "What is wrong with the app" });
  const breaks = (text: string) => `${text}\nfoo.bar();\n`;
  const editor = () => page.locator(".cm-content").filter({ visible: true });

  it("shows the thrown error and the line of the user's own file, and opens it", async () => {
    await write("src/App.tsx", breaks);
    await page.getByRole("button", { name: "Reload" }).click();
    await wrong().getByText("ReferenceError: foo is not defined").waitFor();
    await wrong().getByText("src/App.tsx:10:1").waitFor();
    await wrong().getByText("foo.bar();").waitFor();
    await picture(page, "preview-crashed");
    await wrong().getByRole("button", { name: "Show in file" }).click();
    await editor().getByText("foo.bar();").waitFor();
    await expect
      .poll(() => page.locator(".cm-activeLine").filter({ visible: true }).innerText())
      .toBe("foo.bar();");
    await person.tab("Preview");
  });

  it("links the same line in its evidence", async () => {
    await page.getByRole("button", { name: "Check now" }).click();
    await person.sees("failed");
    await page.getByRole("button", { name: "Console: failed" }).click();
    const details = page.getByRole("dialog");
    await details.getByText("uncaught: ReferenceError: foo is not defined").waitFor();
    await details.getByRole("button", { name: "src/App.tsx:10:1" }).first().click();
    await expect
      .poll(() => page.locator(".cm-activeLine").filter({ visible: true }).innerText())
      .toBe("foo.bar();");
    await page.keyboard.press("Escape");
    await person.tab("Preview");
  });

  it("is repaired from there, and then reloads without the user", async () => {
    // If the header offers the next step, the pane does not repeat it.
    await expect.poll(() => page.getByRole("button", { name: "Fix problems" }).count()).toBe(1);
    await page.getByRole("button", { name: "Fix problems" }).click();
    await person.sees("runs");
    await person.preview().getByRole("heading", { name: "Words" }).waitFor();
    await wrong().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Console and network" }).waitFor();
  });

  it("shows where it cannot be parsed, and the app again when it was fixed by hand", async () => {
    await write("src/App.tsx", (text) => text.replace("<main", "<main<"));
    await wrong().getByText("The app cannot be shown").waitFor();
    await wrong().getByText("src/App.tsx:3:", { exact: false }).first().waitFor();
    await page.getByRole("button", { name: "Fix problems" }).waitFor();
    await picture(page, "preview-syntax-error");
    await write("src/App.tsx", (text) => text.replace("<main<", "<main"));
    await person.preview().getByRole("heading", { name: "Words" }).waitFor();
    await wrong().waitFor({ state: "detached" });
  });

  it("keeps showing an app that throws while it is used", async () => {
    await write("src/App.tsx", (text) => text.replace("<h1>", "<h1 onClick={() => oops()}>"));
    const heading = person.preview().getByRole("heading", { name: "Words" });
    await expect
      .poll(async () => {
        await heading.click();
        return wrong().count();
      })
      .toBe(1);
    await wrong().getByText("ReferenceError: oops is not defined").waitFor();
    await wrong().getByText("src/App.tsx:4:", { exact: false }).first().waitFor();
    await picture(page, "preview-throws");
    await wrong().getByRole("button", { name: "Hide" }).click();
    await wrong().waitFor({ state: "detached" });
    await heading.waitFor();
  });

  it("says why its server exited, in which line, and what to do", async () => {
    await write("package.json", (text) => text.replace(/"dev": "[^"]*"/, '"dev": "node gone.js"'));
    await treadle.api(`${files()}/gone.js`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text: "\nfoo.bar();\n" }),
    });
    await treadle.api(`/api/projects/${person.projectId()}/server`, {
      method: "POST",
      body: JSON.stringify({ action: "restart" }),
    });
    await page.getByText("The server ended with 1").waitFor();
    await page.getByRole("button", { name: "Fix problems" }).waitFor();
    await picture(page, "preview-server-ended");
    await page.getByRole("button", { name: "Show in file" }).click();
    await expect
      .poll(() => page.locator(".cm-activeLine").filter({ visible: true }).innerText())
      .toBe("foo.bar();");
  });
});
