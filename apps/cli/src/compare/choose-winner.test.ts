import { PassThrough } from "node:stream";
import type { Comparison, Verdict } from "@treadle/protocol";
import { expect, it } from "vitest";
import { chooseWinner } from "./choose-winner.ts";
import { takeWinner } from "./take-winner.ts";

const comparison = (...verdicts: (Verdict | undefined)[]): Comparison => ({
  id: "c",
  text: "A clock",
  createdAt: 0,
  together: 2,
  attempts: verdicts.map((verdict, n) => ({
    number: n + 1,
    model: `fake:${n + 1}`,
    state: "over",
    project: `p${n + 1}`,
    result: {
      outcome: verdict ? "done" : "stopped",
      verdict,
      summary: "",
      usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 },
      ms: 1_000,
      steps: 1,
      files: 1,
      lines: { added: 1, removed: 0 },
    },
  })),
});

/** A person who types these lines; absent: nobody is there. */
function place(typed?: string) {
  const output = new PassThrough();
  const input = new PassThrough();
  if (typed !== undefined) input.end(typed);
  const shown = () => String(output.read() ?? "");
  return { isThere: typed !== undefined, terminal: { input, output }, shown };
}

it("chooses the best one without asking, and says why", async () => {
  const chosen = await chooseWinner(comparison("failed", "verified"), place(""), false);
  expect(chosen).toMatchObject({ attempt: { number: 2 }, by: "verdict" });
  expect(chosen?.why).toBe("Its verdict is the best.");
});

it("takes the first of several equally good ones in a pipe, and says so", async () => {
  const chosen = await chooseWinner(comparison("failed", "verified", "verified"), place(), false);
  expect(chosen).toMatchObject({ attempt: { number: 2 }, by: "first" });
  expect(chosen?.why).toBe(
    "Attempts 2, 3 are equally good by verdict, checks and cost. The first is taken.",
  );
});

it("asks a person then, until they name one of them; Enter means the first", async () => {
  const asked = place("1\n3\n");
  const alike = comparison("failed", "verified", "verified");
  expect(await chooseWinner(alike, asked, false)).toMatchObject({
    attempt: { number: 3 },
    by: "person",
  });
  expect(asked.shown()).toMatch(/fake:2 +Verified[\s\S]+fake:3 +Verified[\s\S]+Which one\? \[2\]/);
  expect(await chooseWinner(alike, place("\n"), false)).toMatchObject({ attempt: { number: 2 } });
  expect(await chooseWinner(alike, place(""), false)).toBeUndefined();
});

it("offers only finished attempts after Ctrl-C, and takes none without asking", async () => {
  const some = comparison("verified", undefined);
  expect(await chooseWinner(some, place(), true)).toBeUndefined();
  expect(await chooseWinner(some, place("n\n"), true)).toBeUndefined();
  expect(await chooseWinner(some, place("y\n"), true)).toMatchObject({ attempt: { number: 1 } });
  expect(await chooseWinner(comparison(undefined, undefined), place("y\n"), true)).toBeUndefined();
});

it("does not overwrite files changed on both sides without asking", async () => {
  const changed = Object.assign(new Error("Changed in both: a.txt."), { code: "changed" });
  const forced: boolean[] = [];
  const notices: string[] = [];
  const at = (typed?: string) =>
    ({
      ...place(typed),
      project: "home",
      notice: (text: string) => notices.push(text),
      treadle: {
        comparisons: {
          keepAttempt: async (_id: string, _number: number, isForced: boolean) => {
            forced.push(isForced);
            if (!isForced) throw changed;
            return { project: "home" };
          },
        },
        projects: {
          head: async () => 7,
          follow: (_project: string, _after: number, onEntries: (entries: object[]) => void) => {
            const entries = [{ event: { type: "look-start" } }, { event: { type: "look-end" } }];
            queueMicrotask(() => onEntries(entries));
            return () => {};
          },
        },
      },
    }) as unknown as Parameters<typeof takeWinner>[0];
  expect(await takeWinner(at(), "c", 1)).toBeUndefined();
  expect(await takeWinner(at("n\n"), "c", 1)).toBeUndefined();
  expect(forced).toEqual([false, false]);
  expect(notices).toContain("Changed in both: a.txt.");
  expect(await takeWinner(at("y\n"), "c", 1)).toEqual({ evidence: undefined });
  expect(forced).toEqual([false, false, false, true]);
});
