import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { openReactPage } from "./support/react-page.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

/**
 * A user uses the running app, and the recorded actions become a check of the project, without a
 * model.
 */
let { model, treadle, page, person } = {} as Stage;

const APP = `import { useState } from "react";
export function App() {
  const [tasks, setTasks] = useState<string[]>([]);
  const [text, setText] = useState("");
  return (
    <main>
      <h1>Tasks</h1>
      <form onSubmit={(event) => { event.preventDefault(); setTasks([...tasks, text]); setText(""); }}>
        <label>Task <input value={text} onChange={(event) => setText(event.target.value)} /></label>
        <label>Password <input type="password" /></label>
        <button>Add</button>
      </form>
      <ul>{tasks.map((task) => <li key={task}>{task}</li>)}</ul>
    </main>
  );
}
`;

setStage({ script: scriptNamed("preview") }, async (stage) => {
  ({ model, treadle, page, person } = stage);
  await openReactPage(stage);
  const at = address("src/App.tsx");
  const { version } = (await (await treadle.api(at)).json()) as { version: string };
  await treadle.api(at, {
    method: "PUT",
    headers: { "if-match": `"${version}"` },
    body: JSON.stringify({ text: APP }),
  });
  await app().getByLabel("Task").waitFor();
});

const address = (path: string) => `/api/projects/${person.projectId()}/files/${path}`;
const app = () => person.preview();
const panel = () => page.getByRole("region", { name: "Record a check" });
const steps = () =>
  panel()
    .getByRole("textbox", { name: "Step" })
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
const checksFile = async () =>
  ((await (await treadle.api(address(".treadle/checks.md"))).json()) as { text: string }).text;

it("is recorded while the user uses the app, saved under a name, and run immediately", async () => {
  const asked = model.requests.length;
  await page.getByRole("button", { name: "Record a check" }).click();
  await panel().waitFor();
  await app().getByLabel("Task").fill("Milk");
  await app().getByLabel("Password").fill("hunter2");
  await app().getByRole("button", { name: "Add" }).click();
  await app().getByText("Milk").waitFor();
  await panel().getByRole("button", { name: "Expect something" }).click();
  await panel().getByRole("button", { name: "Click what is to be expected" }).waitFor();
  await app().getByText("Milk").click();
  await expect
    .poll(steps)
    .toEqual([
      "open /",
      'type "Milk {new}" in textbox "Task"',
      'type "{new}" in textbox "Password"',
      'click button "Add"',
      'expect "Milk {new}"',
    ]);
  // A password is recorded only if the user chooses so.
  await panel()
    .getByRole("checkbox", { name: /^Record passwords/ })
    .check();
  expect((await steps())[2]).toContain("hunter2");
  await panel()
    .getByRole("checkbox", { name: /^Record passwords/ })
    .uncheck();
  await picture(page, "record-check");
  await panel()
    .getByRole("textbox", { name: "Step" })
    .nth(1)
    .fill('type "Bread" in textbox "Task"');
  await panel().getByRole("textbox", { name: "Step" }).nth(4).fill('expect "Bread"');
  await panel()
    .getByRole("button", { name: /^Remove: type "{new}"/ })
    .click();
  await panel().getByLabel("Name of the check").fill("Adds a task");
  await panel().getByRole("button", { name: "Save and run" }).click();
  // Each recorded step is listed once the check has run.
  const taken = panel().locator("details li");
  await taken.nth(3).waitFor({ state: "attached" });
  expect(await taken.last().textContent()).toContain("Bread");
  expect(await panel().getByText("✗").count()).toBe(0);
  expect(await checksFile()).toMatch(
    /\n## Adds a task\n- open \/\n- type "Bread" in textbox "Task"\n- click button "Add"\n- expect "Bread"\n$/,
  );
  expect(await panel().getByRole("alert").count()).toBe(0);
  expect(model.requests.length).toBe(asked);
  // The panel stays when the server is restarted, as it is for a look.
  const opened = page.waitForEvent("framenavigated", (frame) => frame.parentFrame() !== null);
  await treadle.api(`/api/projects/${person.projectId()}/server`, {
    method: "POST",
    body: JSON.stringify({ action: "restart" }),
  });
  await opened;
  await app().getByLabel("Task").waitFor();
  expect(await taken.count()).toBeGreaterThan(0);
});

it("marks invalid steps in the editor as they are typed, and suggests forms of steps", async () => {
  await panel().getByRole("button", { name: "Edit checks" }).click();
  const editor = page.getByRole("textbox", { name: /checks\.md/ });
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("- clicks it");
  await page.locator(".cm-lintRange-error").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("relo");
  await page.getByRole("option", { name: "reload" }).waitFor();
  await picture(page, "checks-editor");
  await page.keyboard.press("Escape");
  for (let key = 0; key < 16; key++) await page.keyboard.press("Control+z");
  await page.getByRole("tab", { name: "Preview" }).click();
});

it("is available on a phone as well, in the preview's menu", async () => {
  await panel().getByRole("button", { name: "Stop recording" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("navigation").getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "More of the preview" }).click();
  await page.getByRole("menuitem", { name: "Record a check" }).click();
  await app().getByLabel("Task").fill("Tea");
  await expect.poll(steps).toEqual(["open /", 'type "Tea" in textbox "Task"']);
  await picture(page, "record-check-phone");
});
