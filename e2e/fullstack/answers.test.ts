import { parseChecks } from "@treadle/protocol/checks";
import { describe, expect, it } from "vitest";
import { readAnswers, readRecordedTasks } from "./answers.ts";

const answers = readAnswers();

it("has an answer for each recorded task, and a task for each answer", () => {
  const tasks = readRecordedTasks();
  expect(answers.map(({ name }) => name).toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
  for (const { name, prompt } of answers) {
    const named = tasks.filter(({ instruction }) => instruction.toLowerCase().includes(prompt));
    expect(named.map(({ id }) => id)).toEqual([name]);
  }
});

describe.each(answers)("the answer to $name", ({ steps }) => {
  it("contains checks with only valid steps", () => {
    const written = steps
      .flatMap(({ calls }) => calls)
      .find(({ input }) => input["path"] === ".treadle/checks.md");
    const { checks, problems } = parseChecks(String(written?.input["content"]));
    expect(problems).toEqual([]);
    expect(checks.length).toBeGreaterThan(0);
  });
});
