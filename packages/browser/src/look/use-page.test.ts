import type { PageStep } from "@treadle/protocol/checks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSite, ORIGIN } from "./browser.test-support.ts";

const TODO = `<!doctype html><html lang="en"><head><title>Todos</title><link rel="icon" href="data:,"></head><body>
<h1>Todos</h1>
<form id="f"><label>New todo <input id="t"></label><button>Add</button></form>
<label><input type="checkbox" id="c"> Show done</label>
<label>Sort <select id="s"><option>By age</option><option>By name</option></select></label>
<ul id="list"></ul><p id="sorted"></p>
<button id="clear">Clear all</button><button id="boom">Explode</button>
<button style="display:none">Hidden</button>
<script>
  const items = JSON.parse(localStorage.getItem("items") ?? "[]");
  const draw = () => {
    localStorage.setItem("items", JSON.stringify(items));
    list.replaceChildren(...items.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  };
  f.onsubmit = (event) => { event.preventDefault(); setTimeout(() => { items.push(t.value); t.value = ""; draw(); }, 50); };
  clear.onclick = () => { if (confirm("Remove all?")) { items.length = 0; draw(); } };
  boom.onclick = () => { null.x; };
  s.onchange = () => { sorted.textContent = "sorted " + s.value; };
  draw();
</script></body></html>`;

/** Each click sends a request. The first is answered only after the second, or much later. */
const RESTLESS = `<title>x</title><button>Go</button><p></p><script>
  let answered = false;
  const [button, p] = [document.querySelector("button"), document.querySelector("p")];
  button.onclick = () => {
    const isFirst = button.textContent === "Go";
    button.textContent = "Go on";
    p.textContent = isFirst ? "one" : answered ? "one was waited for" : "two";
    fetch("/both").then(() => { answered = true; if (!isFirst) throw new Error("late"); });
  };
</script>`;
const TAKES_BACK = `<title>x</title><button>Add</button><p></p><script>
  const p = document.querySelector("p");
  document.querySelector("button").onclick = () => {
    p.textContent = "Milk";
    fetch("/slow").then(() => (p.textContent = ""));
  };
</script>`;

/** Much longer than a step takes, and shorter than the limit for a page. */
const LATE_MS = 15_000;
const waiting: (() => void)[] = [];

const { browser, asked } = createSite({
  "/": TODO,
  "/other": "<h1>Other page</h1><script>console.log('hello')</script>",
  "/forgets": TODO.replaceAll("localStorage", "({ getItem() {}, setItem() {} })"),
  "/restless": RESTLESS,
  "/takes-back": TAKES_BACK,
  "/missing": { status: 404, body: "<h1>There is no such page</h1>" },
  "/stays": `<title>x</title><form action="/missing"><button>Save</button></form><a href="/other">Other</a>`,
  "/sends": `<title>x</title><button>Ask</button><button>Send</button><script>
    for (const [index, button] of [...document.querySelectorAll("button")].entries())
      button.onclick = () => fetch("/other", { method: ["GET", "POST"][index] });
  </script>`,
  "/reports": `<title>x</title><button>Ask</button><script>
    document.querySelector("button").onclick = () => fetch("/__treadle/report", { method: "POST" });
  </script>`,
  "/lists": `<title>x</title><input aria-label="Text"><button>Send</button><p></p><script>
    fetch("/slow");
    document.querySelector("button").onclick = async () => {
      await fetch("/slow", { method: "POST" });
      document.querySelector("p").textContent = document.querySelector("input").value;
    };
  </script>`,
  "/both": (_request, response) => {
    waiting.push(() => response.end("done"));
    if (waiting.length === 2) for (const answer of waiting) answer();
    else setTimeout(() => response.end("late"), LATE_MS).unref();
  },
  "/slow": (_request, response) => void setTimeout(() => response.end("done"), 600),
});
const use = (...steps: PageStep[]) => browser.use({ origin: ORIGIN, path: "/", steps });
const results = ({ steps }: Awaited<ReturnType<typeof use>>) => steps.map(({ ok }) => ok);

beforeAll(async () => expect(await browser.available()).toMatchObject({ ok: true }));
afterAll(() => browser.close());

describe.concurrent("a page in use", () => {
  it("is pictured at the end if requested, within its limits", async () => {
    const { picture } = await browser.use({ origin: ORIGIN, path: "/", steps: [], picture: true });
    expect(picture?.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(picture?.length).toBeLessThan(1_000_000);
    expect((await use()).picture).toBeUndefined();
  });

  it("keeps its state, also after a reload", async () => {
    const used = await use(
      { do: "type", on: "New todo", text: "Milk" },
      { do: "click", on: 'button "Add"' },
      { do: "expect", on: "Milk" },
      { do: "type", on: 'textbox "New todo"', text: "Bread" },
      { do: "press", on: "New todo", text: "Enter" },
      { do: "expect", on: 'listitem "Bread"' },
      { do: "expect", on: "New todo", text: "" },
      { do: "reload" },
      { do: "expect", on: "css=li:nth-child(2)", text: "Bread" },
    );
    expect(results(used)).toEqual(Array.from({ length: 9 }, () => true));
    expect(used.outline).toContain("- listitem: Milk");
    expect(used.report).toMatchObject({ status: 200, title: "Todos", uncaughtErrors: [] });
  });

  it("reports for each expectation whether it held before the action", async () => {
    const used = await use(
      { do: "expect", on: 'heading "Todos"' },
      { do: "type", on: "New todo", text: "Milk" },
      { do: "click", on: 'button "Add"' },
      { do: "expect", on: 'heading "Todos"' },
      { do: "expect", on: "Milk" },
      { do: "click", on: "Clear all" },
      // It held at first, but not before the click.
      { do: "expect_gone", on: "Milk" },
      { do: "expect_gone", on: "Bread" },
    );
    expect(results(used)).not.toContain(false);
    expect(used.steps.map(({ alreadyHeld = false }) => alreadyHeld)).toEqual(
      [3, 7].reduce((all, at) => all.with(at, true), Array<boolean>(8).fill(false)),
    );
  });

  it("reports for another person's expectations whether they held for any new visitor", async () => {
    const used = await use(
      { do: "type", on: "New todo", text: "Milk" },
      { do: "click", on: 'button "Add"' },
      { do: "open", text: "/", as: "second" },
      { do: "expect", on: 'heading "Todos"', as: "second" },
      { do: "expect_gone", on: "Milk", as: "second" },
    );
    expect(results(used)).not.toContain(false);
    expect(used.steps.map(({ alreadyHeld = false }) => alreadyHeld)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it("is discarded: the next use starts from the initial state", async () => {
    const type: PageStep = { do: "type", on: "New todo", text: "Milk" };
    const used = await use(type, { do: "click", on: "Add" }, { do: "expect", on: "Milk" });
    expect(used.outline).toContain("- listitem: Milk");
    expect((await use()).outline).not.toContain("Milk");
  });

  it("takes choices and confirms dialogs", async () => {
    const used = await use(
      { do: "click", on: "Show done" },
      // This one is already in that state.
      { do: "check", on: "Show done" },
      { do: "select", on: "Sort", text: "By name" },
      { do: "expect", text: "sorted By name" },
      { do: "type", on: "New todo", text: "Tea" },
      { do: "click", on: "Add" },
      { do: "wait", on: "Tea" },
      { do: "click", on: "Clear all" },
      { do: "expect_gone", on: "Tea" },
    );
    expect(results(used)).not.toContain(false);
    expect(used.steps[7]?.said).toContain("“Remove all?”, and got a yes");
    expect(used.outline).toContain("[checked]");
  });

  it("stops at the first failing step, and reports why", async () => {
    const used = await use(
      { do: "expect", on: "heading", text: "Todos" },
      { do: "click", on: 'button "Hidden"' },
      { do: "click", on: "Add" },
    );
    expect(results(used)).toEqual([true, false]);
    expect(used.steps[1]?.said).toBe(
      'click button "Hidden": there is no button "Hidden"; there is button "Add", button "Clear all", button "Explode"',
    );
  });

  it("reports the actual content if an expectation fails", async () => {
    const used = await use({ do: "expect", on: "heading", text: "Groceries" });
    expect(used.steps).toEqual([
      { ok: false, said: 'expect heading to say "Groceries": it says “Todos”' },
    ]);
  });

  it("reports errors thrown after a click", async () => {
    const { report, steps } = await use({ do: "click", on: "Explode" });
    expect(steps).toMatchObject([{ ok: true }]);
    expect(report.uncaughtErrors[0]?.message).toContain("TypeError");
  });

  it("reports a missing page after a click, but not for an address that was opened", async () => {
    const used = await use(
      { do: "open", text: "/missing" },
      { do: "open", text: "/stays" },
      { do: "click", on: 'link "Other"' },
      { do: "open", text: "/stays" },
      { do: "click", on: 'button "Save"' },
      { do: "open", text: "/other" },
    );
    expect(used.nowhere).toEqual([{ step: 4, from: "/stays", path: "/missing", status: 404 }]);
  });

  it.each([
    ["Ask", undefined],
    ["Send", { answers: expect.stringContaining("Other page"), isReadBack: false }],
  ])("reports the server's response to a change: %s", async (name, changed) => {
    const steps: PageStep[] = [{ do: "click", on: `button "${name}"` }];
    const used = await browser.use({ origin: ORIGIN, path: "/sends", steps });
    expect(used.changed).toEqual(changed);
  });

  it("does not count reports of Treadle's own script as requests of the app", async () => {
    const steps: PageStep[] = [{ do: "click", on: "Ask" }];
    const used = await browser.use({ origin: ORIGIN, path: "/reports", steps });
    expect(used.changed).toBeUndefined();
  });

  it("reports whether the page requests existing data", async () => {
    const steps: PageStep[] = [
      { do: "type", on: "Text", text: "Milk" },
      { do: "click", on: "Send" },
      { do: "expect", on: "Milk" },
    ];
    const used = await browser.use({ origin: ORIGIN, path: "/lists", steps, stays: [2] });
    expect(used).toMatchObject({ gone: [2], changed: { answers: "done", isReadBack: true } });
  });

  it("A16 navigates to other pages of the preview, and to no other host", async () => {
    const used = await use(
      { do: "open", text: "/other" },
      { do: "expect", on: "Other page" },
      { do: "open", text: "//evil.localhost/" },
      { do: "open", text: "http://127.0.0.1:1/" },
    );
    expect(results(used).slice(0, 2)).toEqual([true, true]);
    expect(asked.every((line) => /^(?:GET|POST) \//.test(line))).toBe(true);
    expect(asked).toContain("GET //evil.localhost/");
  });

  it("treats an invalid selector as a failed step", async () => {
    const used = await use({ do: "click", on: "css=<<" });
    expect(used.steps).toMatchObject([{ ok: false }]);
  });

  it("ends on request", async () => {
    const stop = new AbortController();
    const using = browser.use({
      origin: ORIGIN,
      path: "/",
      steps: [{ do: "wait", on: "never there" }],
      signal: stop.signal,
    });
    stop.abort(new Error("enough"));
    await expect(using).rejects.toThrow("enough");
  });
});

describe.concurrent("an entry that a check added", () => {
  const ADD: PageStep[] = [
    { do: "type", on: "New todo", text: "Milk" },
    { do: "click", on: 'button "Add"' },
    { do: "expect", on: "Milk" },
  ];

  it("is looked for again after a reload of the page", async () => {
    const stays = [2];
    const secondUse = await browser.use({ origin: ORIGIN, path: "/", steps: ADD, stays });
    expect(secondUse).toMatchObject({ stayed: [2], gone: [] });
    const lost = await browser.use({ origin: ORIGIN, path: "/forgets", steps: ADD, stays });
    expect(lost).toMatchObject({ stayed: [], gone: [2] });
    expect(results(lost)).toEqual([true, true, true]);
  });

  it("is not looked for if the check itself removed it, without another reload", async () => {
    const stays = [2];
    const cleared: PageStep[] = [...ADD, { do: "click", on: "Clear all" }];
    const removed = await browser.use({ origin: ORIGIN, path: "/", steps: cleared, stays });
    expect(removed.gone).toBeUndefined();
    const reloads: PageStep[] = [...ADD, { do: "reload" }, { do: "expect", on: "Milk" }];
    const own = await browser.use({ origin: ORIGIN, path: "/?own", steps: reloads, stays });
    expect(own).toMatchObject({ stayed: [2], gone: [] });
    expect(asked.filter((one) => one === "GET /?own")).toHaveLength(2);
  });
});

describe.concurrent("a step with consequences", () => {
  it("is not waited for until the page is idle", async () => {
    const used = await browser.use({
      origin: ORIGIN,
      path: "/restless",
      steps: [
        { do: "click", on: "Go" },
        { do: "expect", on: "one" },
        { do: "click", on: "Go on" },
        { do: "expect", on: "two" },
      ],
    });
    expect(results(used)).toEqual([true, true, true, true]);
    expect(used.report.uncaughtErrors.map(({ message }) => message)).toEqual(["late"]);
  });

  it("fails if a response reverts it", async () => {
    const used = await browser.use({
      origin: ORIGIN,
      path: "/takes-back",
      expectMs: 200,
      steps: [
        { do: "click", on: "Add" },
        { do: "expect", on: "Milk" },
      ],
    });
    expect(results(used)).toEqual([true, false]);
  });

  it("reports the page's address and output if it failed", async () => {
    const used = await browser.use({
      origin: ORIGIN,
      path: "/other?a=1",
      picture: "on-failure",
      expectMs: 200,
      steps: [{ do: "expect", on: "Nothing" }],
    });
    expect(used).toMatchObject({ address: "/other?a=1", console: ["log: hello"] });
    expect(used.picture).toBeDefined();
  });
});
