import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepInStep, type SyncNews } from "./keep-in-step.ts";
import { memorySide } from "./memory-side.test-support.ts";

const PATHS = ["a.txt", "b.txt", "src/c.txt"];
/** Maximum number of rounds until nothing changes any more. */
const ROUNDS = 20;

const act = fc.record({
  hand: fc.constantFrom("folder" as const, "project" as const),
  path: fc.constantFrom(...PATHS),
  to: fc.constantFrom(...PATHS),
  what: fc.constantFrom("type", "type", "type", "replace", "remove", "move"),
  /** How many answers of the sides to wait for before the change is made. */
  after: fc.nat(12),
});

describe("two sides that both change", () => {
  it("end with the same files, and no text is lost unless its own side removed it", async () => {
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
        /** Makes a change on one side immediately, based on what that side contains. */
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
          // Stops and restarts, with or without the stored state.
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
