import { expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { setStage, type Stage } from "./support/stage.ts";

let { page, person, treadle } = {} as Stage;
setStage({}, async (stage) => {
  ({ page, person, treadle } = stage);
  await person.open();
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  const { id } = (await made.json()) as { id: string };
  await page.goto(`${treadle.origin}/p/${id}`);
});

it("on a phone a notice covers no control, in any pane", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  const bar = page.getByRole("navigation", { name: "Panes" });
  await bar.getByRole("button", { name: "Code" }).click();
  await page.getByRole("tab", { name: "Changes" }).click();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Type a command/ }).fill("undo the last turn");
  await page.keyboard.press("Enter");
  const notice = page.locator("[data-sonner-toast]").first();
  await notice.getByText("The last turn changed nothing.").waitFor();
  await picture(page, "notice-changes-390");
  const places = [page.getByRole("tablist").first(), bar, page.getByRole("banner")];
  // After it has moved into place.
  const covered = async () => {
    const noticeBox = (await notice.boundingBox())!;
    const boxes = await Promise.all(places.map((place) => place.boundingBox()));
    return boxes.filter(
      (box) => box!.y < noticeBox.y + noticeBox.height && box!.y + box!.height > noticeBox.y,
    );
  };
  await expect.poll(covered).toEqual([]);
  await bar.getByRole("button", { name: "Chat" }).click();
  await notice.waitFor({ state: "detached" });
});

it.each([
  [1440, 900],
  [1024, 768],
  [768, 1024],
  [390, 844],
])("a notice covers no text field, at %i × %i", async (width, height) => {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ reducedMotion: "reduce" });
  const field = page.getByRole("textbox", { name: "Say what to change" });
  await field.waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Type a command/ }).fill("undo the last turn");
  await page.keyboard.press("Enter");
  const notice = page.locator("[data-sonner-toast]").first();
  await notice.getByText("The last turn changed nothing.").waitFor();
  const [box, typed] = [(await notice.boundingBox())!, (await field.boundingBox())!];
  const apart =
    box.x >= typed.x + typed.width ||
    box.x + box.width <= typed.x ||
    box.y >= typed.y + typed.height ||
    box.y + box.height <= typed.y;
  expect(apart, JSON.stringify([box, typed])).toBe(true);
  await picture(page, `notice-${width}`);
  if (width === 390) await expect.poll(() => problemsOf(page)).toEqual([]);
  await notice.waitFor({ state: "detached" });
});
