import type { AskedItem, Finding } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { parseChecks } from "../checks/parse-checks.ts";
import { problemsPart } from "../context/parts/with-problems.ts";
import type { RunRequest } from "../loop/types.ts";
import type { PageUse } from "../ports/browser.ts";
import { answer, call, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { GOOD_PAGE, htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";

const CHECKS = ".treadle/checks.md";
const page = call("write_file", { path: "index.html", content: "<h1>Todo</h1>" });
const writeChecks = (content: string) => call("write_file", { path: CHECKS, content });
const finish = (asked?: { what: string; check: string }[]) =>
  call("finish", { done: "It is there.", ...(asked && { asked }) });
const ADDS = "## Adds a task\n- click Add\n- expect Milk\n";
const VACUOUS = "## Adds a task\n- click Add\n- expect Todo\n";

/** A page in which everything works; its heading had been there before. */
const browser = {
  look: async ({ path: at }: { path: string }) => ({ ...GOOD_PAGE, path: at }),
  async use({ path: at, steps }: { path: string; steps: { do: string; on?: string }[] }) {
    return {
      steps: steps.map(({ do: act, on }) => ({
        ok: true,
        said: `${act} ${on}`,
        alreadyHeld: act === "expect" && on === "Todo" ? true : undefined,
      })),
      outline: "",
      report: { ...GOOD_PAGE, path: at },
    } as PageUse;
  },
};

const tried = (
  model: ReturnType<typeof scriptedModel>,
  request: Partial<RunRequest> = {},
  files: Record<string, string> = {},
) => tryRun(model, { workspace: htmlWorkspace({ files }), ports: { browser }, request });

const askedOf = ({ events }: Awaited<ReturnType<typeof tried>>) =>
  ofType(events, "evidence").at(-1)?.evidence.asked;

it("a turn is verified where the check that the model names shows what was asked for", async () => {
  const model = scriptedModel(
    answer("", page, writeChecks(ADDS), finish([{ what: "add tasks", check: "Adds a task" }])),
  );
  const run = await tried(model, { thorough: true });
  expect(run.result).toMatchObject({ outcome: "done", verdict: "verified", steps: 1 });
  expect(askedOf(run)).toEqual([{ what: "add tasks", check: "Adds a task" }]);
});

it("an item that the model leaves out after it was told that nothing shows it remains asked for", async () => {
  const adds = { what: "add tasks", check: "Adds a task" };
  const run = await tried(
    scriptedModel(
      answer("", page, writeChecks(ADDS), finish([adds, { what: "show the time", check: "" }])),
      answer("", finish([{ ...adds, what: "tasks can be added" }])),
    ),
    { thorough: true },
  );
  expect(run.result.verdict).toBe("runs");
  expect(askedOf(run)?.map(({ what }) => what)).toEqual(["tasks can be added", "show the time"]);
});

it("a model that names nothing is taken to have been asked for the message, which a new check shows", async () => {
  const run = await tried(scriptedModel(answer("", page, writeChecks(ADDS)), answer("Done.")));
  expect(run.result.verdict).toBe("verified");
  expect(askedOf(run)).toMatchObject([{ check: "Adds a task" }]);
  const without = await tried(scriptedModel(answer("", page), answer("Done.")));
  expect(without.result.verdict).toBe("runs");
  expect(askedOf(without)![0]!.check).toBeUndefined();
});

it("the model is told once what is not shown, and continues", async () => {
  const model = scriptedModel(
    answer("", page, writeChecks(VACUOUS), finish([{ what: "add tasks", check: "Adds a task" }])),
    answer("", writeChecks(ADDS), finish([{ what: "add tasks", check: "Adds a task" }])),
  );
  const run = await tried(model, { thorough: true });
  expect(run.result).toMatchObject({ verdict: "verified", steps: 2 });
  const prompt = JSON.stringify(model.doStreamCalls.at(-1)?.prompt);
  expect(prompt).toContain("expect Todo");
  // It is not a repair: nothing had failed.
  expect(ofType(run.events, "repair")).toEqual([]);
});

it("it is told no second time: the turn then ends with what was not tried", async () => {
  const model = scriptedModel(
    answer("", page, finish([{ what: "add tasks", check: "Adds a task" }])),
    answer("", finish([{ what: "add tasks", check: "look" }])),
  );
  const run = await tried(model, { thorough: true });
  expect(run.result).toMatchObject({ verdict: "runs", steps: 2 });
  expect(askedOf(run)).toEqual([{ what: "add tasks", byEye: true }]);
});

it("a turn that has to prove little ends as soon as the app runs", async () => {
  const run = await tried(scriptedModel(answer("", page, finish())), { thorough: false });
  expect(run.result).toMatchObject({ verdict: "runs", steps: 1 });
});

it("a check that held before the turn, and was not changed in it, shows nothing that the turn added", async () => {
  const build = () =>
    scriptedModel(answer("", page, finish([{ what: "x", check: "Adds a task" }])));
  const older = await tried(build(), {}, { [CHECKS]: ADDS });
  expect(older.result.verdict).toBe("runs");
  expect(askedOf(older)).toEqual([{ what: "x", check: "Adds a task", isOlder: true }]);
  // A check that had failed before is part of the turn's work.
  const repaired = await tried(build(), { failedBefore: ["Adds a task"] }, { [CHECKS]: ADDS });
  expect(repaired.result.verdict).toBe("verified");
});

it("the new form of a check that the turn changed is no older check, though its earlier form fails", async () => {
  const earlier = "## Adds a task\n- click Add\n- expect Cheese\n";
  const counted = parseChecks(earlier);
  const failing = {
    ...browser,
    use: async (use: { path: string; steps: { do: string; on?: string }[] }) => {
      const used = await browser.use(use);
      const isEarlier = use.steps.some(({ on }) => on === "Cheese");
      if (isEarlier) used.steps.at(-1)!.ok = false;
      return used;
    },
  };
  const run = await tryRun(
    scriptedModel(
      answer("", page, writeChecks(ADDS), finish([{ what: "x", check: "Adds a task" }])),
      answer("", finish([{ what: "x", check: "Adds a task" }])),
    ),
    {
      workspace: htmlWorkspace({ files: { [CHECKS]: earlier } }),
      ports: {
        browser: failing,
        checks: { read: () => ({ byHand: false, checks: counted.checks }), save: () => {} },
      },
    },
  );
  expect(run.result.verdict).not.toBe("verified");
  expect(askedOf(run)).toEqual([{ what: "x", check: "Adds a task" }]);
});

it("the model is not asked for a check of what only eyes can judge", async () => {
  const model = scriptedModel(answer("", page, finish([{ what: "make it blue", check: "look" }])));
  const run = await tried(model, { thorough: true });
  expect(run.result).toMatchObject({ verdict: "runs", steps: 1 });
});

it("what was found before the turn, and told then, is not told again", async () => {
  const build = () =>
    scriptedModel(
      answer("", page, writeChecks(ADDS), finish([{ what: "add", check: "Adds a task" }])),
      answer("", finish([{ what: "add", check: "Adds a task" }])),
    );
  const workspace = () =>
    htmlWorkspace({
      files: { "package.json": '{"scripts":{"dev":"node s.js","test":"node --test"}}' },
      command: (command) => (command.includes("npm test") ? { code: 1 } : undefined),
    });
  const run = (foundBefore: Finding[]) =>
    tryRun(build(), {
      workspace: workspace(),
      ports: { browser },
      request: { thorough: true, foundBefore },
    });
  expect((await run([])).result).toMatchObject({ verdict: "verified", steps: 2 });
  const known: Finding = { code: "tests-failed", subject: "npm test" };
  expect((await run([known])).result).toMatchObject({ verdict: "verified", steps: 1 });
});

it("a repair is not shown by the check that showed nothing before, whichever way the model names it", async () => {
  const request = {
    askedBefore: [{ what: "add tasks", check: "Adds a task" }],
    openBefore: ["add tasks"],
    message: {
      id: "m",
      role: "user" as const,
      parts: [{ type: "text" as const, text: "Repair it" }, problemsPart()],
    },
  };
  const files = { [CHECKS]: ADDS, "index.html": "<h1>Todo</h1>" };
  for (const asked of [undefined, [{ what: "tasks are added", check: "Adds a task" }]]) {
    const run = await tried(scriptedModel(answer("", page, finish(asked))), request, files);
    expect(askedOf(run)).toEqual([expect.objectContaining({ isOlder: true })]);
    expect(run.result.verdict).toBe("runs");
  }
  // A check that had failed shows the repair.
  const failed = { ...request, failedBefore: ["Adds a task"] };
  const run = await tried(scriptedModel(answer("", page, finish())), failed, files);
  expect(run.result.verdict).toBe("verified");
});

describe("a turn that is to show by checks what was asked for before", () => {
  const askedBefore: AskedItem[] = [
    { what: "add tasks", check: "Adds a task" },
    { what: "delete tasks", check: "Deletes a task" },
    { what: "share the list" },
  ];
  const openBefore = ["delete tasks", "share the list"];
  const DELETES = "## Deletes a task\n- click Delete\n- expect Milk\n";
  const files = { [CHECKS]: ADDS + DELETES, "index.html": "<h1>Todo</h1>" };
  const shows = (asked: { what: string; check: string }[] | undefined, checks: string) =>
    scriptedModel(answer("", writeChecks(checks), finish(asked)));
  const shares = `${ADDS}${DELETES}## Shares\n- click Share\n- expect Milk\n`;
  const share = { what: "share the list", check: "Shares" };

  it("keeps what was shown, and leaves open what it was not asked for", async () => {
    const request = { askedBefore, openBefore, prove: ["share the list"] };
    const run = await tried(shows([share], shares), request, files);
    expect(askedOf(run)).toEqual([
      askedBefore[0],
      { what: "delete tasks", check: "Deletes a task", isOlder: true },
      share,
    ]);
    expect(run.result.verdict).toBe("runs");
  });

  it("is verified where each open item has a check of this turn, even if the model names the others again", async () => {
    const [adds, , open] = askedBefore;
    const request = {
      askedBefore: [adds!, open!],
      openBefore: ["share the list"],
      prove: ["share the list"],
    };
    const again = { what: "a person can add tasks", check: "Adds a task" };
    const run = await tried(shows([again, share], shares), request, files);
    expect(askedOf(run)).toEqual([adds, share]);
    expect(run.result.verdict).toBe("verified");
    const unnamed = await tried(shows(undefined, shares), request, files);
    expect(unnamed.result.verdict).toBe("verified");
  });

  it("does not end well with an older check, or with an item left out", async () => {
    const request = { askedBefore, openBefore, prove: openBefore };
    const older = { what: "delete tasks", check: "Deletes a task" };
    const run = await tried(shows([older, share], shares), request, files);
    expect(askedOf(run)).toEqual([askedBefore[0], { ...older, isOlder: true }, share]);
    expect(run.result.verdict).toBe("runs");
    const short = await tried(shows([share], shares), request, files);
    expect(askedOf(short)).toEqual([askedBefore[0], share, { what: "delete tasks" }]);
    expect(short.result.verdict).toBe("runs");
  });
});
