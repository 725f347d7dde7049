import { expect, it } from "vitest";
import { answer, call, scriptedModel } from "../testing/scripted-model.test-support.ts";
import { GOOD_PAGE, htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";
import type { PageUse } from "../ports/browser.ts";

const CHECK = "## Adds a thing\n- click Add\n- expect Milk\n";
const path = ".treadle/checks.md";
const page = call("write_file", { path: "index.html", content: "<h1>Todo</h1>" });

/** A page to which nothing is added, so that expectations fail. */
const browser = {
  look: async ({ path: at }: { path: string }) => ({ ...GOOD_PAGE, path: at }),
  async use({ path: at, steps }: { path: string; steps: { do: string; on?: string }[] }) {
    const all = steps.map((step) => ({ ok: step.do !== "expect", said: `${step.do} ${step.on}` }));
    const end = all.findIndex(({ ok }) => !ok);
    const taken = end === -1 ? all : all.slice(0, end + 1);
    return { steps: taken, outline: "", report: { ...GOOD_PAGE, path: at } } as PageUse;
  },
};

const CHEATS = {
  "switches it off": call("write_file", { path, content: `run: by hand\n${CHECK}` }),
  "switches it off and removes it": call("write_file", { path, content: "run: by hand\n" }),
  "deletes the file": call("delete_file", { path }),
};

it.each(Object.entries(CHEATS))(
  "a repair that %s does not make the check hold: not verified, and it is said why",
  async (_how, cheat) => {
    const model = scriptedModel(
      answer("", call("write_file", { path, content: CHECK }), page),
      answer("It is done."),
      answer("", cheat),
      answer("Now it is done."),
    );
    const { result, events } = await tryRun(model, {
      workspace: htmlWorkspace(),
      ports: { browser },
    });
    expect(ofType(events, "repair")).toHaveLength(1);
    expect(result.verdict).toBe("unverified");
    expect(result.summary).toMatch(
      /^Not verified: the check “Adds a thing” was .* by the model and fails as it stood: expect Milk\.$/,
    );
  },
);

it("a check that stood before the run counts though the model takes it away before anybody looked", async () => {
  const model = scriptedModel(
    answer("", call("write_file", { path, content: "# None\n" }), page),
    answer("It is done."),
  );
  const workspace = htmlWorkspace({ files: { [path]: CHECK } });
  const { result } = await tryRun(model, { workspace, ports: { browser } });
  expect(result.summary).toContain("“Adds a thing” was removed by the model and fails");
});

/** A page that contains Tea but no Milk. */
const tea: typeof browser = {
  ...browser,
  async use({ path: at, steps }) {
    const all = steps.map((step) => ({ ok: step.on !== "Milk", said: `${step.do} ${step.on}` }));
    const end = all.findIndex(({ ok }) => !ok);
    const taken = end === -1 ? all : all.slice(0, end + 1);
    return { steps: taken, outline: "", report: { ...GOOD_PAGE, path: at } } as PageUse;
  },
};
const adapted = call("write_file", { path, content: CHECK.replace("Milk", "Tea") });

/** A turn in a verified project whose check the model adapts to a page with Tea instead of Milk. */
async function adaptedTurn(asked?: { what: string; check: string }[]) {
  const model = scriptedModel(
    answer("", adapted, page, call("finish", { done: "It is Tea now.", asked })),
    answer("It is Tea now."),
  );
  const workspace = htmlWorkspace({ files: { [path]: CHECK } });
  const request = { lastVerdict: "verified" as const };
  const { result } = await tryRun(model, { workspace, ports: { browser: tea }, request });
  return result;
}

it("a check that held before the turn may be adapted to what was asked for, which the verdict says", async () => {
  const result = await adaptedTurn([{ what: "Tea instead of milk", check: "Adds a thing" }]);
  expect(result.verdict).toBe("verified");
  expect(result.summary).toContain("“Adds a thing” changed by the model in this turn");
});

it("a check that held before the turn does not come to expect something else unless that was asked for", async () => {
  const result = await adaptedTurn();
  expect(result.verdict).toBe("unverified");
  expect(result.summary).toContain("“Adds a thing” was changed by the model and fails");
});

it("a check that the model removed is named in the verdict although it holds as it was", async () => {
  const remaining = CHECK.replace("Milk", "Coffee");
  const removed = "## Adds tea\n- click Add\n- expect Tea\n";
  const model = scriptedModel(
    answer("", call("write_file", { path, content: remaining }), page),
    answer("It is done."),
  );
  const { result } = await tryRun(model, {
    workspace: htmlWorkspace({ files: { [path]: `${remaining}\n${removed}` } }),
    ports: { browser: tea },
  });
  expect(result.summary).toContain("“Adds tea” removed by the model");
});

it.each([
  ["names it for what was asked", call("finish", { done: "Tea.", asked: [{ what: "Tea instead of milk", check: "Adds a thing" }] }), "verified"], // prettier-ignore
  ["does not", call("finish", { done: "Tea." }), "unverified"],
] as const)(
  "a model that is told that its changed check fails as it stood, and then %s, gets its verdict by that",
  async (_how, second, verdict) => {
    const model = scriptedModel(
      answer("", adapted, page, call("finish", { done: "It is Tea now." })),
      answer("", second),
      answer("That is all."),
    );
    const { result } = await tryRun(model, {
      workspace: htmlWorkspace({ files: { [path]: CHECK } }),
      ports: { browser: tea },
      request: { lastVerdict: "verified", thorough: true },
    });
    expect(result.verdict).toBe(verdict);
  },
);

it.each([
  ["once it was seen to fail", "verified", [page]],
  ["where the project was not verified before", "failed", [adapted, page]],
] as const)("it may not %s", async (_when, lastVerdict, first) => {
  const model = scriptedModel(
    answer("", ...first),
    answer("It is done."),
    answer("", adapted),
    answer("Now it is done."),
  );
  const workspace = htmlWorkspace({ files: { [path]: CHECK } });
  const { result } = await tryRun(model, {
    workspace,
    ports: { browser: tea },
    request: { lastVerdict },
  });
  expect(result.verdict).toBe("unverified");
  expect(result.summary).toContain("“Adds a thing” was changed by the model and fails");
});

it("a check that the run wrote, and that never held, may ask for less, and shows nothing then: runs", async () => {
  const less = call("write_file", { path, content: "## Adds a thing\n- click Add\n" });
  const model = scriptedModel(
    answer("", call("write_file", { path, content: CHECK }), page),
    answer("It is done."),
    answer("", less),
    answer("Now it is done."),
  );
  const { result } = await tryRun(model, { workspace: htmlWorkspace(), ports: { browser } });
  expect(result.verdict).toBe("runs");
});

it("a wrong check may be rewritten by the run that wrote it, and keeps its age", async () => {
  const model = scriptedModel(
    answer("", call("write_file", { path, content: CHECK }), page),
    answer("It is done."),
    answer("", call("write_file", { path, content: CHECK.replace("expect", "expect no") })),
    answer("Now it is done."),
  );
  const { result } = await tryRun(model, { workspace: htmlWorkspace(), ports: { browser } });
  expect(result.verdict).toBe("verified");
  expect(result.summary).not.toContain("changed by the model");
});
