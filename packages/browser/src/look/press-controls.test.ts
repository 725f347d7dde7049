import { afterAll, describe, expect, it } from "vitest";
import { createSite, ORIGIN } from "./browser.test-support.ts";

const html = (body: string) =>
  `<!doctype html><html><head><title>T</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;

const pages: Record<string, string> = {
  "/dead": html(`
    <style>button:hover { color: red } button:focus { outline: 2px solid }</style>
    <h1>Rows</h1>
    <button>Export</button>
    <button onclick="console.log('clicked')">Logs</button>
    <a href="#">Terms</a> <a href="#nowhere">Prices</a> <a href="#rows" >Up</a> <a href="/alive">Next</a>
    <p id="rows">x</p>`),
  "/waves": html(`
    <button onclick="this.classList.add('ripple'); setTimeout(() => this.classList.remove('ripple'), 100)">Ripples</button>
    <button onclick="const s = document.createElement('span'); this.append(s); setTimeout(() => s.remove(), 600)">Waves</button>
  `),
  "/alive": html(`
    <div id="out"></div><div style="height: 3000px"></div>
    <button onclick="out.textContent = 'x'">Text</button>
    <button onclick="localStorage.setItem('a', '1')">Stores</button>
    <button onclick="navigator.clipboard.writeText('a')">Copies</button>
    <button onclick="fetch('/data')">Asks</button>
    <button onclick="alert('a')">Alerts</button>
    <button onclick="print()">Prints</button>
    <button onclick="open('/data')">Opens</button>
    <button onclick="scrollTo(0, 0)">Scrolls</button>
    <button onclick="this.setAttribute('aria-label', 'On')">Toggles</button>
    <button onclick="const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['a'])); a.download = 'a.csv'; a.click()">Saves</button>
    <button onclick="setTimeout(() => out.append('late'), 700)">Late</button>
    <button disabled>Off</button> <button role="tab" aria-selected="true">Here</button>
    <input type="file"><a href="#top">Top</a>
    <canvas id="c"></canvas><button onclick="c.getContext('2d').fillRect(0, 0, 5, 5)">Draws</button>
    <details><summary>More</summary>hidden</details>`),
  "/states": html(`
    <input id="name"><button onclick="if (name1().value) list.append(name1().value)">Add</button>
    <ul id="list"></ul>
    <p><b id="n">0</b><button onclick="step(1)">+</button><button onclick="step(-1)">−</button></p>
    <p><button onclick="show('all')">All</button><button onclick="show('done')">Done</button><i id="f">all</i></p>
    <form onsubmit="event.preventDefault(); list.append('sent')"><input required type="email"><button>Send</button></form>
    <form onsubmit="event.preventDefault()"><input required pattern="[0-9]{7}"><button>Refuses</button></form>
    <form onsubmit="event.preventDefault()"><input><button>Swallows</button></form>
    <script>
      const name1 = () => document.getElementById("name");
      const step = (by) => { const next = Math.max(0, Number(n.textContent) + by); if (String(next) !== n.textContent) n.textContent = next; };
      const show = (what) => { if (f.textContent !== what) f.textContent = what; };
    </script>`),
  "/clock":
    html(`<p id="t">0</p><button>Nothing</button><button onclick="document.body.append('x')">Adds</button>
    <script>setInterval(() => (t.textContent = Date.now()), 100)</script>`),
  "/throws": html(
    `<button onclick="undefined.x">Save</button><button onclick="document.body.append('x')">Adds</button>`,
  ),
  "/leaves": html(`<button onclick="location.href = '/alive'">Goes</button><button>Stays</button>`),
  "/anew": html(
    `<button onclick="location.search = '?' + Date.now()">Again</button><form method="post"><button>Sends</button></form><button>Stays</button>`,
  ),
  "/data": "a",
};
const { browser } = createSite(pages);
afterAll(() => browser.close());
const press = (path: string) => browser.press({ origin: ORIGIN, path });
const dead = async (path: string) => (await press(path)).dead.map(({ subject }) => subject);

describe.concurrent("a pressed control", () => {
  it("is dead if only ripples result", async () => {
    expect(await dead("/waves")).toEqual(['button "Ripples"', 'button "Waves"']);
  });

  it("is dead if only focus and hover result, or if it is a link that leads nowhere", async () => {
    const pressed = await press("/dead");
    expect(pressed.dead.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["control", 'button "Export"'],
      ["control", 'button "Logs"'],
      ["link", 'link "Terms"'],
      ["link", 'link "Prices"'],
    ]);
    expect(pressed.dead[0]!.picture).toBeInstanceOf(Uint8Array);
    expect(pressed.threw).toBeUndefined();
  });

  it("is not dead if it changes the document, stores, asks, copies, draws, scrolls or opens something, at once or a little later", async () => {
    expect(await dead("/alive")).toEqual([]);
  });

  it("is not dead if it needs a filled field, something to undo or another state, or if its form is invalid", async () => {
    expect(await dead("/states")).toEqual(['button "Swallows"']);
  });

  it("is dead even if the page changes on its own", async () => {
    expect(await dead("/clock")).toEqual(['button "Nothing"']);
  });

  it("is reported if it throws", async () => {
    const { threw, report, dead: none } = await press("/throws");
    expect(threw).toBe('button "Save"');
    expect(report.uncaughtErrors).toMatchObject([
      { message: expect.stringContaining("Cannot read properties of undefined") },
    ]);
    expect(none).toEqual([]);
  });

  it("may lead to another page, and the others are still pressed", async () => {
    const pressed = await press("/leaves");
    expect(pressed.pressed).toBe(2);
    expect(pressed.dead.map(({ subject }) => subject)).toEqual(['button "Stays"']);
  });

  it("may reload the page, and the others are still pressed", async () => {
    const pressed = await press("/anew");
    expect(pressed.pressed).toBe(3);
    expect(pressed.dead.map(({ subject }) => subject)).toEqual(['button "Stays"']);
  });
});
