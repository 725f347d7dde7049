import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { setStage, type Stage } from "./support/stage.ts";

let { treadle, browser } = {} as Stage;

setStage({}, (stage) => {
  ({ treadle, browser } = stage);
});

/** Opens the first page and plays a recorded build by clicking on it. The todo app is built in `first-build.test.ts`. */
async function play(title: RegExp): Promise<{ page: Page; person: ReturnType<typeof personAt> }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const person = personAt(page, treadle);
  await person.open();
  await page.getByText("No model yet: watch a recorded build").waitFor();
  const offered = page.getByRole("region", { name: "No model yet: watch a recorded build" });
  await offered.getByRole("button", { name: title }).click();
  await page.waitForURL(/\/p\//);
  return { page, person };
}

describe("the recorded builds, without any model", () => {
  it("says how to add a model if something is requested that is not recorded", async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const person = personAt(page, treadle);
    await person.open();
    const field = page.getByRole("textbox", { name: "What shall we build?" });
    await field.fill("Build a chess game");
    await field.press("Enter");
    await page.getByText(/model/i).first().waitFor();
    // The typed text is kept.
    expect(await field.inputValue()).toBe("Build a chess game");
    await picture(page, "no-model");
    await page.close();
  });

  it("builds the API, and it answers", async () => {
    const { page, person } = await play(/API/);
    await person.sees("verified");
    const project = await (await treadle.api(`/api/projects/${person.projectId()}`)).json();
    const { hostname } = new URL(project.previewOrigin);
    const api = await browser.newPage();
    const response = await api.goto(`http://${hostname}:${new URL(treadle.origin).port}/`);
    expect(await response!.json()).toMatchObject({ name: "Bookmarks API" });
    await picture(page, "demo-api");
    const requests = page.getByRole("region", { name: "Addresses of the API" });
    // An address that its checks open.
    await requests.getByRole("button", { name: "GET /api/bookmarks?q=sqlite" }).click();
    await requests
      .getByRole("status")
      .filter({ hasText: /^200 · / })
      .waitFor();
    await requests.getByRole("combobox", { name: "Method" }).selectOption("DELETE");
    await requests.getByRole("textbox", { name: "Address in the app" }).fill("/nothing/here");
    await requests.getByRole("textbox", { name: "Address in the app" }).press("Enter");
    await requests
      .getByRole("status")
      .filter({ hasText: /^40\d · / })
      .waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect
        .poll(() => problemsOf(page, colorScheme === "dark" ? "colours" : "all"))
        .toEqual([]);
      await picture(page, `api-requests-${colorScheme}`);
    }
    await page.close();
  });

  it("repairs the page with the mistake: its heading is there in the end", async () => {
    const { page, person } = await play(/mistake|repair/i);
    await person.sees("verified");
    await person.preview().getByRole("heading", { name: "Every light has its own time" }).waitFor();
    // The error thrown by the first version stays with the call that started its server.
    const conversation = page.getByLabel("Conversation");
    await conversation.getByText(/Started npm run dev/).click();
    await conversation
      .getByText(/reading 'opens'/)
      .first()
      .waitFor();
    await picture(page, "demo-repaired");
    await page.close();
  });
});
