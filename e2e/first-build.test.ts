import { listDemos, loadScript } from "@treadle/scripted-model";
import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { setStage, type Stage } from "./support/stage.ts";

let { page, person } = {} as Stage;
const problems: string[] = [];

/** The recorded todo build, played like a hosted model, slowly enough to watch. */
const script = loadScript(listDemos().find(({ id }) => id === "todo")!.directory);
setStage({ script, pace: { charactersPerSecond: 1_500, firstMs: 100 } }, (stage) => {
  ({ page, person } = stage);
  page.on("pageerror", (error) => problems.push(error.message));
});

describe("from one prompt to a checked, running app", () => {
  it("shows the first page with the focus in the field", async () => {
    await person.open();
    const field = page.getByRole("textbox", { name: "What shall we build?" });
    await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(true);
    await picture(page, "first-page");
  });

  it("shows immediately that the prompt was received, and then each file as it is written", async () => {
    await person.ask("Build a todo app");
    const conversation = page.getByLabel("Conversation");
    await conversation.getByText("Build a todo app").first().waitFor();
    await person.sees("working");
    const tree = page.getByRole("tree", { name: "Files" });
    await tree.getByText("App.tsx").first().waitFor();
    const written = page.getByRole("textbox", { name: /^Text of / }).filter({ visible: true });
    await written.first().waitFor();
    // It is coloured before it is complete, and a click opens it in the editor.
    const take = () =>
      page
        .locator("pre[role=textbox]")
        .first()
        .evaluate((text) => {
          const pane = text.parentElement?.parentElement?.parentElement;
          // The next file has replaced it meanwhile.
          if (!pane || !text.querySelector("span[style*='--syntax']")) return undefined;
          text.dispatchEvent(new KeyboardEvent("keydown", { key: "PageUp", bubbles: true }));
          return { written: text.isConnected, editor: pane.querySelector(".cm-content") !== null };
        });
    let taken: Awaited<ReturnType<typeof take>>;
    await expect.poll(async () => (taken ??= await take())).toBeDefined();
    expect(taken).toEqual({ written: false, editor: true });
    await picture(page, "build-in-progress");
  });

  it("opens the preview automatically and ends verified, with its evidence", async () => {
    await person.preview().getByRole("textbox", { name: "What needs doing?" }).waitFor();
    await person.sees("verified");
    const result = page.getByRole("region", { name: "Result" }).last();
    await result.getByText(/^in \d+:\d\d · /).waitFor();
    for (const part of ["install", "build", "serve", "page", "console"])
      expect(await page.locator(`[data-part="${part}"]`).first().getAttribute("data-state")).toBe(
        "held",
      );
    await picture(page, "build-finished");
    // Its own checks were run in the page, and stay with the project.
    await page.getByLabel("Conversation").getByText("3 checks passed").first().waitFor();
    await page.getByRole("button", { name: "Checks: passed" }).click();
    await page.getByText("Keeps a task over a reload").waitFor();
    await picture(page, "demo-checks");
    await page.keyboard.press("Escape");
  });

  it("has a working app in the preview: clicking adds a todo", async () => {
    const app = person.preview();
    await app.getByRole("textbox", { name: "What needs doing?" }).fill("Water the plants");
    await app.getByRole("button", { name: "Add" }).click();
    await app.getByRole("checkbox", { name: /Water the plants/ }).waitFor();
    await picture(page, "todo-added");
  });

  it("caused no error of its own in the browser", () => {
    expect(problems).toEqual([]);
  });

  it("is no longer verified when the preview throws later: chip, bead, card and list show it", async () => {
    await person.sees("verified");
    const preview = await page.locator('iframe[title="Preview of the app"]').elementHandle();
    const app = await preview!.contentFrame();
    await app!.evaluate(() => void setTimeout(() => void Promise.reject(new Error("thrown late"))));
    await person.sees("failed");
    await page.getByRole("button", { name: "Console: failed" }).waitFor();
    const result = page.getByRole("region", { name: "Result" }).last();
    await result.getByRole("heading", { name: "No longer verified" }).waitFor();
    await result.getByText("thrown late").waitFor();
    await picture(page, "taken-back");
    await page.getByRole("link", { name: "All projects" }).click();
    const row = page.getByRole("listitem").filter({ hasText: /todo/i });
    await row.locator('[data-verdict="failed"]').waitFor();
    await picture(page, "taken-back-list");
  });
});
