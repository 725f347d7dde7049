import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

const wide = { width: 1440, height: 900 };
const CSV = "month,sales\nJan,120\nFeb,143\n";

let given: string;
let { model, treadle, page, person } = {} as Stage;

beforeAll(() => {
  given = mkdtempSync(join(tmpdir(), "treadle-given-"));
  writeFileSync(join(given, "sales.csv"), CSV);
  writeFileSync(join(given, "book.xlsx"), Buffer.from([0x50, 0x4b, 3, 4, 0, 255]));
  mkdirSync(join(given, "shots/.git"), { recursive: true });
  writeFileSync(join(given, "shots/.git/HEAD"), "x");
  for (let index = 0; index < 12; index++) writeFileSync(join(given, `shots/${index}.txt`), "one");
});
afterAll(() => {
  if (given) rmSync(given, { recursive: true, force: true });
});
setStage({ script: scriptNamed("mentions") }, async (stage) => {
  ({ model, treadle, page, person } = stage);
  await person.open();
});

const chips = () => page.getByRole("list", { name: "Files" }).getByRole("listitem");
const field = () => page.getByRole("textbox", { name: "Say what to change" });
const answers = (count: number) =>
  expect.poll(() => page.getByText("I have read it.").count()).toBe(count);
const lastAsked = () =>
  JSON.stringify(model.requests.findLast(({ asked }) => asked.tools.length > 0)?.body);
const inProject = async (path: string) => {
  const answer = await treadle.api(`/api/projects/${person.projectId()}/files/${path}?raw=1`);
  return answer.ok ? Buffer.from(await answer.arrayBuffer()).toString("latin1") : answer.status;
};

/** Like the system: drags the files over a position of the page, and drops them there. */
async function drop(names: string[], at: { x: number; y: number }, whileHeld = async () => {}) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: names.map((name) => join(given, name)), dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
  await whileHeld();
  await session.send("Input.dispatchDragEvent", { type: "drop", ...at, data });
  await session.detach();
}

describe("a user's files", () => {
  it("go into the project with the first prompt, and the model sees them", async () => {
    await page.getByLabel("Files to add").setInputFiles(join(given, "sales.csv"));
    await chips().getByText("data/sales.csv").waitFor();
    await picture(page, "given-first-1440");
    await page.reload();
    await chips().getByText("data/sales.csv").waitFor();
    await person.ask("Build a dashboard from this.");
    await answers(1);
    expect(await inProject("data/sales.csv")).toBe(CSV);
    expect(lastAsked()).toContain("Feb,143");
    await page.getByRole("button", { name: "@data/sales.csv" }).waitFor();
    expect(await page.getByRole("button", { name: /^Project New project/ }).count()).toBe(0);
  });

  it("can be dropped anywhere, can be of any kind, and replace nothing", async () => {
    await drop(["sales.csv", "book.xlsx"], { x: 1200, y: 300 }, async () => {
      await page.getByText("Drop to add: pictures are shown").waitFor();
      await picture(page, "given-held-1440");
    });
    await expect.poll(() => chips().count()).toBe(2);
    await picture(page, "given-dropped-1440");
    await field().fill("And these");
    await field().press("Enter");
    await answers(2);
    await expect.poll(() => chips().count()).toBe(0);
    expect(await inProject("data/sales-2.csv")).toBe(CSV);
    expect(await inProject("data/book.xlsx")).toBe("PK\u0003\u0004\0\u00ff");
    expect(lastAsked()).toContain("data/book.xlsx is not text: 6 bytes");
  });

  it("can be a whole folder, which the message mentions", async () => {
    await drop(["shots"], { x: 200, y: 300 });
    await expect.poll(() => chips().count()).toBe(12);
    await chips().first().getByRole("button").click();
    await field().fill("These too");
    await field().press("Enter");
    await answers(3);
    await page.getByText("@data/shots/").first().waitFor();
    expect(lastAsked()).toContain("data/shots/11.txt");
    expect(await inProject("data/shots/.git/HEAD")).toBe(404);
  });

  it("stay with the text if the server rejects them, and are sent with the next attempt", async () => {
    await page.route("**/files/data/**", (route) =>
      route.fulfill({
        status: 507,
        json: { error: { code: "no-space", message: "The project's disk is full." } },
      }),
    );
    await page.getByLabel("Files to add").setInputFiles(join(given, "book.xlsx"));
    await field().fill("Once more");
    await field().press("Enter");
    await page.getByText("Nothing was sent").filter({ hasText: "disk is full" }).waitFor();
    await chips().getByText("not uploaded").waitFor();
    await picture(page, "given-refused-1440");
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, "given-refused-390");
    await page.setViewportSize(wide);
    expect(await field().inputValue()).toBe("Once more");
    await page.unroute("**/files/data/**");
    await field().press("Enter");
    await answers(4);
    expect(await inProject("data/book-2.xlsx")).not.toBe(404);
  });

  it("can be pictures: beyond six, or if the user chooses so, they are files", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const seven = Array.from({ length: 7 }, (_, index) => {
      return { name: `p${index}.png`, mimeType: "image/png", buffer: png };
    });
    await page.getByLabel("Files to add").setInputFiles(seven);
    await chips().getByText("data/p6.png").waitFor();
    await page.getByRole("button", { name: "Put p0.png into the project as a file" }).click();
    await expect.poll(() => chips().count()).toBe(2);
    await expect
      .poll(() => page.getByRole("list", { name: "Pictures" }).getByRole("img").count())
      .toBe(5);
    await picture(page, "given-pictures-1440");
    await field().fill("Pictures");
    await field().press("Enter");
    await answers(5);
    await expect.poll(() => inProject("data/p0.png")).toBe(png.toString("latin1"));
    await expect.poll(() => page.getByRole("img", { name: /^Picture \d/ }).count()).toBe(5);
  });

  it("keep the reader's position when a step at the end is opened", async () => {
    await page.setViewportSize({ width: 1440, height: 620 });
    await field().fill("Count for me");
    await field().press("Enter");
    await answers(6);
    const step = page.getByRole("button", { name: /seq 300/ });
    await step.click();
    await page.getByText("300").last().waitFor();
    const box = (await step.boundingBox())!;
    const sight = (await page.getByRole("region", { name: "Conversation" }).boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(sight.y);
    expect(box.y).toBeLessThan(sight.y + 400);
    await step.click();
    await page.setViewportSize(wide);
  });

  it("are shown as the model formats them: lists within the margin, code on one background", async () => {
    await field().fill("Show markdown");
    await field().press("Enter");
    await answers(7);
    await page.getByText("export function greet").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `markdown-1440-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: "light" });
    const code = page.locator("pre", { hasText: "export function greet" });
    // One background: nothing inside has another.
    expect(
      await code.evaluate(
        (pre) =>
          [...pre.querySelectorAll("*")].filter(
            (one) =>
              !["rgba(0, 0, 0, 0)", "transparent"].includes(getComputedStyle(one).backgroundColor),
          ).length,
      ),
    ).toBe(0);
    // Coloured, and copied as written.
    await expect.poll(() => code.locator("span[style]").count()).toBeGreaterThan(5);
    await picture(page, "code-1440");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await code.hover();
    await page.getByRole("button", { name: "Copy the code" }).click();
    expect(await copied()).toBe(
      'export function greet(name: string): string {\n  if (name === "") return "Hello";\n\n  return `Hello, ${name}`;\n}\n',
    );
    const message = page.getByText("Show markdown", { exact: true });
    await message.hover();
    await page.getByRole("button", { name: "Copy the message" }).last().click();
    expect(await copied()).toBe("Show markdown");
    await page.getByRole("button", { name: "Edit and send again" }).last().click();
    expect(await field().inputValue()).toBe("Show markdown");
    await field().fill("");
    const list = page.locator("ol", { hasText: "whose number has two digits" }).last();
    const room = await list.evaluate((ol) => parseFloat(getComputedStyle(ol).paddingLeft));
    expect(room).toBeGreaterThanOrEqual(28);
  });

  it("are typed in any script: the Enter that ends a composition sends nothing", async () => {
    const sent = () => page.getByRole("button", { name: "Edit and send again" }).count();
    const before = await sent();
    expect(before).toBeGreaterThan(0);
    await field().click();
    const session = await page.context().newCDPSession(page);
    const text = "にほん";
    await session.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
    await page.keyboard.press("Enter");
    await session.send("Input.insertText", { text: "日本" });
    await session.detach();
    await expect.poll(() => field().inputValue()).toContain("日本");
    expect(await sent()).toBe(before);
    expect(lastAsked()).not.toContain(text);
    await field().fill("");
  });

  it("are put into a folder of the tree, found there, and moved by dragging", async () => {
    await page.getByRole("tab", { name: "Code" }).click();
    const row = (name: string) => page.getByRole("treeitem", { name, exact: true });
    const shots = (await row("shots").boundingBox())!;
    await drop(["sales.csv"], { x: shots.x + 60, y: shots.y + 10 }, () =>
      picture(page, "tree-drop-1440"),
    );
    await page.getByText("Uploaded data/shots/sales.csv.").waitFor();
    expect(await inProject("data/shots/sales.csv")).toBe(CSV);
    expect(await chips().count()).toBe(0);
    await page
      .getByLabel("Files to upload")
      .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("note") });
    await row("notes.txt").waitFor();
    await row("notes.txt").dragTo(row("shots"));
    await expect.poll(() => inProject("data/shots/notes.txt")).toBe("note");
    expect(await inProject("notes.txt")).toBe(404);
    await row("shots").press("Delete");
    await page.getByText("Deleted data/shots.").waitFor();
    expect(await inProject("data/shots/notes.txt")).toBe(404);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => inProject("data/shots/notes.txt")).toBe("note");
    expect(await inProject("data/shots/11.txt")).toBe("one");
    const filter = page.getByRole("textbox", { name: "Filter the files" });
    await filter.fill("notes");
    await expect
      .poll(() => page.getByRole("treeitem").allTextContents())
      .toEqual(["data", "shots", "notes.txt"]);
    await picture(page, "tree-filter-1440");
    await filter.press("Escape");
    await row("sales-2.csv").waitFor();
  });

  it("leave what is below the field in one row while something goes on, however narrow its pane", async () => {
    await field().fill("Wait for me");
    await field().press("Enter");
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
    for (const width of [390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      // On a narrow page the files that were looked at last fill it.
      if (width < 768) await page.getByRole("button", { name: "Chat", exact: true }).click();
      const row = await page.getByRole("button", { name: "Queue" }).evaluate((button) => {
        const { children, scrollWidth, clientWidth } = button.parentElement!;
        const middles = [...children]
          .map((one) => one.getBoundingClientRect())
          .filter(({ width: seen }) => seen > 0)
          .map(({ top, height }) => top + height / 2);
        return {
          rows: Math.max(...middles) - Math.min(...middles) > 4 ? "several" : "one",
          beyond: scrollWidth - clientWidth,
        };
      });
      expect(row, `at ${width}`).toEqual({ rows: "one", beyond: 0 });
      await picture(page, `working-${width}`);
    }
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.locator('[data-outcome="stopped"]').waitFor();
  });
});
