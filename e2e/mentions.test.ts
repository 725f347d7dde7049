import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { model, treadle, page } = {} as Stage;
let project: string;

const narrow = { width: 390, height: 844 };
const wide = { width: 1440, height: 900 };

setStage({ script: scriptNamed("mentions") }, async (stage) => {
  ({ model, treadle, page } = stage);
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  project = ((await made.json()) as { id: string }).id;
  const files = {
    "src/App.tsx": "export const milk = 'from the file';\n",
    "src/api.ts": "export {};\n",
    "AGENTS.md": "Indent with tabs, always.\n",
    ".cursorrules": "No semicolons, ever.\n",
  };
  for (const [path, text] of Object.entries(files)) {
    const put = await treadle.api(`/api/projects/${project}/files/${path}`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text }),
    });
    expect(put.ok, await put.text()).toBe(true);
  }
  await page.goto(treadle.address);
});

const field = () => page.getByRole("textbox", { name: "Say what to change" });
const list = () => page.getByRole("listbox", { name: "Point at" });
const answers = (count: number) =>
  // Streaming text is read out, so it exists a second time for a while.
  expect.poll(() => page.getByRole("article").getByText("I have read it.").count()).toBe(count);
/** The last request of a turn; requests without tools are for a name or a summary. */
const lastAsked = () =>
  JSON.stringify(model.requests.findLast(({ asked }) => asked.tools.length > 0)?.body);

describe("a mention", () => {
  it("has project rules that can be switched off before the first message", async () => {
    await page.goto(`${treadle.origin}/p/${project}`);
    await page.getByRole("button", { name: /^Project / }).click();
    await page.getByRole("menuitem", { name: "Project settings" }).click();
    const rules = page.getByRole("list", { name: "Files of rules" });
    await rules.getByRole("switch", { name: ".cursorrules" }).click();
    await rules.getByText("switched off").waitFor();
    await rules.scrollIntoViewIfNeeded();
    await picture(page, "rules-1440");
    await page.setViewportSize(narrow);
    await picture(page, "rules-390");
    await page.setViewportSize(wide);
    await page.keyboard.press("Escape");
  });

  it("is chosen from a list by keyboard, and its content reaches the model", async () => {
    await field().click();
    await page.keyboard.type("Explain @");
    await list().getByRole("option", { name: "problems" }).waitFor();
    await picture(page, "mention-list-1440");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize(narrow);
    // The page of another width is another page: the field has to be focused again.
    await field().fill("Explain ");
    await field().press("End");
    await page.keyboard.type("@");
    await list().getByRole("option", { name: "problems" }).waitFor();
    await picture(page, "mention-list-390-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(wide);
    await field().fill("Explain ");
    await field().press("End");
    await page.keyboard.type("@ap");
    const first = list().getByRole("option").first();
    expect(await first.getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("ArrowDown");
    expect(await first.getAttribute("aria-selected")).toBe("false");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect.poll(() => field().inputValue()).toMatch(/^Explain @src\/(App\.tsx|api\.ts) $/);
    await field().fill("Explain @src/App.tsx and @src/gone.ts");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await answers(1);
    expect(lastAsked()).toContain("from the file");
    expect(lastAsked()).toContain("@src/gone.ts could not be given");
    expect(lastAsked()).toContain("Indent with tabs, always.");
    expect(lastAsked()).not.toContain("No semicolons, ever.");
    await page.getByRole("list", { name: "Not found" }).getByText("@src/gone.ts").waitFor();
    await page.getByRole("button", { name: "@src/App.tsx" }).click();
    await page.getByRole("tab", { name: "Code", selected: true }).waitFor();
  });

  it("can be a pasted picture: it is shown, sent and stored", async () => {
    await field().click();
    await field().evaluate(async (element) => {
      const canvas = document.createElement("canvas");
      canvas.width = 40;
      canvas.height = 30;
      canvas.getContext("2d")!.fillRect(5, 5, 20, 10);
      const blob = await new Promise<Blob>((done) => canvas.toBlob((made) => done(made!)));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([blob], "sketch.png", { type: "image/png" }));
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    await page.getByRole("img", { name: "sketch.png" }).waitFor();
    await picture(page, "picture-1440");
    await field().fill("Like this");
    await page.keyboard.press("Enter");
    await answers(2);
    expect(lastAsked()).toContain("data:image/png;base64,iVBOR");
    // The file that was opened in between is mentioned.
    expect(lastAsked()).toContain("open in the editor");
    await page.reload();
    const shown = page.getByRole("img", { name: /^Picture 1/ });
    await expect
      .poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(40);
    await picture(page, "picture-sent-1440");
    await page.setViewportSize(narrow);
    await picture(page, "picture-sent-390");
    await page.setViewportSize(wide);
  });

  it("is reported as no longer valid when its rule is switched off", async () => {
    await treadle.api(`/api/projects/${project}/rules`, {
      method: "PUT",
      body: JSON.stringify({ path: "AGENTS.md", on: false }),
    });
    await field().fill("And now");
    await page.keyboard.press("Enter");
    await answers(3);
    expect(lastAsked()).toContain("The rules that came with the project are gone.");
  });
});
