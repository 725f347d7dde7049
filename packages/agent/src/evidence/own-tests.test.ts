import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { gatherEvidence } from "./gather-evidence.ts";

async function gather(script: string | undefined, came: { code?: number; output?: string } = {}) {
  const scripts = { dev: "node server.js", ...(script !== undefined && { test: script }) };
  const workspace = createFakeWorkspace({
    files: { "package.json": JSON.stringify({ scripts }), "server.js": "" },
    serve: () => (_request, response: ServerResponse) => void response.end("{}"),
    command: (command) => (command.includes("npm test") ? came : undefined),
  });
  const evidence = await gatherEvidence({
    workspace,
    clock: createFakeClock(),
    onEvidence: () => {},
    signal: new AbortController().signal,
  });
  return { evidence, ran: workspace.commands.filter((command) => command.includes("test")) };
}

it("says beside the build that the project's own tests pass", async () => {
  const { evidence } = await gather("node --test");
  expect(evidence.parts.build).toMatchObject({ state: "inapplicable" });
  expect(evidence.parts.build.summary).toContain("npm test passed");
  expect(evidence).not.toHaveProperty("findings");
});

it("makes a finding of tests that fail, with the end of what they printed", async () => {
  const { evidence } = await gather("node --test", { code: 1, output: "1 failing\n" });
  expect(evidence.findings).toEqual([
    { code: "tests-failed", subject: "npm test", detail: "1 failing" },
  ]);
  expect(evidence.parts.build.state).toBe("inapplicable");
});

it("runs nothing where there are no tests but npm's own placeholder", async () => {
  const placeholder = 'echo "Error: no test specified" && exit 1';
  expect((await gather(placeholder)).ran).toEqual([]);
  expect((await gather(undefined)).ran).toEqual([]);
});
