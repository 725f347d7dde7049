import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Evidence, LogEntry, LogEvent, Verdict } from "@treadle/protocol";
import type { ScriptedModel } from "@treadle/scripted-model";
import { bareEnvironment, scriptedBy, type RunningTreadle } from "../support/treadle.ts";
import { amissIn } from "./amiss.ts";
import type { VerdictCase } from "./case-types.ts";
import { isRight, type Outcome } from "./cases.ts";

export interface CaseRun extends Outcome {
  summary: string;
  /** Seconds of the whole run. */
  seconds: number;
  /** Seconds from the command's start to its verdict, of the last message; absent: there was none. */
  toVerdict?: number;
  /** Milliseconds from the model's last word to the run's end: what the verdict took. */
  verdictMs: number;
  evidence?: Evidence;
  /** What `treadle check` said afterwards of the folder that the run left, without a model; where it was asked. */
  checked?: { verdict: Verdict | null; reason: string };
}

type RunEnd = Extract<LogEvent, { type: "run-end" }>;

/**
 * `treadle run` in a fresh folder. `bin` may be that of another checkout.
 * @param options.check whether the folder is checked afterwards, as by somebody who knows nothing of the run
 */
export async function runByCommand(
  item: VerdictCase,
  model: ScriptedModel,
  {
    bin,
    cache,
    check = false,
    env: more = {},
  }: { bin: string; cache: string; check?: boolean; env?: Record<string, string> },
): Promise<CaseRun> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-verdict-"));
  const dir = join(folder, "app");
  mkdirSync(dir);
  for (const [path, content] of Object.entries(item.seed ?? {})) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  const started = performance.now();
  let begun = 0;
  const timeout = item.timeout ?? 300;
  const env = { ...bareEnvironment(), ...more, TREADLE_CACHE: cache };
  const ofModel = { ...env, ...scriptedBy(model), TREADLE_MODEL: `openai-compatible:${item.name}` };
  const amiss: string[] = [];
  let last: { lines: (LogEntry | Result)[]; stderr: string } = { lines: [], stderr: "" };
  let digests: string | undefined;
  for (const [index, { prompt, want = item.want }] of [item, ...(item.more ?? [])].entries()) {
    const isLast = index === (item.more?.length ?? 0);
    const words = ["run", prompt, "--dir", dir, "--data", join(folder, "data")];
    begun = Date.now();
    const { stdout, stderr } = await command(bin, [...words, ...(item.args ?? [])], {
      timeout,
      env: ofModel,
    });
    last = { lines: linesOf(stdout), stderr };
    digests ??= digestOf(dir, item.untouched ?? []);
    const outcome = outcomeOf(last.lines);
    if (!isLast && !isRight(want, outcome))
      amiss.push(
        `message ${index + 1} came to ${outcome.verdict}: ${resultOf(last.lines)?.summary}`,
      );
  }
  const seconds = (performance.now() - started) / 1000;
  const result = resultOf(last.lines);
  const entries = last.lines.filter((line): line is LogEntry => "seq" in line);
  const end = entries.findLast(({ event }) => event.type === "run-end");
  const allowed = (item.args ?? []).filter((word, at, all) =>
    [word, all[at - 1]].includes("--allow-host"),
  );
  let later: Result | undefined;
  for (let looks = Math.max(item.looks ?? 0, check ? 1 : 0); looks > 0; looks--)
    later = resultOf(
      linesOf(
        (
          await command(bin, ["check", dir, "--data", join(folder, "later"), ...allowed], {
            timeout,
            env,
          })
        ).stdout,
      ),
    );
  if (digests !== digestOf(dir, item.untouched ?? []))
    amiss.push(`${item.untouched?.join(", ")} changed while the app was looked at`);
  amiss.push(...amissIn(item, result?.evidence));
  rmSync(folder, { recursive: true, force: true });
  return {
    ...outcomeOf(last.lines),
    summary: result?.summary ?? last.stderr.slice(-400),
    ...(result?.evidence ? { evidence: result.evidence } : {}),
    ...toldIn(item, model),
    amiss,
    seconds,
    ...(end && { toVerdict: (end.at - begun) / 1_000 }),
    verdictMs: verdictMs(entries),
    ...(check && later ? { checked: { verdict: later.verdict, reason: later.reason ?? "" } } : {}),
  };
}

const outcomeOf = (lines: readonly (LogEntry | Result)[]): Outcome => ({
  verdict: resultOf(lines)?.verdict ?? null,
  looked: resultOf(lines)?.evidence?.parts.page.state === "held",
});

/** What the files hold, with what SQLite has not yet written into its file. */
const digestOf = (dir: string, names: readonly string[]): string =>
  names
    .flatMap((name) => [name, `${name}-wal`].map((file) => join(dir, file)))
    .map((path) =>
      existsSync(path)
        ? createHash("sha256").update(readFileSync(path)).digest("hex")
        : "not there",
    )
    .join(" ");

/** Runs the command with `--json` until it ends; ended by hand a minute after its own time. @param timeout seconds */
async function command(
  bin: string,
  args: string[],
  { timeout, env }: { timeout: number; env: NodeJS.ProcessEnv },
): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [bin, ...args, "--json", "--timeout", String(timeout)], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const late = setTimeout(() => child.kill("SIGTERM"), (timeout + 60) * 1000);
  await new Promise<void>((done) => child.once("close", () => done()));
  clearTimeout(late);
  return { stdout, stderr };
}

const linesOf = (stdout: string): (LogEntry | Result)[] =>
  stdout.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as LogEntry | Result];
    } catch {
      return [];
    }
  });

const resultOf = (lines: readonly (LogEntry | Result)[]) =>
  lines.find((line): line is Result => "type" in line && line.type === "result");

interface Result {
  type: "result";
  verdict: Verdict | null;
  summary: string;
  /** Of a check, in place of `summary`. */
  reason?: string;
  evidence: Evidence | null;
}

/** The same as a message to a server, as the page sends it. */
export async function runByPage(
  item: VerdictCase,
  model: ScriptedModel,
  treadle: RunningTreadle,
): Promise<CaseRun> {
  const started = performance.now();
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await treadle.api(path, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { id } = await post<{ id: string }>("/api/projects", {
    model: `openai-compatible:${item.name}`,
  });
  for (const [path, content] of Object.entries(item.seed ?? {}))
    await treadle.api(`/api/projects/${id}/files/${path}`, { method: "PUT", body: content });
  const amiss: string[] = [];
  let entries: LogEntry[] = [];
  let end: RunEnd | undefined;
  const turns = [item, ...(item.more ?? [])];
  for (const [index, { prompt, want = item.want }] of turns.entries()) {
    await post(`/api/projects/${id}/messages`, { text: prompt });
    const until = performance.now() + (item.timeout ?? 300) * 1000;
    end = undefined;
    while (!end && performance.now() < until) {
      await sleep(500);
      entries = await logOf(treadle, id);
      end = endsIn(entries)[index];
    }
    const outcome = { verdict: end?.verdict ?? null, looked: true };
    if (index < turns.length - 1 && !isRight(want, outcome))
      amiss.push(`message ${index + 1} came to ${outcome.verdict}: ${end?.summary}`);
  }
  const evidence = entries
    .map(({ event }) => event)
    .findLast((event) => event.type === "evidence")?.evidence;
  amiss.push(...amissIn(item, evidence));
  await treadle.api(`/api/projects/${id}`, { method: "DELETE" });
  return {
    verdict: end?.verdict ?? null,
    summary: end?.summary ?? "it did not end",
    looked: evidence?.parts.page.state === "held",
    evidence,
    ...toldIn(item, model),
    amiss,
    seconds: (performance.now() - started) / 1000,
    verdictMs: verdictMs(entries),
  };
}

const endsIn = (entries: readonly LogEntry[]): RunEnd[] =>
  entries.map(({ event }) => event).filter((event): event is RunEnd => event.type === "run-end");

/** Everything in the project's log until now. */
export async function logOf(treadle: RunningTreadle, id: string): Promise<LogEntry[]> {
  const leave = new AbortController();
  const answer = await treadle.api(`/api/projects/${id}/events`, {
    headers: { accept: "text/event-stream" },
    signal: leave.signal,
  });
  const entries: LogEntry[] = [];
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const next = await Promise.race([reader.read(), sleep(300)]);
    if (!next || next.done) break;
    text += next.value;
  }
  leave.abort();
  for (const [, data] of text.matchAll(/^data: ?(.+)$/gm))
    try {
      const value = JSON.parse(data!) as LogEntry | LogEntry[];
      entries.push(...(Array.isArray(value) ? value : [value]).filter((entry) => "seq" in entry));
    } catch {
      // Cut off by leaving.
    }
  return entries;
}

/** What the model was shown after its own words of before: its own files hold what it wrote itself. */
function toldIn({ name, told: expected }: VerdictCase, model: ScriptedModel): { told?: boolean } {
  if (expected === undefined) return {};
  const shown = model.requests
    .filter(({ body }) => body["model"] === name)
    .flatMap(({ body }) => (body["messages"] as { role: string; content: unknown }[]) ?? [])
    .filter(({ role }) => role !== "assistant" && role !== "system")
    .map(({ content }) => JSON.stringify(content));
  return { told: shown.some((text) => text?.includes(expected)) };
}

function verdictMs(entries: readonly LogEntry[]): number {
  const end = entries.findLast(({ event }) => event.type === "run-end")?.at ?? 0;
  const asked = entries.findLast(({ event }) => event.type === "step-end")?.at ?? end;
  return end - asked;
}
