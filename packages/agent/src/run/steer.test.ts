import { expect, it } from "vitest";
import { orderProblems } from "../testing/check-order.test-support.ts";
import { answer, call, scriptedModel, toldText } from "../testing/scripted-model.test-support.ts";
import { ofType, tryRun } from "../testing/try-run.test-support.ts";

const READ = call("list_files", {});
const said = (...texts: string[]) => {
  const left = texts.map((text, index) => ({ message: `s${index}`, text }));
  return () => left.splice(0);
};

it("what the person says meanwhile reaches the next step, after the results of the one before", async () => {
  let told = "";
  const { result, events, saved } = await tryRun(
    scriptedModel(answer("I look.", READ), (asked) => {
      told = toldText(asked);
      return answer("Blue then.");
    }),
    { request: { takeSteering: said("make it blue") } },
  );
  expect(result.outcome).toBe("done");
  expect(told.indexOf("make it blue")).toBeGreaterThan(told.indexOf("tool-result"));
  expect(ofType(events, "message-taken")).toMatchObject([{ run: "r1", message: "s0" }]);
  expect(orderProblems(events)).toEqual([]);
  // A turn that follows is told everything in the order in which it was said.
  const ids = [...new Set(saved.map(({ id }) => id))];
  expect(ids).toEqual(["m1", "r1.reply", "s0", "r1.reply-1"]);
});

it("a turn that would have ended goes on with what was said meanwhile, also one that only plans", async () => {
  for (const mode of ["act", "plan"] as const) {
    const { result, events } = await tryRun(scriptedModel(answer("1. Red"), answer("1. Blue")), {
      request: { takeSteering: said("not red, blue"), mode },
    });
    expect(result.steps).toBe(2);
    expect(ofType(events, "plan").map(({ text }) => text)).toEqual(
      mode === "plan" ? ["1. Blue"] : [],
    );
  }
});
