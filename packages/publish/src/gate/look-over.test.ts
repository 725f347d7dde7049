import type { ProjectFacts } from "@treadle/agent";
import { expect, it } from "vitest";
import { FakeDriver } from "../../../workspace/src/testing/fake-workspace.test-support.ts";
import { envOf, lookOver } from "./look-over.ts";
import { locked, lockFileText, randomText } from "./planted.test-support.ts";

const never = new AbortController().signal;
const open = async (project: string, files: Record<string, string>) => {
  const workspace = await new FakeDriver().open({
    project,
    directory: `/${project}`,
    stateDirectory: `/${project}.state`,
    settings: { hosts: [], staticHosts: true, secrets: [] },
  });
  for (const [path, text] of Object.entries(files)) workspace.put(path, text);
  return workspace;
};

it("reads a release's files, queries advisories, and knows the .env of the project", async () => {
  const value = randomText(24, 40);
  const project = await open("p", {
    "app/.env.local": `MAIL_PASSWORD=${value}\n`,
    ".env.example": "MAIL_TOKEN=what-you-got-from-them\n",
  });
  const release = await open("r", {
    "app/server.js": `const mail = "${randomText(20, 41)}";\n`,
    "app/logo.png": "no text",
    "app/package-lock.json": lockFileText(locked("old")),
  });
  const asked: unknown[] = [];
  const looking = await lookOver(release, await envOf(project), async (packages) => {
    asked.push({ ...packages });
    return { old: [{ title: "It is old", severity: "critical", vulnerable_versions: "*" }] };
  });
  looking.ask({ folder: "app" } as ProjectFacts, never);
  const { gate, sources, own } = await looking.done();
  expect(asked).toEqual([{ react: ["19.3.0"], old: ["1.0.0"] }]);
  expect(gate.findings.map(({ title }) => title)).toEqual(["It is old (critical)."]);
  expect(gate.unchecked).toEqual([]);
  expect(sources.map(({ path }) => path)).toEqual(["app/server.js"]);
  expect(own).toEqual([{ name: "MAIL_PASSWORD", value }]);
});

it("continues if the registry fails, or if a project has no packages", async () => {
  const release = await open("r", { "package-lock.json": lockFileText({}) });
  const looking = await lookOver(release, [], () => Promise.reject(new Error("gone")));
  looking.ask({} as ProjectFacts, never);
  expect((await looking.done()).gate.unchecked).toHaveLength(1);
  const bare = await lookOver(release, [], () => Promise.reject(new Error("never")));
  expect((await bare.done()).gate).toEqual({ findings: [], unchecked: [] });
});
