import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect, test } from "vitest";
import { runsSeveral, scriptOf, serverCommand } from "./server-command.ts";

const facts = (scripts: Record<string, string>, indexHtml = false) => ({
  manifest: { scripts, dependencies: {}, usesWorkspaces: false },
  indexHtml,
  tsconfig: false,
});
const running = (command: string) => ({
  state: "up" as const,
  command,
  ports: [3000],
  restarts: 0,
});

describe("serverCommand", () => {
  test("is run where the project is", () => {
    const below = { ...facts({ dev: "vite" }), folder: toProjectPath("demo") };
    const expected = { command: "cd demo && npm run dev", script: "vite" };
    expect(serverCommand(below, undefined)).toEqual(expected);
    expect(serverCommand(below, running(expected.command))).toEqual(expected);
    expect(serverCommand(below, running("cd demo && npm run gone"))).toEqual(expected);
  });

  test("prefers the running command, then dev, then start, then static files", () => {
    const scripts = { dev: "vite", start: "node ." };
    expect(serverCommand(facts(scripts), running("npm start"))?.command).toBe("npm start");
    expect(serverCommand(facts(scripts), undefined)).toEqual({
      command: "npm run dev",
      script: "vite",
    });
    expect(serverCommand(facts({ start: "node ." }), undefined)?.command).toBe("npm start");
    expect(serverCommand(facts({}, true), undefined)?.command).toBe("treadle-serve");
    expect(serverCommand(facts({}), undefined)).toBeUndefined();
  });

  test("knows the server that only serves the project's files", () => {
    const below = { ...facts({}, true), folder: toProjectPath("demo") };
    expect(serverCommand(below, undefined)?.servesFiles).toBe(true);
    expect(serverCommand(facts({}), running("treadle-serve 8080"))?.servesFiles).toBe(true);
    const scripts = { dev: "treadle-serve & node api.js" };
    expect(serverCommand(facts(scripts), undefined)?.servesFiles).toBeUndefined();
    expect(
      serverCommand(facts({}), running("treadle-serve; node api.js"))?.servesFiles,
    ).toBeUndefined();
  });

  test("forgets a running command whose script is gone", () => {
    expect(serverCommand(facts({ dev: "vite" }), running("npm run old"))?.command).toBe(
      "npm run dev",
    );
  });

  test.each<Record<string, string>>([
    { preview: "vite preview", build: "vite build" },
    { start: "next start", build: "next build" },
    { start: "node server.js", build: "vite build" },
    { start: "serve -s dist", build: "vite build" },
  ])("builds first what only shows a build: %o", (scripts) => {
    const command = "preview" in scripts ? "npm run preview" : "npm start";
    expect(serverCommand(facts(scripts), running(command))?.build).toBe("npm run build");
  });

  test.each<Record<string, string>>([
    { start: "npm run build && node server.js", build: "vite build" },
    { start: "react-scripts start", build: "react-scripts build" },
    { start: "node server.js", dev: "node --watch server.js", build: "tsc" },
    { start: "node server.js" },
  ])("does not build first if that is unnecessary: %o", (scripts) => {
    expect(serverCommand(facts(scripts), running("npm start"))?.build).toBeUndefined();
  });
});

test("a script is known behind its arguments, and not in a line of several commands", () => {
  expect(scriptOf("npm run dev -- --port 4000")).toBe("dev");
  expect(scriptOf("npm start")).toBe("start");
  expect(scriptOf("npm run dev & npm run api")).toBeUndefined();
});

test.each(["concurrently vite api", "vite & node api.js", "pnpm -r dev", "turbo dev"])(
  "several processes are known by their runner: %s",
  (script) => expect(runsSeveral(script)).toBe(true),
);
test("one after the other is not several", () => {
  expect(runsSeveral("prisma generate && next dev")).toBe(false);
});
