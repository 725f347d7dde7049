import type { LogEvent, Question, Verdict } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { createLogFold } from "@treadle/protocol/fold";
import { askPerson } from "./terminal/ask-person.ts";
import { changedFiles } from "./terminal/changed-files.ts";
import { inContainer } from "./container/when-verified.ts";
import { EXIT, exitStatus } from "./terminal/exit-status.ts";
import { jsonLine } from "./terminal/json-line.ts";
import { needsPerson } from "./terminal/needs-person.ts";
import { plain } from "./terminal/plain.ts";
import { prepareRun, type RunCommand } from "./run/prepare-run.ts";
import { writeTranscript } from "./run/write-transcript.ts";
import { runView, type RunView } from "./screen/run-view.ts";
import { wantedNotice } from "./terminal/wanted-notice.ts";

const UNPRICED =
  "The price of this model is not known, so --max-cost cannot stop it. --max-steps and --timeout do.";

const CHECKS_CHANGED = "If the checks are right as they are now, run again with --accept-rules.";

type RunEnd = Extract<LogEvent, { type: "run-end" }>;

/** `treadle run`: one run without a browser, in a personal folder. */
export async function run(command: RunCommand): Promise<number> {
  if (command.compare) return (await import("./compare/compare.ts")).compare(command);
  if (command.parallel.length > 0) {
    const { runParallel } = await import("./compare/run-parallel.ts");
    return runParallel(command, [command.prompt, ...command.parallel]);
  }
  const place = await prepareRun(command);
  if (!place) return EXIT.usage;
  const { treadle, terminal, isThere, notice } = place;
  let view: RunView | undefined;
  try {
    const project = { id: place.project };
    const before = command.json
      ? undefined
      : await treadle.projects.saveCheckpoint(project.id, "Before");
    const head = await treadle.projects.head(project.id);
    /** Stops all further questions. */
    const controller = new AbortController();
    const stop = () => {
      controller.abort();
      void treadle.projects
        .stop(project.id)
        .catch((error: Error) => notice(`It could not be stopped: ${error.message}`));
    };
    const log = createLogFold();
    const shown = runView(process.stdout, command);
    view = shown;
    place.noticeBy(shown.line);
    const ended = new Promise<{ end: RunEnd; asked?: Question }>((resolveEnd) => {
      let asked: Question | undefined;
      let unpriced = false;
      // If nobody can answer, the run ends instead of waiting forever.
      const refuse = (question: Question | undefined) => {
        asked = question;
        stop();
      };
      const answer = async (question: Question) => {
        shown.pause();
        const given = await askPerson(question, terminal, controller.signal);
        shown.resume();
        if (given) await treadle.projects.answer(project.id, question.id, given);
        else refuse(question);
      };
      treadle.projects.follow(project.id, head, (entries) => {
        for (const entry of entries) {
          const { event, at } = entry;
          shown.entry(entry);
          log.add(event, at);
          if (event.type === "step-end" && command.maxCost !== undefined && !unpriced) {
            unpriced = costUnknown(event.usage);
            if (unpriced) notice(UNPRICED);
          }
          if (event.type === "suspended") {
            const { question } = log.state.suspended ?? {};
            if (question && isThere)
              answer(question).catch((error: Error) => {
                notice(`It could not be answered: ${error.message}`);
                refuse(question);
              });
            else refuse(question);
          }
          if (event.type === "run-end") resolveEnd({ end: event, asked });
        }
      });
    });
    const onSignal = stop;
    process.once("SIGINT", onSignal);
    process.once("SIGTERM", onSignal);

    await treadle.projects.send(project.id, {
      text: command.prompt,
      model: command.plan ? (command.planModel ?? command.model) : command.model,
      approve: command.approve,
      thinking: command.thinking,
      cache: command.cache,
      mode: command.plan ? ("plan" as const) : undefined,
      limits: { steps: command.maxSteps, costUsd: command.maxCost, ms: command.timeoutMs },
    });
    const { end, asked } = await ended;
    controller.abort();
    shown.end();
    place.noticeBy(undefined);
    const standing =
      end.verdict === undefined ? await treadle.projects.standing(project.id) : undefined;
    if (before !== undefined)
      process.stdout.write(changedFiles(await treadle.projects.changes(project.id, before)));
    if (command.transcript !== undefined)
      await writeTranscript(treadle, project.id, end.run, command.transcript).catch(
        (error: Error) => notice(`The transcript was not written: ${error.message}`),
      );
    await treadle.projects.release(project.id);
    const ofThisRevision = log.state.known.get(end.revision)?.evidence;
    const waited = asked !== undefined && end.outcome === "stopped";
    if (command.json)
      process.stdout.write(
        jsonLine({
          type: "result",
          outcome: end.outcome,
          verdict: end.verdict ?? null,
          standing: standing ?? null,
          summary: end.summary,
          revision: end.revision,
          steps: end.steps,
          usage: end.usage,
          evidence: ofThisRevision ?? null,
          error: end.error,
          waiting: waited ? asked : undefined,
        }),
      );
    if (waited) notice(needsPerson(asked));
    else if (ofThisRevision && judge(ofThisRevision).check?.was) notice(CHECKS_CHANGED);
    else if (end.outcome === "done" && !command.plan && end.verdict === undefined)
      notice(standingWords(standing));
    const text = wantedNotice(ofThisRevision);
    if (text) notice(text);
    if (waited) return EXIT.waiting;
    const status = exitStatus(end, {
      plan: command.plan === true,
      standing: standing?.verdict,
      requireVerified: command.requireVerified,
    });
    if (command.docker && !command.plan) await inContainer(place, status);
    return status;
  } finally {
    view?.end();
    place.noticeBy(undefined);
    await treadle.close();
  }
}

/** The status of a project that a run left unchanged. */
function standingWords(standing: { verdict: Verdict; reason: string } | undefined): string {
  if (!standing) return "The project has not been looked at yet.";
  const words = {
    verified: "Still verified",
    runs: "Still runs",
    failed: "Still failed",
    unverified: "Not verified",
  };
  return plain(`${words[standing.verdict]}: ${standing.reason}.`);
}

/** Whether tokens were used whose price is unknown; a step that failed at once used none. */
function costUnknown({ inputTokens, outputTokens, costUsd }: RunEnd["usage"]): boolean {
  return inputTokens + outputTokens > 0 && costUsd === undefined;
}
