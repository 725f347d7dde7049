import { describe, expect, it } from "vitest";
import type { Locator } from "playwright-core";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, treadle, browser, restart } = {} as Stage;
const script = {
  scripted: scriptNamed("clock-plain"),
  hands: scriptNamed("clock-broken"),
  parallel: scriptNamed("parallel"),
};
setStage({ own: true, script, pace: { charactersPerSecond: 1_500, firstMs: 100 } }, (stage) => {
  ({ page, person, treadle, browser, restart } = stage);
});

const attempt = (name: string): Locator => page.getByRole("article", { name });
const chip = (name: string, state: string) =>
  attempt(name).locator(`[role="status"][data-verdict="${state}"]`);
const projects = async () =>
  (await (await treadle.api("/api/projects")).json()) as { projects: { id: string }[] };

/** Sends the typed prompt to both models once. */
async function compareBoth(): Promise<void> {
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("button", { name: "Compare several…" }).click();
  const dialog = page.getByRole("dialog", { name: "Compare" });
  await dialog.getByRole("button", { name: "One more by hands" }).click();
  await dialog.getByText("2 attempts.").waitFor();
  await picture(page, "compare-dialog");
  expect(await problemsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL(/\/compare\//);
}

describe("one request, two models", () => {
  it("from the first page: both build side by side, each with its steps, evidence, time and verdict", async () => {
    await person.open();
    await page.getByRole("textbox", { name: "What shall we build?" }).fill("Build a clock");
    await compareBoth();
    await chip("scripted", "working").or(chip("scripted", "runs")).waitFor();
    await picture(page, "compare-going");
    await chip("scripted", "runs").waitFor({ timeout: 120_000 });
    await chip("hands", "failed").waitFor({ timeout: 120_000 });
    await page.getByText("2 of 2 done").waitFor();
    await attempt("scripted").getByText("Wrote index.html").waitFor();
    await attempt("hands")
      .getByText(/clock is not defined/)
      .first()
      .waitFor();
    await attempt("scripted")
      .getByRole("img", { name: /scripted/ })
      .waitFor();
    await expect.poll(() => attempt("scripted").getByText("Time", { exact: true }).count()).toBe(1);
    await picture(page, "compare-done");
    expect(await problemsOf(page)).toEqual([]);
  });

  it("its attempts are one entry on the first page, and are found there after a reload", async () => {
    await person.open();
    const row = page.getByRole("list", { name: "Comparisons" }).getByRole("link");
    await row.getByText("Build a clock").waitFor();
    await row.getByText("2 of 2 done").waitFor();
    expect(await page.getByRole("button", { name: /^More for/ }).count()).toBe(0);
    await picture(page, "compare-home");
    await row.click();
    await chip("scripted", "runs").waitFor();
  });

  it("a kept attempt becomes an ordinary project, and the other is removed", async () => {
    await attempt("scripted").getByRole("button", { name: "Keep this one" }).click();
    await page.waitForURL(/\/p\//);
    await person.sees("runs");
    await person.preview().getByRole("heading", { name: "10:24" }).waitFor();
    expect((await projects()).projects).toHaveLength(1);
  });
});

describe("in a project", () => {
  it("two attempts run while the project stays unchanged and says so", async () => {
    await page.getByRole("textbox", { name: "Say what to change" }).fill("Add a date");
    const address = page.url();
    await compareBoth();
    await chip("scripted", "runs").waitFor({ timeout: 120_000 });
    await chip("hands", "runs").waitFor({ timeout: 120_000 });
    await page.getByRole("link", { name: "To the project" }).click();
    await page.waitForURL(address);
    await page.getByText("Several attempts are being compared").waitFor();
    expect(await person.preview().getByText("23 November").count()).toBe(0);
    await picture(page, "compare-in-project");
    await page.getByRole("link", { name: "Look at them side by side" }).click();
  });

  it("is shown as columns on a wide page, and swiped on a phone, light and dark", async () => {
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await chip("hands", "runs").waitFor();
        await picture(page, `compare-${width}-${colorScheme}`);
        expect(await problemsOf(page, colorScheme === "dark" ? "colours" : "all")).toEqual([]);
      }
    const box = await attempt("scripted").boundingBox();
    expect(box!.width).toBeGreaterThan(300);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("a kept attempt is merged with its turn, its files and a checkpoint before it", async () => {
    await attempt("hands").getByRole("button", { name: "Keep this one" }).click();
    await page.waitForURL(/\/p\//);
    const conversation = page.getByLabel("Conversation");
    await conversation.getByText("Add a date").first().waitFor();
    await conversation.getByText("The whole date stands below it.").first().waitFor();
    await person.sees("runs");
    await person.preview().getByText("23 November").waitFor();
    expect(await page.getByText("Several attempts are being compared").count()).toBe(0);
    expect((await projects()).projects).toHaveLength(1);
    await picture(page, "compare-kept");
  });

  it("none has to be kept, and the project is as before", async () => {
    await page.getByRole("textbox", { name: "Say what to change" }).fill("Make a clock of it");
    await compareBoth();
    await page.getByRole("button", { name: "Stop all" }).click();
    await page.getByRole("button", { name: "Keep none" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Keep none" }).click();
    await page.waitForURL(/\/p\//);
    await person.preview().getByText("23 November").waitFor();
    expect((await projects()).projects).toHaveLength(1);
    expect(browser.isConnected()).toBe(true);
  });
});

const WAIT = { timeout: 120_000 };

describe("requests in parallel", () => {
  const list = () => page.getByRole("region", { name: "In parallel" });
  const request = (text: string) => list().getByRole("listitem").filter({ hasText: text });
  const heading = async (name: string): Promise<void> => {
    await person.tab("Preview");
    await person.preview().getByRole("heading", { name }).waitFor();
  };

  /** Projects besides the copies, which are removed soon after they are merged. */
  let own = 0;
  const copiesAreGone = () =>
    expect.poll(async () => (await projects()).projects.length, WAIT).toBe(own);

  async function runBeside(text: string): Promise<void> {
    await page.getByRole("textbox", { name: "Say what to change" }).fill(text);
    await page.getByRole("button", { name: "Run in parallel" }).click();
    await request(text).waitFor();
  }
  /** Ends the active turn, which waits for a file of this name. */
  const endTurn = () =>
    treadle.api(`/api/projects/${person.projectId()}/files/go`, {
      method: "PUT",
      headers: { "if-none-match": "*", "content-type": "text/plain" },
      body: "go",
    });

  it("start immediately on copies, while the turn beside them continues", async () => {
    const answer = await treadle.api("/api/projects", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: "Build a board", model: "openai-compatible:parallel" }),
    });
    const { id } = (await answer.json()) as { id: string };
    await person.open();
    await page.goto(new URL(`/p/${id}`, treadle.address).href);
    await person.sees("runs");
    await heading("Board");
    own = (await projects()).projects.length;
    await person.sendMessage("Make the first part a button");
    await person.sees("working");
    await runBeside("Make the second part a button");
    await runBeside("Make the third part a button");
    await picture(page, "parallel-going");
    for (const text of ["second", "third"])
      await request(text)
        .and(page.locator('[data-state="merging"]'))
        .filter({ hasText: "Verified" })
        .waitFor({ timeout: 120_000 });
    await picture(page, "parallel-done");
    expect(await problemsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await request("second").waitFor();
    await picture(page, "parallel-390");
    expect(await problemsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("end in one verified revision with the work of all three", async () => {
    await endTurn();
    await list().waitFor({ state: "detached", timeout: 180_000 });
    await person.sees("verified");
    await person.tab("Preview");
    for (const name of ["One", "Two", "Three"])
      await person.preview().getByRole("button", { name }).waitFor();
    const conversation = page.getByLabel("Conversation");
    for (const text of ["first", "second", "third"])
      await conversation.getByText(`Make the ${text} part a button`).first().waitFor();
    await copiesAreGone();
    await picture(page, "parallel-merged");
  });

  it("report the two that conflict, and one is redone on top of the other", async () => {
    await person.sendMessage("Call it a plan");
    await person.sees("working");
    await runBeside("Call it a wall");
    await endTurn();
    const held = request("Call it a wall").and(page.locator('[data-state="held"]'));
    await held.getByText(/“Call it a plan”.*index\.html/).waitFor({ timeout: 120_000 });
    await heading("Plan");
    await picture(page, "parallel-conflict");
    expect(await problemsOf(page)).toEqual([]);
    await held.getByRole("button", { name: "Redo on the current version" }).click();
    await list().waitFor({ state: "detached", timeout: 180_000 });
    await heading("Wall");
    await copiesAreGone();
  });

  it("are resumed after the server was killed, and are merged", async () => {
    const project = `/api/projects/${person.projectId()}`;
    const requests = async () => {
      const answer = await treadle.api(`${project}/parallel`);
      return ((await answer.json()) as { requests: { copy?: string }[] }).requests;
    };
    const pageOf = async (path: string) => (await treadle.api(`${path}/files/index.html`)).text();
    await treadle.api(`${project}/parallel`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "Add a footer" }),
    });
    await expect
      .poll(async () => pageOf(`/api/projects/${(await requests())[0]?.copy}`), WAIT)
      .toContain("The end");
    await treadle.kill("SIGKILL");
    treadle = await restart();
    await expect.poll(requests, WAIT).toEqual([]);
    expect(await pageOf(project)).toContain("The end");
    await copiesAreGone();
  });
});
