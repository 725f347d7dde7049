import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptedModel, loadScript, type ScriptedModel } from "@treadle/scripted-model";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picture, startBrowser } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { root, scriptedBy, startTreadle, type RunningTreadle } from "./support/treadle.ts";

const wide = { width: 1440, height: 900 };
const CSV = "month,sales\nJan,120\nFeb,143\n";

let given: string;
let model: ScriptedModel;
let treadle: RunningTreadle;
let browser: Browser;
let page: Page;
let person: ReturnType<typeof personAt>;

beforeAll(async () => {
  given = mkdtempSync(join(tmpdir(), "treadle-given-"));
  writeFileSync(join(given, "sales.csv"), CSV);
  writeFileSync(join(given, "book.xlsx"), Buffer.from([0x50, 0x4b, 3, 4, 0, 255]));
  mkdirSync(join(given, "shots/.git"), { recursive: true });
  writeFileSync(join(given, "shots/.git/HEAD"), "x");
  for (let index = 0; index < 12; index++) writeFileSync(join(given, `shots/${index}.txt`), "one");
  model = await createScriptedModel({ script: loadScript(join(root, "e2e/scripts/mentions.md")) });
  treadle = await startTreadle({ env: scriptedBy(model) });
  browser = await startBrowser();
  page = await browser.newPage({ viewport: wide });
  person = personAt(page, treadle);
  await person.open();
});
afterAll(async () => {
  await browser?.close();
  await treadle?.stop();
  await model?.close();
  for (const folder of [given, treadle?.data]) if (folder) rmSync(folder, { recursive: true, force: true }); // prettier-ignore
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

/** As the system does it: the files are held over a place of the page, and let go there. */
async function drop(names: string[], at: { x: number; y: number }, whileHeld = async () => {}) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: names.map((name) => join(given, name)), dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
  await whileHeld();
  await session.send("Input.dispatchDragEvent", { type: "drop", ...at, data });
  await session.detach();
}

describe("files that a person gives", () => {
  it("go into the project with the first sentence, and the model sees them", async () => {
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

  it("may be dropped anywhere, be of any kind, and replace nothing that is there", async () => {
    await drop(["sales.csv", "book.xlsx"], { x: 1200, y: 300 }, async () => {
      await page.getByText("Let go: pictures are shown").waitFor();
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

  it("may be a whole folder, which the message points at", async () => {
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

  it("are kept with the text where the server does not take them, and go with the next try", async () => {
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

  it("are pictures too: beyond six, or when the person says so, they are files", async () => {
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
    expect(await page.getByRole("list", { name: "Pictures" }).getByRole("img").count()).toBe(5);
    await picture(page, "given-pictures-1440");
    await field().fill("Pictures");
    await field().press("Enter");
    await answers(5);
    expect(await inProject("data/p0.png")).toBe(png.toString("latin1"));
    expect(await page.getByRole("img", { name: /^Picture \d/ }).count()).toBe(5);
  });
});
