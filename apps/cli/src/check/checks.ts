import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Project, TreadleError } from "@treadle/client";
import { connectLocal } from "@treadle/client/local";
import type { CheckReport, Evidence } from "@treadle/protocol";
import { judge, untriedEvidence } from "@treadle/protocol/evidence";
import { CHECKS_FILE, parseChecks, problemWords, type Checks } from "@treadle/server/checks";
import type { Command } from "../arguments/read-arguments.ts";
import { EXIT } from "../terminal/exit-status.ts";
import { findProject } from "../folders/find-project.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { VERDICT } from "../terminal/narrate.ts";
import { plain } from "../terminal/plain.ts";
import { readInside } from "../folders/read-inside.ts";

type ChecksCommand = Extract<Command, { kind: "checks" }>;

/** How much of the file is read, in bytes or characters: as much as when its checks are run. */
const LENGTH = 64 * 1024;

/** `treadle checks`: lists a project's checks, and runs them with `--run`. */
export async function checks(command: ChecksCommand): Promise<number> {
  const { target, run, json, exportTo } = command;
  const isFolder = statSync(resolve(target), { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder && exportTo !== undefined) {
    process.stderr.write(`There is no folder ${plain(target)}.\n`);
    return EXIT.usage;
  }
  if (!isFolder) return ofProject(command);
  if (exportTo !== undefined) return exported(target, exportTo);
  if (run) {
    const { evidenceOf } = await import("./check.ts");
    return evidenceOf({ ...command, dir: target }, (evidence) => printChecks(evidence, json));
  }
  return listed(await readInside(resolve(target), CHECKS_FILE, LENGTH), json);
}

/** Exports the checks of a folder as Playwright tests. */
async function exported(folder: string, to: string): Promise<number> {
  const text = await readInside(resolve(folder), CHECKS_FILE, LENGTH);
  if (text === undefined) {
    process.stderr.write(`There is no ${CHECKS_FILE}.\n`);
    return EXIT.failed;
  }
  const { exportChecks } = await import("../export/export-checks.ts");
  const result = await exportChecks(folder, to, text);
  if ("problem" in result) {
    process.stderr.write(`${plain(result.problem)}\n`);
    return EXIT.failed;
  }
  process.stdout.write(
    `${result.files.map((file) => `${plain(file)}\n`).join("")}Run them with: npx playwright test --config ${plain(to)}\n`,
  );
  for (const problem of parseChecks(text).problems)
    process.stderr.write(`${plain(problemWords(problem))}\n`);
  return 0;
}

/** Checks of a project on the running server. */
async function ofProject({ target, run, json, data, timeoutMs }: ChecksCommand): Promise<number> {
  const treadle = connectLocal(data);
  const { id } = findProject(await treadle.projects(), target);
  if (run) return printChecks(await lookedAt(treadle.project(id), timeoutMs), json);
  const path = { id, path: CHECKS_FILE };
  const file = await treadle.api
    .GET("/api/projects/{id}/files/{path}", { params: { path } })
    .catch((error: TreadleError) => {
      if (error.status === 404) return undefined;
      throw error;
    });
  return listed(file?.data?.text, json);
}

/** Has the server check a project, and returns the evidence. */
async function lookedAt(project: Project, timeoutMs: number | undefined): Promise<Evidence> {
  const { head } = await project.detail();
  const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  await project.check();
  let seen = untriedEvidence("");
  for await (const { event } of project.follow({ after: head, signal })) {
    if (event.type === "evidence") seen = event.evidence;
    if (event.type === "look-end") break;
  }
  return seen;
}

/** Prints the file's checks; undefined: there is no file. */
function listed(text: string | undefined, json: boolean): number {
  const read = parseChecks((text ?? "").slice(0, LENGTH));
  if (json) for (const check of read.checks) process.stdout.write(jsonLine(check));
  else process.stdout.write(listOf(read, text !== undefined));
  for (const problem of read.problems) process.stderr.write(`${plain(problemWords(problem))}\n`);
  return read.problems.length > 0 ? EXIT.failed : 0;
}

/**
 * Formats checks for people.
 * @param isThere whether the file exists
 */
export function listOf({ checks: all, byHand }: Checks, isThere: boolean): string {
  if (all.length === 0)
    return `${isThere ? `There is no check in ${CHECKS_FILE}` : `There is no ${CHECKS_FILE}`}.\n`;
  const lines = all.map(({ name, steps }) => {
    const count = `${steps.length} ${steps.length === 1 ? "step" : "steps"}`;
    return `  ${plain(name)} (${count})\n`;
  });
  return `${lines.join("")}${byHand ? "They run only by hand: treadle checks --run.\n" : ""}`;
}

function printChecks(evidence: Evidence, json: boolean): number {
  const { checks: all = [] } = evidence;
  if (json) for (const check of all) process.stdout.write(jsonLine(check));
  else process.stdout.write(all.length === 0 ? noneOf(evidence) : all.map(lineOf).join(""));
  return statusOf(all);
}

/** The verdict as a sentence for people, printed if no check was run. */
function noneOf(evidence: Evidence): string {
  const { verdict, reason } = judge(evidence);
  return `No check was run. What was seen: ${VERDICT[verdict]}: ${plain(reason)}\n`;
}

const MARK: Record<CheckReport["state"], string> = {
  held: "✓",
  failed: "×",
  untried: "·",
  going: "…",
};

/** A check and, if it failed, its steps. */
export function lineOf({ name, state, steps, was, ms }: CheckReport): string {
  const took = ms === undefined || ms < 100 ? "" : ` (${(ms / 1000).toFixed(1)} s)`;
  const before = was ? ` [as it stood before it was ${was.how}]` : "";
  const taken =
    state === "held"
      ? ""
      : steps
          .map(({ ok, said: message }) => `      ${ok ? "✓" : "×"} ${plain(message)}\n`)
          .join("");
  return `  ${MARK[state]} ${plain(name)}${before}${took}\n${taken}`;
}

/** 0 if all passed, 1 if one failed, 3 if one could not run, or there are none. */
export function statusOf(all: readonly CheckReport[]): number {
  if (all.some(({ state }) => state === "failed")) return EXIT.failed;
  return all.length > 0 && all.every(({ state }) => state === "held")
    ? EXIT.verified
    : EXIT.unverified;
}
