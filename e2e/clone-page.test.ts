import { afterAll, beforeAll, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { startGitServer, type GitServer } from "./support/git-server.ts";
import { setStage, type Stage } from "./support/stage.ts";

let { page, person } = {} as Stage;
let server: GitServer;
beforeAll(async () => {
  server = await startGitServer({ user: "ada", password: "right" });
  server.create("tool", { "tool.py": "print('hello')\n" });
});
afterAll(() => server.close());
setStage({ page: {} }, (stage) => void ({ page, person } = stage));

it("a repository is opened from the first page: what is missing is asked for, what there is to know is said", async () => {
  await person.open();
  await page.getByRole("button", { name: "git address" }).click();
  const address = page.getByRole("textbox", { name: "Address of a git repository" });
  await address.fill("file:///etc/passwd");
  await address.press("Enter");
  await page.getByRole("alert").getByText("That is no address of a repository.").waitFor();
  await address.fill(server.url("tool"));
  await address.press("Enter");
  await page.getByText("is of this machine or its network").waitFor();
  await page.getByRole("button", { name: "It is meant: ask it" }).click();
  await page.getByText("wants a name and a password").waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("ada");
  await page.getByLabel("Password or token").fill("right");
  await picture(page, "clone-login");
  await page.getByLabel("Password or token").press("Enter");
  await page.getByText("It is no web app").waitFor();
  await picture(page, "clone-notes");
  await page.getByRole("link", { name: "Open the project" }).click();
  await page.waitForURL(/\/p\//);
  await person.tab("Code");
  await page.getByText("tool.py").first().waitFor();
  // The login was given to that server alone, and is kept for it.
  expect(server.asked.at(-1)?.authorization).toMatch(/^Basic /);
});
