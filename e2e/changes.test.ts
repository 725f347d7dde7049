import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let stage = {} as Stage;
let project: string;

const APP = Array.from({ length: 60 }, (_, at) => `const colour${at + 1} = "red";\n`).join("");
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const at = (path: string) => `/api/projects/${project}/files/${path}`;
const put = (path: string, body: string | Uint8Array, version = "*") =>
  stage.treadle.api(at(path), {
    method: "PUT",
    headers: {
      ...(version === "*" ? { "if-none-match": "*" } : { "if-match": version }),
      "content-type": typeof body === "string" ? "application/json" : "application/octet-stream",
    },
    body: typeof body === "string" ? JSON.stringify({ text: body }) : (body as BodyInit),
  });
const file = async (path: string) => {
  const response = await stage.treadle.api(at(path));
  return response.ok ? ((await response.json()) as { text?: string; version: string }) : undefined;
};
const read = async (path: string) => (await file(path))?.text;
const run = async () => {
  const { page, person } = stage;
  await person.sendMessage("Make it blue");
  await page.getByText("It is done.").first().waitFor();
};

setStage({ script: scriptNamed("changes") }, async (opened) => {
  stage = opened;
  const made = await stage.treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  await put("src/App.tsx", APP);
  await put("old.txt", "old\n");
  await put("dot.png", DOT);
  await stage.person.signIn();
  await stage.page.goto(`${stage.treadle.origin}/p/${project}`);
  await run();
});

const changes = () => stage.page.getByRole("tabpanel", { name: "Changes" });
const one = (path: string) => changes().locator(`[data-file="${path}"]`);
const focused = () => stage.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
const reviewed = () => changes().getByRole("status");

describe("changes", () => {
  it("a turn's line links to all of its changes, and an edit's line counts link to that file", async () => {
    const { page } = stage;
    await page.getByRole("button", { name: /^3 files/ }).click();
    await one("old.txt").getByText("removed", { exact: true }).waitFor();
    await expect.poll(() => changes().locator("[data-file]").count()).toBe(3);
    await page.getByRole("button", { name: "Changes to src/App.tsx in this turn" }).click();
    await expect
      .poll(() =>
        one("src/App.tsx")
          .locator("[data-expand]")
          .evaluate((line) => line === document.activeElement),
      )
      .toBe(true);
  });

  it("shows coloured code with changed words marked, and can unfold unchanged lines", async () => {
    const app = one("src/App.tsx");
    await expect
      .poll(() => app.locator("mark").allTextContents())
      .toEqual(["red", "blue", "red", "blue"]);
    await app.locator('span[style*="--syntax-keyword"]').first().waitFor();
    expect(await app.getByText("const colour20 =").count()).toBe(0);
    await app.getByText("38 unchanged lines").waitFor();
    await app.getByRole("button", { name: "Show 20 more from line 9 on" }).click();
    await app.getByText('colour20 = "red"').waitFor();
    await app.getByText("18 unchanged lines").waitFor();
    expect(await problemsOf(stage.page)).toEqual([]);
    await picture(stage.page, "changes-inline-1440");
  });

  it("remembers the side-by-side view, and is inline on a narrow page", async () => {
    const { page } = stage;
    await changes().getByRole("button", { name: "Side by side" }).click();
    const row = one("src/App.tsx")
      .getByRole("row")
      .filter({ hasText: /colour5 =/ });
    await expect.poll(() => row.locator("mark").allTextContents()).toEqual(["red", "blue"]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await problemsOf(page)).toEqual([]);
    await picture(page, "changes-beside-dark-1440");
    await page.emulateMedia({ colorScheme: "light" });
    await page.reload();
    await page.getByRole("tab", { name: "Changes" }).click();
    await expect.poll(() => row.locator("mark").allTextContents()).toEqual(["red", "blue"]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Code", exact: true }).click();
    await expect.poll(() => row.first().locator("mark").allTextContents()).toEqual(["red"]);
    expect(await problemsOf(page)).toEqual([]);
    await picture(page, "changes-390");
    await page.setViewportSize({ width: 1440, height: 900 });
    await changes().getByRole("button", { name: "Inline" }).click();
  });

  it("by keyboard: jumps to the next change and marks it reviewed; reviewed changes are counted and remembered", async () => {
    const { page } = stage;
    await changes().getByText("0 of 4 reviewed").waitFor();
    await page.getByRole("tab", { name: "Changes" }).focus();
    // The deleted file is a single change, and comes first.
    for (const key of "cncn") await page.keyboard.press(key);
    await expect.poll(focused).toBe("Change 1 of 2");
    for (const key of "ck") await page.keyboard.press(key);
    await expect.poll(() => reviewed().textContent()).toBe("1 of 4 reviewed");
    await one("old.txt")
      .getByRole("button", { name: "Mark reviewed: all changes in old.txt" })
      .click();
    await expect.poll(() => reviewed().textContent()).toBe("2 of 4 reviewed");
    const reviewButton = one("old.txt").getByRole("button", {
      name: "Reviewed: all changes in old.txt",
    });
    expect(await reviewButton.innerText()).toBe("Reviewed");
    await page.reload();
    await page.getByRole("tab", { name: "Changes" }).click();
    await expect.poll(() => reviewed().textContent()).toBe("2 of 4 reviewed");
  });

  it("by mouse: goes from change to change through all files", async () => {
    const { page } = stage;
    await page.getByRole("tab", { name: "Changes" }).focus();
    const place = () =>
      page.evaluate(() => {
        const file = document.activeElement?.closest("[data-file]")?.getAttribute("data-file");
        return `${file} ${document.activeElement?.getAttribute("aria-label")}`;
      });
    const seen = new Set<string>();
    for (let click = 0; click < 4; click++) {
      await changes().getByRole("button", { name: "Next change" }).click();
      seen.add(await place());
    }
    expect([...seen].map((one) => one.split(" ")[0]).toSorted()).toEqual([
      "old.txt",
      "src/App.tsx",
      "src/App.tsx",
      "src/extra.ts",
    ]);
  });

  it("undoes one change, and can revert the undo", async () => {
    const { page } = stage;
    await one("src/App.tsx").getByRole("button", { name: "Undo change 1" }).click();
    const notice = page.locator("[data-sonner-toast]", { hasText: "Undone in src/App.tsx." });
    await notice.waitFor();
    expect(await read("src/App.tsx")).toContain('colour5 = "red"');
    expect(await read("src/App.tsx")).toContain('colour50 = "blue"');
    await notice.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => read("src/App.tsx")).toContain('colour5 = "blue"');
  });

  it("restores a deleted file, and removes a created one", async () => {
    const { page } = stage;
    const undo = one("old.txt").getByRole("button", { name: "Undo all changes in old.txt" });
    // The previous change may still be in progress.
    await expect.poll(() => undo.getAttribute("aria-disabled")).not.toBe("true");
    await undo.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => read("old.txt")).toBe("old\n");
    // The removed element had the focus, so its successor has it.
    await expect.poll(focused).toBe("Change 1 of 2");
    await one("src/extra.ts")
      .getByRole("button", { name: "Undo all changes in src/extra.ts" })
      .click();
    await expect.poll(() => read("src/extra.ts")).toBeUndefined();
    await expect.poll(() => changes().locator("[data-file]").count()).toBe(1);
  });

  it("does not overwrite what was changed meanwhile, and says so", async () => {
    const { page } = stage;
    const { text = "", version } = (await file("src/App.tsx"))!;
    await page.route("**/changes/undo", async (route) => {
      await put("src/App.tsx", `// mine\n${text}`, version);
      await route.continue();
    });
    await one("src/App.tsx").getByRole("button", { name: "Undo change 1" }).click();
    await page.getByText("src/App.tsx was changed meanwhile. Nothing was undone").waitFor();
    expect(await read("src/App.tsx")).toBe(`// mine\n${text}`);
    await page.unroute("**/changes/undo");
    await one("src/App.tsx").getByText("// mine").waitFor();
  });

  it("between any two checkpoints: undoes an older turn's change in the current file", async () => {
    const { page, person } = stage;
    await person.sendMessage("Make it green");
    await expect.poll(() => read("src/App.tsx")).toContain('colour30 = "green"');
    await page.getByRole("button", { name: /^1 file/ }).waitFor();
    await changes()
      .getByRole("combobox", { name: "What is compared" })
      .selectOption({ label: "Two checkpoints…" });
    const [from, to] = [
      changes().getByRole("combobox", { name: "From" }),
      changes().getByRole("combobox", { name: "To" }),
    ];
    const label = (name: RegExp) => from.locator("option", { hasText: name }).getAttribute("value");
    await to.selectOption((await label(/^Make it blue ·/))!);
    await from.selectOption((await label(/^Before .Make it blue/))!);
    await one("src/extra.ts").getByText("added", { exact: true }).waitFor();
    await one("src/App.tsx").getByRole("button", { name: "Undo change 2" }).click();
    await expect.poll(() => read("src/App.tsx")).not.toContain("const more");
    expect(await read("src/App.tsx")).toContain('colour30 = "green"');
    expect(await read("src/App.tsx")).toContain("// mine");
  });

  it("by a link with two checkpoints, which opens them and is then removed from the address", async () => {
    const { page } = stage;
    const [from, to] = await Promise.all(
      ["From", "To"].map((name) => changes().getByRole("combobox", { name }).inputValue()),
    );
    await page.goto(`${stage.treadle.origin}/p/${project}?changes=${from}..${to}`);
    await one("src/extra.ts").getByText("added", { exact: true }).waitFor();
    expect(await changes().getByRole("combobox", { name: "What is compared" }).inputValue()).toBe(
      "named",
    );
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await page.goto(`${stage.treadle.origin}/p/${project}?changes=gone..`);
    await changes().getByRole("alert").waitFor();
  });

  it("shows pictures side by side", async () => {
    const { version } = (await file("dot.png"))!;
    await put("dot.png", Buffer.concat([DOT, Buffer.from([0])]), version);
    await changes()
      .getByRole("combobox", { name: "What is compared" })
      .selectOption({ label: "Since the beginning" });
    await one("dot.png").getByRole("img", { name: "dot.png: Before" }).waitFor();
    const seen = one("dot.png").getByRole("img", { name: "dot.png: After" });
    await expect.poll(() => seen.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await one("dot.png").getByRole("button", { name: "Undo all changes in dot.png" }).click();
    await expect.poll(async () => (await file("dot.png"))?.version).toBe(version);
  });

  it("shows one file over time, from the tree and from a tab: what was requested when, step by step", async () => {
    const { page } = stage;
    await page.getByRole("tab", { name: "Code" }).click();
    await page.getByRole("treeitem", { name: "src", exact: true }).waitFor();
    const leaf = page.getByRole("treeitem", { name: "App.tsx", exact: true });
    if ((await leaf.count()) === 0)
      await page.getByRole("treeitem", { name: "src", exact: true }).click();
    await leaf.click({ button: "right" });
    await page.getByRole("menuitem", { name: "Changes over time" }).click();
    const moments = changes().getByRole("list", { name: "When src/App.tsx was changed" });
    await moments.getByRole("button", { name: /^Make it blue/ }).click();
    await expect
      .poll(() => one("src/App.tsx").locator("mark").allTextContents())
      .toEqual(["red", "blue", "red", "blue"]);
    await moments.getByRole("button", { name: /^Make it green/ }).click();
    await expect
      .poll(() => one("src/App.tsx").locator("mark").allTextContents())
      .toEqual(["red", "green"]);
    expect(await problemsOf(page)).toEqual([]);
    await picture(page, "changes-over-time-1440");
    await changes().getByRole("button", { name: "All changes", exact: true }).click();
    await changes().getByRole("combobox", { name: "What is compared" }).waitFor();
    await page.getByRole("tab", { name: "Code" }).click();
    await leaf.click();
    await page
      .getByRole("list", { name: "Open files" })
      .getByRole("button", { name: "App.tsx", exact: true })
      .click({ button: "right" });
    await page.getByRole("menuitem", { name: "Changes over time" }).click();
    await moments.waitFor();
  });
});
