import type { Browser, BrowserContext, Page } from "playwright-core";
import { createScriptedModel, type ScriptedModel } from "@treadle/scripted-model";
import { picture } from "./browser.ts";
import { personAt } from "./person.ts";
import { headingOf, PAGES, templateScript, TEMPLATES, type TemplateName } from "./template-run.ts";
import { startTreadle, type RunningTreadle } from "./treadle.ts";

/**
 * What a user sees who starts with a template, opens its page beside the workbench and changes a
 * file by hand.
 */
export interface TemplateLook {
  heading: string;
  lang: string | null;
  title: string;
  /** Errors and warnings of the page, and failed requests. */
  problems: string[];
  /** What an open page did after a file changed: `kept`, `reloaded` or `nothing`. */
  afterEdit: "kept" | "reloaded" | "nothing";
}

/** Templates whose dev server updates an open page by itself; the workbench reloads the others. */
export const HOT: readonly TemplateName[] = ["react", "vue", "svelte", "vanilla", "astro", "next"];

/** A busy machine takes minutes to install a framework that was not prepared. */
export const VERIFIED_MS = 600_000;

/** A server, a browser and a model that starts with the given template. */
export async function openTemplatePlace(browser: Browser): Promise<{
  /** Rejects if it is not verified, or if the manual change does not appear in the workbench. */
  look(template: TemplateName): Promise<TemplateLook>;
  close(): Promise<void>;
}> {
  const model: ScriptedModel = await createScriptedModel({
    script: Object.fromEntries(TEMPLATES.map((name) => [name, templateScript(name)])),
  });
  const treadle: RunningTreadle = await startTreadle({
    env: {
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: "test",
      TREADLE_MODEL: "openai-compatible:react",
    },
  });
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1280, height: 800 },
  });
  context.setDefaultTimeout(60_000);

  async function changeByHand(project: string, template: TemplateName): Promise<string> {
    const path = `/api/projects/${project}/files/${PAGES[template]}`;
    const { text, version } = (await (await treadle.api(path)).json()) as Record<string, string>;
    const heading = `${headingOf(template)}, by hand`;
    const answer = await treadle.api(path, {
      method: "PUT",
      headers: { "if-match": `"${version}"` },
      body: JSON.stringify({ text: text!.replace(headingOf(template), heading) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return heading;
  }

  return {
    async look(template) {
      await treadle.api("/api/models/choice", {
        method: "PUT",
        body: JSON.stringify({ model: `openai-compatible:${template}` }),
      });
      const workbench = await context.newPage();
      const person = personAt(workbench, treadle);
      await person.open();
      await person.ask(`Begin with ${template}`);
      // Dependencies that are not prepared are downloaded first.
      await person.sees("runs", VERIFIED_MS);
      const inside = person.preview().getByRole("heading", { level: 1 });
      await inside.getByText(headingOf(template)).waitFor();

      const page = await context.newPage();
      const problems = listen(page);
      const detail = await treadle.api(`/api/projects/${person.projectId()}`);
      const { previewOrigin } = (await detail.json()) as { previewOrigin: string };
      await page.goto(previewOrigin, { waitUntil: "load" });
      const h1 = page.getByRole("heading", { level: 1 });
      const heading = await h1.innerText();
      const [lang, title] = await Promise.all([
        page.locator("html").getAttribute("lang"),
        page.title(),
      ]);
      await picture(page, `template-${template}`);
      // A reloaded page has lost this.
      await page.evaluate(() => Object.assign(window, { openedOnce: true }));

      const changed = await changeByHand(person.projectId(), template);
      await inside.getByText(changed).waitFor();
      let afterEdit: TemplateLook["afterEdit"] = "nothing";
      if (HOT.includes(template)) {
        await h1.getByText(changed).waitFor();
        afterEdit = (await page.evaluate(() => "openedOnce" in window)) ? "kept" : "reloaded";
      }
      await page.close();
      await workbench.close();
      return { heading, lang, title, problems, afterEdit };
    },
    async close() {
      await context.close();
      await treadle.stop();
      await model.close();
    },
  };
}

function listen(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "failed";
    // The page itself cancelled it: it requested again, or is being closed.
    if (why !== "net::ERR_ABORTED") problems.push(`${request.url()}: ${why}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.url()}: ${response.status()}`);
  });
  return problems;
}
