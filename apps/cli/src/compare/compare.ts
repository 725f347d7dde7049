import { judge } from "@treadle/protocol/evidence";
import { addUsage, NO_USAGE } from "@treadle/protocol/fold";
import type { Comparison, Evidence } from "@treadle/protocol";
import { askPerson } from "../terminal/ask-person.ts";
import { changedFiles } from "../terminal/changed-files.ts";
import { EXIT, exitStatus } from "../terminal/exit-status.ts";
import { needsPerson } from "../terminal/needs-person.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { plain } from "../terminal/plain.ts";
import { prepareRun, type RunCommand, type RunPlace } from "../run/prepare-run.ts";
import { inContainer } from "../container/when-verified.ts";
import { wantedNotice } from "../terminal/wanted-notice.ts";
import { attemptsView } from "./attempts-view.ts";
import { attemptTable } from "./attempt-table.ts";
import { chooseWinner, type Winner } from "./choose-winner.ts";
import { followAttempt, type FollowedAttempt } from "./follow-attempt.ts";
import { takeWinner } from "./take-winner.ts";

/** `treadle run --models`: runs several attempts in parallel and applies the best one to the folder. */
export async function compare(command: RunCommand): Promise<number> {
  const place = await prepareRun(command);
  if (!place) return EXIT.usage;
  const { treadle } = place;
  try {
    await dropOld(place);
    const { comparison, interrupted, asked } = await attempt(place, command);
    const winner = await chooseWinner(comparison, place, interrupted);
    if (!command.json)
      process.stdout.write(`\n${attemptTable(comparison.attempts, winner?.attempt.number)}`);
    const ended = winner
      ? await finish(place, command, comparison, winner)
      : await finishWithout(place, command, comparison);
    const waited = winner?.attempt.result.outcome === "stopped" && asked.has(winner.attempt.number);
    const status = waited ? EXIT.waiting : ended;
    if (winner && command.docker) await inContainer(place, status);
    return status;
  } finally {
    await treadle.close();
  }
}

/** Removes attempts of an earlier comparison in this folder of which none was chosen. */
async function dropOld({ treadle, notice }: RunPlace): Promise<void> {
  const old = await treadle.comparisons.list();
  for (const { id } of old) await treadle.comparisons.drop(id);
  if (old.length > 0) notice("Attempts of an earlier comparison in this folder were removed.");
}

/** Starts all attempts, shows their state, and waits for their ends. */
async function attempt(
  place: RunPlace,
  command: RunCommand,
): Promise<{ comparison: Comparison; interrupted: boolean; asked: ReadonlySet<number> }> {
  const { treadle, project, isThere, terminal, notice } = place;
  const { comparisons, projects } = treadle;
  const followed = new Map<number, FollowedAttempt>();
  const controller = new AbortController();
  /** Attempts with questions that nobody could answer. */
  const asked = new Set<number>();
  /** Questions are asked one at a time. */
  let asking: Promise<void> = Promise.resolve();
  const failed = (error: Error) => notice(error.message);
  const { models = [], attempts = 1 } = command.compare ?? {};
  const { id } = await comparisons.start(
    { project, text: command.prompt, models, attempts },
    {
      approve: command.approve,
      limits: { steps: command.maxSteps, costUsd: command.maxCost, ms: command.timeoutMs },
      hosts: command.allowHosts,
    },
  );

  const view = attemptsView(process.stdout, { json: command.json, followed });
  place.noticeBy(view.line);

  function watch(number: number, own: string, model: string): void {
    if (followed.has(number)) return;
    const answer = async (question: Parameters<typeof askPerson>[0]) => {
      view.pause();
      const subject = question.kind === "words" ? question.text : question.why;
      terminal.output.write(`\n  ? [${number} ${plain(model)}] ${plain(subject)}\n`);
      const given = await askPerson(question, terminal, controller.signal);
      view.resume();
      if (given) await projects.answer(own, question.id, given);
      else await projects.stop(own);
    };
    followed.set(
      number,
      followAttempt(projects, own, {
        entry: (entry) => view.entry(number, entry),
        question(question) {
          if (isThere) asking = asking.then(() => answer(question)).catch(failed);
          else {
            asked.add(number);
            notice(`[${number}] ${needsPerson(question)}`);
            projects.stop(own).catch(failed);
          }
        },
      }),
    );
  }

  let interrupted = false;
  const stop = () => {
    interrupted = true;
    controller.abort();
    comparisons.stop(id).catch(failed);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const ended = new Promise<void>((resolve) => {
    const report = (comparison: Comparison) => {
      for (const { number, model, project: own } of comparison.attempts)
        if (own) watch(number, own, model);
      view.attempts(comparison);
      if (comparison.attempts.every(({ state }) => HAS_ENDED.has(state))) resolve();
    };
    comparisons.follow(id, report);
    comparisons.get(id).then(report, failed);
  });
  try {
    await ended;
    return { comparison: await comparisons.get(id), interrupted, asked };
  } finally {
    view.end();
    place.noticeBy(undefined);
    for (const { close } of followed.values()) close();
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

const HAS_ENDED: ReadonlySet<string> = new Set(["over", "stopped", "failed"]);

/** Applies the best attempt to the folder, which is then checked. */
async function finish(
  place: RunPlace,
  command: RunCommand,
  comparison: Comparison,
  winner: Winner,
): Promise<number> {
  const { treadle, project, notice } = place;
  const { number, model, result } = winner.attempt;
  notice(`${winner.why} Attempt ${number} (${model}) goes into the folder.`);
  const before = await treadle.projects.saveCheckpoint(project, "Before");
  const taken = await takeWinner(place, comparison.id, number);
  if (!taken) {
    tellResult(command, comparison);
    return EXIT.waiting;
  }
  const { evidence } = taken;
  if (!command.json)
    process.stdout.write(changedFiles(await treadle.projects.changes(project, before)));
  await treadle.projects.release(project);
  const { verdict } = evidence ? judge(evidence) : result;
  tellResult(command, comparison, winner, evidence);
  const text = wantedNotice(evidence);
  if (text) notice(text);
  const { outcome } = result;
  return exitStatus({ outcome, verdict }, { requireVerified: command.requireVerified });
}

async function finishWithout(
  { treadle, project, notice }: RunPlace,
  command: RunCommand,
  comparison: Comparison,
): Promise<number> {
  await treadle.comparisons.drop(comparison.id);
  await treadle.projects.release(project);
  notice("No attempt was taken over; the folder is as it was.");
  tellResult(command, comparison);
  return EXIT.unverified;
}

/**
 * The last line for programs, as for `run`: verdict and evidence of the folder, and usage of all
 * attempts together.
 */
function tellResult(
  { json }: RunCommand,
  { attempts }: Comparison,
  winner?: Winner,
  evidence?: Evidence,
): void {
  if (!json) return;
  const { attempt, by } = winner ?? {};
  const { outcome, verdict, summary, steps } = attempt?.result ?? {};
  const usage = attempts.reduce(
    (sum, { result }) => addUsage(sum, result?.usage ?? NO_USAGE),
    NO_USAGE,
  );
  process.stdout.write(
    jsonLine({
      type: "result",
      winner: attempt?.number ?? null,
      by: by ?? null,
      outcome: outcome ?? "stopped",
      verdict: (evidence ? judge(evidence).verdict : verdict) ?? null,
      summary,
      revision: evidence?.revision ?? null,
      steps: steps ?? 0,
      usage,
      evidence: evidence ?? null,
      attempts,
    }),
  );
}
