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
import { startBrowser, type TestBrowser } from "./browser.ts";
import { personAt } from "./person.ts";
import { clearServer, shareServer } from "./shared-server.ts";
import { root, scriptedBy, startTreadle, type RunningTreadle } from "./treadle.ts";

/** What an end-to-end test has around it. What its options leave out is not there. */
export interface Stage {
  model: ScriptedModel;
  treadle: RunningTreadle;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  person: ReturnType<typeof personAt>;
  /**
   * Starts the server anew on the data that it has, once the test has ended it. Only of a stage whose server is its own.
   * @param args more words of its command
   */
  restart(...args: string[]): Promise<RunningTreadle>;
}

/** The model's `script`, `key` and `pace` are as for the scripted model; without a script there is no model. */
export interface StageOptions extends Partial<ScriptedModelOptions> {
  /**
   * Whether the server is this stage's own: for tests that end it, look at all of its data, change what holds for all of its
   * projects, or offer other models than `scripted`. Others share one with the files that run before and after them in the
   * same worker, and begin with no project in it. With an `env` it is always its own.
   */
  own?: boolean;
  /** The server's environment, asked for whenever one starts. Absent: the scripted model, if there is one, is its only one. */
  env?: (model: ScriptedModel) => Record<string, string>;
  /** The page, 1440×900 if nothing else is said; `false`: there is no browser. */
  page?: BrowserContextOptions | false;
  /** Which Chromium it is opened in, `shell` if nothing else is said. */
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
    // A dialog that a test left open when it failed would stand before what the next one does.
    const { page } = await opening!;
    await page?.reload().catch(() => undefined);
  });
  afterAll(async () => {
    // One that took longer than a hook may is still opening things.
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

/** @param closers is given what closes each thing as soon as it is open */
async function open(
  { env, page: look, browser, script, own = env !== undefined, ...rest }: StageOptions,
  closers: (() => unknown)[],
): Promise<Stage> {
  const stage = {} as Stage;
  if (script) {
    stage.model = await createScriptedModel({ script, ...rest });
    closers.push(() => stage.model.close());
  }
  if (own) await openOwn(stage, env ?? (script ? scriptedBy : () => ({})), closers);
  else {
    stage.treadle = await shareServer(script && stage.model);
    closers.push(() => clearServer(stage.treadle));
  }
  if (look === false) return stage;
  stage.browser = await startBrowser([], browser);
  closers.push(() => stage.browser.close());
  stage.context = await stage.browser.newContext({
    viewport: { width: 1440, height: 900 },
    // What moves is drawn sixty times a second by the processor, for as long as a turn runs.
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
  closers: (() => unknown)[],
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "treadle-e2e-"));
  closers.push(() => rmSync(data, { recursive: true, force: true }));
  stage.restart = async (...args) => {
    stage.treadle = await startTreadle({ data, args, env: env(stage.model) });
    return stage.treadle;
  };
  await stage.restart();
  // Whichever runs by then; the browser is closed before, as what follows the server's log would hold up its end.
  closers.push(() => stage.treadle.stop());
}
