import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { model, treadle, context, page, person } = {} as Stage;

/** Two models: one slow enough to reload in the middle, one that answers a second message. */
const script = {
  slow: scriptNamed("slow-list"),
  scripted: scriptNamed("by-hand"),
};
const pace = { charactersPerSecond: 500, firstMs: 50 };
setStage({ script, pace }, async (stage) => {
  ({ model, treadle, context, page, person } = stage);
  await person.open();
});

const choose = (name: string) =>
  treadle.api("/api/models/choice", {
    method: "PUT",
    body: JSON.stringify({ model: `openai-compatible:${name}` }),
  });

describe("actions after the first build", () => {
  it("edits a file by hand, and the model is told exactly what changed", async () => {
    await person.ask("Build a page");
    await person.sees("runs");
    await person.tab("Code");
    await page.getByRole("treeitem", { name: /App\.tsx/ }).click();
    const editor = page.locator(".cm-content").filter({ visible: true });
    await editor.getByText("Words").click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await page.keyboard.insertText("<h1>Said by hand</h1>");
    await page.keyboard.press("Control+S");
    const saved = page.locator('[data-file-state="saved"]');
    await saved.waitFor();
    await person.tab("Preview");
    await person.preview().getByRole("heading", { name: "Said by hand" }).waitFor();

    await person.sendMessage("Make the text blue");
    const conversation = page.getByLabel("Conversation");
    await conversation.getByText("I keep your heading “Said by hand”").waitFor();
    await person.sees("runs");
    const sentText = model.requests.map(({ body }) => JSON.stringify(body)).join("\n");
    // Not toContain: a failure would print every request whole.
    expect(sentText.includes("-      <h1>Words</h1>")).toBe(true);
    expect(sentText.includes("+      <h1>Said by hand</h1>")).toBe(true);
    await picture(page, "after-change");
  });

  it("keeps the field visible, however long the conversation is", async () => {
    await page.setViewportSize({ width: 1440, height: 420 });
    const field = page.getByRole("textbox", { name: "Say what to change" });
    const scrolls = () =>
      field.evaluate((element) => {
        const around: Element[] = [];
        for (let one = element.parentElement; one; one = one.parentElement) around.push(one);
        return around.filter((one) => one.scrollHeight > one.clientHeight + 1).length;
      });
    expect(await scrolls()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("restores the checkpoint before the last turn", async () => {
    const style = async () => {
      const answer = await treadle.api(`/api/projects/${person.projectId()}/files/src/index.css`);
      return ((await answer.json()) as { text: string }).text;
    };
    expect(await style()).toContain("#1d3fbb");
    await page.getByRole("button", { name: /history/i }).click();
    await picture(page, "history");
    await page
      .getByRole("button", { name: /^Go back to/ })
      .first()
      .click();
    await expect.poll(style).not.toContain("#1d3fbb");
    const response = await treadle.api(`/api/projects/${person.projectId()}/files/src/App.tsx`);
    expect(((await response.json()) as { text: string }).text).toContain("Said by hand");
  });

  it("names a checkpoint, restores it with the conversation, undoes that, and forks it", async () => {
    const original = page.url();
    const conversation = page.getByLabel("Conversation");
    const answered = conversation.getByText("I keep your heading “Said by hand”");
    const moment = async (title: string, act: string) => {
      await page.getByRole("button", { name: /history/i }).click();
      await page.getByRole("button", { name: `More for ${title}`, exact: true }).click();
      await page.getByRole("menuitem", { name: act, exact: true }).click();
    };
    await moment("Build a page", "Name it");
    const field = page.getByRole("textbox", { name: "Name of Build a page" });
    await field.fill("Works");
    await field.press("Enter");
    await page.getByText("Works", { exact: true }).waitFor();
    await picture(page, "history-named");
    await page.keyboard.press("Escape");

    await moment("Works", "Go back, conversation too");
    const folded = page.getByRole("region", { name: "Went back from here: 1 message" });
    await folded.waitFor();
    expect(await answered.count()).toBe(0);
    await picture(page, "history-folded");
    await folded.getByRole("button", { name: "Bring back" }).click();
    await answered.waitFor();
    expect(await folded.count()).toBe(0);

    await moment("Works", "Fork from here");
    await page.getByText("a separate project").waitFor();
    await page.getByRole("button", { name: /^Project .*\(copy\)/ }).click();
    await page.getByText(/^Copied from .* · Works$/).waitFor();
    await page.keyboard.press("Escape");
    await conversation.getByText("Build a page", { exact: true }).waitFor();
    expect(await conversation.getByText("Make the text blue").count()).toBe(0);
    await treadle.api(`/api/projects/${person.projectId()}`, { method: "DELETE" });
    await page.goto(original);
    await answered.waitFor();
  });

  it("renames the project, downloads it as a ZIP, and deletes it", async () => {
    await page.getByRole("button", { name: /^Project / }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    const field = page.getByRole("textbox", { name: "Project name" });
    await field.fill("Words");
    await field.press("Enter");
    await page.getByRole("button", { name: "Project Words" }).click();
    await treadle.api(`/api/projects/${person.projectId()}/files/.env`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text: "KEY=mine\n" }),
    });
    await page.getByRole("menuitem", { name: "Download" }).click();
    const given = page.getByRole("menuitem", { name: "ZIP, without secrets" });
    await given.waitFor();
    await picture(page, "downloads");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    const download = async (what: string) => {
      await page.getByRole("button", { name: "Project Words" }).click();
      await page.getByRole("menuitem", { name: "Download" }).click();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: what }).click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
      return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
    };
    const namesOf = async (what: string) => Object.keys(unzipSync((await download(what)).bytes));
    const names = await namesOf("ZIP, without secrets");
    expect(names.some((name) => name.endsWith("src/App.tsx"))).toBe(true);
    expect(names.some((name) => name.includes("node_modules"))).toBe(false);
    expect(names).not.toContain(".env");
    expect(await namesOf("ZIP with everything")).toContain(".env");
    const markdown = await download("Conversation as Markdown");
    expect(markdown.name).toBe("Words.md");
    expect(String(markdown.bytes)).toContain("Build a page");
    const { messages } = JSON.parse(String((await download("Conversation as JSON")).bytes)) as {
      messages: object[];
    };
    expect(messages[0]).toMatchObject({ role: "user" });
    const log = await download("Log (JSON Lines)");

    // The export can be imported on the first page: the conversation, in a separate project.
    const projectPage = page.url();
    await person.open();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "chat export" }).click();
    await (
      await chooser
    ).setFiles({ name: log.name, mimeType: "application/json", buffer: log.bytes });
    await page.getByRole("region", { name: "Conversation" }).getByText("Build a page", { exact: true }).waitFor(); // prettier-ignore
    await treadle.api(`/api/projects/${person.projectId()}`, { method: "DELETE" });
    await page.goto(projectPage);

    await page.getByRole("button", { name: "Project Words" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("textbox", { name: "What shall we build?" }).waitFor();
    await expect
      .poll(
        async () =>
          ((await (await treadle.api("/api/projects")).json()) as { projects: unknown[] }).projects
            .length,
      )
      .toBe(0);
  });
});

describe("in the middle of an answer", () => {
  it("reloads to the same position and continues; a second tab shows the same, and so does a ninth", async () => {
    await choose("slow");
    await person.ask("Build a todo app");
    await page.getByRole("tree", { name: "Files" }).getByText("tasks.js").first().waitFor();
    await page.reload();
    await page.getByLabel("Conversation").getByText("Build a todo app").first().waitFor();
    await person.sees("working");
    await picture(page, "reloaded-midway");
    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByLabel("Conversation").getByText("Build a todo app").first().waitFor();
    // A browser has six connections per host for all of its windows, and each window follows the
    // log.
    const more: Page[] = [];
    for (let tab = 3; tab <= 9; tab++) {
      const opened = await context.newPage();
      await opened.goto(page.url());
      await opened.getByLabel("Conversation").getByText("Build a todo app").first().waitFor();
      more.push(opened);
    }
    await person.sees("verified");
    for (const tab of more) {
      await tab.getByRole("status").and(tab.locator('[data-verdict="verified"]')).waitFor();
      expect(await tab.title()).toMatch(/ · Treadle$/);
      await tab.close();
    }
    const words = async (tab: Page) =>
      (await tab.getByLabel("Conversation").innerText()).replaceAll(/\d+ (?:s|min).*ago/g, "");
    await expect.poll(() => words(second)).toBe(await words(page));
    await second.close();
  });

  it("F28 stops model and command within a second", async () => {
    await page.goto(treadle.origin);
    await page.getByRole("textbox", { name: "What shall we build?" }).waitFor();
    await person.ask("Build a todo app");
    await page.getByRole("tree", { name: "Files" }).getByText("tasks.js").first().waitFor();
    const stop = page.getByRole("button", { name: "Stop", exact: true });
    await stop.click();
    await page.locator('[data-outcome="stopped"]').waitFor({ timeout: 60_000 });
    expect(await stop.count()).toBe(0);
    await picture(page, "stopped");
  });
});
