import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import {
  startGateway,
  startUpstream,
  testPreview,
  type TestGateway,
} from "./gateway.test-support.ts";
import { startBrowser } from "../../browser/src/look/person-browser.test-support.ts";

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()), 60_000);
afterAll(() => browser.close());

let body = "";
let gateway: TestGateway;
let page: Page;
let close: () => Promise<void>;

beforeEach(async () => {
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(body);
  });
  const preview = testPreview([upstream.port], { project: crypto.randomUUID() });
  gateway = await startGateway(
    { abc: preview },
    {
      app(_, response) {
        response.setHeader("content-type", "text/html");
        response.end(
          `<iframe width=600 height=400 src="${gateway.gateway.originOf("abc")}"></iframe>` +
            `<script>got = []; onmessage = (e) => got.push(e.data); tell = (x) => frames[0].postMessage(x, "*")</script>`,
        );
      },
    },
  );
  page = await browser.newPage();
  close = async () => {
    await page.close();
    await gateway.close();
    await upstream.close();
  };
});
afterEach(() => close());

interface Told {
  type: string;
  on?: boolean;
  step?: { do: string; target?: object; text?: string; secret?: boolean };
}
const got = () => page.evaluate<Told[]>("got");
const steps = async () => (await got()).flatMap(({ step }) => (step ? [step] : []));
const post = (message: object) => page.evaluate(`tell(${JSON.stringify(message)})`);
const app = () => page.frameLocator("iframe");

/** Opens the app and records from its start. */
async function record(html: string): Promise<void> {
  body = `<!doctype html>${html}`;
  await page.goto(`http://localhost:${gateway.port}/`);
  await expect.poll(got).toContainEqual(expect.objectContaining({ type: "treadle:begin" }));
  await post({ type: "treadle:record", on: true });
}

const FORM = `<form onsubmit="event.preventDefault(); list.insertAdjacentHTML('beforeend', '<li>' + task.value + ' <button type=button>Delete</button></li>')">
  <label>Task <input id=task></label><select aria-label=Colour><option>Red<option>Blue</select>
  <label><input type=checkbox> Urgent</label><input type=password placeholder=Password>
  <button><svg aria-hidden=true></svg> Add</button></form><ul id=list></ul><h1>My <b>tasks</b></h1>`;

it("reports the person's actions by role and name, and a field once with its complete text", async () => {
  await record(FORM);
  await app().getByLabel("Task").pressSequentially("Milk");
  await app().getByLabel("Colour").press("ArrowDown");
  await app().getByText("Urgent").click();
  await app().getByRole("button", { name: "Add" }).click();
  const text = (value: string) => ({
    do: "type",
    target: { role: "textbox", name: "Task" },
    text: value,
    secret: false,
  });
  await expect
    .poll(steps)
    .toEqual([
      text("M"),
      text("Mi"),
      text("Mil"),
      text("Milk"),
      { do: "select", target: { role: "combobox", name: "Colour" }, text: "Blue" },
      { do: "click", target: { role: "checkbox", name: "Urgent" } },
      { do: "click", target: { role: "button", name: "Add" } },
    ]);
});

it("reports Enter in a field as such, and not as the click that the browser creates", async () => {
  await record(FORM);
  await app().getByLabel("Task").press("Enter");
  await app().getByRole("button", { name: "Add" }).press("Enter");
  await expect.poll(steps).toEqual([
    { do: "press", target: { role: "textbox", name: "Task" }, text: "Enter" },
    { do: "click", target: { role: "button", name: "Add" } },
  ]);
});

it("reports which fields are secret", async () => {
  await record(FORM);
  await app().getByPlaceholder("Password").fill("hunter2");
  await expect
    .poll(steps)
    .toMatchObject([{ target: { role: "textbox", name: "Password" }, secret: true }]);
});

it("reports the surrounding item for one of several targets of the same name", async () => {
  await record(FORM);
  for (const name of ["Milk", "Bread"]) {
    await app().getByLabel("Task").fill(name);
    await app().getByRole("button", { name: "Add" }).click();
  }
  await app().getByRole("button", { name: "Delete" }).nth(1).click();
  await expect
    .poll(async () => (await steps()).at(-1))
    .toEqual({
      do: "click",
      target: { role: "button", name: "Delete", within: { role: "listitem", name: "Bread" } },
    });
});

it("turns clicks in expectation mode into expectations, without effect on the page", async () => {
  await record(`${FORM}<p onclick="this.remove()">3 things left</p>`);
  await app().getByLabel("Task").fill("Milk");
  for (const [target, expected] of [
    [app().getByRole("heading"), { role: "heading", name: "My tasks" }],
    [app().getByText("3 things left"), { words: "3 things left" }],
    [app().getByLabel("Task"), { role: "textbox", name: "Task", text: "Milk" }],
    [app().getByLabel("Urgent"), { role: "checkbox", name: "Urgent", is: "unchecked" }],
  ] as const) {
    await post({ type: "treadle:expect", on: true });
    // The page may report at any time what it shows.
    const last = async () => (await got()).findLast(({ type }) => type !== "treadle:seen");
    await expect.poll(last).toMatchObject({ on: true });
    await target.click();
    await expect
      .poll(async () => (await steps()).at(-1))
      .toEqual({ do: "expect", target: expected });
  }
  expect(await app().getByText("3 things left").count()).toBe(1);
  expect(await app().getByLabel("Urgent").isChecked()).toBe(false);
});

it("finds a target without role or name by its text, or by a selector", async () => {
  await record(
    `<div onclick="1">Menu</div><section><div id=box style="height:20px"></div></section>`,
  );
  await app().getByText("Menu").click();
  await app().locator("#box").click();
  await expect.poll(steps).toEqual([
    { do: "click", target: { words: "Menu" } },
    { do: "click", target: { css: "#box" } },
  ]);
});

it("reports nothing that the app does by itself, and nothing after the end", async () => {
  await record(`<button onclick="other.click()">One</button><button id=other>Two</button>`);
  await app().getByRole("button", { name: "One" }).click();
  await post({ type: "treadle:record", on: false });
  await app().getByRole("button", { name: "Two" }).click();
  await app().getByRole("button", { name: "One" }).click();
  expect((await steps()).map(({ target }) => target)).toEqual([{ role: "button", name: "One" }]);
});
