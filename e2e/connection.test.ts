import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { browser, page, person, treadle, restart } = {} as Stage;
setStage({ own: true, script: scriptNamed("page") }, async (stage) => {
  ({ browser, page, person, treadle, restart } = stage);
  await person.open();
});

it("F10 reports a lost connection, and loses neither events nor typed text", async () => {
  await person.ask("Build a page");
  await person.sees("runs");
  const project = person.projectId();
  const answers = page.getByLabel("Conversation").getByText("The page is there.");
  const field = page.getByRole("textbox", { name: "Say what to change" });
  await field.fill("What I was going to say");
  await treadle.kill("SIGKILL");
  const notice = page.getByText(/The connection to Treadle is lost\. Trying again/);
  await notice.waitFor();
  await field.press("Enter");
  const problem = page.getByRole("alert").filter({ hasText: "does not answer" });
  await problem.waitFor();
  await picture(page, "connection-lost");
  await expect.poll(() => answers.count()).toBe(1);
  const again = await restart("--port", new URL(treadle.origin).port);
  expect(again.origin).toBe(treadle.origin);
  const renamed = await again.api(`/api/projects/${project}`, {
    method: "PATCH",
    body: JSON.stringify({ name: "Renamed meanwhile" }),
  });
  expect(renamed.ok).toBe(true);
  await page.getByRole("heading", { name: "Renamed meanwhile" }).waitFor();
  await notice.waitFor({ state: "detached" });
  // It answers, and nothing on the page contradicts that.
  await problem.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("What I was going to say");
  // The earlier content is shown once, as before.
  await expect.poll(() => answers.count()).toBe(1);
});

it("reports a part of the page that fails to load while the server is away, and loads it later", async () => {
  const field = page.getByRole("textbox", { name: "Say what to change" });
  await field.fill("What I was going to say");
  await page.context().setOffline(true);
  const open = page.getByRole("button", { name: "Publish" });
  await open.click();
  const alert = page.getByRole("alert").filter({ hasText: "could not be loaded" });
  await alert.waitFor();
  await picture(page, "part-missing");
  // Everything else is unchanged.
  expect(await field.inputValue()).toBe("What I was going to say");
  await alert.getByRole("button", { name: "Close" }).click();
  await alert.waitFor({ state: "detached" });
  await open.click();
  await alert.waitFor();
  await page.context().setOffline(false);
  await alert.getByRole("button", { name: "Try again" }).click();
  // A browser that caches failed imports reloads the page instead, which closes the dialog and keeps what was typed.
  await alert.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("What I was going to say");
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog
    .or(page.getByRole("button", { name: "Publish" }))
    .first()
    .waitFor();
  if (!(await dialog.isVisible())) await open.click();
  await dialog.waitFor();
});

it("reports a project that is opened while the server is away, and shows it when the server is back", async () => {
  const reader = await browser.newContext();
  const visitor = await reader.newPage();
  await visitor.goto(treadle.address);
  const card = visitor.getByRole("link", { name: /Renamed meanwhile/ });
  await card.waitFor();
  await reader.setOffline(true);
  await card.click();
  const alert = visitor.getByRole("alert").filter({ hasText: "could not be loaded" });
  await alert.waitFor();
  // Nor does loading the page again lead out of it.
  await alert.getByRole("button", { name: "Load the page again" }).click();
  await alert.getByText("does not answer").last().waitFor();
  await picture(visitor, "project-missing");
  await alert.getByRole("button", { name: "Close" }).click();
  await visitor.getByRole("textbox", { name: "What shall we build?" }).waitFor();
  await card.click();
  await alert.waitFor();
  await reader.setOffline(false);
  await alert.getByRole("button", { name: "Try again" }).click();
  await visitor.getByRole("heading", { name: "Renamed meanwhile" }).waitFor();
  await alert.waitFor({ state: "detached" });
  await reader.close();
});
