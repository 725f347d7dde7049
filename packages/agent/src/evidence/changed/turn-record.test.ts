import type { ServerResponse } from "node:http";
import type { PageReport, ProjectPath } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import type { Browser, CodeWatch } from "../../ports/browser.ts";
import { createFakeClock } from "../../testing/fake-clock.test-support.ts";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { GOOD_PAGE } from "../../testing/try-run.test-support.ts";
import { gatherEvidence } from "../gather-evidence.ts";

const ABOUT = "export default function About() {\n  return missing.x;\n}\n";
const APP = `const About = lazy(() => import("./About"));
export const table = [{ path: "about", element: <About /> }];
`;
const FILES = {
  "package.json": '{"scripts":{"dev":"node server.js"}}',
  "server.js": "",
  "src/App.jsx": APP,
  "src/About.jsx": ABOUT,
  ".treadle/checks.md": '## Adds\n- click "Add"\n- expect "Milk"\n',
};
const written = (path: string, text: string) => ({
  path: path as ProjectPath,
  kind: "added" as const,
  binary: false,
  diff: `@@ -0,0 +1 @@\n${text.replace(/^/gm, "+")}`,
});

/**
 * Gathers the evidence of a turn.
 * @param ran returns the code that the browser observed on a path; `use`: while a page was used
 */
async function gather(
  ran: (watch: CodeWatch | undefined, where: string) => void,
  report: (path: string) => Partial<PageReport> = () => ({}),
  turn = [written("src/About.jsx", ABOUT)],
  given: Record<string, string> = {},
) {
  const page = () => (_request: unknown, response: ServerResponse) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>");
  const seen: string[] = [];
  const browser: Browser = {
    look: async ({ path, code }) => {
      seen.push(path);
      ran(code, path);
      return { ...GOOD_PAGE, path, ...report(path) } as PageReport;
    },
    use: async ({ path, steps, code }) => {
      ran(code, "use");
      return {
        steps: steps.map(({ do: act }) => ({ ok: true, said: act })),
        outline: "",
        report: { ...GOOD_PAGE, path } as PageReport,
      };
    },
  };
  const evidence = await gatherEvidence({
    workspace: createFakeWorkspace({ files: FILES, serve: page }),
    browser,
    clock: createFakeClock(),
    since: turn,
    given: new Map(Object.entries(given)) as Map<ProjectPath, string>,
    run: "r1",
    onEvidence: () => {},
    signal: new AbortController().signal,
  });
  return { evidence, seen };
}
const about = (ran: boolean) => [
  { path: "src/About.jsx" as ProjectPath, functions: [{ line: 1, column: 15, ran }] },
];

describe("a component of the turn on a route that nothing links to", () => {
  it("is opened, and fails the page if it throws", async () => {
    const { evidence, seen } = await gather(
      (watch, path) => watch?.onRan(path === "/about" ? about(true) : []),
      (path) => (path === "/about" ? { uncaughtErrors: [{ message: "missing" }] } : {}),
    );
    expect(seen).toContain("/about");
    expect(evidence.parts.console.state).toBe("failed");
  });

  it("is found not to have run if its route does not show it", async () => {
    const { evidence } = await gather((watch) => watch?.onRan(about(false)));
    expect(evidence.findings).toEqual([
      { code: "never-ran", subject: "About", place: "src/About.jsx:1" },
    ]);
  });

  it("is not reported if it comes unchanged from a template", async () => {
    const gathered = (text: string) =>
      gather((watch) => watch?.onRan(about(false)), undefined, undefined, {
        "src/About.jsx": text,
      });
    expect((await gathered(ABOUT)).evidence.findings).toBeUndefined();
    const older = await gathered(ABOUT.replace("missing.x", "null"));
    expect(older.evidence.findings).toMatchObject([{ code: "never-ran", subject: "About" }]);
  });

  it("is not reported once a look or a check ran it", async () => {
    const { evidence } = await gather((watch, where) => watch?.onRan(about(where === "use")));
    expect(evidence.findings).toBeUndefined();
    expect(evidence.checks![0]!.provesNothing).toBeUndefined();
  });
});

describe("a new check", () => {
  it("proves nothing about the turn if it ran none of its code", async () => {
    const { evidence } = await gather((watch, where) => watch?.onRan(about(where === "/")));
    expect(evidence.checks?.[0]).toMatchObject({ state: "held", provesNothing: "other-code" });
  });

  it("is not judged if it is unknown what ran", async () => {
    const { evidence } = await gather(() => {});
    expect(evidence.checks![0]!.provesNothing).toBeUndefined();
    expect(evidence.findings).toBeUndefined();
  });
});
