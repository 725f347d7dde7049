import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Evidence, Verdict } from "@treadle/protocol";
import { createScriptedModel, type Script } from "@treadle/scripted-model";
import { bareEnvironment, bin, cache } from "./treadle.ts";

/** The file of each template's start page. */
export const PAGES = {
  react: "src/App.tsx",
  vue: "src/App.vue",
  svelte: "src/App.svelte",
  vanilla: "src/main.ts",
  next: "app/page.tsx",
  astro: "src/pages/index.astro",
  express: "public/index.html",
  hono: "public/index.html",
  static: "index.html",
  accounts: "src/start-page.ts",
  fullstack: "frontend/src/App.tsx",
} as const;

export type TemplateName = keyof typeof PAGES;

export const TEMPLATES = Object.keys(PAGES) as TemplateName[];

export interface TemplateRun {
  status: number;
  verdict: Verdict | null;
  evidence: Evidence | null;
  /** Duration of the whole command, including its start. */
  ms: number;
  /** Its output besides the events. */
  stderr: string;
}

/** The heading that the scripted model writes into the template's start page. */
export const headingOf = (template: TemplateName) => `Begun from ${template}`;

/** A model that uses the template, changes its start page and ends the turn. */
export const templateScript = (template: TemplateName): Script => ({
  name: template,
  steps: [
    {
      name: "begin",
      when: [],
      parts: [
        { type: "call", tool: "use_template", input: { template } },
        {
          type: "call",
          tool: "edit_file",
          input: {
            path: PAGES[template],
            edits: [{ old: "<h1>Hello</h1>", new: `<h1>${headingOf(template)}</h1>` }],
          },
        },
      ],
    },
    { name: "end", when: [], parts: [{ type: "say", text: "The page has its heading." }] },
  ],
});

/**
 * Runs `treadle run` with that model.
 * @param env additional environment variables, such as the address of a database
 */
export async function runTemplate(
  template: TemplateName,
  dir: string,
  env: Record<string, string> = {},
): Promise<TemplateRun> {
  const data = mkdtempSync(join(tmpdir(), "treadle-template-"));
  const model = await createScriptedModel({ script: templateScript(template) });
  const started = performance.now();
  try {
    const { status, stdout, stderr } = await command(
      ["run", "Begin", "--dir", dir, "--data", data, "--json"],
      {
        OPENAI_BASE_URL: `${model.url}/v1`,
        OPENAI_API_KEY: "none",
        TREADLE_MODEL: "openai-compatible:scripted",
        ...env,
      },
    );
    const result = resultOf(stdout);
    const ms = performance.now() - started;
    return { status, verdict: null, evidence: null, ...result, ms, stderr };
  } finally {
    await model.close();
    rmSync(data, { recursive: true, force: true });
  }
}

function command(args: string[], env: Record<string, string>) {
  const options = {
    env: { ...bareEnvironment(), TREADLE_CACHE: cache, ...env },
    maxBuffer: 100_000_000,
  };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, [bin, ...args], options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    ),
  );
}

/** The last line of the events; empty if the command ended before it. */
function resultOf(stdout: string): Partial<Pick<TemplateRun, "verdict" | "evidence">> {
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  try {
    const { type, verdict, evidence } = JSON.parse(last);
    return type === "result" ? { verdict, evidence } : {};
  } catch {
    return {};
  }
}
