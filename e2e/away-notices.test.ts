import { expect, it } from "vitest";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

declare global {
  interface Window {
    isAway: boolean;
    shownNotices: { title: string; body: string | undefined }[];
  }
}

let { page, person, context, treadle } = {} as Stage;
setStage({ script: scriptNamed("page") }, async (stage) => {
  ({ page, person, context, treadle } = stage);
  // A headless browser neither hides tabs nor shows notifications, so the page's calls are answered
  // here.
  await context.addInitScript(() => {
    window.isAway = false;
    window.shownNotices = [];
    Object.defineProperty(document, "visibilityState", {
      get: () => (window.isAway ? "hidden" : "visible"),
    });
    window.Notification = class {
      static get permission() {
        return sessionStorage.getItem("permission") ?? "default";
      }
      static requestPermission = () => {
        sessionStorage.setItem("permission", "granted");
        return Promise.resolve("granted");
      };
      constructor(title: string, options?: NotificationOptions) {
        window.shownNotices.push({ title, body: options?.body });
      }
      close() {}
    } as unknown as typeof Notification;
  });
});

const away = (isAway: boolean) =>
  page.evaluate((it) => {
    window.isAway = it;
    document.dispatchEvent(new Event("visibilitychange"));
  }, isAway);
const icon = () => page.locator('link[rel="icon"]').getAttribute("href");
const shown = () => page.evaluate(() => window.shownNotices);

const endedTurns = async () => {
  const log = await treadle.api(`/api/projects/${person.projectId()}/log.jsonl`);
  return (await log.text()).split('"type":"run-end"').length - 1;
};

it("shows in the title and icon how an unseen turn ended until somebody looks, and then offers notifications", async () => {
  await person.open();
  await person.ask("Build a page");
  await away(true);
  await expect.poll(() => page.title(), { timeout: 120_000 }).toMatch(/^Runs: /);
  expect(await icon()).toBe("/mark-done.svg");
  expect(await shown()).toEqual([]);
  await away(false);
  await expect.poll(() => page.title()).toMatch(/ · Treadle$/);
  expect(await icon()).toBe("/mark.svg");
  await page.getByRole("button", { name: "Tell me" }).click();
});

it("shows notifications from then on, except for turns that are looked at", async () => {
  await person.sendMessage("Say it again");
  await away(true);
  await expect.poll(shown, { timeout: 120_000 }).toHaveLength(1);
  await away(false);
  expect((await shown())[0]!.title).not.toBe("");
  const title = await page.title();
  await person.sendMessage("And once more");
  // The turn may begin and end between two updates of the page, which then never shows that it works.
  await expect.poll(endedTurns, { timeout: 120_000 }).toBe(3);
  await expect.poll(() => page.locator("article[data-message]").count()).toBe(3);
  await expect.poll(() => page.title()).toBe(title);
  expect(await shown()).toHaveLength(1);
});

it("can be switched off in the settings", async () => {
  await page.goto(`${page.url().split("?")[0]}?settings=notices`);
  const choice = page.getByRole("switch", { name: /^Notify me/ });
  await expect.poll(() => choice.isChecked()).toBe(true);
  await choice.uncheck();
  await page.reload();
  await choice.waitFor();
  expect(await choice.isChecked()).toBe(false);
});
