import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { openReactPage } from "./support/react-page.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { talkTo } from "./support/talk.ts";

/** A user picks an element in the running app and changes it, without a model. */
let { model, treadle, page, person } = {} as Stage;

setStage({ script: scriptNamed("preview") }, async (stage) => {
  ({ model, treadle, page, person } = stage);
  await openReactPage(stage);
});

const address = (path: string) => `/api/projects/${person.projectId()}/files/${path}`;
async function read(path: string): Promise<string> {
  return ((await (await treadle.api(address(path))).json()) as { text: string }).text;
}
async function write(path: string, text: string): Promise<void> {
  const { version } = (await (await treadle.api(address(path))).json()) as { version: string };
  const answer = await treadle.api(address(path), {
    method: "PUT",
    headers: { "if-match": `"${version}"` },
    body: JSON.stringify({ text }),
  });
  expect(answer.ok).toBe(true);
}
const APP = `export function App() {
  const names = ["Ada", "Alan"];
  return (
    <main className="page">
      <h1>Words</h1>
      <p className="said">Said on a page.</p>
      <ul>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </main>
  );
}
`;
const preview = () => person.preview();
const panel = () => page.getByRole("region", { name: "Selected element" });
const select = async (text: string) => {
  await page.getByRole("button", { name: "Select an element" }).click();
  await preview().getByText(text, { exact: true }).click();
  await panel().waitFor();
};

describe("an element of a React app", () => {
  it("links to its line, and its text is changed in the source without the model", async () => {
    await write("src/index.css", ".said { color: rgb(10, 20, 30); padding: 4px; }\n");
    await write("src/App.tsx", APP);
    await preview().getByText("Alan").waitFor();
    const asked = model.requests.length;
    await select("Said on a page.");
    await panel().getByRole("button", { name: "src/App.tsx:6" }).waitFor();
    // No background is not shown as black.
    const ground = panel().getByRole("textbox", { name: "Background", exact: true });
    expect(await ground.inputValue()).toBe("transparent");
    expect(await panel().getByLabel("Background, chosen by eye").inputValue()).toBe("#ffffff");
    await picture(page, "select-element");
    await panel().getByLabel("Text", { exact: true }).fill("Written by <hand> & {me}");
    await page.keyboard.press("Enter");
    await preview().getByText("Written by <hand> & {me}").waitFor();
    await expect
      .poll(() => read("src/App.tsx"))
      .toBe(APP.replace("Said on a page.", "Written by &lt;hand&gt; &amp; &#123;me&#125;"));
    expect(model.requests.length).toBe(asked);
  });

  it("its colour and spaces are changed in the rule that says them", async () => {
    const paragraph = preview().locator(".said");
    await panel().getByLabel("Padding").fill("24px");
    await expect.poll(() => paragraph.evaluate((e) => getComputedStyle(e).padding)).toBe("24px");
    await expect.poll(() => read("src/index.css")).toContain("padding: 24px;");
    await panel().getByLabel("Colour", { exact: true }).fill("#aa0000");
    await expect
      .poll(() => read("src/index.css"))
      .toBe(".said { color: #aa0000; padding: 24px; }\n");
    await expect
      .poll(() => paragraph.evaluate((e) => getComputedStyle(e).color))
      .toBe("rgb(170, 0, 0)");
  });

  it("its classes can be added and removed", async () => {
    await panel().getByLabel("Classes").fill("loud");
    await page.keyboard.press("Enter");
    await expect.poll(() => read("src/App.tsx")).toContain('className="said loud"');
    await panel().getByRole("button", { name: "Remove loud" }).click();
    await expect.poll(() => read("src/App.tsx")).toContain('className="said"');
  });

  it("changes are undone one by one, the last first", async () => {
    const undo = panel().getByRole("button", { name: "Undo the last change" });
    for (let n = 0; n < 5; n++) {
      await undo.click();
    }
    await expect.poll(() => read("src/App.tsx")).toBe(APP);
    await expect
      .poll(() => read("src/index.css"))
      .toBe(".said { color: rgb(10, 20, 30); padding: 4px; }\n");
    await preview().getByText("Said on a page.").waitFor();
  });

  it("moves among its siblings when it is dragged, by the keyboard too, and is taken back", async () => {
    const heading = preview().locator("h1");
    const [from, to] = [
      await preview().locator(".said").boundingBox(),
      await heading.boundingBox(),
    ];
    await page.mouse.move(from!.x + 20, from!.y + from!.height / 2);
    await page.mouse.down();
    await page.mouse.move(to!.x + 20, to!.y + to!.height - 4, { steps: 4 });
    await page.mouse.move(to!.x + 20, to!.y + 4, { steps: 4 });
    await page.mouse.up();
    const [first, second] = [`<h1>Words</h1>`, `<p className="said">Said on a page.</p>`];
    const swapped = APP.replace(`${first}\n      ${second}`, `${second}\n      ${first}`);
    await expect.poll(() => read("src/App.tsx")).toBe(swapped);
    await panel().getByRole("button", { name: "src/App.tsx:5" }).waitFor();
    await panel().getByRole("button", { name: "Move after the next element" }).click();
    await expect.poll(() => read("src/App.tsx")).toBe(APP);
    await panel().getByRole("button", { name: "Undo the last change" }).click();
    await expect.poll(() => read("src/App.tsx")).toBe(swapped);
    await panel().getByRole("button", { name: "Undo the last change" }).click();
    await expect.poll(() => read("src/App.tsx")).toBe(APP);
  });

  it("is changed together with others that are added with Shift", async () => {
    await select("Said on a page.");
    await preview()
      .getByText("Words", { exact: true })
      .click({ modifiers: ["Shift"] });
    await panel().getByText("2 elements selected", { exact: false }).waitFor();
    await panel().getByLabel("Classes").fill("both");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => read("src/App.tsx"))
      .toBe(APP.replace("<h1>", `<h1 className="both">`).replace(`"said"`, `"said both"`));
    await panel().getByRole("button", { name: "Undo the last change" }).click();
    await expect.poll(() => read("src/App.tsx")).toBe(APP);
  });

  it("of a list is not moved, with the reason", async () => {
    await select("Ada");
    await panel().getByRole("button", { name: "Move after the next element" }).click();
    await panel().getByText("their order is that of its data", { exact: false }).waitFor();
    expect(await read("src/App.tsx")).toBe(APP);
  });

  it("text from a list is not changed, with the reason, and the model can be asked", async () => {
    await select("Ada");
    await panel().getByText("It comes from {name}, and is changed where that is set.").waitFor();
    await panel().getByText("written once, shown 2 times: all change", { exact: false }).waitFor();
    expect(
      await panel().getByLabel("Text", { exact: true }).getAttribute("readonly"),
    ).not.toBeNull();
    await picture(page, "select-refused");
    await panel().getByRole("button", { name: "Ask about this" }).click();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Say what to change" }).inputValue())
      .toBe("The <li> that says “Ada” in @src/App.tsx (line 9): ");
    await page.getByRole("textbox", { name: "Say what to change" }).fill("");
    await panel().getByRole("button", { name: "Close the selection" }).click();
    await panel().waitFor({ state: "detached" });
  });

  it("a property without a rule is written on the element itself", async () => {
    await select("Words");
    await panel().getByLabel("Size").fill("51px");
    const size = () =>
      preview()
        .locator("h1")
        .evaluate((e) => getComputedStyle(e).fontSize);
    await expect.poll(size).toBe("51px");
    await expect
      .poll(() => read("src/App.tsx"))
      .toContain(`<h1 style={{ fontSize: "51px" }}>Words`);
    await panel().getByRole("button", { name: "Undo the last change" }).click();
    await expect.poll(() => read("src/App.tsx")).toBe(APP);
    await panel().getByRole("button", { name: "Close the selection" }).click();
  });

  it("design tokens show in the page while they are changed, and are saved and undone together", async () => {
    const sheet =
      ":root { --ink: #202020; --gap: 4px; }\nbody { background: #ffffff; }\n.said { color: var(--ink); padding: var(--gap); }\n";
    await write("src/index.css", sheet);
    await page.getByRole("button", { name: /^Project / }).click();
    await page.getByRole("menuitem", { name: "Design" }).click();
    const design = page.getByRole("region", { name: "Design" });
    const styleOf = (property: "color" | "padding") =>
      preview()
        .locator(".said")
        .evaluate((one, name) => getComputedStyle(one)[name], property);
    await design.getByRole("textbox", { name: "ink", exact: true }).fill("#bb2200");
    await design.getByRole("textbox", { name: "gap", exact: true }).fill("24px");
    await expect.poll(() => styleOf("color")).toBe("rgb(187, 34, 0)");
    await expect.poll(() => styleOf("padding")).toBe("24px");
    await picture(page, "design");
    expect(await read("src/index.css")).toBe(sheet);
    await design.getByRole("button", { name: "Save" }).click();
    const saved = sheet.replace("#202020", "#bb2200").replace("4px", "24px");
    await expect.poll(() => read("src/index.css")).toBe(saved);
    await page.locator("[data-sonner-toast]").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => read("src/index.css")).toBe(sheet);
    await expect.poll(() => styleOf("color")).toBe("rgb(32, 32, 32)");
    await design.getByRole("button", { name: "Close the design" }).click();
    await page.getByRole("button", { name: /^History/ }).click();
    await page.getByText("Design: --ink, --gap").waitFor();
    await page.keyboard.press("Escape");
  });

  it("leaves no trace: not in the page, its source, or its build", async () => {
    await expect.poll(() => preview().locator("treadle-mark").count()).toBe(0);
    const project = talkTo(() => treadle, person.projectId);
    const { head } = (await (await project.api("")).json()) as { head: number };
    expect((await project.api("/check", { method: "POST" })).ok).toBe(true);
    await project.read(head, ({ type }) => type === "look-end");
    await person.sees("runs");
    const files = await (await treadle.api(`/api/projects/${person.projectId()}/files`)).json();
    expect(JSON.stringify(files)).not.toMatch(/treadle-mark|__treadle/);
    expect(await preview().locator("html").innerHTML()).not.toMatch(
      /data-(?:source|loc|file|line)/,
    );
  });
});
