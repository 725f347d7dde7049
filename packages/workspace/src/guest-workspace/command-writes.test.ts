import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, expect, it } from "vitest";
import { createCommandWrites } from "./command-writes.ts";

const stateDirectory = mkdtempSync(join(tmpdir(), "treadle-command-writes-"));
afterAll(() => rmSync(stateDirectory, { recursive: true, force: true }));

type Step =
  | "begin"
  | "write"
  | "end"
  | "leave"
  | "end-left"
  | "serve"
  | "look"
  | "reopen"
  | "answer";

/** Runs commands, a server and looks in any order, with the guest's responses in any order too. */
async function run(scheduler: fc.Scheduler, steps: readonly Step[]) {
  rmSync(join(stateDirectory, "command-writes.json"), { force: true });
  let now = 1_000;
  let isLeft = false;
  const files = new Map<string, { at: number; byCommand: boolean }>();
  const ask = <T>(answer: () => T) => scheduler.schedule(Promise.resolve()).then(answer);
  const open = () =>
    createCommandWrites({
      stateDirectory,
      leftBehind: () => ask(() => ({ now, isAny: isLeft })),
      made: ({ spans }) =>
        ask(() => ({
          made: [...files]
            .filter(([, { at }]) => spans.some(({ from, to }) => at >= from && at <= to))
            .map(([path]) => toProjectPath(path)),
          isFetchedChanged: false,
        })),
    });
  let writes = open();
  const going: (() => Promise<void>)[] = [];
  const waiting: Promise<unknown>[] = [];
  const settle = async () => {
    await scheduler.waitFor(Promise.all(waiting.splice(0)));
  };
  for (const step of steps) {
    now += 10;
    if (step === "begin") going.push(await scheduler.waitFor(writes.begin()));
    else if (step === "write" && going.length > 0)
      files.set(`dist/${now}`, { at: now, byCommand: true });
    else if (step === "end" && going.length > 0) waiting.push(going.pop()!());
    else if (step === "leave" && going.length > 0) isLeft = true;
    else if (step === "end-left") {
      if (isLeft) files.set(`dist/${now}`, { at: now, byCommand: true });
      isLeft = false;
    } else if (step === "serve" && going.length === 0 && !isLeft) {
      await settle();
      await scheduler.waitFor(writes.opened());
      now += 10;
      files.set(`.cache/${now}`, { at: now, byCommand: false });
    } else if (step === "answer") {
      if (scheduler.count() > 0) await scheduler.waitOne();
      // Lets the effects of the response happen before the next step.
      await new Promise(setImmediate);
    } else if (step === "look") waiting.push(writes.look());
    else if (step === "reopen" && going.length === 0 && !isLeft) {
      await settle();
      writes = open();
      await scheduler.waitFor(writes.opened());
    }
  }
  await settle();
  now += 10;
  const { made } = await scheduler.waitFor(writes.look());
  return { made: new Set(made.map(String)), files };
}

it("attributes files to commands and not to the server, in whatever order commands, looks and responses arrive", async () => {
  const step = fc.constantFrom<Step>("begin", "write", "end", "leave", "end-left", "serve", "look", "reopen", "answer", "answer", "answer"); // prettier-ignore
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { maxLength: 25 }),
      async (scheduler, steps) => {
        const { made, files } = await run(scheduler, steps);
        for (const [path, { byCommand }] of files) expect([path, made.has(path)]).toEqual([path, byCommand]); // prettier-ignore
      },
    ),
    { numRuns: 1_000 },
  );
}, 120_000);
