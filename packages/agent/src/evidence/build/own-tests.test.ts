import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.test-support.ts";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { gatherEvidence } from "../gather-evidence.ts";

async function gather(script: string | undefined, exit: { code?: number; output?: string } = {}) {
  const scripts = { dev: "node server.js", test: script };
  const workspace = createFakeWorkspace({
    files: { "package.json": JSON.stringify({ scripts }), "server.js": "" },
    serve: () => (_request, response: ServerResponse) => void response.end("{}"),
    command: (command) => (command.includes("npm test") ? exit : undefined),
  });
  const evidence = await gatherEvidence({
    workspace,
    clock: createFakeClock(),
    onEvidence: () => {},
    signal: new AbortController().signal,
  });
  return { evidence, ran: workspace.commands.filter((command) => command.includes("test")) };
}

it("notes beside the build that the project's own tests pass", async () => {
  const { evidence } = await gather("node --test");
  expect(evidence.parts.build).toMatchObject({ state: "inapplicable" });
  expect(evidence.parts.build.summary).toContain("npm test passed");
  expect(evidence.findings).toBeUndefined();
});

it("reports failing tests as a finding, with the end of their output", async () => {
  const { evidence } = await gather("node --test", { code: 1, output: "1 failing\n" });
  expect(evidence.findings).toEqual([
    { code: "tests-failed", subject: "npm test", detail: "1 failing" },
  ]);
  expect(evidence.parts.build.state).toBe("inapplicable");
});

it("runs nothing if there are no tests except npm's placeholder", async () => {
  const placeholder = 'echo "Error: no test specified" && exit 1';
  expect((await gather(placeholder)).ran).toEqual([]);
  expect((await gather(undefined)).ran).toEqual([]);
});

it("builds and tests the packages in a project's folders if the project itself has no such script", async () => {
  const inner = (scripts: object) => JSON.stringify({ scripts });
  const run = async (root: object) => {
    const workspace = createFakeWorkspace({
      files: {
        "package.json": inner({ dev: "npm --prefix api start & cd web && vite", ...root }),
        "api/package.json": inner({ build: "tsc", test: "node --test" }),
        "web/package.json": inner({ build: "vite build" }),
      },
      serve: () => (_request, response: ServerResponse) => void response.end("{}"),
      command: (command) =>
        command.includes("npm run test") ? { code: 1, output: "1 failing" } : undefined,
    });
    const evidence = await gatherEvidence({
      workspace,
      clock: createFakeClock(),
      onEvidence: () => {},
      signal: new AbortController().signal,
    });
    return { evidence, commands: workspace.commands.join("\n") };
  };
  const { evidence, commands } = await run({});
  expect(commands).toContain("(cd api && npm run build) && (cd web && npm run build)");
  expect(commands).toContain("export CI=1; (cd api && npm run test)");
  expect(evidence.parts.build.state).toBe("held");
  expect(evidence.findings).toEqual([
    { code: "tests-failed", subject: "(cd api && npm run test)", detail: "1 failing" },
  ]);
  const own = await run({ build: "npm --prefix web run build", test: "node --test" });
  expect(own.commands).not.toContain("cd api");
});
