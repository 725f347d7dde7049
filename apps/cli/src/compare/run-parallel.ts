import type { HeldReason, ParallelRequest, Question } from "@treadle/protocol";
import { followAttempt, type FollowedAttempt } from "./follow-attempt.ts";
import { askPerson } from "../terminal/ask-person.ts";
import { changedFiles } from "../terminal/changed-files.ts";
import { EXIT, verdictStatus } from "../terminal/exit-status.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { needsPerson } from "../terminal/needs-person.ts";
import { plain } from "../terminal/plain.ts";
import { prepareRun, type RunCommand, type RunPlace } from "../run/prepare-run.ts";

/** States of a request that change no more by themselves. */
const HAS_ENDED: ReadonlySet<ParallelRequest["state"]> = new Set(["merged", "held", "stopped", "failed"]); // prettier-ignore

const SHOWN_CHARS = 60;

/**
 * `treadle run --also`: several requests at the same time, each on a copy of the folder that is merged when it ends.
 * @param texts the requests, in the order in which they are numbered
 */
export async function runParallel(command: RunCommand, texts: readonly string[]): Promise<number> {
  const place = await prepareRun(command);
  if (!place) return EXIT.usage;
  const { treadle, project, notice } = place;
  try {
    const before = await treadle.projects.saveCheckpoint(project, "Before");
    const { requests, asked } = await workThrough(place, command, texts);
    if (!command.json)
      process.stdout.write(changedFiles(await treadle.projects.changes(project, before)));
    const standing = await treadle.projects.standing(project);
    for (const { text, state, held, problem } of requests) {
      const why = held ? heldWords(held) : problem;
      if (state !== "merged") notice(`Not merged: “${short(text)}”${why ? `: ${why}` : "."}`);
    }
    await treadle.projects.release(project);
    if (command.json)
      process.stdout.write(jsonLine({ type: "result", requests, standing: standing ?? null }));
    if (asked) return EXIT.waiting;
    if (requests.some(({ state }) => state !== "merged")) return EXIT.failed;
    return verdictStatus(standing?.verdict ?? "unverified", command.requireVerified);
  } finally {
    await treadle.close();
  }
}

/** Starts all requests, shows their progress, and waits until they have ended. */
async function workThrough(
  place: RunPlace,
  command: RunCommand,
  texts: readonly string[],
): Promise<{ requests: readonly ParallelRequest[]; asked: boolean }> {
  const { treadle, project, isThere, terminal, notice } = place;
  const { parallel, projects } = treadle;
  const head = await projects.head(project);
  const numbers = new Map<string, number>();
  const newest = new Map<string, ParallelRequest>();
  const followed = new Map<string, FollowedAttempt>();
  const stopping = new AbortController();
  const failed = (error: Error) => notice(error.message);
  let asked = false;
  /** Questions are asked one at a time. */
  let asking: Promise<void> = Promise.resolve();

  function watch(number: number, copy: string): void {
    if (followed.has(copy)) return;
    const answer = async (question: Question) => {
      const subject = question.kind === "words" ? question.text : question.why;
      terminal.output.write(`\n  ? [${number}] ${plain(subject)}\n`);
      const given = await askPerson(question, terminal, stopping.signal);
      if (given) await projects.answer(copy, question.id, given);
      else await projects.stop(copy);
    };
    const one = followAttempt(projects, copy, {
      entry(entry) {
        if (command.json) process.stdout.write(jsonLine({ request: number, ...entry }));
      },
      question(question) {
        if (isThere) asking = asking.then(() => answer(question)).catch(failed);
        else {
          asked = true;
          notice(`[${number}] ${needsPerson(question)}`);
          projects.stop(copy).catch(failed);
        }
      },
    });
    followed.set(copy, one);
  }

  const stop = () => {
    stopping.abort();
    for (const id of numbers.keys()) parallel.stop(project, id).catch(failed);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const report = (request: ParallelRequest) => {
    const { id, state, copy, text } = request;
    const number = numbers.get(id);
    if (number === undefined) return;
    const isNew = newest.get(id)?.state !== state;
    newest.set(id, request);
    if (copy !== undefined && !HAS_ENDED.has(state)) watch(number, copy);
    if (isNew && !command.json) process.stdout.write(`[${number}] ${state}: ${short(text)}\n`);
    if (
      texts.length === newest.size &&
      [...newest.values()].every((one) => HAS_ENDED.has(one.state))
    )
      resolve();
  };
  const unfollow = projects.follow(project, head, (entries) => {
    for (const { event } of entries) if (event.type === "parallel") report(event.request);
  });
  try {
    for (const [index, text] of texts.entries()) {
      const request = await parallel.start(
        project,
        { text, ...(command.model === undefined ? {} : { model: command.model }) },
        {
          approve: command.approve,
          limits: { steps: command.maxSteps, costUsd: command.maxCost, ms: command.timeoutMs },
          hosts: command.allowHosts,
        },
      );
      numbers.set(request.id, index + 1);
      report(parallel.list(project).find(({ id }) => id === request.id) ?? request);
    }
    await ended;
    return { requests: [...numbers.keys()].flatMap((id) => newest.get(id) ?? []), asked };
  } finally {
    unfollow();
    for (const { close } of followed.values()) close();
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

const short = (text: string) => plain(text.replace(/\s+/g, " ").slice(0, SHOWN_CHARS));

/** Why a request was not merged. Its copy is kept: the page can apply it all the same, or repeat the request. */
function heldWords(held: HeldReason): string {
  switch (held.code) {
    case "conflict":
      return `it changes the same places as another one, in ${held.values.files.map(plain).join(", ")}. Its copy is kept.`;
    case "unfit":
      return "what it makes together with the others fails. Its copy is kept.";
    case "unfinished":
      return `its own turn ended with “${held.values.outcome}”. Its copy is kept.`;
    case "unmerged":
      return plain(held.values.why);
  }
}
