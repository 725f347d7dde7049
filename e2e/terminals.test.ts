import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { setStage, type Stage } from "./support/stage.ts";

let { treadle, page, restart } = {} as Stage;
let project: string;
const problems: string[] = [];

const permissions = ["clipboard-read", "clipboard-write"];
setStage({ own: true, page: { permissions } }, async (stage) => {
  ({ treadle, page, restart } = stage);
  page.on("pageerror", (error) => problems.push(error.message));
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  await stage.person.signIn();
  await page.goto(`${treadle.origin}/p/${project}`);
});

const panel = () => page.getByRole("region", { name: "Terminals" });
/** The visible screen. */
const screen = () => panel().getByRole("tabpanel").filter({ visible: true }).locator(".xterm-rows");
/** The lines of that screen, without padding. */
const text = async () => {
  const lines = await screen().locator("> div").allTextContents();
  return lines
    .map((line) => line.replaceAll("\u00a0", " ").trimEnd())
    .join("\n")
    .trimEnd();
};
const shows = (what: string | RegExp, timeout = 60_000) =>
  expect.poll(text, { timeout }).toMatch(what);
const isFocused = (name: string) =>
  page
    .getByRole("textbox", { name, exact: true })
    .evaluate((node) => node === document.activeElement);
const type = async (line: string) => {
  await page.keyboard.type(line);
  await page.keyboard.press("Enter");
};
let runs = 0;
/** Runs a command on a cleared screen, and waits for its end. */
const run = async (command: string) => {
  const end = `end-${++runs}-`;
  await type(`clear; ${command}; echo ${end}$((1 + 1))`);
  await shows(new RegExp(`^${end}2\\n.*[$]$`, "m"));
};
const reload = async () => {
  await page.reload();
  await panel().waitFor();
};

/**
 * A hundred megabytes through a terminal take one core ten seconds, and longer on a busy machine.
 */
const PRINTED_MS = 400_000;

describe("terminals", () => {
  it("opens the first one, ready for typing", async () => {
    await page.getByRole("button", { name: "Terminal" }).click();
    await expect.poll(() => isFocused("Terminal 1")).toBe(true);
    await shows("$");
    await type("echo $((6 * 7))-$(tty)");
    await shows(/42-\/dev\/pts\/\d/);
  });

  it("restores the focus when it is closed, and takes it when it is opened", async () => {
    const message = () => isFocused("Say what to change");
    await page.keyboard.press("Control+`");
    await panel().waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Say what to change" }).focus();
    await page.keyboard.press("Control+`");
    await expect.poll(() => isFocused("Terminal 1")).toBe(true);
    await page.keyboard.press("Control+`");
    await panel().waitFor({ state: "detached" });
    await expect.poll(message).toBe(true);
    await page.keyboard.press("Control+`");
    await expect.poll(() => isFocused("Terminal 1")).toBe(true);
    await shows(/42-\/dev\/pts\/\d/);
  });

  it("draws colours and wide characters correctly", async () => {
    await type(String.raw`printf '\033[31mred\033[0m 日本語 🌍🎉 end\n'`);
    await shows("日本語 🌍🎉 end");
    const red = screen().locator("span", { hasText: /^red$/ }).last();
    const [ink, other] = await Promise.all([
      red.evaluate((node) => getComputedStyle(node).color),
      screen().evaluate((node) => getComputedStyle(node).color),
    ]);
    expect(ink).not.toBe(other);
    await picture(page, "terminal-wide");
  });

  it("runs a full-screen program, follows the window's size, and returns to the shell", async () => {
    await type("seq 1 500 | less");
    await shows(/^1\n2\n3\n[^]*\n:$/);
    await page.keyboard.press("G");
    await shows(/^499\n500\n\(END\)$/m);
    await page.keyboard.press("q");
    // The earlier screen is back.
    await shows("日本語 🌍🎉 end");
    const rows = async () => {
      await run("stty size");
      return Number(/^(\d+) \d+$/m.exec(await text())![1]);
    };
    const before = await rows();
    await page.setViewportSize({ width: 1440, height: 600 });
    await expect.poll(rows).toBeLessThan(before);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("stops a program with Ctrl-C, and resumes a suspended one", async () => {
    await run("true");
    // Until the program itself reports that it runs, the shell receives the keys.
    const says =
      'trap "echo on-\\$((1 + 2))" CONT; echo up-$((1 + 1)); while :; do sleep 0.2; done';
    await type(`bash -c '${says}'`);
    await shows(/^up-2$/m);
    await page.keyboard.press("Control+z");
    await shows(/Stopped\s+bash -c/);
    await type("fg");
    await shows(/^on-3$/m);
    await page.keyboard.press("Control+c");
    await shows(/\^C\n.*[$]$/);
    await run("echo back");
  });

  it("A41 does not touch the clipboard, opens no script, and types nothing back", async () => {
    await page.evaluate(() => navigator.clipboard.writeText("mine"));
    // OSC 52 writes the clipboard, OSC 8 is a link, 21t asks for the title, OSC 52 with ? asks for the clipboard.
    await run(
      String.raw`printf '\033]52;c;ZXZpbA==\007\033]0;rm -rf\007\033[21t\033]52;c;?\007\033]8;;javascript:document.title=1\033\\click me\033]8;;\033\\\n'; read -t 0.5 -n 1 got; echo "typed:[$got]"`,
    );
    await shows("typed:[]");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("mine");
    const title = await page.title();
    const link = (await screen().getByText("click me", { exact: true }).last().boundingBox())!;
    await page.mouse.click(link.x + link.width / 2, link.y + link.height / 2);
    expect(await page.title()).toBe(title);
    expect(title).not.toContain("rm -rf");
  });

  it("supports several, and closing one ends its shell only", async () => {
    await page.getByRole("button", { name: "New terminal" }).click();
    await expect.poll(() => isFocused("Terminal 2")).toBe(true);
    await shows("$");
    await run("echo two");
    await type("sleep 4321");
    await shows(/[$] sleep 4321$/);
    await page.getByRole("button", { name: "New terminal" }).click();
    await expect.poll(() => isFocused("Terminal 3")).toBe(true);
    await shows("$");
    const sleeping = async () => {
      await run("ps -eo args | grep -c '^sleep 43[2]1' | sed s/^/sleeping:/");
      return Number(/^sleeping:(\d)$/m.exec(await text())![1]);
    };
    expect(await sleeping()).toBe(1);
    await page.getByRole("button", { name: "Close Terminal 2" }).click();
    await expect.poll(() => isFocused("Terminal 3")).toBe(true);
    await expect.poll(sleeping).toBe(0);
    await panel().getByRole("tab", { name: "Terminal 1" }).click();
    await shows("typed:[]");
    await picture(page, "terminals");
  });

  it("are all there after a reload, with their text, and the selected one in front", async () => {
    await run(
      "echo kept-$((8 * 8)); stty -echo; printf '\\033[6n'; read -t 1 -d R cursor; stty echo",
    );
    await shows("kept-64");
    await reload();
    await shows("kept-64");
    expect(await panel().getByRole("tab").allTextContents()).toEqual([
      "Server",
      "Terminal 1",
      "Terminal 3",
    ]);
    // The query for the cursor position is in the redrawn text; it is not answered a second time.
    await screen().click({ force: true });
    await type("echo clean-$((4 * 4))");
    await shows("clean-16");
    expect(await text()).not.toMatch(/\^\[\[\d+;\d+R/);
  });

  it(
    "F18 prints 100 MB without harm: the page stays responsive, and Ctrl-C ends it",
    async () => {
      // In a terminal that is closed afterwards: its text would be drawn anew by each of the tests that follow.
      await panel().getByRole("tab", { name: "Terminal 3" }).click();
      await expect.poll(() => isFocused("Terminal 3")).toBe(true);
      await type(
        "clear; yes 'one of very many lines of output' | head -c 100000000; echo all-$((5 * 5))",
      );
      // The page responds while it runs.
      await panel().getByRole("tab", { name: "Server" }).click();
      await panel().getByRole("tab", { name: "Terminal 3" }).click();
      await shows("all-25", PRINTED_MS);
      await type("clear; yes");
      await shows(/^y\ny$/m);
      await page.keyboard.press("Control+c");
      await shows(/\^C\n.*[$]$/);
      await run("echo stopped");
      await panel().getByRole("button", { name: "Close Terminal 3" }).click();
      await panel().getByRole("tab", { name: "Terminal 1" }).click();
      await expect.poll(() => isFocused("Terminal 1")).toBe(true);
    },
    2 * PRINTED_MS,
  );

  it("F8 shows the earlier text, and a new shell, after the server was killed", async () => {
    await run("echo before-$((9 * 9))");
    const { port } = new URL(treadle.origin);
    const outputFile = join(treadle.data, "projects", project, "terminals", "1");
    await expect.poll(() => readFileSync(outputFile, "utf8")).toContain(`end-${runs}-2`);
    await treadle.kill("SIGKILL");
    treadle = await restart("--port", port);
    await shows("before-81");
    await shows("this is a new one");
    await screen().click({ force: true });
    await type("echo after-$((10 * 10))");
    // The line about the new shell follows the earlier text, and covers none of it.
    await shows(/^before-81\nend-\d+-2\n.*[$]\n.*new one.*\n.*[$] echo after.*\nafter-100\n.*[$]$/);
    // For the page, a proper exit and an exit during a full-screen program look the same.
    await type("seq 1 500 | less");
    await shows(/^1\n2\n3\n[^]*\n:$/);
    await treadle.kill("SIGTERM");
    treadle = await restart("--port", port);
    await shows(/after-100\n.*[$] seq 1 500 [|] less\n+.*new one.*\n.*[$]$/);
    await picture(page, "terminal-after-restart");
  });

  it("fits a narrow page", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Code" }).click();
    await shows("after-100");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await picture(page, "terminal-narrow");
  });

  it("caused no error of their own in the browser", () => {
    expect(problems).toEqual([]);
  });
});
