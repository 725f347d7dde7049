import { parseStep, type PageStep } from "@treadle/protocol/checks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSite, ORIGIN } from "../browser.test-support.ts";

const SHOP = `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,"></head><body>
<header style="background: rgb(30, 64, 175); color: white; --room: 1.5rem; padding-left: var(--room)"><h1>Shop</h1></header>
<table><tbody>
<tr><td>Milk chocolate</td><td>7</td><td><button onclick="out.value = 'chocolate'">Delete</button></td></tr>
<tr><td>Milk</td><td>2</td><td><button onclick="out.value = 'milk'">Delete</button></td></tr>
</tbody></table>
<output id="out"></output><output id="today"></output><output id="state"></output>
<label><input type="checkbox" role="switch" id="dark"> Dark mode</label>
<button id="save" disabled>Save</button>
<label>Amount <input type="number" id="amount"></label>
<button id="help" onmouseenter="out.value = 'helped'">Help</button>
<ul id="from"><li draggable="true" id="one" ondragstart="event.dataTransfer.setData('text', 'one')">One</li></ul>
<ul id="done" aria-label="Done" style="min-height: 50px" ondragover="event.preventDefault()"
  ondrop="done.append(one); event.preventDefault()"></ul>
<label>Import <input type="file" id="file" style="display: none"></label>
<button onclick="file.click()">Choose a file</button>
<button onclick="give()">Export</button>
<button onclick="history.pushState(null, '', '/reports/7?by=day')">Reports</button>
<button onclick="console.error('it broke')">Log</button>
<script>
  today.value = new Date().toDateString();
  dark.onchange = () => { save.disabled = !dark.checked; };
  file.onchange = async () => { out.value = file.files[0].name + ": " + await file.files[0].text(); };
  ononline = onoffline = () => { state.value = navigator.onLine ? "online" : "offline"; };
  function give() {
    const url = URL.createObjectURL(new Blob(["name,count\\nMilk,2\\n"], { type: "text/csv" }));
    Object.assign(document.createElement("a"), { href: url, download: "report.csv" }).click();
    URL.revokeObjectURL(url);
  }
  window.fetch = () => { throw new Error("the page's own fetch is not to be used"); };
</script></body></html>`;

/** Votes in a server that identifies visitors by a cookie. */
const votes: string[] = [];
function api(request: IncomingMessage, response: ServerResponse) {
  const cookie = /v=(\w+)/.exec(request.headers.cookie ?? "")?.[1];
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    if (request.method === "POST") votes.push(`${cookie}: ${JSON.parse(body).for}`);
    response.writeHead(cookie === undefined ? 401 : request.method === "POST" ? 201 : 200);
    response.end(JSON.stringify({ votes, by: { cookie } }));
  });
}

let visitors = 0;
function poll(_: IncomingMessage, response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/html", "set-cookie": `v=visitor${++visitors}` });
  response.end(`<!doctype html><title>Poll</title><link rel="icon" href="data:,">
<h1>Poll</h1><p id="who">${visitors}</p><ul>${votes.map((vote) => `<li>${vote}</li>`).join("")}</ul>`);
}

const TIMER = `<!doctype html><html lang="en"><head><title>Timer</title><link rel="icon" href="data:,"></head>
<body><h1>Kitchen timer</h1><p role="timer">3 s left</p><button>Alarm</button></body></html>`;

const GAME = `<!doctype html><html lang="en"><head><title>Game</title><link rel="icon" href="data:,">
<style>body { margin: 0 } #root { min-height: 100vh; background: linen } .best { text-transform: uppercase }</style></head>
<body><div id="root"><header style="background: maroon; color: linen">Rules of the page</header>
<dl><div><dt>Score</dt><dd>32</dd></div><div class="best"><dt>Best</dt><dd>64</dd></div></dl>
<ul><li><span style="display: block">Milk</span><button>2 left</button></li></ul></div></body></html>`;

const { browser } = createSite({
  "/": SHOP,
  "/game": GAME,
  "/timer": TIMER,
  "/poll": poll,
  "/api": api,
});

const stepOf = (words: string): PageStep => {
  const parsed = parseStep(words);
  if (parsed.kind !== "step") throw new Error(`${words} is no step`);
  return parsed.step;
};
const use = (path: string, ...words: string[]) =>
  browser.use({ origin: ORIGIN, path, steps: words.map(stepOf), expectMs: 600 });
/** The steps that failed, with their messages. */
const failures = ({ steps }: Awaited<ReturnType<typeof use>>) =>
  steps.flatMap(({ ok, said: message }) => (ok ? [] : [message]));

beforeAll(async () => expect(await browser.available()).toMatchObject({ ok: true }));
afterAll(() => browser.close());

describe.concurrent("a step", () => {
  it("finds a target within another element, by its whole name", async () => {
    const used = await use(
      "/",
      'click button "Delete" in row "Milk"',
      "expect milk",
      'click button "Delete" in row "Milk chocolate"',
      "expect chocolate in css=#out",
      'expect cell "7" in row "Milk chocolate"',
      'expect no cell "7" in row "Milk"',
      "expect 2 button in table",
      'expect 2 "Delete"',
    );
    expect(failures(used)).toEqual([]);
  });

  it("takes a single word as a role rather than as part of a text", async () => {
    const used = await use("/timer", 'expect timer to say "3 s left"', "click Alarm");
    expect(failures(used)).toEqual([]);
  });

  it("knows states, as words and as in the page's outline", async () => {
    const used = await use(
      "/",
      'expect switch "Dark mode" to be unchecked',
      'expect button "Save" to be disabled',
      'click switch "Dark mode"',
      'expect switch "Dark mode" [checked]',
      'expect "Save" to be enabled',
      'expect "Dark mode" to be focused',
      'type "3" in spinbutton "Amount"',
      'expect spinbutton "Amount": 3',
    );
    expect(failures(used)).toEqual([]);
    expect(failures(await use("/", 'expect button "Save" to be enabled'))).toEqual([
      'expect button "Save" to be enabled: it is not enabled',
    ]);
  });

  it("compares colours by value", async () => {
    const used = await use(
      "/",
      "expect banner to have background #1e40af",
      'expect heading "Shop" to have background rgb(30 64 175)',
      'expect heading "Shop" to have style color white',
      "expect css=#done to have style min-height 50px",
    );
    expect(failures(used)).toEqual([]);
    const sizes = await use(
      "/",
      "expect css=#done to have style min-height at least 50px",
      "expect css=#done to have style min-height less than 4rem",
      "expect css=#done to have style min-height 3.125rem",
      "expect css=#done to have style min-height var(--row)",
    );
    expect(failures(sizes)).toEqual([
      'expect css=#done to have style min-height "var(--row)": it is 50px',
    ]);
    const tokens = await use(
      "/",
      "expect css=header to have style padding-left var(--room)",
      "expect css=header to have style padding-left more than var(--room)",
    );
    expect(failures(tokens)).toEqual([
      'expect css=header to have style padding-left more than "var(--room)": it is 24px',
    ]);
    expect(failures(await use("/", "expect banner to have background red"))[0]).toContain(
      "it is rgb(30, 64, 175)",
    );
  });

  it("knows elements by their HTML names, and the page by its visible background", async () => {
    const used = await use(
      "/game",
      "expect page to have background linen",
      "expect header to have background maroon",
      'expect "Milk" in ul',
    );
    expect(failures(used)).toEqual([]);
    expect(failures(await use("/game", "expect page to have background white"))).toEqual([
      expect.stringContaining("it is rgb(250, 240, 230)"),
    ]);
    expect(failures(await use("/poll", "expect page to have background white"))).toEqual([]);
  });

  it("reads text as a person does, across elements and with the displayed case", async () => {
    const used = await use(
      "/game",
      'expect "Score 32"',
      'expect no "Score 64"',
      'expect "Milk 2 left" in list',
      'expect css=.best to say "Best 64"',
      'expect list to say "Milk 2"',
    );
    expect(failures(used)).toEqual([]);
    expect(failures(await use("/game", 'expect no "Score 32"'))).toEqual([
      'expect no "Score 32": it is still there',
    ]);
    expect(failures(await use("/game", 'click "Score 32"'))).toHaveLength(1);
  });

  it("hovers, drags, uploads files and downloads them", async () => {
    const used = await use(
      "/",
      'hover button "Help"',
      "expect helped",
      'drag "One" to list "Done"',
      'expect listitem "One" in list "Done"',
      'upload "a.csv" with "1,2" into "Import"',
      'expect "a.csv: 1,2"',
      'upload "b.csv" with "3" into button "Choose a file"',
      'expect "b.csv: 3"',
      'click button "Export"',
      'expect a file "report.csv" with "Milk,2"',
    );
    expect(failures(used)).toEqual([]);
    const wrong = ['click button "Export"', 'expect a file "report.csv" with "Bread"'];
    expect(failures(await use("/", ...wrong))[0]).toContain("it holds “name,count");
  });

  it("checks the address, the console, the window and the network, and lets time pass", async () => {
    const used = await use(
      "/",
      "expect no console error",
      "expect address /",
      'click "Reports"',
      "expect address /reports/*",
      "expect address /reports/7?by=day",
      "at 390x844",
      "without network",
      "expect offline",
      "with network",
      "expect online",
      "wait 0.1 seconds",
      'click "Log"',
      "expect no console error",
    );
    expect(failures(used)).toEqual(["expect no console error: there is “it broke”"]);
  });

  it("starts on a given day, in a given window", async () => {
    const used = await use("/", "at 390x844", "on 2026-03-01", "expect Sun Mar 01 2026", "reload", "expect Sun Mar 01 2026"); // prettier-ignore
    expect(failures(used)).toEqual([]);
  });

  it("names the available targets if one does not exist", async () => {
    expect(failures(await use("/", 'expect textbox "Amount"'))).toEqual([
      'expect textbox "Amount": there is no textbox "Amount"; there is spinbutton "Amount"',
    ]);
  });

  it("names the row if a target in it does not exist, and not what other rows contain", async () => {
    const [inOther] = failures(await use("/", 'expect cell "7" in row "Milk choc"'));
    expect(inOther).toBeUndefined();
    const [noRow] = failures(await use("/", 'expect cell "7" in row "Honey"'));
    expect(noRow).toContain('there is no row "Honey"');
    expect(noRow).not.toContain('cell "7";');
    const [noCell] = failures(await use("/", 'expect cell "8" in row "Milk chocolate"'));
    expect(noCell).toContain('there is cell "');
  });

  // This test and the next count the visitors of one server.
  it(
    "requests the server as the page would, with its cookies but without the app's functions",
    { concurrent: false },
    async () => {
      votes.length = 0;
      visitors = 0;
      const used = await use(
        "/poll",
        'request POST /api {"for": "tea"}',
        "expect status 201",
        'expect body {"votes": ["visitor1: tea"], "by": {"cookie": "visitor1"}}',
        'expect body "tea"',
        'expect no body "milk"',
        "expect no console error",
        "request GET /nothing",
        "expect no console error",
        "expect status 200",
      );
      expect(failures(used)).toEqual([expect.stringContaining("it answered 404")]);
      // What only the answer has is no text of the page.
      const read = await use("/poll", 'request POST /api {"for": "oil"}', 'expect "visitor2: oil"');
      expect(failures(read)).toEqual([expect.stringContaining('`expect body "visitor2: oil"`')]);
    },
  );

  it("answers no empty list with a list that has entries", { concurrent: false }, async () => {
    const used = await use(
      "/poll",
      'request POST /api {"for": "tea"}',
      "expect status 201",
      'expect body {"votes": []}',
    );
    expect(failures(used)).toEqual([expect.stringContaining("it is “")]);
  });

  it("can be done by another person, in a separate context", { concurrent: false }, async () => {
    votes.length = 0;
    visitors = 0;
    const used = await use(
      "/poll",
      'request POST /api {"for": "tea"}',
      'as "second": expect listitem "visitor1: tea"',
      'as "second": request POST /api {"for": "milk"}',
      "reload",
      'expect listitem "visitor2: milk"',
    );
    expect(failures(used)).toEqual([]);
  });
});
