import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { treadle, browser, page, person, restart } = {} as Stage;

setStage({ own: true, script: scriptNamed("approvals") }, (stage) => {
  ({ treadle, browser, page, person, restart } = stage);
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const question = () => page.getByRole("region", { name: "A question for you" });
const focused = () => page.locator(":focus");
const narrow = { width: 390, height: 844 };
const wide = { width: 1440, height: 900 };

describe("plan, then build with approvals", () => {
  it("plans without changing anything; the plan can be edited and started", async () => {
    await person.open();
    await page.getByRole("switch", { name: "Plan" }).check();
    await person.ask("A page that says Milk");
    const plan = page.getByRole("region", { name: "Plan" });
    await plan.waitFor();
    const project = person.projectId();
    const files = await treadle.api(`/api/projects/${project}/files`);
    expect(await files.text()).not.toContain("index.html");
    await picture(page, "plan-1440");
    await page.setViewportSize(narrow);
    await picture(page, "plan-390");
    await page.setViewportSize(wide);
    await treadle.api(`/api/projects/${project}/approvals`, {
      method: "PUT",
      body: JSON.stringify({ mode: "safe", always: [] }),
    });
    await plan.getByRole("button", { name: "Edit" }).click();
    await plan.getByRole("textbox", { name: "The plan" }).fill("Only a page with a heading, Milk.");
    await plan.getByRole("button", { name: "Build this" }).click();
    await question().getByText("Start this server?").waitFor();
    expect(await page.getByText("Only a page with a heading, Milk.").count()).toBeGreaterThan(0);
    await picture(page, "approval-1440");
    await page.setViewportSize(narrow);
    await picture(page, "approval-390");
    await page.setViewportSize(wide);
  });

  it("still asks after the server was killed, and continues to its verdict", async () => {
    const path = new URL(page.url()).pathname;
    await treadle.kill("SIGKILL");
    treadle = await restart();
    await page.goto(treadle.address);
    await page.goto(`${treadle.origin}${path}`);
    await question().getByText("Start this server?").waitFor();
    expect(await page.title()).toMatch(/^Waiting for you/);
  });

  it("shows in its header that it waits, with a link to the question; messages sent meanwhile are delivered or withdrawn", async () => {
    const queued = page.getByRole("region", { name: "Queued messages" });
    const instead = question().getByRole("textbox", { name: "What to do instead" });
    await instead.fill("Say Bread too");
    await button("Queue").click();
    await queued.getByText("Say Bread too").waitFor();
    await instead.fill("A third page");
    await button("Queue").click();
    await queued.getByText("A third page").waitFor();
    for (const colorScheme of ["light", "dark"] as const)
      for (const viewport of [wide, narrow]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await picture(page, `waits-${viewport.width}-${colorScheme}`);
      }
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await button("Waiting for you").click();
    await page.locator("button:focus", { hasText: "Approve" }).waitFor();
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(wide);
    await queued.getByRole("button", { name: "Take back: A third page" }).click();
    await queued.getByText("A third page").waitFor({ state: "detached" });
    await expect.poll(() => instead.inputValue()).toBe("A third page");
    await instead.fill("");
    await queued.getByRole("button", { name: "Send now" }).click();
    await queued.getByText("Sent once you have answered").waitFor();
    // The button that had the focus is gone, so the question has it.
    await page.getByRole("region", { name: "A question for you" }).and(focused()).waitFor();
    await page.reload();
    await queued.getByText("Sent once you have answered").waitFor();
    const other = await browser.newPage({ viewport: wide });
    await other.goto(treadle.address);
    await other.goto(page.url());
    await other.getByText("Sent once you have answered").waitFor();
    await other.close();
    await button("Approve").focus();
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Say what to change" });
    await field.and(focused()).waitFor();
    await page.getByText("Milk and Bread are there.").waitFor();
    await person.sees("runs");
    expect(await queued.count()).toBe(0);
    await picture(page, "told-1440");
    await page.getByRole("switch", { name: "Plan" }).check();
    await button("Model for planning: scripted").click();
    await picture(page, "plan-model-1440");
    await page.getByRole("dialog").getByRole("button", { name: "scripted" }).click();
    // It closes when the choice has been stored.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await button("Model for planning: scripted").click();
    await button("Same as for building").click();
    await page.getByRole("switch", { name: "Plan" }).uncheck();
    await button("Model: scripted").waitFor();
  });

  it("asks about a file that other agents obey, and tells the model why it was denied (A24)", async () => {
    await person.sendMessage("Please leave a rule");
    await question().getByText("AGENTS.md").first().waitFor();
    expect(await button("Always here").count()).toBe(0);
    await picture(page, "approval-file-1440");
    const instead = question().getByRole("textbox", { name: "What to do instead" });
    await instead.press("Enter");
    // No answer was given, and it was not denied.
    expect(await button("Approve").isEnabled()).toBe(true);
    await instead.fill("no rules");
    await page.keyboard.press("Enter");
    await page.getByText("I leave it, as you say.").waitFor();
    const files = await treadle.api(`/api/projects/${person.projectId()}/files`);
    expect(await files.text()).not.toContain("AGENTS.md");
  });

  it("asks about an address of the web as a whole, and says in plain words what was denied (A27)", async () => {
    await person.sendMessage("Please look it up");
    await question().getByText("Reach outside the sandbox?").waitFor();
    await question()
      .getByText("https://docs.example.com/a/page?told=everything-of-this-project", { exact: true })
      .first()
      .waitFor();
    await question().getByRole("textbox", { name: "What to do instead" }).fill("no web");
    await page.keyboard.press("Enter");
    await page.getByText("I do without it.").waitFor();
    await page.getByText("Denied: reading https://docs.example.com/a/page").waitFor();
  });

  it("takes over the composer: typed text is the answer, except for the Enter of a message begun before", async () => {
    const field = page.getByRole("textbox", { name: "Say what to change" });
    await field.fill("A half mess");
    await treadle.api(`/api/projects/${person.projectId()}/messages`, {
      method: "POST",
      body: JSON.stringify({ text: "Ask me a colour" }),
    });
    const answer = question().getByRole("textbox", { name: "Your answer" });
    await answer.and(focused()).waitFor();
    await page.keyboard.type("age");
    await page.keyboard.press("Enter");
    await question().getByText("You were typing when this was asked.").waitFor();
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `answer-${width}-${colorScheme}`);
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(wide);
    expect(await answer.inputValue()).toBe("A half message");
    expect(await page.getByRole("region", { name: "Queued messages" }).count()).toBe(0);
    await answer.fill("");
    await page.keyboard.type("green");
    await page.keyboard.press("Enter");
    await page.getByText("Green, then.").waitFor();
    await field.and(focused()).waitFor();
    expect(await field.inputValue()).toBe("");
  });
});
