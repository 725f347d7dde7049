import { expect, it } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { describeExit } from "../tools/describe-exit.ts";
import { refusedNote, watchRefused } from "./refused-hosts.ts";

it("A27 the result of a command that was refused a host says so, and what to do", () => {
  const exit = { kind: "exited", code: 56, ms: 10, output: "x".repeat(100_000) } as const;
  const { result } = describeExit("curl https://evil.com", { ...exit, refused: ["evil.com"] });
  expect(result).toContain("egress refused: evil.com. ");
  expect(result).toContain("can allow the host");
  expect(describeExit("true", { ...exit, code: 0 }).result).not.toContain("egress");
});

it("tells the model that a refused package waits for approval, and that it is no fault of the project", () => {
  const exit = { kind: "exited", code: 1, ms: 10, output: "npm error 403" } as const;
  const { result } = describeExit("npm i chart", { ...exit, refusedPackages: ["chart"] });
  expect(result).toContain("need approval: chart. ");
  expect(result).not.toContain("egress");
});

it("hosts are gathered while something goes on, ten at most, and not after", async () => {
  const workspace = createFakeWorkspace();
  const hosts = await watchRefused(workspace, async (refused) => {
    for (let index = 0; index < 50; index++) workspace.refuse(`h${index}.com`);
    workspace.refuse("h0.com");
    return refused;
  });
  workspace.refuse("late.com");
  expect(hosts.size).toBe(10);
  expect(refusedNote(hosts)).not.toContain("late.com");
  expect(refusedNote([])).toBe("");
  expect(refusedNote(undefined)).toBe("");
});
