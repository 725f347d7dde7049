import { loadScript, testScript, type ScriptedModel } from "@treadle/scripted-model";
import type { Evidence, LogEntry, LogEvent } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { picture, startBrowser } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { setStage, type Stage } from "./support/stage.ts";

/**
 * Each once in a real sandbox and a real browser; all dialects and wires are tested with fakes in
 * agent/src/wire/scenarios.test.ts.
 */
const SCENARIOS = [
  ["type-error", "openai", "native", "runs", [/npm run build ended with/]],
  [
    "click",
    "anthropic",
    "tags",
    "verified",
    // Its button is pressed during the look, and by the check as well.
    [/counted is not/],
  ],
  ["blank", "openai-compatible", "artifact", "runs", [/is blank/]],
  ["dying-server", "anthropic", "native", "runs", [/answered no request|crashed/]],
  [
    "worse",
    "openai",
    "tags",
    "failed",
    [/“Counts” failed|counted is not/, /startCounting is not/, /startCounting is not/],
  ],
] as const;

let { treadle } = {} as Stage;
const names = [...SCENARIOS.map(([name]) => name), "click-unchecked"] as const;
const script = Object.fromEntries(names.map((name) => [name, loadScript(testScript(name))]));
const env = ({ url }: ScriptedModel) => ({
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: "test",
  ANTHROPIC_BASE_URL: `${url}/v1`,
  ANTHROPIC_API_KEY: "test",
});
setStage({ script, env, page: false }, (stage) => {
  ({ treadle } = stage);
});

type End = Extract<LogEvent, { type: "run-end" }>;

/** Creates a project with a prompt, and follows its log to the end of the run. */
async function build(body: Record<string, string>) {
  const made = await treadle.api("/api/projects", { method: "POST", body: JSON.stringify(body) });
  const { id } = (await made.json()) as { id: string };
  const events = await follow(id);
  return { id, events, end: events.at(-1) as End };
}

async function follow(id: string): Promise<LogEvent[]> {
  const stop = new AbortController();
  const response = await treadle.api(`/api/projects/${id}/events`, { signal: stop.signal });
  const events: LogEvent[] = [];
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data === undefined) continue;
      const entries = JSON.parse(data) as LogEntry[];
      if (Array.isArray(entries)) events.push(...entries.map(({ event }) => event));
      const end = events.findIndex(({ type }) => type === "run-end");
      if (end === -1) continue;
      stop.abort();
      return events.slice(0, end + 1);
    }
  }
  throw new Error("the log ended before the run");
}

const textOf = async (id: string, path: string) =>
  (await treadle.api(`/api/projects/${id}/files/${path}`)).text();

it("sees problems of controls that nobody tried, and Fix problems repairs them", async () => {
  const { id, end } = await build({
    prompt: "Build it",
    model: "openai-compatible:click-unchecked",
  });
  expect(end.verdict).toBe("runs");
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(treadle.address);
    await page.goto(`${treadle.origin}/p/${id}`);
    const person = personAt(page, treadle);
    await person.sees("runs");
    for (let clicks = 0; clicks < 6; clicks++)
      await person.preview().getByRole("button", { name: "Count" }).click();
    await person.sees("failed");
    await page.getByRole("button", { name: "Fix problems" }).click();
    await person.sees("runs");
    // The preview reloads the repaired page automatically.
    const html = person.preview().locator("html");
    await expect.poll(() => html.innerHTML().catch(() => "")).toContain("++count;");
    await person.preview().getByRole("button", { name: "Count" }).click();
    await person.preview().getByText("1", { exact: true }).waitFor();
    await picture(page, "click-repaired");
  } finally {
    await browser.close();
  }
});

describe("in a sandbox and a browser", () => {
  it.each(SCENARIOS)(
    "%s over %s, in the dialect %s: %s",
    async (name, wire, dialect, verdict, repairs) => {
      const { id, events, end } = await build({
        prompt: "Build it",
        model: `${wire}:${name}`,
        dialect,
      });
      const asked = events.flatMap((event) => (event.type === "repair" ? [event.reason] : []));
      expect(asked).toEqual(repairs.map((words) => expect.stringMatching(words)));
      expect(end.verdict).toBe(verdict);
      const seen = events.findLast((event) => event.type === "evidence") as { evidence: Evidence };
      expect(seen.evidence.revision).toBe(end.revision);
      if (verdict !== "failed") return expect(end.best).toBeUndefined();
      expect(await textOf(id, "index.html")).not.toContain("++counted");
      const { checkpoint } = end.best!;
      const back = { method: "POST", body: JSON.stringify({ checkpoint }) };
      expect((await treadle.api(`/api/projects/${id}/restore`, back)).status).toBe(200);
      expect(await textOf(id, "index.html")).toContain("++counted");
    },
  );
});
