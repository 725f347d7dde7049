/**
 * `npm run pictures`: takes the pictures of the page's states, wide and as on a phone, light and dark, into
 * `.cache/pictures/states`, and those that the documentation shows into `docs/images`. People look at them; nothing
 * compares their pixels.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScriptedModel, loadScript } from "@treadle/scripted-model";
import type { Browser, Page } from "playwright-core";
import { startBrowser } from "../support/browser.ts";
import { personAt } from "../support/person.ts";
import { root, scriptedBy, startTreadle, type RunningTreadle } from "../support/treadle.ts";

const STATES = join(root, ".cache/pictures/states");
const DOCS = join(root, "docs/images");
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const THEMES = ["light", "dark"] as const;
const QUALITY = 82;

interface Stage {
  browser: Browser;
  treadle: RunningTreadle;
  page: Page;
  person: ReturnType<typeof personAt>;
}

/** Takes the page as it is seen. @returns the bytes of a WebP */
async function take(page: Page): Promise<Buffer> {
  const cdp = await page.context().newCDPSession(page);
  // One frame after the last change is drawn.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 300))),
  );
  const { data } = await cdp.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await cdp.detach();
  return Buffer.from(data, "base64");
}

const fileOf = (state: string, theme: string, { width }: { width: number }) =>
  join(STATES, `${state}-${width}-${theme}.webp`);

/**
 * Takes a state in both widths and themes.
 * @param themes those in which it lasts long enough
 * @param showsApp waits for the app, which is loaded again when the page's width changes
 */
async function takeState(
  page: Page,
  state: string,
  {
    themes = THEMES,
    showsApp,
  }: { themes?: readonly ("light" | "dark")[]; showsApp?: () => Promise<void> } = {},
): Promise<void> {
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    if (size === WIDE) await showsApp?.();
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      writeFileSync(fileOf(state, theme, size), await take(page));
    }
  }
  await page.setViewportSize(WIDE);
  process.stdout.write(`${state}\n`);
}

/** Runs `work` with a new server, and with a scripted model if one is named. */
async function onStage(
  { script, args = [] }: { script?: string; args?: string[] },
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const model =
    script === undefined
      ? undefined
      : await createScriptedModel({ script: loadScript(join(root, script)) });
  const treadle = await startTreadle({ env: model ? scriptedBy(model) : {}, args });
  const browser = await startBrowser();
  try {
    const page = await (await browser.newContext({ viewport: WIDE })).newPage();
    page.setDefaultTimeout(120_000);
    await work({ browser, treadle, page, person: personAt(page, treadle) });
  } finally {
    await browser.close();
    await treadle.stop();
    await model?.close();
  }
}

/** The first page, a recorded build while it is written, and verified. */
async function takeBuild({ treadle, page, person }: Stage): Promise<void> {
  await person.open();
  await page.getByRole("button", { name: /A todo app/ }).click();
  await page.waitForURL(/\/p\//);
  await page.locator('pre[role="textbox"]').waitFor();
  // The build goes on meanwhile, so only one theme is the same state.
  await takeState(page, "building", { themes: ["light"] });
  await page.locator('[data-verdict="verified"]').first().waitFor();
  const showsApp = () =>
    person.preview().getByRole("textbox", { name: "What needs doing?" }).waitFor();
  await takeState(page, "verified", { showsApp });
  await page.setViewportSize(PHONE);
  await page.getByRole("navigation").getByRole("button", { name: "Preview" }).click();
  await showsApp();
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    writeFileSync(fileOf("verified-preview", theme, PHONE), await take(page));
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await showsApp();
  await page.screenshot({ path: join(DOCS, "workbench.png") });
  writeFileSync(join(DOCS, "workbench-dark.webp"), readFileSync(fileOf("verified", "dark", WIDE)));
  writeFileSync(join(DOCS, "phone.webp"), await sideBySide(page, ["verified", "verified-preview"]));
  await page.goto(treadle.origin);
  await page
    .getByRole("link", { name: /A todo app|Todo app/ })
    .first()
    .waitFor();
  await takeState(page, "first");
}

/** The pictures of states on a phone, light and dark, in one. */
async function sideBySide(page: Page, states: readonly string[]): Promise<Buffer> {
  const sheet = await page.context().newPage();
  await sheet.setViewportSize({ width: 4 * PHONE.width + 5 * 16, height: PHONE.height + 32 });
  const pictures = THEMES.flatMap((theme) => states.map((state) => fileOf(state, theme, PHONE)))
    .map((file) => `<img src="data:image/webp;base64,${readFileSync(file).toString("base64")}">`)
    .join("");
  await sheet.setContent(
    `<body style="margin:0;padding:16px;display:flex;gap:16px;background:#b9b3a6">${pictures}</body>`,
  );
  const bytes = await take(sheet);
  await sheet.close();
  return bytes;
}

/** The page throws after a change. */
async function takeFailed({ page, person }: Stage): Promise<void> {
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
  await person.sendMessage("Show the sales as bars");
  await person.sees("failed");
  await page.getByRole("region", { name: "What is wrong with the app" }).waitFor();
  await takeState(page, "failed");
}

/** What was asked for was not tried, and a check of it is being recorded. */
async function takeRuns({ page, person }: Stage): Promise<void> {
  await person.open();
  await person.ask("Build a counter");
  await person.sees("runs");
  await page.getByRole("button", { name: "Record a check" }).first().click();
  await person.preview().getByRole("button").first().click();
  await page.getByRole("textbox", { name: "Step" }).nth(1).waitFor();
  await takeState(page, "runs");
}

/** Two people in one project. */
async function takeTeam({ browser, treadle, page, person }: Stage): Promise<void> {
  await page.goto(treadle.address);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: /^Account of / }).click();
  await page.getByRole("menuitem", { name: "People" }).click();
  await page.getByRole("textbox", { name: "Email address" }).fill("ada@example.com");
  await page.getByRole("button", { name: "Make a link" }).click();
  const other = await (await browser.newContext({ viewport: WIDE })).newPage();
  await other.goto(await page.getByRole("status").locator("code").innerText());
  await other.getByLabel("Your name").fill("Ada Lovelace");
  await other.getByLabel("A password").fill("correct horse battery");
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("button", { name: "Account of Ada Lovelace" }).waitFor();
  await page.getByRole("link", { name: "Treadle" }).click();
  await person.ask("Build a page");
  await person.sees("runs");
  await page.getByRole("button", { name: "Project" }).click();
  await page.getByRole("menuitem", { name: "Members" }).click();
  const members = page.getByRole("dialog", { name: "Members" });
  await members.getByRole("combobox", { name: "Person or team" }).selectOption("Ada Lovelace");
  await members.getByRole("button", { name: "Add" }).click();
  await members.getByRole("combobox", { name: "Role of Ada Lovelace" }).waitFor();
  await page.keyboard.press("Escape");
  await other.goto(`${treadle.origin}/p/${person.projectId()}`);
  await page
    .getByLabel(/Ada Lovelace/)
    .first()
    .waitFor();
  await takeState(page, "team");
}

mkdirSync(STATES, { recursive: true });
const scripts = "packages/scripted-model/scripts";
const stages = [
  () => onStage({}, takeBuild),
  () => onStage({ script: "e2e/scripts/throws.md" }, takeFailed),
  () => onStage({ script: `${scripts}/click-unchecked.md` }, takeRuns),
  () => onStage({ script: "e2e/scripts/page.md", args: ["--team"] }, takeTeam),
];
for (const stage of stages) await stage();
