import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createScriptedModel,
  loadScript,
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "@treadle/scripted-model";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { failedRequestsOf } from "../../packages/browser/src/look/shared-browser.test-support.ts";
import { startBrowser, type TestBrowser } from "./browser.ts";
import { personAt } from "./person.ts";
import { clearServer, shareServer } from "./shared-server.ts";
import { root, scriptedBy, startTreadle, type RunningTreadle } from "./treadle.ts";

/** The environment of an end-to-end test. Parts that its options omit do not exist. */
export interface Stage {
  model: ScriptedModel;
  treadle: RunningTreadle;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  person: ReturnType<typeof personAt>;
  /**
   * Restarts the server with its existing data, after the test has stopped it. Only for a stage
   * with its own server.
   * @param args additional arguments of its command
   */
  restart(...args: string[]): Promise<RunningTreadle>;
}

/**
 * The model's `script`, `key` and `pace`, as for the scripted model; without a script there is no
 * model.
 */
export interface StageOptions extends Partial<ScriptedModelOptions> {
  /**
   * Whether the server belongs to this stage only: for tests that stop it, look at all of its data,
   * change settings of all projects, or offer other models than `scripted`. Other stages share a
   * server with the files that run before and after them in the same worker, and start without
   * projects. With an `env` it is always separate.
   */
  own?: boolean;
  /**
   * The server's environment, computed at each start. Absent: the scripted model, if there is one,
   * is its only model.
   */
  env?: (model: ScriptedModel) => Record<string, string>;
  /** Additional arguments of the server. With any, the server is always separate. */
  args?: string[];
  /** The page's options, 1440×900 by default; `false`: no browser. */
  page?: BrowserContextOptions | false;
  /** The Chromium that opens it; `shell` by default. */
  browser?: TestBrowser;
}

/** A script of `e2e/scripts`. */
export const scriptNamed = (name: string): Script =>
  loadScript(join(root, "e2e/scripts", `${name}.md`));

/**
 * Opens what the tests of a file, or of the `describe` around this, begin with, and closes it after them in the opposite
 * order, also where the opening or `begin` failed half-way. What has to be there before is opened by a `beforeAll` above.
 * @param begin takes what it needs of the stage, and does what comes before the first test
 */
export function setStage(options: StageOptions, begin: (stage: Stage) => unknown): void {
  const closers: (() => unknown)[] = [];
  let opening: Promise<Stage> | undefined;
  beforeAll(async () => {
    opening = open(options, closers);
    await begin(await opening);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return;
    const { page, browser } = await opening!;
    for (const context of browser?.contexts() ?? [])
      for (const one of context.pages()) process.stdout.write(await describePage(one));
    if (browser && failedRequestsOf(browser).length > 0)
      process.stdout.write(`Failed requests:\n${failedRequestsOf(browser).join("\n")}\n`);
    // A dialog that a test left open when it failed would stand before what the next one does.
    await page?.reload().catch(() => undefined);
  });
  afterAll(async () => {
    // An opening that took longer than a hook's limit still continues.
    await opening?.catch(() => {});
    const failed: unknown[] = [];
    for (const close of closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        failed.push(error);
      }
    }
    if (failed.length > 0) throw new AggregateError(failed, failed.map(String).join("\n"));
  });
}

/** What a person would see at a page when a test failed: its address and its parts, the first of them. */
async function describePage(page: Page): Promise<string> {
  const parts = await page.locator("body").ariaSnapshot({ timeout: 5_000 }).catch(String);
  return `\nThe page at ${new URL(page.url()).pathname} when the test failed:\n${parts.slice(0, 4_000)}\n`;
}

/** @param closers collects a function for each opened thing that closes it */
async function open(
  {
    env,
    page: look,
    browser,
    script,
    args,
    own = (env ?? args) !== undefined,
    ...rest
  }: StageOptions,
  closers: (() => unknown)[],
): Promise<Stage> {
  const stage = {} as Stage;
  if (script) {
    stage.model = await createScriptedModel({ script, ...rest });
    closers.push(() => stage.model.close());
  }
  if (own) await openOwn(stage, env ?? (script ? scriptedBy : () => ({})), args ?? [], closers);
  else {
    stage.treadle = await shareServer(script && stage.model);
    closers.push(() => clearServer(stage.treadle));
  }
  if (look === false) return stage;
  stage.browser = await startBrowser([], browser);
  closers.push(() => stage.browser.close());
  stage.context = await stage.browser.newContext({
    viewport: { width: 1440, height: 900 },
    // Animations are drawn sixty times a second by the processor, as long as a turn runs.
    reducedMotion: "reduce",
    ...look,
  });
  stage.page = await stage.context.newPage();
  stage.person = personAt(stage.page, stage.treadle);
  return stage;
}

async function openOwn(
  stage: Stage,
  env: (model: ScriptedModel) => Record<string, string>,
  always: string[],
  closers: (() => unknown)[],
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "treadle-e2e-"));
  closers.push(() => rmSync(data, { recursive: true, force: true }));
  stage.restart = async (...args) => {
    stage.treadle = await startTreadle({ data, args: [...always, ...args], env: env(stage.model) });
    return stage.treadle;
  };
  await stage.restart();
  // Stops the server that is running then; the browser is closed first, because a follower of the
  // log would delay the server's end.
  closers.push(() => stage.treadle.stop());
}
