import type { ServerResponse } from "node:http";
import type { PageReport } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { describe, expect, it } from "vitest";
import type { Browser } from "../../ports/browser.ts";
import type { DataCopies } from "../../ports/data-copies.ts";
import { createFakeClock } from "../../testing/fake-clock.test-support.ts";
import {
  createFakeWorkspace,
  type FakeWorkspace,
  type FakeWorkspaceOptions,
} from "../../testing/fake-workspace.test-support.ts";
import { GOOD_PAGE } from "../../testing/try-run.test-support.ts";
import { gatherEvidence } from "../gather-evidence.ts";

const manifest = (more: Record<string, unknown> = {}) =>
  JSON.stringify({ scripts: { dev: "node server.js" }, dependencies: { one: "1.0.0" }, ...more });
const FILES = {
  "package.json": manifest(),
  "package-lock.json": "{}",
  "server.js": "",
  "node_modules/one/package.json": '{"version":"1.0.0"}',
};

const page = () => (_request: unknown, response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>");

/** A project whose fresh copies behave as given. */
function createProject(
  options: {
    files?: Record<string, string>;
    clean?: Partial<FakeWorkspaceOptions>;
    cleanPage?: Partial<PageReport>;
    asLocked?: boolean;
  } = {},
) {
  const { files = FILES, clean = {} } = options;
  const proofs = new Map<string, string>();
  const workspace = createFakeWorkspace({ files, serve: page });
  Object.assign(workspace, {
    proofs: {
      get: (key: string) => proofs.get(key),
      set: (key: string, outcome: string) => void proofs.set(key, outcome),
    },
    isAsLocked: async () => options.asLocked ?? false,
  });
  const cleans: FakeWorkspace[] = [];
  const lookWith = (more: Partial<PageReport> = {}): Browser => ({
    look: async ({ path }) => ({ ...GOOD_PAGE, path, ...more }),
    use: async ({ path }) => ({ steps: [], outline: "", report: { ...GOOD_PAGE, path } }),
  });
  const copies: DataCopies = {
    async open({ clean: isClean = false } = {}) {
      const copied = createFakeWorkspace({ files, serve: page, ...(isClean && clean) });
      if (isClean) cleans.push(copied);
      return {
        workspace: copied,
        browser: lookWith(isClean ? options.cleanPage : {}),
        isTouched: async () => false,
        close: async () => {},
      };
    },
  };
  const gather = () =>
    gatherEvidence({
      workspace,
      browser: lookWith(),
      copies,
      clock: createFakeClock(),
      onEvidence: () => {},
      signal: new AbortController().signal,
    });
  const commands = () => cleans.map((one) => one.commands);
  return { workspace, gather, commands };
}

describe("a revision in a fresh copy", () => {
  it("is installed from its lock file, built and served by its own scripts", async () => {
    const files = {
      ...FILES,
      "package.json": manifest({ scripts: { dev: "node server.js", build: "vite build" } }),
    };
    const { gather, commands } = createProject({ files });
    const evidence = await gather();
    expect(evidence.parts.install.state).toBe("held");
    expect(evidence.findings).toBeUndefined();
    const [[install, ...rest] = []] = commands();
    expect(install).toMatch(/^npm ci/);
    expect(rest).toContain("start: npm run dev");
  });

  it("comes up if only its lock file is refused by its package manager, which is reported", async () => {
    const { gather, commands } = createProject({
      clean: {
        command: (command) =>
          command.includes("npm ci")
            ? { code: 1, output: "npm error Missing: x@ from lock file" }
            : undefined,
      },
    });
    const evidence = await gather();
    expect(
      commands()[0]
        ?.slice(0, 2)
        .map((command) => command.split(" -")[0]),
    ).toEqual(["npm ci", "npm install"]);
    expect(evidence.parts.install.state).toBe("held");
    expect(evidence.parts.install.detail).toContain("Missing: x@");
  });

  it("does not come up if every install of it fails", async () => {
    const { gather } = createProject({
      clean: {
        command: (command) =>
          /npm (?:ci|install)/.test(command)
            ? { code: 1, output: "npm error no such file" }
            : undefined,
      },
    });
    expect((await gather()).parts.install.state).toBe("failed");
  });

  it("is proven once per set of dependencies", async () => {
    const { gather, commands, workspace } = createProject();
    await gather();
    workspace.put("server.js", "// another");
    await gather();
    expect(commands()).toHaveLength(1);
    workspace.put("package-lock.json", '{"packages":{}}');
    await gather();
    expect(commands()).toHaveLength(2);
  });

  it("is proven at each revision if an install runs one of the project's own scripts", async () => {
    const scripts = { dev: "node server.js", postinstall: "node generate.js" };
    const { gather, commands, workspace } = createProject({
      files: { ...FILES, "package.json": manifest({ scripts }) },
    });
    await gather();
    workspace.put("schema.txt", "another");
    await gather();
    expect(commands()).toHaveLength(2);
  });

  it.each([
    ["nothing but the packages of the lock file is there", { asLocked: true }],
    [
      "nothing is installed",
      { files: { "package.json": manifest({ dependencies: {} }), "server.js": "" } },
    ],
  ])("is not tried where %s", async (_why, options) => {
    const { gather, commands } = createProject(options);
    await gather();
    expect(commands()).toEqual([]);
  });

  it("is installed in its inner packages as well, by the project's own script if there is one", async () => {
    const inner = {
      "api/package.json": '{"dependencies":{"two":"1.0.0"}}',
      "api/node_modules/two/package.json": '{"version":"1.0.0"}',
      "api/package-lock.json": "{}",
    };
    const dev = "npm --prefix api start";
    const plain = createProject({
      asLocked: true,
      files: { ...FILES, ...inner, "package.json": manifest({ scripts: { dev } }) },
    });
    await plain.gather();
    expect(plain.commands()[0]?.[1]).toMatch(/^cd api && npm ci/);
    const scripted = createProject({
      asLocked: true,
      files: {
        ...FILES,
        ...inner,
        "package.json": manifest({
          scripts: { dev, "install:all": "npm install && npm --prefix api install" },
        }),
      },
    });
    await scripted.gather();
    expect(scripted.commands()[0]?.[1]).toBe("npm run install:all");
  });

  it.each([
    [
      "its install fails",
      { clean: { command: () => ({ code: 1, output: "npm error EUSAGE: not in sync" }) } },
    ],
    ["its server does not start", { clean: { serve: () => undefined } }],
    [
      "its server answers with an error",
      {
        clean: {
          serve: () => (_request: unknown, response: ServerResponse) =>
            void response.writeHead(500).end("Cannot find module"),
        },
      },
    ],
    ["its page is blank", { cleanPage: { rendered: false, text: "" } }],
  ])("fails the part install where %s", async (_why, options) => {
    const { gather } = createProject(options as Parameters<typeof createProject>[0]);
    const evidence = await gather();
    expect(evidence.parts.install.state).toBe("failed");
    expect(judge(evidence).verdict).toBe("failed");
    expect(evidence.findings?.map(({ code }) => code)).toEqual(["unclean"]);
    expect(evidence.findings?.[0]?.subject).not.toBe("");
  });

  it("is not tried if the registry is unreachable, and is tried again the next time", async () => {
    const { gather, commands } = createProject({
      clean: { command: () => ({ code: 1, output: "npm error code ENOTFOUND" }) },
    });
    const evidence = await gather();
    expect(evidence.parts.install.state).toBe("held");
    expect(evidence.findings?.map(({ code }) => code)).toEqual(["unclean-untried"]);
    await gather();
    expect(commands()).toHaveLength(2);
  });
});

describe("output that a command wrote beside the sources", () => {
  const CHECKS = "# Checks\n\n## It says hi\n- open `/`\n- see text `hi`\n";
  const BUILT = {
    ...FILES,
    "checks.md": CHECKS,
    "package.json": manifest({ scripts: { dev: "node server.js", build: "vite build" } }),
  };
  /** A project whose commands made these files; the result shows whether fresh copies were opened. */
  const withMade = (
    made: string[],
    options: Parameters<typeof createProject>[0] & { noCopies?: boolean } = {},
  ) => {
    const project = createProject({ asLocked: true, files: BUILT, ...options });
    Object.assign(project.workspace, { madeByCommands: async () => made });
    return project;
  };

  it("is ignored: app and build are observed in fresh copies", async () => {
    const { gather, commands, workspace } = withMade(["dist"]);
    const evidence = await gather();
    expect(commands().length).toBeGreaterThan(1);
    for (const [install] of commands()) expect(install).toMatch(/^npm ci/);
    expect(
      commands()
        .flat()
        .some((command) => command.includes("npm run build")),
    ).toBe(true);
    expect(workspace.commands.some((command) => command.includes("npm run build"))).toBe(false);
    expect(evidence.parts.build.state).toBe("held");
    expect(evidence.findings).toBeUndefined();
  });

  it("cannot hide a broken page", async () => {
    const { gather } = withMade(["node_modules/.vite"], {
      cleanPage: { rendered: false, text: "" },
    });
    expect(judge(await gather()).verdict).toBe("failed");
  });

  it("cannot make a failing build pass", async () => {
    const { gather } = withMade(["node_modules/.tmp"], {
      clean: {
        command: (command) =>
          command.includes("npm run build") ? { code: 1, output: "TS2322" } : undefined,
      },
    });
    const evidence = await gather();
    expect(evidence.parts.build.state).toBe("failed");
    expect(judge(evidence).verdict).toBe("failed");
  });

  it("is named if no fresh copy is available, and then nothing is verified", async () => {
    const { gather } = withMade(["dist"], {
      clean: {
        command: (command) =>
          command.includes("npm ci") ? { code: 1, output: "ENOTFOUND" } : undefined,
      },
    });
    const evidence = await gather();
    expect(evidence.findings?.map(({ code, subject }) => [code, subject])).toContainEqual([
      "made-by-command",
      "dist",
    ]);
    expect(judge(evidence).verdict).toBe("runs");
  });
});
