import { toProjectPath } from "@treadle/protocol/project-path";
import type { Evidence, PageReport } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import {
  createFakeWorkspace,
  type FakeWorkspace,
  type FakeWorkspaceOptions,
} from "../testing/fake-workspace.test-support.ts";
import type { PageStep } from "../ports/browser.ts";
import { GOOD_PAGE } from "../testing/try-run.test-support.ts";
import { evidenceText } from "../text/evidence-text.ts";
import { gatherEvidence } from "./gather-evidence.ts";

const HTML = { "content-type": "text/html" };
const VITE = JSON.stringify({
  scripts: { dev: "vite", build: "tsc -b && vite build" },
  dependencies: { react: "^19.0.0" },
  devDependencies: { vite: "8.0.0" },
});

interface Options extends FakeWorkspaceOptions {
  page?: Partial<PageReport> | ((look: number, workspace: FakeWorkspace) => Partial<PageReport>);
  noBrowser?: boolean;
  /**
   * Whether using a page succeeds, by the text of its last step; absent if pages cannot be used.
   */
  use?: (steps: PageStep[], path: string) => boolean;
  /** Errors that the page throws during the use. */
  thrown?: () => PageReport["uncaughtErrors"];
  asked?: boolean;
  only?: { name: string; last?: Evidence };
  previous?: Evidence;
  touched?: string[];
  workspace?: FakeWorkspace;
  signal?: AbortSignal;
}

async function gather({
  page,
  noBrowser,
  use,
  thrown,
  asked,
  only,
  previous,
  signal,
  ...options
}: Options) {
  const workspace =
    options.workspace ??
    createFakeWorkspace({
      serve: () => (_request, response) => void response.writeHead(200, HTML).end("<p>hi</p>"),
      ...options,
    });
  const observed: Evidence[] = [];
  let looks = 0;
  const evidence = await gatherEvidence({
    workspace,
    ...(noBrowser
      ? {}
      : {
          browser: {
            look: async ({ path }) => ({
              ...GOOD_PAGE,
              path,
              ...(typeof page === "function" ? page(++looks, workspace) : page),
            }),
            use: use
              ? async ({ path, steps }) => {
                  const works = use(steps, path);
                  const taken = steps.map(({ do: what, on }, index) => ({
                    ok: works || index + 1 < steps.length,
                    said: `${what} ${on}`,
                  }));
                  const report = { ...GOOD_PAGE, path, uncaughtErrors: thrown?.() ?? [] };
                  return { steps: taken, outline: "", report };
                }
              : undefined,
          },
        }),
    clock: createFakeClock(),
    previous,
    touched: new Set(options.touched?.map(toProjectPath)),
    asked,
    only,
    onEvidence: (seen) => observed.push(seen),
    signal: signal ?? new AbortController().signal,
  });
  const states = Object.fromEntries(
    Object.entries(evidence.parts).map(([part, { state }]) => [part, state]),
  );
  return { evidence, states, observed, workspace, verdict: judge(evidence).verdict };
}

describe("a person who waits for their own page", () => {
  it("sees it before any observation or build begins", async () => {
    const seen = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const files = { "package.json": VITE, "index.html": "" };
    const workspace = createFakeWorkspace({
      serve: () => (_request, response) => void response.writeHead(200, HTML).end("<p>hi</p>"),
      files,
    });
    const did = () => workspace.commands.filter((command) => command.includes("build"));
    let looks = 0;
    const gathering = gatherEvidence({
      workspace,
      browser: {
        look: async ({ path }) => (looks++, { ...GOOD_PAGE, path }),
        personFirst: () => (waits.resolve(), seen.promise),
      },
      clock: createFakeClock(),
      onEvidence: () => {},
      signal: new AbortController().signal,
    });
    await waits.promise;
    expect([looks, did()]).toEqual([0, []]);
    seen.resolve();
    expect(judge(await gathering).verdict).toBe("runs");
    expect(looks).toBeGreaterThan(0);
    expect(did()).toHaveLength(1);
  });
});

describe("a project with a page", () => {
  it("is installed if necessary, served, observed and built, then verified", async () => {
    const { states, verdict, workspace, observed } = await gather({
      files: { "package.json": VITE, "index.html": "" },
    });
    expect(states).toEqual({
      install: "held",
      build: "held",
      serve: "held",
      page: "held",
      console: "held",
    });
    expect(verdict).toBe("runs");
    expect(workspace.commands[0]).toContain("npm install");
    expect(workspace.commands).toContain("start: npm run dev");
    expect(observed.some(({ parts }) => parts.install.state === "going")).toBe(true);
  });

  it("A171 is not verified with packages that something other than an install has modified", async () => {
    const workspace = createFakeWorkspace({
      files: { "package.json": VITE, "index.html": "" },
      serve: () => (_request, response) => void response.writeHead(200, HTML).end("<p>hi</p>"),
    });
    Object.assign(workspace, {
      changedDependencies: async () => [
        "node_modules/typescript/bin/tsc",
        "node_modules/typescript/lib/x.js",
      ],
    });
    const { states, verdict, evidence } = await gather({ workspace });
    expect(states).toMatchObject({ install: "untried", build: "held", page: "held" });
    expect(verdict).toBe("unverified");
    expect(evidence.parts.install.summary).toMatch(/typescript$/);
    expect(evidence.parts.install.detail).toContain("node_modules/typescript/bin/tsc");
  });

  it("is not reinstalled if all packages are present in fitting versions", async () => {
    const files = {
      "package.json": VITE,
      "node_modules/react/package.json": '{"version":"19.2.0"}',
      "node_modules/vite/package.json": '{"version":"8.0.0"}',
    };
    expect(
      (await gather({ files })).workspace.commands.some((command) => command.includes("install")),
    ).toBe(false);
    const older = { ...files, "node_modules/react/package.json": '{"version":"18.3.1"}' };
    expect((await gather({ files: older })).workspace.commands[0]).toContain("npm install");
  });

  it("is installed again before a failure of the network or the registry counts", async () => {
    let tries = 0;
    const flaky = (lasting: boolean) => () =>
      ++tries === 1 || lasting
        ? { code: 1, output: "npm error code ECONNRESET\nnpm error network aborted" }
        : undefined;
    const files = { "package.json": VITE, "index.html": "" };
    const once = await gather({ files, command: flaky(false) });
    expect([once.verdict, once.evidence.parts.install.summary]).toEqual([
      "runs",
      "npm install ended with 0, at the second try",
    ]);
    const lasting = await gather({ files, command: flaky(true) });
    expect([lasting.verdict, lasting.workspace.commands]).toEqual([
      "failed",
      Array(2).fill("npm install --no-audit --no-fund"),
    ]);
  });

  it("fails with npm's own message, and later parts are not tried", async () => {
    const { states, evidence, workspace } = await gather({
      files: { "package.json": '{"dependencies":{"react-doom":"*"},"scripts":{"dev":"vite"}}' },
    });
    expect(states).toMatchObject({ install: "failed", build: "untried", serve: "untried" });
    expect(evidence.parts.install.detail).toContain("react-doom@*");
    expect(workspace.commands).toHaveLength(1);
  });

  it.each([
    ["blank", { rendered: false, text: "" }, "page", "the page / is blank"],
    [
      "an exception",
      { uncaughtErrors: [{ message: "ReferenceError: x is not defined" }] },
      "console",
      "uncaught: ReferenceError: x is not defined",
    ],
    [
      "an overlay",
      { overlay: "[plugin:vite] Failed to resolve import" },
      "console",
      "error overlay: [plugin:vite] Failed to resolve import",
    ],
    [
      "an error that a boundary caught",
      {
        consoleErrors: [
          { message: "TypeError: y is null\n\nThe above error occurred in the <A> component." },
        ],
      },
      "console",
      "console: TypeError: y is null The above error occurred in the <A> component.",
    ],
    [
      "one that draws itself without end",
      {
        consoleErrors: [
          {
            message:
              "Maximum update depth exceeded. This can happen when a component calls setState",
          },
        ],
      },
      "console",
      "console: Maximum update depth exceeded. This can happen when a component calls setState",
    ],
    [
      "one whose app found no place on it",
      {
        text: "{{ title }}",
        consoleErrors: [
          {
            message: '[Vue warn]: Failed to mount app: mount target selector "#ap" returned null.',
          },
        ],
      },
      "console",
      'console: [Vue warn]: Failed to mount app: mount target selector "#ap" returned null.',
    ],
    [
      "nothing but an apology",
      { text: "Oops! Something went wrong." },
      "page",
      "the page / shows nothing but “Oops! Something went wrong.”",
    ],
    [
      "a script that is missing",
      { failedRequests: [{ method: "GET", url: "http://localhost:3001/src/x.js", status: 404 }] },
      "console",
      "GET http://localhost:3001/src/x.js answered 404",
    ],
    [
      "an API that broke",
      { failedRequests: [{ method: "POST", url: "/api/todos", status: 500 }] },
      "console",
      "POST /api/todos answered 500",
    ],
    ["not there", { status: 0, rendered: false }, "page", "the page / did not load"],
    [
      "a list of files",
      { title: "Index of /", text: "package.json" },
      "page",
      "the page / is a list of the files in a folder: the server found no index.html to show",
    ],
    [
      "what its server threw, answered as if all were well",
      {
        title: "Error",
        text: "TypeError: x is null\n    at Server.<anonymous> (file:///app/server.js:2:9)",
      },
      "page",
      "the page / shows an error of its server: TypeError: x is null",
    ],
    [
      "what Python raised",
      {
        text: 'Traceback (most recent call last):\n  File "app.py", line 3, in get\nValueError: no',
      },
      "page",
      "the page / shows an error of its server: ValueError: no",
    ],
  ] as const)("fails when the page is %s", async (_what, page, part, summary) => {
    const { evidence, verdict } = await gather({
      files: { "index.html": "" },
      page: page as Partial<PageReport>,
    });
    expect(verdict).toBe("failed");
    expect(evidence.parts[part].summary).toBe(summary);
  });

  it.each([
    ["is about stack traces", { text: "Error handling\n\nTypeError: x\n    at f (/a.js:1:2)" }],
    [
      "says of one part that it failed",
      {
        text: "Weather\nBerlin 21°\nParis 24°\nAlerts: something went wrong\nForecast for the week\nRain on Tuesday",
      },
    ],
    ["is a game that says oops", { text: "Oops counter\n0\nI said it" }],
    ["is an index", { title: "Index of plants", text: "Acer, Betula" }],
    ["mentions an error", { consoleErrors: [{ message: "Loaded 0 items, no error found" }] }],
    [
      "has a font that did not come",
      {
        failedRequests: [
          { method: "GET", url: "https://fonts.example/x.woff2", status: 0, reason: "blocked" },
        ],
      },
    ],
    [
      "has no favicon",
      { failedRequests: [{ method: "GET", url: "http://localhost:1/favicon.ico", status: 404 }] },
    ],
    [
      "asks an API whether somebody is signed in",
      { failedRequests: [{ method: "GET", url: "/api/session", status: 404 }] },
    ],
    [
      "warns",
      { consoleErrors: [{ message: "Warning: Each child in a list should have a unique key" }] },
    ],
  ] as const)("holds when the page %s", async (_what, page) => {
    expect(
      (await gather({ files: { "index.html": "" }, page: page as unknown as Partial<PageReport> }))
        .verdict,
    ).toBe("runs");
  });

  it("is observed again before a bad result counts", async () => {
    const { verdict } = await gather({
      files: { "index.html": "" },
      page: (look) => (look === 1 ? { uncaughtErrors: [{ message: "flaky" }] } : {}),
    });
    expect(verdict).toBe("runs");
  });

  it("has to succeed twice if its own server reported a failure", async () => {
    const status = (look: number) => (look % 2 === 1 ? 500 : 200);
    const every = await gather({
      files: { "index.html": "" },
      page: (look) => ({ status: status(look) }),
    });
    expect(every.verdict).toBe("failed");
    const once = await gather({
      files: { "index.html": "" },
      page: (look) => ({ status: look === 1 ? 500 : 200 }),
    });
    expect(once.verdict).toBe("runs");
  });

  it("does not fail because the browser breaks", async () => {
    const { verdict, evidence } = await gather({
      files: { "index.html": "" },
      page: () => {
        throw new Error("Target closed");
      },
    });
    expect(verdict).toBe("unverified");
    expect(evidence.parts.page.summary).toContain("Target closed");
  });

  it("stays unverified without a browser, with the reason", async () => {
    const { verdict, evidence } = await gather({ files: { "index.html": "" }, noBrowser: true });
    expect(verdict).toBe("unverified");
    expect(evidence.parts.page.summary).toContain("no browser");
  });
});

describe("a build", () => {
  const manifest = (build: string) => JSON.stringify({ scripts: { dev: "node s.js", build } });
  it("that exits with 0 but wrote nothing proves nothing", async () => {
    const { states, evidence } = await gather({
      files: { "package.json": manifest("echo built") },
      command: (command) =>
        command.includes("build") ? { output: "built\n[treadle] files written: 0\n" } : undefined,
    });
    expect(states["build"]).toBe("inapplicable");
    expect(evidence.parts.build.summary).toContain("wrote nothing");
  });

  it("that is a type check need not write files", async () => {
    const { states } = await gather({
      files: { "package.json": manifest("tsc --noEmit") },
      command: (command) =>
        command.includes("build") ? { output: "\n[treadle] files written: 0\n" } : undefined,
    });
    expect(states["build"]).toBe("held");
  });

  it("that the project does not declare reports type errors, and does not fail a working app", async () => {
    const files = {
      "package.json":
        '{"scripts":{"dev":"tsx watch src/main.ts"},"devDependencies":{"typescript":"5"}}',
      "tsconfig.json": "{}",
    };
    const types = (code: number) => (command: string) =>
      command.includes("tsc")
        ? { code, output: "src/main.ts(1,1): error TS2580\n[treadle] files written: 0\n" }
        : undefined;
    expect((await gather({ files, command: types(0) })).states["build"]).toBe("held");
    const { states, evidence, verdict } = await gather({ files, command: types(2) });
    expect(states["build"]).toBe("inapplicable");
    expect(evidence.parts.build.summary).toContain("tsc --noEmit ended with 2");
    expect(evidence.parts.build.detail).toContain("TS2580");
    expect(verdict).toBe("runs");
  });

  it("that fails decides the verdict, with its output", async () => {
    const { verdict, evidence } = await gather({
      files: { "package.json": manifest("tsc -b") },
      command: (command) =>
        command.includes("build")
          ? { code: 2, output: "src/a.ts(1,1): error TS2304\n[treadle] files written: 0\n" }
          : undefined,
    });
    expect(verdict).toBe("failed");
    expect(evidence.parts.build).toMatchObject({
      state: "failed",
      summary: "npm run build ended with 2",
    });
    expect(evidence.parts.build.detail).toContain("TS2304");
    expect(evidence.parts.build.detail).not.toContain("[treadle]");
    expect(evidenceText(evidence, evidence.parts.build.at ?? 0)).toContain(
      "status: failed (build) 0s ago",
    );
  });
});

describe("a server", () => {
  it.each([
    [0, [3000], "npm start accepts connections on port 3000 but answers nothing"],
    [1, [3000], "npm start crashed"],
    [0, [], "npm start opened no port"],
    [1, [], "npm start crashed"],
  ])(
    "fails where it is starting after %s restarts, with ports %j",
    async (restarts, ports, summary) => {
      const workspace = createFakeWorkspace({
        files: { "package.json": JSON.stringify({ scripts: { start: "node ." } }) },
      });
      workspace.start = async (command) =>
        (workspace.server = { state: "starting", command, ports, restarts });
      const { evidence } = await gather({ workspace });
      expect(evidence.parts.serve).toMatchObject({ state: "failed", summary });
    },
  );

  it("that crashes fails, with its last output", async () => {
    const { evidence } = await gather({
      files: { "package.json": '{"scripts":{"start":"node s.js"}}' },
      serve: () => undefined,
    });
    expect(evidence.parts.serve).toMatchObject({
      state: "failed",
      summary: "npm start crashed with 1",
    });
    expect(evidence.parts.serve.detail).toContain("it crashed");
  });

  it("that answers with an error fails", async () => {
    const { evidence } = await gather({
      files: { "package.json": '{"scripts":{"start":"node s.js"}}' },
      serve: () => (_request, response) => void response.writeHead(500).end("no such table"),
    });
    expect(evidence.parts.serve.state).toBe("failed");
    expect(evidence.parts.serve.detail).toContain("no such table");
  });

  it("is followed through a redirect to the page", async () => {
    const { evidence } = await gather({
      files: { "package.json": '{"scripts":{"start":"node s.js"}}' },
      serve: () => (request, response) =>
        void (request.url === "/"
          ? response.writeHead(302, { location: "/home" }).end()
          : response.writeHead(200, HTML).end("x")),
    });
    expect(evidence.parts.serve.summary).toBe("GET /home answered 200");
    expect(evidence.pages[0]?.path).toBe("/home");
  });

  it("with an API and a page is judged by its page, on whichever port it is", async () => {
    const { evidence, verdict, workspace } = await gather({
      files: { "package.json": '{"scripts":{"dev":"concurrently api vite"}}' },
      serve: (_command, fake) => {
        fake.openPort(
          (_request, response) => void response.writeHead(200, HTML).end("<!doctype html>"),
        );
        return (_request, response) => void response.end("[]");
      },
      page: { uncaughtErrors: [{ message: "front end broken" }] },
    });
    expect(verdict).toBe("failed");
    expect(evidence.parts.console.summary).toContain("front end broken");
    // Previews show the page as well.
    expect(workspace.server?.ports[0]).toBe(Math.min(...workspace.server!.ports));
  });

  it("fails by an error on any of its ports", async () => {
    const { evidence, verdict } = await gather({
      files: { "package.json": '{"scripts":{"dev":"run-p web api"}}' },
      page: (_look, fake) => {
        fake.openPort((_request, response) => void response.writeHead(500).end("no database"));
        return {};
      },
    });
    expect(verdict).toBe("failed");
    expect(evidence.parts.serve.summary).toMatch(/^GET \/ answered 500 on port \d+$/);
  });

  it("fails if it exits while its page is observed", async () => {
    const { evidence, verdict } = await gather({
      files: { "package.json": '{"scripts":{"start":"node s.js"}}' },
      page: (_look, fake) => {
        fake.print("Error: out of luck");
        fake.crashServer(7);
        return {};
      },
    });
    expect(verdict).toBe("failed");
    expect(evidence.parts.serve.summary).toContain("crashed with 7");
    expect(evidence.parts.serve.detail).toContain("out of luck");
  });

  it("fails if one of several processes exits and the others keep running", async () => {
    const { evidence, verdict } = await gather({
      files: { "package.json": '{"scripts":{"dev":"concurrently web api"}}' },
      page: (_look, fake) => {
        fake.print("[1] node api.js exited with code 1\n");
        return {};
      },
    });
    expect(verdict).toBe("failed");
    expect(evidence.parts.serve.summary).toContain("node api.js exited with code 1");
  });

  it("has its output reported if something is wrong", async () => {
    const { evidence } = await gather({
      files: { "package.json": '{"scripts":{"start":"node s.js"}}' },
      page: (_look, fake) => {
        fake.print("TypeError: db.open is not a function\n");
        return { failedRequests: [{ method: "GET", url: "/api/x", status: 500 }] };
      },
    });
    expect(evidence.printed).toContain("db.open is not a function");
    expect(evidenceText(evidence, 0)).toContain("db.open is not a function");
  });

  it("is not an API if the project has an index.html that nothing serves", async () => {
    const { evidence, verdict } = await gather({
      files: { "package.json": '{"scripts":{"start":"node s.js"}}', "index.html": "<h1>x</h1>" },
      serve: () => (_request, response) => void response.end("[]"),
    });
    expect(verdict).toBe("unverified");
    expect(evidence.parts.page.summary).toContain("index.html");
  });

  it("that answers 404 to everything proves nothing, and does not fail the app", async () => {
    const { verdict, states } = await gather({
      files: { "package.json": '{"scripts":{"start":"node s.js"}}' },
      serve: () => (_request, response) => void response.writeHead(404).end(),
    });
    expect(states["serve"]).toBe("untried");
    expect(verdict).toBe("unverified");
  });

  it("is restarted for changed files, unless it reloads by itself", async () => {
    const serve = () => (_request: unknown, response: { end(text: string): void }) =>
      void response.end("x");
    const restarts = async (script: string) => {
      const workspace = createFakeWorkspace({
        files: { "package.json": JSON.stringify({ scripts: { dev: script } }) },
        serve,
      });
      await workspace.start("npm run dev");
      await gather({ workspace });
      return workspace.commands.filter((command) => command.startsWith("start:")).length - 1;
    };
    expect(await restarts("node server.js")).toBe(1);
    expect(await restarts("vite --host")).toBe(0);
  });
});

it("static files are served as they are; nothing to serve is unverified", async () => {
  expect((await gather({ files: { "index.html": "<p>" } })).workspace.commands).toContain(
    "start: treadle-serve",
  );
  expect((await gather({ files: { "notes.md": "hi" } })).verdict).toBe("unverified");
});

it("gives evidence of one revision: if files change meanwhile, it observes again", async () => {
  const { evidence, workspace, verdict } = await gather({
    files: { "index.html": "" },
    page: (look, workspace) => {
      if (look === 1) workspace.put("index.html", "<p>changed meanwhile</p>");
      return {};
    },
  });
  expect(evidence.revision).toBe(await workspace.revision());
  expect(verdict).toBe("runs");
});

it("files that keep changing stay unverified", async () => {
  const { verdict, evidence } = await gather({
    files: { "index.html": "" },
    page: (look, workspace) => {
      workspace.put("index.html", `${look}`);
      return {};
    },
  });
  expect(verdict).toBe("unverified");
  expect(evidence.parts.page.summary).toContain("kept changing");
});

it("a revision that was verified is not observed again", async () => {
  const first = await gather({ files: { "index.html": "" } });
  const again = await gather({ workspace: first.workspace, previous: first.evidence });
  expect(again.evidence).toBe(first.evidence);
  expect(again.observed).toEqual([]);
});

it("a package.json that is not JSON is a failed install", async () => {
  const { evidence } = await gather({ files: { "package.json": "{ not json" } });
  expect(evidence.parts.install.state).toBe("failed");
  expect(evidence.parts.install.summary).toContain("package.json cannot be read");
});

it("stops when it is aborted", async () => {
  const stop = new AbortController();
  const workspace = createFakeWorkspace({
    files: { "package.json": VITE },
    command: () => {
      setImmediate(() => stop.abort(new Error("stopped")));
      return { hangs: true };
    },
  });
  await expect(gather({ workspace, signal: stop.signal })).rejects.toThrow("stopped");
  expect(workspace.running).toBe(0);
});

describe("pages affected by a change", () => {
  const seen: string[] = [];
  /** Paths on which the server does not respond. */
  const silent = new Set<string>();
  const gatherPages = async (
    files: Record<string, string>,
    pages: Record<string, Partial<PageReport>> = {},
    asked = false,
  ) => {
    seen.length = 0;
    const workspace = createFakeWorkspace({
      files: { "index.html": "", ...files },
      serve: () => (request, response) => {
        if (!silent.has(request.url ?? "")) response.writeHead(200, HTML).end("<p>hi</p>");
      },
    });
    return gatherEvidence({
      workspace,
      browser: {
        async look({ path }) {
          seen.push(path);
          return { ...GOOD_PAGE, path, ...pages[path] };
        },
      },
      clock: createFakeClock(),
      touched: new Set(Object.keys(files).map(toProjectPath)),
      asked,
      onEvidence: () => {},
      signal: new AbortController().signal,
    });
  };

  it("are found by their files and by the routes in their code", async () => {
    const evidence = await gatherPages({
      "package.json": '{"dependencies":{"astro":"*","next":"*"}}',
      "about.html": "",
      "src/pages/contact/index.astro": "",
      "app/(shop)/cart/page.tsx": "",
      "src/App.tsx": `<Route path="/settings" element={<S />} /><Route path="/u/:id" />`,
    });
    expect(seen).toEqual(["/", "/about.html", "/contact", "/cart", "/settings"]);
    expect(evidence.parts.page.summary).toContain("and so did 4 more");
    expect(judge(evidence).verdict).toBe("runs");
  });

  it("fail the evidence if one of them is broken, and it is named", async () => {
    const evidence = await gatherPages(
      { "about.html": "", "team.html": "" },
      { "/about.html": { uncaughtErrors: [{ message: "TypeError: x" }] } },
    );
    expect(evidence.parts.console).toMatchObject({
      state: "failed",
      summary: "uncaught: TypeError: x on /about.html",
    });
    expect(seen).toEqual(["/", "/about.html", "/about.html"]);
    expect(judge(evidence).verdict).toBe("failed");
  });

  it("are ignored if the guessed address is wrong or not a page", async () => {
    const evidence = await gatherPages(
      {
        "package.json": '{"dependencies":{"next":"*"}}',
        "src/pages/helper.ts": "",
        "server.js": `import express from "express"; app.get("/api/list", list)`,
      },
      {
        "/helper": { status: 404, rendered: false },
        "/api/list": { contentType: "application/json", rendered: false },
      },
    );
    expect(seen).toContain("/api/list");
    expect(evidence.parts.page.summary).not.toContain("more");
    expect(judge(evidence).verdict).toBe("runs");
  });

  it("that never respond are waited for once, and count if the page links to them", async () => {
    const reason = "it did not answer within 60 s";
    const unanswered = (url: string) => ({
      status: 0,
      rendered: false,
      failedRequests: [{ method: "GET", url, status: 0, reason }],
    });
    silent.add("/stuck").add("/about.html");
    const pages = { "/": { links: ["/stuck", "/b"] }, "/stuck": unanswered("/stuck") };
    const linked = await gatherPages({ "src/App.jsx": "" }, pages);
    expect(seen).toEqual(["/", "/stuck"]);
    expect(linked.parts.page).toMatchObject({
      state: "failed",
      summary: "the page /stuck did not load: it did not answer within 60 s",
    });
    const guessed = await gatherPages(
      { "about.html": "", "team.html": "" },
      { "/about.html": unanswered("/about.html") },
    );
    expect(seen).toEqual(["/", "/about.html"]);
    expect(judge(guessed).verdict).toBe("runs");
    // The server responds, but the browser gets no answer.
    silent.clear();
    await gatherPages({ "src/App.jsx": "" }, pages);
    expect(seen).toEqual(["/", "/stuck", "/stuck"]);
  });

  it("include those that the page links to", async () => {
    await gatherPages(
      { "src/App.jsx": "" },
      { "/": { links: ["/contact", "/a", "/b", "/c", "/d"] } },
    );
    expect(seen).toEqual(["/", "/contact", "/a", "/b", "/c"]);
  });

  it("are the linked pages if a person requested the look and nothing was changed", async () => {
    const links = { "/": { links: ["/contact"] } };
    await gatherPages({}, links, true);
    expect(seen).toEqual(["/", "/contact"]);
    await gatherPages({}, links);
    expect(seen).toEqual(["/"]);
  });

  it("do not fail a working page if an external host broke a page that it only links to", async () => {
    const away: Partial<PageReport> = {
      uncaughtErrors: [{ message: "ReferenceError: GraphiQL is not defined" }],
      waiting: "Loading...",
      wanted: [
        { host: "unpkg.com", why: "unreached", for: "data" },
        { host: "unpkg.com", why: "unreached", for: "script" },
      ],
    };
    const evidence = await gatherPages(
      { "server.js": "" },
      { "/": { links: ["/graphql"] }, "/graphql": away },
    );
    expect(judge(evidence).verdict).toBe("runs");
    expect(evidence.parts.page.summary).toMatch(
      /rendered \d+ characters; \/graphql wanted unpkg.com, which cannot be reached from this machine$/,
    );
    const own = await gatherPages({ "server.js": "" }, { "/": away });
    expect(judge(own).verdict).toBe("unverified");
  });

  it("are not guessed from a folder unless a framework makes pages of its files", async () => {
    await gatherPages({
      "package.json": '{"dependencies":{"react":"*","vite":"*"}}',
      "src/pages/HomePage.jsx": "export default () => <h1>Home</h1>",
      "src/routes/list.jsx": `api.get("/users"); const menu = [{ path: "/files" }]`,
    });
    expect(seen).toEqual(["/"]);
  });

  it("exclude layouts and pages with parameters, and are four at most", async () => {
    await gatherPages({
      "package.json": '{"dependencies":{"next":"*","@sveltejs/kit":"*"}}',
      "src/routes/+layout.svelte": "",
      "src/routes/post/[slug]/+page.svelte": "",
      "pages/_app.tsx": "",
      "pages/api/list.ts": "",
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`p${n}.html`, ""])),
    });
    expect(seen).toEqual(["/", "/p1.html", "/p2.html", "/p3.html", "/p4.html"]);
  });
});

it("A27 a host that was refused during a failure is named in the model's text", async () => {
  const { evidence, verdict } = await gather({
    files: { "package.json": JSON.stringify({ scripts: { start: "node ." } }) },
    serve: (_command, workspace) => (_request, response) => {
      workspace.refuse("api.example.com");
      response.writeHead(500).end("fetch failed");
    },
  });
  expect(verdict).toBe("unverified");
  expect(evidence.parts.serve.summary).toContain(
    "it wanted api.example.com, which this project may not reach",
  );
  expect(evidence.wanted).toEqual([{ host: "api.example.com", why: "not-allowed" }]);
  expect(evidenceText(evidence, 0)).toContain("egress refused: api.example.com");
  expect(evidenceText(evidence, 0)).toContain("wanted: api.example.com, not allowed");
});

describe("the project's own checks", () => {
  const project = (checks: string) => ({
    "package.json": VITE,
    "index.html": "",
    ".treadle/checks.md": checks,
  });
  const TWO = "## Opens\n- expect Tasks\n## Adds\n- click Add\n- expect Milk\n";

  it("run in the working page, and count", async () => {
    const { evidence, verdict, observed } = await gather({ files: project(TWO), use: () => true });
    expect(verdict).toBe("verified");
    expect(judge(evidence).reason).toMatch(/no errors, 2 checks passed$/);
    expect(observed.some(({ checks }) => checks?.[0]?.state === "going")).toBe(true);
    expect(observed.at(-1)?.checks?.map(({ state }) => state)).toEqual(["held", "held"]);
  });

  it("fail the revision, and the model reads which step failed", async () => {
    const { evidence, verdict } = await gather({
      files: project(TWO),
      use: (steps) => steps.at(-1)?.on !== "Milk",
    });
    expect(verdict).toBe("failed");
    const text = evidenceText(evidence, 0);
    expect(text).toContain("status: failed (checks)");
    expect(text).toContain("held: Opens\nfailed: Adds\n  ok click Add\n  FAILED expect Milk");
  });

  it("that fail once are repeated before they count", async () => {
    let runs = 0;
    const { verdict } = await gather({ files: project(TWO), use: () => ++runs > 1 });
    expect([verdict, runs]).toEqual(["verified", 3]);
  });

  it("are stopped after several failures, which have to be repaired first", async () => {
    let runs = 0;
    const many = Array.from({ length: 9 }, (_, n) => `## Check ${n}\n- expect Milk\n`).join("");
    const { evidence, verdict } = await gather({ files: project(many), use: () => ++runs < 2 });
    expect(verdict).toBe("failed");
    expect(evidence.checks?.map(({ state }) => state)).toEqual([
      "held",
      ...Array.from({ length: 5 }, () => "failed"),
      ...Array.from({ length: 3 }, () => "untried"),
    ]);
    expect(runs).toBe(1 + 2 * 2 + 3);
    expect(evidenceText(evidence, 0)).toContain("untried: Check 8");
  });

  it("fail if the page throws meanwhile, even if all expectations hold", async () => {
    const { evidence, verdict } = await gather({
      files: project(TWO),
      use: () => true,
      thrown: () => [{ message: "items is undefined" }],
    });
    expect(verdict).toBe("failed");
    expect(judge(evidence).reason).toBe(
      "the check “Opens” failed at the page threw items is undefined",
    );
    expect(evidenceText(evidence, 0)).toContain("FAILED the page threw items is undefined");
  });

  it("begin at the address that they give", async () => {
    const paths: string[] = [];
    const { evidence } = await gather({
      files: project("## About\n- open /about\n- expect Us"),
      use: (_steps, path) => paths.push(path) > 0,
    });
    expect(paths).toEqual(["/about"]);
    expect(evidence.checks?.[0]?.steps).toEqual([
      { ok: true, said: "open /about" },
      { ok: true, said: "expect Us" },
    ]);
  });

  it("that cannot be parsed fail with their line", async () => {
    const { evidence, verdict } = await gather({
      files: project("## A\n- hope\n- reload"),
      use: () => true,
    });
    expect(verdict).toBe("failed");
    expect(evidence.checks?.at(-1)).toMatchObject({ name: ".treadle/checks.md", state: "failed" });
    expect(judge(evidence).reason).toContain("line 2: “hope” is no step");
  });

  it("that are for manual runs wait until somebody requests them", async () => {
    const files = project(`run: by hand\n${TWO}`);
    expect((await gather({ files, use: () => false })).verdict).toBe("runs");
    expect((await gather({ files, use: () => false, asked: true })).verdict).toBe("failed");
  });

  it("run one alone, and the others keep their results on the same files", async () => {
    const files = project(TWO);
    const states = ({ checks }: Evidence) => checks?.map(({ state }) => state);
    const { evidence: last } = await gather({ files, use: () => true });
    const alone = await gather({ files, use: () => false, only: { name: "adds", last } });
    expect([states(alone.evidence), alone.verdict]).toEqual([["held", "failed"], "failed"]);
    // Results on other files do not count.
    const other = { ...last, revision: "another" };
    const { evidence, verdict } = await gather({
      files,
      use: () => true,
      only: { name: "Opens", last: other },
    });
    expect([states(evidence), verdict]).toEqual([["held", "untried"], "unverified"]);
  });

  it("are not run if the page itself is broken or cannot be used", async () => {
    const broken = await gather({
      files: project(TWO),
      use: () => true,
      page: { rendered: false },
    });
    expect(broken.evidence.checks).toBeUndefined();
    const uncaughtErrors = [{ message: "start is not defined" }];
    const throws = await gather({ files: project(TWO), use: () => true, page: { uncaughtErrors } });
    expect([throws.verdict, throws.evidence.checks]).toEqual(["failed", undefined]);
  });

  it("are run in the answers of an app without a page", async () => {
    const { verdict, evidence } = await gather({
      files: { "package.json": '{"scripts":{"start":"node s.js"}}', ".treadle/checks.md": TWO },
      serve: () => (_request, response) => void response.end('{"ok":true}'),
      use: () => false,
    });
    expect(evidence.parts.serve.state).toBe("held");
    expect(evidence.checks?.[0]?.state).toBe("failed");
    expect(verdict).toBe("failed");
  });

  it("are reported as not run without a place to run them, which is no pass", async () => {
    const { verdict, evidence } = await gather({ files: project(TWO) });
    expect(evidence.checks?.map(({ state }) => state)).toEqual(["untried", "untried"]);
    expect(verdict).toBe("unverified");
  });
});

describe("text in nearly the colour of its background", () => {
  const files = { "index.html": "<!doctype html>" };

  it("is a remark if it is a part of the text, and does not fail the page", async () => {
    const pageSummary = async (page: object) =>
      (await gather({ files, page })).evidence.parts.page.summary.replace(/^[^;]*; /, "");
    const why = "it has nearly the colour of its ground";
    const dark = { faint: ["Small print"] };
    expect(await pageSummary(dark)).toBe(`“Small print” cannot be read: ${why}`);
    expect(await pageSummary({ dark })).toBe(
      `“Small print” cannot be read in a browser that prefers dark: ${why}`,
    );
    expect(await pageSummary({ faint: ["Small print"], dark })).toBe(
      `“Small print” cannot be read: ${why}`,
    );
    expect((await gather({ files, page: { dark } })).verdict).toBe("runs");
  });

  it("fails the page if it is all of the text, with a dark colour scheme too", async () => {
    const { evidence, verdict } = await gather({ files, page: { dark: { unreadable: true } } });
    expect(verdict).toBe("failed");
    expect(evidence.parts.page.summary).toBe(
      "in a browser that prefers dark, the text of the page / cannot be read: it has the colour of its ground",
    );
  });
});

it("a page whose html has no lang gets a remark, and does not fail for it", async () => {
  const files = { "package.json": VITE, "index.html": "<h1>Hi</h1>" };
  const { evidence, verdict } = await gather({ files, page: { lang: "" } });
  expect(verdict).toBe("runs");
  expect(evidence.parts.page.summary).toBe("the page rendered 5 characters; its html has no lang");
  const gathered = await gather({ files, page: { lang: "de" } });
  expect(gathered.evidence.parts.page.summary).toBe("the page rendered 5 characters");
});
