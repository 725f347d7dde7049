import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { treadle, page, model } = {} as Stage;
let project: string;

setStage({ own: true, script: scriptNamed("completions") }, async (stage) => {
  ({ treadle, page, model } = stage);
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  for (const [path, text] of [
    ["double.js", ""],
    [".env", "KEY=very-secret\n"],
  ] as const)
    await treadle.api(`/api/projects/${project}/files/${path}`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text }),
    });
  await stage.person.signIn();
  await page.goto(`${treadle.origin}/p/${project}?settings=models`);
});

const settings = () => page.getByRole("dialog", { name: "Settings" });
const text = () => page.locator(".cm-content").filter({ visible: true });
const ghost = () => text().locator(".cm-ghost");
const asked = () =>
  model.requests.filter(({ body }) => JSON.stringify(body).includes("complete code while"));

it("requests nothing until the user switches it on, with a note about the cost", async () => {
  const choice = settings().getByRole("switch", { name: /^Let a model complete/ });
  expect(await choice.isChecked()).toBe(false);
  await settings()
    .getByText(/tokens of the project's budget/)
    .waitFor();
  await choice.check();
  await picture(page, "completions-setting");
  await page.keyboard.press("Escape");
});

it("suggests the model's continuation after a pause, and Tab accepts it", async () => {
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByRole("treeitem", { name: "double.js" }).click();
  await text().click();
  await page.keyboard.type("function double(value) {");
  await page.keyboard.press("Enter");
  await ghost().waitFor();
  await picture(page, "completions-offered");
  expect(await ghost().innerText()).toContain("return value * 2;");
  // After typing a part of the suggestion, the rest of it is still shown.
  await page.keyboard.type("re");
  await expect.poll(() => ghost().innerText()).toMatch(/^turn value/);
  await page.keyboard.press("Tab");
  await ghost().waitFor({ state: "detached" });
  expect(await text().innerText()).toContain("return value * 2;");
});

it("Escape rejects it, and its cost counts in the project", async () => {
  await page.keyboard.press("Enter");
  await page.keyboard.type("function double2() {");
  await page.keyboard.press("Enter");
  await ghost().waitFor();
  await page.keyboard.press("Escape");
  await ghost().waitFor({ state: "detached" });
  await page.keyboard.press("Control+,");
  await settings()
    .getByText(/^\d+ completions in this project: /)
    .waitFor();
  await page.keyboard.press("Escape");
});

it("gives way to the list of names when that is opened", async () => {
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nfunction double3() {");
  await page.keyboard.press("Enter");
  await ghost().waitFor();
  await page.keyboard.press("Control+Space");
  await ghost().waitFor({ state: "detached" });
  await page.getByRole("listbox", { name: "Completions" }).waitFor();
  await page.keyboard.press("Escape");
});

it("reports a failure once", async () => {
  await page.getByRole("treeitem", { name: "double.js" }).click();
  await text().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nconst broken = ");
  await page
    .getByText(/currently overloaded/)
    .first()
    .waitFor();
  const before = asked().length;
  await page.keyboard.type("1 + ");
  await expect.poll(() => text().innerText()).toContain("1 + ");
  expect(asked()).toHaveLength(before);
});

it("sends no file of secrets to a model", async () => {
  const before = asked().length;
  const answer = await treadle.api(`/api/projects/${project}/completions`, {
    method: "POST",
    body: JSON.stringify({ path: ".env", before: "KEY=", after: "" }),
  });
  expect(answer.status).toBe(403);
  expect(asked()).toHaveLength(before);
});
