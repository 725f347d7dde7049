import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepInStep, type SyncNews } from "./keep-in-step.ts";
import { memorySide } from "./memory-side.test-support.ts";

const PATHS = ["a.txt", "b.txt", "src/c.txt"];
/** Rounds until nothing moves any more. */
const ROUNDS = 20;

const act = fc.record({
  hand: fc.constantFrom("folder" as const, "project" as const),
  path: fc.constantFrom(...PATHS),
  to: fc.constantFrom(...PATHS),
  what: fc.constantFrom("type", "type", "type", "replace", "remove", "move"),
  /** Answers of the sides that are waited for before it is done. */
  after: fc.nat(12),
});

describe("two sides at which both hands work", () => {
  it("end with the same files, and every text is in one of them, unless its hand took it away", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40 }), fc.boolean(), async (acts, known) => {
        const files = { folder: new Map<string, string>(), project: new Map<string, string>() };
        const typed = new Set<string>();
        const base = new Map<string, string>();
        const left = acts.map((one, number) => ({ ...one, number }));
        let answers = 0;
        const pause = () => {
          answers++;
          while (left[0] && left[0].after <= answers) {
            answers = 0;
            work(left.shift()!);
          }
          return Promise.resolve();
        };
        /** Each hand does at once what it does: it reads and writes what stands on its own side. */
        function work({ hand, path, to, what, number }: (typeof left)[number]) {
          const there = files[hand];
          const text = there.get(path) ?? "";
          const line = `<${number}>`;
          if (what === "type" || what === "replace") {
            if (what === "replace") takeAway(text);
            typed.add(line);
            there.set(path, (what === "type" ? text : "") + line);
          } else if (what === "remove") {
            takeAway(text);
            there.delete(path);
          } else if (there.has(path)) {
            if (to !== path) takeAway(there.get(to) ?? "");
            there.delete(path);
            there.set(to, text);
          }
        }
        const takeAway = (text: string) => {
          for (const line of text.match(/<\d+>/g) ?? []) typed.delete(line);
        };
        const syncNewses: SyncNews[] = [];
        const start = () =>
          keepInStep({
            folder: memorySide(files.folder, pause),
            project: memorySide(files.project, pause),
            base,
            mayRemoveMany: true,
            onNews: (news) => syncNewses.push(news),
          });
        let step = start();
        for (let round = 0; round < ROUNDS; round++) {
          await step.round();
          // Stopped and begun anew, with what it knew or without.
          if (round % 3 === 2) {
            if (!known) base.clear();
            step = start();
          }
        }
        while (left.length > 0) work(left.shift()!);
        for (let round = 0; round < ROUNDS; round++) await step.round();
        expect(new Map(files.folder)).toEqual(new Map(files.project));
        const all = [...files.folder.values()].join("");
        expect([...typed].filter((line) => !all.includes(line))).toEqual([]);
        expect(syncNewses.filter(({ kind }) => kind === "refused")).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});
