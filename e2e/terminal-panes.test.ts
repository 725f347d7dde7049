import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { model, treadle, page } = {} as Stage;
let project: string;
const problems: string[] = [];
const wide = { width: 1440, height: 900 };

const FILES = {
  "package.json": '{ "name": "x", "type": "module" }\n',
  "broken.js": "const list = undefined;\n\nlist.map((one) => one);\n",
  "serve.js":
    'import { createServer } from "node:http";\n' +
    "createServer((request, answer) => {\n" +
    '  answer.setHeader("content-type", "text/html");\n' +
    "  answer.end(`<title>x</title><h1>page ${request.url}</h1>`);\n" +
    '}).listen(4567, () => console.log("at http://localhost:4567/hello"));\n',
};

const permissions = ["clipboard-read", "clipboard-write"];
setStage({ script: scriptNamed("terminal-fix"), page: { permissions } }, async (stage) => {
  ({ model, treadle, page } = stage);
  page.on("pageerror", (error) => problems.push(error.message));
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  for (const [path, text] of Object.entries(FILES)) {
    const put = await treadle.api(`/api/projects/${project}/files/${path}`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text }),
    });
    expect(put.ok, await put.text()).toBe(true);
  }
  await stage.person.signIn();
  await page.goto(`${treadle.origin}/p/${project}`);
  await page.getByRole("button", { name: "Terminal" }).click();
});

const panel = () => page.getByRole("region", { name: "Terminals" });
const pane = (name = "Terminal 1") => panel().getByRole("tabpanel", { name, exact: true });
const text = async (name?: string) => {
  const lines = await pane(name).locator(".xterm-rows > div").allTextContents();
  return lines
    .map((line) => line.replaceAll("\u00a0", " ").trimEnd())
    .join("\n")
    .trimEnd();
};
const shows = (what: RegExp, name?: string) => expect.poll(() => text(name)).toMatch(what);
const type = async (line: string, name = "Terminal 1") => {
  await page.getByRole("textbox", { name, exact: true }).focus();
  await page.keyboard.type(line);
  await page.keyboard.press("Enter");
};
/** Milliseconds after which a key press without effect counts as lost. */
const LOST_MS = 5_000;
/**
 * A page that is just being shown may take the focus: like a user, this presses again, but only
 * then, because text typed while the terminal handles a second press is discarded.
 */
const interrupt = async () => {
  const press = async () => {
    await page.getByRole("textbox", { name: "Terminal 1", exact: true }).focus();
    await page.keyboard.press("Control+c");
    await pane()
      .getByText("^C")
      .first()
      .waitFor({ timeout: LOST_MS })
      .catch(() => {});
    return text();
  };
  await expect.poll(press).toContain("^C");
  await shows(/\^C\n.*[$]$/);
};
const terminals = async () =>
  (await (await treadle.api(`/api/projects/${project}/terminals`)).json()) as {
    labels: Record<string, string>;
    ports: number[];
  };
const more = async (item: string) => {
  await panel().getByRole("button", { name: "More of the terminal" }).click();
  await page.getByRole("menuitem", { name: item }).click();
  await page.getByRole("menu").waitFor({ state: "detached" });
};
/** Opens a link on the screen, as a mouse does. */
const follow = async (what: string, name?: string) => {
  const place = pane(name).locator(".xterm-rows > div", { hasText: what }).last();
  const at = await place.evaluate((row, expected) => {
    const walk = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const index = (node.textContent ?? "").indexOf(expected);
      if (index === -1) continue;
      range.setStart(node, index);
      range.setEnd(node, index + expected.length);
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }
    throw new Error(`${expected} is not in one piece`);
  }, what);
  await page.mouse.move(at.x - 3, at.y);
  await page.mouse.move(at.x, at.y);
  await pane(name).locator(".xterm-cursor-pointer").waitFor();
  await page.mouse.click(at.x, at.y);
};

describe("using terminals", () => {
  it("an error links to its line, and can be sent to the model as shown", async () => {
    await shows(/[$]/);
    await type("clear; node broken.js");
    await shows(/TypeError: /);
    const bar = pane().getByRole("status").filter({ hasText: "TypeError" });
    await bar.waitFor();
    await picture(page, "terminal-error-1440");
    await follow("broken.js:3");
    await page.getByRole("textbox", { name: "Text of broken.js" }).waitFor();
    await bar.getByRole("button", { name: "Fix" }).click();
    await page.getByText("I have mended it.").first().waitFor();
    const asked = JSON.stringify(
      model.requests.find(({ asked: { tools } }) => tools.length > 0)?.body,
    );
    expect(asked).toMatch(
      /<mentioned>[^]*TypeError: Cannot read properties of undefined[^]*<.mentioned>/,
    );
    expect(asked).toContain("It is not the person's words");
    expect(await bar.count()).toBe(0);
    // The next command starts over.
    await type("clear; node broken.js");
    await shows(/^mended$/m);
    expect(await pane().getByRole("button", { name: "Fix" }).count()).toBe(0);
  });

  it("a port opened by a program can be previewed, also through its address", async () => {
    await type("clear; node serve.js");
    const offer = panel().getByText("Something listens on port 4567.");
    await offer.waitFor();
    await picture(page, "terminal-port-1440");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    const heading = page.frameLocator("iframe").getByRole("heading");
    await expect.poll(() => heading.textContent()).toBe("page /");
    await follow("http://localhost:4567/hello");
    await expect.poll(() => heading.textContent()).toBe("page /hello");
    await picture(page, "terminal-port-previewed-1440");
    await interrupt();
    // Closed, and reopened once that was noticed: it is offered again.
    await expect.poll(async () => (await terminals()).ports).toEqual([]);
    await type("clear; node serve.js");
    await offer.waitFor();
    await interrupt();
    await offer.waitFor({ state: "detached" });
  });

  it("can be named, in every window and after a reload", async () => {
    await panel().getByRole("tab", { name: "Terminal 1" }).dblclick();
    await page.getByRole("textbox", { name: "Name of the terminal" }).fill("開発");
    await page.keyboard.press("Enter");
    await panel().getByRole("tab", { name: "開発" }).waitFor();
    await type("echo still-$((2 + 2))", "開発");
    await shows(/^still-4$/m, "開発");
    await page.reload();
    await panel().getByRole("tab", { name: "開発" }).waitFor();
    await more("Rename");
    await page.getByRole("textbox", { name: "Name of the terminal" }).fill("dev");
    await page.keyboard.press("Enter");
    await panel().getByRole("tab", { name: "dev" }).waitFor();
    await expect.poll(async () => (await terminals()).labels).toEqual({ 1: "dev" });
  });

  it("can be shown side by side, each with its own shell, and separately again", async () => {
    await panel().getByRole("button", { name: "Split" }).click();
    await pane("Terminal 2").waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Terminal 2");
    await type("echo right-$((1 + 1))", "Terminal 2");
    await type("echo left-$((2 + 1))", "dev");
    await shows(/^right-2$/m, "Terminal 2");
    await shows(/^left-3$/m, "dev");
    const boxes = await Promise.all([pane("dev").boundingBox(), pane("Terminal 2").boundingBox()]);
    expect(boxes[0]!.x + boxes[0]!.width).toBeLessThanOrEqual(boxes[1]!.x + 1);
    expect(boxes[0]!.y).toBe(boxes[1]!.y);
    await picture(page, "terminal-split-1440");
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, "terminal-split-1440-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1024, height: 768 });
    await picture(page, "terminal-split-1024");
    await page.setViewportSize(wide);
    await page.reload();
    await shows(/^right-2$/m, "Terminal 2");
    await shows(/^left-3$/m, "dev");
    await panel().getByRole("tab", { name: "dev" }).click();
    await more("Show it alone");
    expect(await pane("Terminal 2").isVisible()).toBe(false);
    await panel().getByRole("button", { name: "Close Terminal 2" }).click();
  });

  it("can be searched from the newest line back, with the number of matches", async () => {
    await type("clear; seq 1 30", "dev");
    await shows(/^30$/m, "dev");
    await page.keyboard.press("Control+Shift+F");
    const search = panel().getByRole("search");
    await search.getByRole("searchbox", { name: "Find" }).fill("2");
    await search.getByText(/^\d+ of 1[2-9]/).waitFor();
    await picture(page, "terminal-search-1440");
    await search.getByRole("searchbox", { name: "Find" }).fill("nowhere");
    await search.getByText("No match").waitFor();
    await search.getByRole("button", { name: "Regular expression" }).click();
    await search.getByRole("searchbox", { name: "Find" }).fill("(");
    await search.getByText("Not a regular expression").waitFor();
    await page.keyboard.press("Escape");
    expect(await search.count()).toBe(0);
  });

  it("can be copied, and cleared permanently", async () => {
    await type("clear; printf 'copied-%s\\n' one two", "dev");
    await shows(/^copied-two$/m, "dev");
    await more("Copy");
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain("copied-one\ncopied-two\n");
    await more("Clear");
    await expect.poll(() => text("dev")).toMatch(/^\S*[^\n]*[$]$/);
    await page.reload();
    await shows(/[$]/, "dev");
    expect(await text("dev")).not.toContain("copied-");
  });

  it("keep 100,000 lines of scrollback, also after a reload", async () => {
    await type("clear; seq 1 99000; echo all-$((6 * 6))", "dev");
    await shows(/^all-36$/m, "dev");
    const search = async (what: string) => {
      await page.getByRole("textbox", { name: "dev", exact: true }).focus();
      await page.keyboard.press("Control+Shift+F");
      const bar = panel().getByRole("search");
      await bar.getByRole("button", { name: "Regular expression" }).click();
      await bar.getByRole("searchbox", { name: "Find" }).fill(what);
      await bar.getByText("1 of 1").waitFor();
      await page.keyboard.press("Escape");
    };
    await search("^12$");
    await shows(/^11\n12\n13$/m, "dev");
    await page.reload();
    await shows(/^all-36$/m, "dev");
    await search("^12$");
    await shows(/^11\n12\n13$/m, "dev");
  });

  it("fit a phone, with all actions in one menu", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Code", exact: true }).click();
    await shows(/[$]/, "dev");
    await panel().getByRole("button", { name: "More of the terminal" }).click();
    await picture(page, "terminal-menu-390");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await page.keyboard.press("Escape");
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, "terminal-390-dark");
    await page.setViewportSize(wide);
  });

  it("caused no error of their own in the browser", () => {
    expect(problems).toEqual([]);
  });
});
