import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Evidence, Verdict } from "@treadle/protocol";
import {
  EVIDENCE_PARTS,
  findingWords,
  judge,
  untriedEvidence,
  type PartState,
} from "@treadle/protocol/evidence";
import type { FileDifference, Treadle } from "@treadle/server";
import type { Command } from "../arguments/read-arguments.ts";
import { changesSince, SinceError } from "./changes-since.ts";
import { ensureSandbox } from "../folders/ensure-sandbox.ts";
import { EXIT, verdictStatus } from "../terminal/exit-status.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { VERDICT } from "../terminal/narrate.ts";
import { openFolder } from "../folders/open-folder.ts";
import { plain } from "../terminal/plain.ts";
import { writeReport } from "../report/write-report.ts";
import { wantedNotice } from "../terminal/wanted-notice.ts";

const MARK: Partial<Record<PartState, string>> = { held: "✓", failed: "×", inapplicable: "–" };

type CheckCommand = Extract<Command, { kind: "check" }>;

/** `treadle check`: the verdict for the folder's current files, without any model. */
export async function check(command: CheckCommand): Promise<number> {
  return inFolder(command, async ({ treadle, project, directory, notice }) => {
    const since =
      command.since === undefined ? undefined : await changesOrWhyNot(directory, command.since);
    if (typeof since === "string") {
      notice(since);
      return EXIT.usage;
    }
    const { evidence, late } = await look(treadle, project, { ...command, since });
    await treadle.projects.release(project);
    const { verdict, reason } = judge(evidence);
    printVerdict({ verdict, reason: late ? `${reason}; ${late}` : reason, evidence }, command.json);
    const text = wantedNotice(evidence);
    if (text) notice(text);
    const status = verdictStatus(verdict, command.requireVerified);
    if (command.report === undefined) return status;
    const page = await writeReport({
      folder: resolve(command.report),
      directory,
      evidence,
      picture: (hash) => treadle.projects.picture(project, hash),
    });
    notice(`The report is in ${page}.`);
    return status;
  });
}

/** Collects the evidence for a folder silently. @param then receives it, and returns the exit status */
export function evidenceOf(
  command: Omit<CheckCommand, "kind" | "report" | "json" | "requireVerified" | "since">,
  then: (evidence: Evidence) => number,
): Promise<number> {
  return inFolder(command, async ({ treadle, project, notice }) => {
    const { evidence, late } = await look(treadle, project, { timeoutMs: command.timeoutMs });
    await treadle.projects.release(project);
    if (late) notice(`Not everything was seen: ${late}.`);
    const text = wantedNotice(evidence);
    if (text) notice(text);
    return then(evidence);
  });
}

interface Folder {
  treadle: Treadle;
  project: string;
  directory: string;
  notice(text: string): void;
}

async function inFolder(
  { dir, data, unsafe, allowHosts }: Pick<CheckCommand, "dir" | "data" | "unsafe" | "allowHosts">,
  work: (folder: Folder) => Promise<number>,
): Promise<number> {
  const notice = (text: string) => process.stderr.write(`${plain(text)}\n`);
  const directory = resolve(dir);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    notice(`There is no folder ${directory}. Name the folder that holds the project.`);
    return EXIT.usage;
  }
  if (!unsafe && !(await ensureSandbox(notice))) return EXIT.usage;
  const treadle = await openFolder(directory, { data, unsafe, onNotice: notice });
  try {
    const { id: project } = await treadle.projects.open({ directory });
    for (const host of allowHosts) await treadle.settings.allowHost(project, host);
    return await work({ treadle, project, directory, notice });
  } finally {
    await treadle.close();
  }
}

/** The differences from a commit; a message for people if they cannot be determined. */
async function changesOrWhyNot(
  directory: string,
  ref: string,
): Promise<readonly FileDifference[] | string> {
  try {
    return await changesSince(directory, ref);
  } catch (error) {
    if (error instanceof SinceError) return error.message;
    throw error;
  }
}

/**
 * The evidence about the project. `late` is set if the time was over before it was complete.
 * @param options.json reports progress as JSON or as text for people; absent: not at all
 */
async function look(
  treadle: Treadle,
  project: string,
  {
    timeoutMs,
    json,
    since,
  }: {
    timeoutMs?: number | undefined;
    json?: boolean;
    since?: readonly FileDifference[] | undefined;
  },
): Promise<{ evidence: Evidence; late?: string }> {
  const { projects } = treadle;
  const reported = new Map<string, string>();
  let seen: Evidence | undefined;
  const unfollow = projects.follow(project, await projects.head(project), (entries) => {
    for (const entry of entries) {
      if (json) process.stdout.write(jsonLine(entry));
      if (entry.event.type !== "evidence") continue;
      seen = entry.event.evidence;
      if (json === false) tellParts(seen, reported);
    }
  });
  let late: string | undefined;
  const stop = (why: string) => {
    late ??= why;
    void projects.stop(project);
  };
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(stop, timeoutMs, `${timeoutMs / 1000} seconds were over`);
  const onSignal = () => stop("it was stopped");
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const evidence = await projects.check(project, since);
    // Log entries are stored before they are sent, so the last ones may arrive after the answer.
    if (json === false) tellParts(evidence, reported);
    return { evidence };
  } catch (error) {
    if (late === undefined) throw error;
    return { evidence: seen ?? untriedEvidence(""), late };
  } finally {
    clearTimeout(timer);
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    unfollow();
  }
}

/** Prints a line for each part when it is decided, and another if it changes later. */
function tellParts(evidence: Evidence, reported: Map<string, string>): void {
  for (const part of EVIDENCE_PARTS) {
    const { state, summary, ms } = evidence.parts[part];
    const mark = MARK[state];
    const line = `${mark} ${part.padEnd(7)} ${plain(summary)}${ms !== undefined && ms >= 100 ? ` (${(ms / 1000).toFixed(1)} s)` : ""}`;
    if (mark === undefined || reported.get(part) === line) continue;
    reported.set(part, line);
    process.stdout.write(`  ${line}\n`);
  }
}

function printVerdict(
  { verdict, reason, evidence }: { verdict: Verdict; reason: string; evidence: Evidence },
  json: boolean,
): void {
  if (json) {
    const { revision } = evidence;
    const result = { type: "result", verdict, reason, revision, evidence };
    process.stdout.write(jsonLine(result));
    return;
  }
  for (const { name, state, steps } of evidence.checks ?? []) {
    const result = state === "held" ? "" : `: ${plain(steps.at(-1)?.said ?? "not run")}`;
    process.stdout.write(`  ${MARK[state] ?? "?"} check   ${plain(name)}${result}\n`);
  }
  for (const finding of evidence.findings ?? [])
    process.stdout.write(`  ! ${plain(findingWords(finding))}\n`);
  process.stdout.write(`\n${VERDICT[verdict]}: ${plain(reason)}\n`);
}
