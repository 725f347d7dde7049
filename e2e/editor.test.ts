import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { setStage, type Stage } from "./support/stage.ts";

const wide = { width: 1440, height: 900 };
let { treadle, page } = {} as Stage;
let project: string;
const problems: string[] = [];

const put = (path: string, text: string) =>
  treadle.api(`/api/projects/${project}/files/${path}`, {
    method: "PUT",
    headers: { "if-none-match": "*" },
    body: JSON.stringify({ text }),
  });
const read = async (path: string) => {
  const answer = await treadle.api(`/api/projects/${project}/files/${path}`);
  return ((await answer.json()) as { text: string }).text;
};

setStage({}, async (stage) => {
  ({ treadle, page } = stage);
  page.on("pageerror", (error) => problems.push(error.message));
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  await put("src/a.ts", "export const apple = 1;\nexport const pear = apple + apple;\n");
  await put("src/b.ts", 'import { apple } from "./a";\nconsole.log(apple);\n');
  await put("src/c.css", "body {\n  color: red;\n}\n");
  await put(".env", "KEY=very-secret\n# a word\n");
  await stage.person.signIn();
  await page.goto(`${treadle.origin}/p/${project}`);
  await page.getByRole("tab", { name: "Code" }).click();
});

const tabs = () => page.getByRole("list", { name: "Open files" });
const names = async () => {
  const all = await tabs().locator("[data-tab]").allInnerTexts();
  return all.map((name) => name.trim());
};
const file = (name: string) => page.getByRole("treeitem", { name, exact: true });
const text = () => page.locator(".cm-content").filter({ visible: true });

describe("the editor", () => {
  it("previews files in one tab, and keeps those that are edited", async () => {
    await file("a.ts").click();
    await expect.poll(names).toEqual(["a.ts"]);
    await file("b.ts").click();
    await expect.poll(names).toEqual(["b.ts"]);
    await tabs().getByRole("button", { name: "b.ts", exact: true }).dblclick();
    await file("c.css").click();
    await expect.poll(names).toEqual(["b.ts", "c.css"]);
    await file("c.css").dblclick();
    await file("a.ts").click();
    await expect.poll(names).toEqual(["b.ts", "c.css", "a.ts"]);
    await file("c.css").click();
    // It is saved after a second, which on a loaded machine would be over before the check.
    let letSave = () => {};
    const seen = new Promise<void>((resolve) => (letSave = resolve));
    await page.route("**/files/src/c.css", async (route) => {
      if (route.request().method() === "PUT") await seen;
      await route.continue();
    });
    await text().getByText("red").dblclick();
    // Inserted at once, because slowly typed text is undone in several steps.
    await page.keyboard.insertText("blue");
    await expect.poll(names).toEqual(["b.ts", expect.stringContaining("(not saved)"), "a.ts"]);
    letSave();
    await file("a.ts").click();
    await expect.poll(names).toEqual(["b.ts", "c.css", "a.ts"]);
    await expect.poll(() => read("src/c.css")).toContain("color: blue");
    await picture(page, "editor-tabs-1440");
  });

  it("keeps a file's undo history while another one is shown", async () => {
    await tabs().getByRole("button", { name: "c.css", exact: true }).click();
    await text().getByText("blue").click();
    await page.keyboard.press("Control+z");
    await expect.poll(() => read("src/c.css")).toContain("color: red");
  });

  it("moves and closes tabs with the keyboard, and remembers them", async () => {
    await tabs().getByRole("button", { name: "c.css", exact: true }).focus();
    await page.keyboard.press("Alt+ArrowLeft");
    await expect.poll(names).toEqual(["c.css", "b.ts", "a.ts"]);
    await page.reload();
    await page.getByRole("tab", { name: "Code" }).click();
    await expect.poll(names).toEqual(["c.css", "b.ts", "a.ts"]);
    await text().getByText("red").waitFor();
    await page
      .getByRole("button", { name: "Close c.css" })
      .or(page.getByRole("button", { name: "Close src/c.css" }))
      .click();
    await expect.poll(names).toEqual(["b.ts", "a.ts"]);
  });

  it("searches and replaces in a file, with the number of matches", async () => {
    await tabs().getByRole("button", { name: "a.ts", exact: true }).click();
    await text().getByText("pear").click();
    await page.keyboard.press("Control+f");
    const search = page.getByRole("search").filter({ visible: true });
    await search.getByRole("textbox", { name: "Find" }).fill("APPLE");
    await search.getByText("3 matches").waitFor();
    await page.keyboard.press("Enter");
    await search.getByText(/of 3/).waitFor();
    await search.getByRole("button", { name: "Match case" }).click();
    await search.getByText("No match").waitFor();
    await picture(page, "editor-search-1440");
    await search.getByRole("button", { name: "Match case" }).click();
    await search.getByRole("textbox", { name: "Replace with" }).fill("plum");
    await search.getByRole("button", { name: "Replace all" }).click();
    await expect.poll(() => read("src/a.ts")).toContain("pear = plum + plum");
    await page.keyboard.press("Escape");
  });

  it("leaves Enter and Escape to an input method during composition", async () => {
    const keyboard = await page.context().newCDPSession(page);
    /** A key event as browsers send it during composition. */
    const composing = async (key: "Enter" | "Escape") => {
      await keyboard.send("Input.imeSetComposition", {
        selectionStart: 1,
        selectionEnd: 1,
        text: "か",
      });
      await keyboard.send("Input.dispatchKeyEvent", {
        type: "rawKeyDown",
        key,
        code: key,
        windowsVirtualKeyCode: 229,
      });
    };
    await text().getByText("pear").click();
    await page.keyboard.press("Control+f");
    const search = page.getByRole("search").filter({ visible: true });
    await search.getByRole("textbox", { name: "Find" }).fill("plum");
    const before = await text().innerText();
    await search.getByRole("textbox", { name: "Replace with" }).fill("");
    for (const key of ["Enter", "Enter", "Escape"] as const) await composing(key);
    await keyboard.send("Input.insertText", { text: "か" });
    await expect.poll(() => search.count()).toBe(1);
    expect(await text().innerText()).toBe(before);
    await page.keyboard.press("Escape");

    await file("a.ts").focus();
    await page.keyboard.press("F2");
    const path = page.getByRole("textbox", { name: "New path of src/a.ts" });
    await composing("Escape");
    await keyboard.send("Input.insertText", { text: "か" });
    expect(await path.inputValue()).toBe("src/か.ts");
    await keyboard.detach();
    await path.press("Escape");
    await path.waitFor({ state: "detached" });
  });

  it("restores the focus when a rename or search is cancelled", async () => {
    const focused = () => file("a.ts").evaluate((row) => row === document.activeElement);
    await file("a.ts").click();
    await page.keyboard.press("F2");
    await page.keyboard.press("Escape");
    await expect.poll(focused).toBe(true);
    await page.keyboard.press("Control+Shift+f");
    await page.getByRole("textbox", { name: "Find in all files" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => file("a.ts").count()).toBe(1);
    await text().click();
    await page.keyboard.press("Control+Shift+f");
    await page.getByRole("textbox", { name: "Find in all files" }).press("Escape");
    await expect.poll(() => text().evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it("keeps a name that is taken, with the reason, until it is changed or cancelled", async () => {
    await file("a.ts").focus();
    await page.keyboard.press("F2");
    const path = page.getByRole("textbox", { name: "New path of src/a.ts" });
    await path.fill("src/b.ts");
    await path.press("Enter");
    await page.getByRole("alert").getByText("src/b.ts already exists.").waitFor();
    expect(await path.inputValue()).toBe("src/b.ts");
    expect(await path.evaluate((one) => one === document.activeElement)).toBe(true);
    await picture(page, "editor-taken-name-1440");
    await path.fill("src/d.ts");
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    await path.press("Enter");
    await file("d.ts").waitFor();
    await expect
      .poll(() => file("d.ts").evaluate((row) => row === document.activeElement))
      .toBe(true);
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New path of src/d.ts" }).fill("src/a.ts");
    await page.keyboard.press("Enter");
    await file("a.ts").waitFor();

    const add = page.getByRole("button", { name: "New file" });
    await add.press("Enter");
    const made = page.getByRole("textbox", { name: "Path of the new file" });
    await made.fill("src/b.ts");
    await made.press("Enter");
    await page.getByRole("alert").getByText("src/b.ts already exists.").waitFor();
    await made.press("Escape");
    await expect.poll(() => add.evaluate((one) => one === document.activeElement)).toBe(true);
    await add.press("Enter");
    await made.fill("src/e.ts");
    await made.press("Enter");
    // It has the focus, ready for typing.
    await expect.poll(() => text().evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.insertText("export {};");
    await expect.poll(() => read("src/e.ts")).toBe("export {};");
  });

  it("shows which file is open in forced colours as well", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await file("b.ts").dblclick();
    await file("a.ts").click();
    const outline = (name: string) =>
      file(name).evaluate((row) => getComputedStyle(row).outlineStyle);
    await file(".env").focus();
    await expect.poll(() => outline("a.ts")).toBe("solid");
    expect(await outline("b.ts")).toBe("none");
    const colour = (name: string) =>
      tabs()
        .getByRole("button", { name, exact: true })
        .evaluate((tab) => getComputedStyle(tab).color);
    expect(await colour("a.ts")).not.toBe(await colour("b.ts"));
    await page.emulateMedia({ forcedColors: "none" });
  });

  it("hides the values of a file of secrets until they are requested", async () => {
    await file(".env").click();
    await text().getByText("••••••••").waitFor();
    expect(await text().innerText()).not.toContain("very-secret");
    await page.getByRole("button", { name: "Show the values" }).click();
    await text().getByText("very-secret").waitFor();
    await page.getByRole("button", { name: "Hide the values" }).click();
    await expect.poll(() => text().innerText()).not.toContain("very-secret");
  });

  it("plays a sound", async () => {
    // Half a second of silence: a WAV of 8 bits, 8,000 per second.
    const head = Buffer.alloc(44);
    head.write("RIFF", 0);
    head.writeUInt32LE(36 + 4_000, 4);
    head.write("WAVEfmt ", 8);
    for (const [at, value] of [
      [16, 16],
      [24, 8_000],
      [28, 8_000],
      [40, 4_000],
    ] as const)
      head.writeUInt32LE(value, at);
    for (const [at, value] of [
      [20, 1],
      [22, 1],
      [32, 1],
      [34, 8],
    ] as const)
      head.writeUInt16LE(value, at);
    head.write("data", 36);
    await treadle.api(`/api/projects/${project}/files/beep.wav`, {
      method: "PUT",
      headers: { "content-type": "application/octet-stream", "if-none-match": "*" },
      body: Buffer.concat([head, Buffer.alloc(4_000, 128)]),
    });
    await file("beep.wav").click();
    const sound = page.locator("audio");
    await expect.poll(() => sound.evaluate((one: HTMLAudioElement) => one.duration)).toBe(0.5);
    await picture(page, "editor-sound-1440");
  });

  it("shows a PDF in the browser's own viewer, or says that there is none, and offers a download", async () => {
    const bytes = onePagePdf("A paper");
    await treadle.api(`/api/projects/${project}/files/paper.pdf`, {
      method: "PUT",
      headers: { "content-type": "application/octet-stream", "if-none-match": "*" },
      body: bytes,
    });
    const hasViewer = (value: boolean) =>
      page.evaluate((has) => {
        Object.defineProperty(navigator, "pdfViewerEnabled", { value: has, configurable: true });
      }, value);
    await hasViewer(true);
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.url().includes("paper.pdf?raw=1&shown=1")),
      file("paper.pdf").click(),
    ]);
    expect(answer.headers()["content-type"]).toBe("application/pdf");
    await page.locator('iframe[title="paper.pdf"]').waitFor();
    await picture(page, "editor-pdf-1440");
    const [got] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("figure").getByRole("link", { name: "Download" }).click(),
    ]);
    expect(got.suggestedFilename()).toBe("paper.pdf");
    expect(await readFile(await got.path())).toEqual(bytes);
    await hasViewer(false);
    await file("a.ts").click();
    await file("paper.pdf").click();
    await page.getByText("This browser cannot show a PDF on a page").waitFor();
  });

  it("shows a file beside another", async () => {
    await tabs().getByRole("button", { name: "a.ts", exact: true }).click();
    await page.getByRole("button", { name: "Show beside" }).click();
    await tabs().getByRole("button", { name: "b.ts", exact: true }).click();
    await expect.poll(() => text().count()).toBe(2);
    for (const size of [wide, { width: 1024, height: 768 }, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      await picture(page, `editor-split-${size.width}`);
      // Nothing is cut off at any width.
      const wider = () =>
        page
          .locator("[data-file-state]")
          .evaluateAll((states) =>
            Math.max(
              ...states.map(({ parentElement }) =>
                parentElement ? parentElement.scrollWidth - parentElement.clientWidth : 0,
              ),
            ),
          );
      await expect.poll(wider).toBe(0);
    }
    await page.setViewportSize(wide);
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, "editor-split-dark");
    await page.getByRole("button", { name: "Close the file beside" }).press("Enter");
    await expect.poll(() => text().count()).toBe(1);
    const focused = (name: string) =>
      tabs()
        .getByRole("button", { name, exact: true })
        .evaluate((tab) => tab === document.activeElement);
    await expect.poll(() => focused("b.ts")).toBe(true);
    await page.getByRole("button", { name: "Close src/b.ts" }).press("Enter");
    const next = await tabs().locator('[aria-current="true"]').innerText();
    await expect.poll(() => focused(next)).toBe(true);
    expect(problems).toEqual([]);
  });
});

/** The smallest PDF that a viewer shows: one page with a line of text. */
function onePagePdf(text: string): Buffer<ArrayBuffer> {
  const drawn = `BT /F1 48 Tf 60 700 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let pdf = "%PDF-1.4\n%\u00ff\u0000\n";
  const places = objects.map((object, index) => {
    const at = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = pdf.length;
  pdf += `xref\n0 6\n0000000000 65535 f \n${places.join("")}`;
  pdf += `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(pdf, "latin1");
}
