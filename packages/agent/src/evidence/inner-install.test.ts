import { expect, it } from "vitest";
import { readFacts } from "../project/project-facts.ts";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { judge, untriedEvidence } from "@treadle/protocol/evidence";
import { observeInstall } from "./build/install.ts";
import { createObservation } from "./observation.ts";

const INSTALLED = '{"version":"1.0.0"}';

async function install(scripts: Record<string, string>, more: Record<string, string> = {}) {
  const workspace = createFakeWorkspace({
    files: {
      "package.json": JSON.stringify({ scripts, dependencies: { one: "1.0.0" } }),
      "node_modules/one/package.json": INSTALLED,
      "api/package.json": '{"dependencies":{"two":"1.0.0","three":"1.0.0"}}',
      ...more,
    },
    command: (command) => (command.includes("fails") ? { code: 1 } : undefined),
  });
  const evidence = untriedEvidence("r");
  const clock = createFakeClock();
  const { signal } = new AbortController();
  const look = createObservation({
    workspace,
    clock,
    signal,
    evidence,
    refused: new Set(),
    unreached: new Set(),
    onEvidence: () => {},
  });
  await observeInstall(await readFacts(workspace), look);
  return { ...evidence.parts.install, commands: workspace.commands };
}

const DEV = "npm --prefix api start";

it("does not count an install as failed that waits for somebody to approve a package", () => {
  const evidence = untriedEvidence("r");
  const { settle } = createObservation({
    workspace: createFakeWorkspace(),
    clock: createFakeClock(),
    signal: new AbortController().signal,
    evidence,
    refused: new Set(),
    unreached: new Set(),
    refusedPackages: new Set(["chart", "other"]),
    onEvidence: () => {},
  });
  settle("install", "failed", "npm install ended with 1", { detail: "403 - GET /chart" });
  expect(evidence.parts.install).toMatchObject({
    state: "untried",
    summaryCode: { code: "packages-await-approval", values: { packages: "chart" } },
  });
  expect(judge(evidence).verdict).toBe("unverified");
  settle("install", "failed", "npm install ended with 1", { detail: "404 - GET /typo" });
  expect(judge(evidence).verdict).toBe("failed");
});

it("counts the dependencies of packages in folders that the scripts use", async () => {
  const { state, summary, commands } = await install(
    { dev: DEV },
    {
      "api/node_modules/two/package.json": INSTALLED,
      "api/node_modules/three/package.json": INSTALLED,
    },
  );
  expect([state, commands]).toEqual(["held", []]);
  expect(summary).toMatch(/^3 .*api/);
});

it("installs missing dependencies in the folder of such a package", async () => {
  const { state, commands } = await install({ dev: DEV });
  expect([state, commands]).toEqual(["held", ["cd api && npm install --no-audit --no-fund"]]);
});

it("uses the project's own script that installs all of them", async () => {
  const all = "npm install && npm --prefix api install";
  const { commands } = await install({ dev: DEV, "install:all": all });
  expect(commands).toEqual(["npm run install:all"]);
});

it("fails if that script fails", async () => {
  const all = "npm install && npm --prefix api install";
  const { state } = await install({ dev: DEV, fails: all });
  expect(state).toBe("failed");
});
