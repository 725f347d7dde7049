import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { browser, page, person, treadle, restart } = {} as Stage;
setStage({ own: true, script: scriptNamed("page") }, async (stage) => {
  ({ browser, page, person, treadle, restart } = stage);
  await person.open();
});

it("F10 a lost connection is said, and nothing that happens meanwhile or was typed is missed", async () => {
  await person.ask("Build a page");
  await person.sees("runs");
  const project = person.projectId();
  // Those who hear the page are told a sentence beside where it stands, where it came while they listened.
  const answers = page
    .getByLabel("Conversation")
    .getByText("The page is there.")
    .and(page.locator(":not([aria-live] *)"));
  const field = page.getByRole("textbox", { name: "Say what to change" });
  await field.fill("What I was going to say");
  await treadle.kill("SIGKILL");
  const notice = page.getByText(/The connection to Treadle is lost\. Trying again/);
  await notice.waitFor();
  await field.press("Enter");
  const problem = page.getByRole("alert").filter({ hasText: "does not answer" });
  await problem.waitFor();
  await picture(page, "connection-lost");
  expect(await answers.count()).toBe(1);
  const again = await restart("--port", new URL(treadle.origin).port);
  expect(again.origin).toBe(treadle.origin);
  const renamed = await again.api(`/api/projects/${project}`, {
    method: "PATCH",
    body: JSON.stringify({ name: "Renamed meanwhile" }),
  });
  expect(renamed.ok).toBe(true);
  await page.getByRole("heading", { name: "Renamed meanwhile" }).waitFor();
  await notice.waitFor({ state: "detached" });
  // It answers, and nothing says otherwise.
  await problem.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("What I was going to say");
  // What was shown is there once, as before.
  expect(await answers.count()).toBe(1);
});

it("a part of the page that does not come while its server is away is told, and comes when it is back", async () => {
  const field = page.getByRole("textbox", { name: "Say what to change" });
  await field.fill("What I was going to say");
  await page.context().setOffline(true);
  const open = page.getByRole("button", { name: "Publish" });
  await open.click();
  const alert = page.getByRole("alert").filter({ hasText: "could not be loaded" });
  await alert.waitFor();
  await picture(page, "part-missing");
  // All else is where it was.
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

it("a project that is opened while the server is away is told on the page, and comes when it is back", async () => {
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
