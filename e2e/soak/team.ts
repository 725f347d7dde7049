/**
 * Fifty people in ten projects over PostgreSQL, and then three of them and the model in one file for a minute:
 * `node e2e/soak/team.ts [MINUTES] [SEED]`. Needs a build and PostgreSQL's programs. Each person reads their project's log,
 * saves files, sends messages and looks around. Prints how long events took to their readers, and what was lost or doubled.
 */
import { isDeepStrictEqual } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { createScriptedModel } from "@treadle/scripted-model";
import {
  postgresPrograms,
  startPostgres,
} from "../../packages/workspace/src/testing/postgres.test-support.ts";
import { readLive, type LiveReader } from "../support/live-reader.ts";
import { numbersOf } from "../support/numbers-of.ts";
import { enterOwner, invite, type Member } from "../support/people.ts";
import { scriptNamed } from "../support/stage.ts";
import { scriptedBy, startTreadle } from "../support/treadle.ts";
import { openTypist } from "../support/typist.ts";

const PROJECTS = 10;
const PEOPLE_PER_PROJECT = 5;
/** The one file that is edited together, for so long. */
const TOGETHER_MS = 60_000;
/** What 99 of 100 events may take to a reader. */
const MOST_MS = 200;
const QUIET_MS = 60_000;

const minutes = Number(process.argv[2] ?? 5);
const seed = Number(process.argv[3] ?? 1);
const number = numbersOf(seed);
const print = (line: string) => process.stdout.write(`${line}\n`);
if (postgresPrograms === undefined) {
  print("The programs of a PostgreSQL server (initdb, postgres) are not on this machine.");
  process.exit(1);
}

interface Worker extends Member {
  project: string;
  reader: LiveReader;
  /** Text of this person's own file that the server took last. */
  saved: string | undefined;
  /** Messages that the server took. */
  messages: string[];
  /** Requests that failed, other than those that the server refuses by its limits. */
  failures: string[];
  delaysOfAnswers: number[];
}

const problems: string[] = [];
const postgres = await startPostgres();
const model = await createScriptedModel({ script: scriptNamed("crowd") });
const server = await startTreadle({
  args: ["--team"],
  env: { ...scriptedBy(model), DATABASE_URL: postgres.url },
});
try {
  const owner = await enterOwner(server);
  const workers = await gather(owner);
  print(`${workers.length} people in ${PROJECTS} projects, for ${minutes} minutes, seed ${seed}`);
  const ends = performance.now() + minutes * 60_000;
  await Promise.all(workers.map((worker, index) => work(worker, index, ends)));
  await settle(workers);
  await compare(workers);
  await editTogether(workers.slice(0, 3));
  for (const { reader } of workers) reader.close();
} finally {
  await server.stop();
  await model.close();
  await postgres.close();
}
for (const problem of problems.slice(0, 40)) print(problem);
print(problems.length === 0 ? "Nothing lost, nothing doubled." : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

/** Makes the projects, each with its page, and the people with their readers. */
async function gather(owner: Member): Promise<Worker[]> {
  const workers: Worker[] = [];
  for (let at = 0; at < PROJECTS; at++) {
    const project = await owner.treadle.createProject();
    const built = await (await project.run("Build a shopping list")).result();
    if (built.outcome !== "done") problems.push(`project ${at} was not built: ${built.summary}`);
    for (let one = 0; one < PEOPLE_PER_PROJECT; one++) {
      const member = await invite(server, owner, { name: `P${at}x${one}`, project: project.id });
      workers.push({
        ...member,
        project: project.id,
        reader: await readLive(server.origin, member.token, project.id),
        saved: undefined,
        messages: [],
        failures: [],
        delaysOfAnswers: [],
      });
    }
  }
  return workers;
}

/** What one person does until the end: something every one to four seconds. */
async function work(worker: Worker, index: number, ends: number): Promise<void> {
  const project = worker.treadle.project(worker.project);
  const path = `notes/${worker.name}.txt`;
  let version: string | undefined;
  let count = 0;
  const acts: (() => Promise<unknown>)[] = [
    async () => {
      const text = `${worker.name} ${++count}\n`.repeat(1 + number(40));
      ({ version } = await project.files.write(path, text, version));
      worker.saved = text;
    },
    async () => {
      // The first of a project changes its page now and then, which is looked at each time.
      const isChange = index % PEOPLE_PER_PROJECT === 0 && number(6) === 0;
      const body = { text: isChange ? "Add eggs" : "What is in it?" };
      const params = { path: { id: worker.project } };
      const { data } = await worker.treadle.api.POST("/api/projects/{id}/messages", { params, body }); // prettier-ignore
      worker.messages.push(data!.message);
    },
    () => project.detail(),
    () => project.files.list(),
    () => worker.treadle.projects(),
  ];
  while (performance.now() < ends) {
    await wait(1_000 + number(3_000));
    const startedAt = performance.now();
    try {
      await acts[number(acts.length)]!();
    } catch (error) {
      worker.failures.push(String(error));
    }
    worker.delaysOfAnswers.push(performance.now() - startedAt);
  }
}

/** Waits until no run is left, and every reader has all. */
async function settle(workers: Worker[]): Promise<void> {
  for (const { treadle, project, reader, name } of workers) {
    const end = performance.now() + QUIET_MS;
    for (;;) {
      const { head, working } = await treadle.project(project).detail();
      if (!working && reader.head() === head) break;
      if (performance.now() > end) {
        problems.push(
          `${name} has ${reader.head()} of ${head} entries${working ? ", and works on" : ""}`,
        );
        break;
      }
      await wait(100);
    }
  }
}

/** What was taken is there once, and everybody was shown the same. */
async function compare(workers: Worker[]): Promise<void> {
  const first = new Map<string, Worker>();
  const delays = workers.flatMap(({ reader }) => reader.delays);
  for (const worker of workers) {
    const { name, reader, project, treadle, saved } = worker;
    for (const problem of [...reader.problems, ...worker.failures])
      problems.push(`${name}: ${problem}`);
    const other = first.get(project) ?? worker;
    first.set(project, other);
    if (!isDeepStrictEqual(other.reader.state(), reader.state()))
      problems.push(`${name} was shown something else than ${other.name}`);
    if (saved !== undefined) {
      const read = await treadle.project(project).files.read(`notes/${name}.txt`);
      const text = typeof read === "object" ? Buffer.from(read.bytes).toString() : undefined;
      if (text !== saved) problems.push(`the file of ${name} is not what was saved last`);
    }
  }
  for (const [project, { token, treadle, reader }] of first) {
    const fresh = await readLive(server.origin, token, project);
    const end = performance.now() + QUIET_MS;
    while (fresh.head() < reader.head() && performance.now() < end) await wait(20);
    if (!isDeepStrictEqual(fresh.state(), reader.state()))
      problems.push(`${project}: who opens it now is shown something else`);
    fresh.close();
    const counts = new Map<string, number>();
    for await (const { event } of treadle
      .project(project)
      .follow({ signal: AbortSignal.timeout(5_000) }))
      // prettier-ignore
      if (event.type === "message") counts.set(event.message, (counts.get(event.message) ?? 0) + 1);
    const sent = workers.filter((one) => one.project === project).flatMap((one) => one.messages);
    for (const message of sent)
      if (counts.get(message) !== 1)
        problems.push(`${project}: message ${message} is there ${counts.get(message) ?? 0} times`);
  }
  const answers = workers.flatMap((worker) => worker.delaysOfAnswers);
  print(`${delays.length} events at their readers: ${figures(delays)}`);
  print(`${answers.length} requests: ${figures(answers)}`);
  print(`${workers.flatMap(({ messages }) => messages).length} messages taken`);
  if (shareOf(delays, 0.99) > MOST_MS)
    problems.push(
      `99 of 100 events took up to ${shareOf(delays, 0.99)} ms, allowed are ${MOST_MS}`,
    );
}

/** Three people type for a minute where the model adds lines: every word has to be there once. */
async function editTogether(people: Worker[]): Promise<void> {
  const [{ project, treadle }] = people as [Worker];
  const path = "notes.txt";
  const typists = await Promise.all(
    people.map(({ token }) => openTypist(server.origin, token, project, path)),
  );
  const typed: string[] = [];
  let lines = 0;
  const end = performance.now() + TOGETHER_MS;
  const typing = typists.map(async (typist, who) => {
    for (let count = 0; performance.now() < end; count++) {
      const word = `<${who}:${count}:${"abcdefghij".slice(0, 1 + number(10))}>`;
      typist.type(word, number(1_000) / 1_000);
      typed.push(word);
      await wait(50 + number(250));
    }
  });
  const asking = (async () => {
    while (performance.now() < end) {
      const result = await (await treadle.project(project).run("Add a line")).result();
      if (result.outcome === "done") lines++;
      await wait(1_000);
    }
  })();
  await Promise.all([...typing, asking]);
  const quiet = performance.now() + QUIET_MS;
  while (!typists.every((typist) => typist.isSaved()) && performance.now() < quiet) await wait(50);
  const read = await treadle.project(project).files.read(path);
  const text = typeof read === "object" ? Buffer.from(read.bytes).toString() : "";
  for (const typist of typists)
    if (typist.text() !== text) problems.push("a page shows another text than the file");
  for (const word of typed) {
    const count = text.split(word).length - 1;
    if (count !== 1) problems.push(`${word} is there ${count} times`);
  }
  const added = text.split("[model]").length - 1;
  const rest = typed.reduce((left, word) => left.replace(word, ""), text).replaceAll("[model]", "");
  if (rest.replaceAll("\n", "") !== "Notes of everybody")
    problems.push(`besides what was typed there is ${JSON.stringify(rest.slice(0, 200))}`);
  print(`${typed.length} words of three people, ${added} lines of the model in ${lines} turns`);
  if (added === 0) problems.push("the model added no line");
  for (const typist of typists) typist.close();
}

function shareOf(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
}

function figures(values: number[]): string {
  const at = (share: number) => `${Math.round(shareOf(values, share))} ms`;
  return `half within ${at(0.5)}, 90 % ${at(0.9)}, 99 % ${at(0.99)}, the longest ${at(1)}`;
}
