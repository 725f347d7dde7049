import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person, treadle, restart } = {} as Stage;
setStage({ script: scriptNamed("preview") }, async (stage) => {
  ({ page, person, treadle, restart } = stage);
  await person.open();
});

it("F10 a lost connection is said, and nothing that happens meanwhile or was typed is missed", async () => {
  await person.ask("Build a page");
  await person.sees("verified");
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
