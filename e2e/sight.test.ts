import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ARE_PICTURES_TAKEN, picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { model, page, person } = {} as Stage;

const narrow = { width: 390, height: 844 };
const wide = { width: 1440, height: 900 };

setStage({ own: true, script: scriptNamed("sight") }, (stage) => {
  ({ model, page, person } = stage);
});

const chip = () => page.getByRole("button", { name: "Model: scripted" });
const sees = () => page.getByRole("combobox", { name: "Sees pictures" });
/** The picture loaded, with the size of the window that it was taken of. */
const isThere = (image: Locator) =>
  expect
    .poll(() => image.evaluate((one) => `${(one as HTMLImageElement).naturalWidth}`))
    .toBe("1280");
/** @param show shows the content: a page of another width is another page, and starts over */
async function pictures(name: string, show?: () => Promise<void>): Promise<void> {
  if (!ARE_PICTURES_TAKEN && !show) return;
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport);
    await show?.();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `${name}-${viewport.width}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(wide);
}

/** The picture drafts that the browser stores, after adding some older ones. */
const keptDrafts = (more: number) =>
  page.evaluate(async (count) => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done) => (request.onsuccess = () => done(request.result)));
    const base = await answer(indexedDB.open("treadle"));
    const store = base.transaction("drafts", "readwrite").objectStore("drafts");
    for (let at = 0; at < count; at++) store.put({ at, items: [] }, `old-${at}`);
    const names = await answer(store.getAllKeys());
    base.close();
    return names.map(String);
  }, more);

describe("a model that reads pictures", () => {
  it("can be set in the model menu, which remembers it", async () => {
    await person.open();
    await chip().click();
    expect(await sees().locator("option:checked").textContent()).toBe("guessed: unknown");
    await pictures("sees");
    await sees().selectOption("yes");
    await expect.poll(() => sees().inputValue()).toBe("yes");
    await page.reload();
    await chip().click();
    expect(await sees().inputValue()).toBe("yes");
    await page.keyboard.press("Escape");
  });

  it("receives a picture of the broken page, and the user sees it too", async () => {
    await person.ask("A page that says Milk");
    await person.sees("runs");
    const bodies = model.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies.filter((body) => body.includes("data:image/jpeg;base64,")).length).toBe(
      bodies.filter((body) => body.includes("does not work yet")).length,
    );
    await pictures("broken-page", async () => {
      await page.getByRole("button", { name: /^Looked: 1 error/ }).click();
      const broken = page.getByRole("img", { name: "What / looked like" });
      await isThere(broken);
      await broken.scrollIntoViewIfNeeded();
    });
  });

  it("shows beside its call the picture that it took itself", async () => {
    await pictures("looked-at", async () => {
      await page.getByRole("button", { name: /^Looked at \// }).click();
      const looked = page.getByRole("img", { name: "What / looked like" });
      await isThere(looked);
      await looked.scrollIntoViewIfNeeded();
    });
    await page.getByRole("button", { name: /^Looked at \// }).click();
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "What / looked like" }).click();
    await picture(await opened, "looked-at-whole");
    await (await opened).close();
  });

  it("is asked again without pictures if its provider rejects one, and that is remembered", async () => {
    const field = page.getByRole("textbox", { name: "Say what to change" });
    await field.click();
    await field.evaluate(async (element) => {
      const canvas = document.createElement("canvas");
      canvas.width = 40;
      canvas.height = 30;
      const blob = await new Promise<Blob>((done) => canvas.toBlob((made) => done(made!)));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([blob], "sketch.png", { type: "image/png" }));
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    const draft = page.getByRole("img", { name: "sketch.png" });
    await draft.waitFor();
    await page.reload();
    await draft.waitFor();
    await expect.poll(() => keptDrafts(0)).toEqual([person.projectId()]);
    // Those of other projects are dropped for this one, the oldest first.
    await keptDrafts(26);
    await page.reload();
    await draft.waitFor();
    await expect.poll(() => keptDrafts(0)).toHaveLength(24);
    expect(await keptDrafts(0)).toContain(person.projectId());
    expect(await keptDrafts(0)).not.toContain("old-0");
    await person.sendMessage("Like this sketch");
    await page.getByText("I go by your words.").waitFor();
    await page.getByText("refused the pictures and was asked again without them").waitFor();
    await pictures("refused");
    // The menu shows it without a reload.
    await chip().click();
    await expect.poll(() => sees().inputValue()).toBe("refused");
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByText("I go by your words.").waitFor();
    expect(await draft.count()).toBe(0);
    await chip().click();
    expect(await sees().inputValue()).toBe("refused");
    await picture(page, "refused-chooser");
  });
});
