import { createFakeWorkspace, type FakeWorkspace } from "./fake-workspace.test-support.ts";
import { GOOD_PAGE } from "./try-run.test-support.ts";
import type { Browser, PageStep } from "../ports/browser.ts";

/**
 * A project in memory that behaves as its files say, like the real one with the scripts of `scripted-model/scripts`: it
 * does not know which step of a script is played.
 */
export function createFaultyApp(): FakeWorkspace {
  let installs = 0;
  return createFakeWorkspace({
    command(command, workspace) {
      const manifest = workspace.text("package.json") ?? "";
      if (
        /npm (?:install|i)\b/.test(command) &&
        manifest.includes('"greeting"') &&
        ++installs === 1
      )
        return { code: 1, output: "npm error code ECONNRESET\nnpm error network read ECONNRESET" };
      if (!/npm run build/.test(command)) return undefined;
      return builds(workspace, manifest);
    },
    serve: (_command, workspace) => (request, response) => {
      // Crashes at its first request.
      if (/let news;/.test(workspace.text("server.js") ?? "")) {
        Object.assign(workspace.server ?? {}, { tail: NO_LENGTH, state: "crashed" });
        return void request.socket.destroy();
      }
      response.setHeader("content-type", "text/html");
      response.end(workspace.text("index.html") ?? "<h1>app</h1>");
    },
  });
}

const NO_LENGTH = "TypeError: Cannot read properties of undefined (reading 'length')";

function builds(workspace: FakeWorkspace, manifest: string) {
  const none = "\n[treadle] files written: 0\n";
  if (/string = \d/.test(workspace.text("src/words.ts") ?? ""))
    return {
      code: 2,
      output: `src/words.ts(1,14): error TS2322: Type 'number' is not assignable to type 'string'.${none}`,
    };
  if (/tsc/.test(manifest)) return { output: none };
  if (!/node build/.test(manifest)) return undefined;
  const words = workspace.text("src/words.js") ?? "";
  if (!words.includes("export const heading"))
    return {
      code: 1,
      output: `SyntaxError: The requested module './words.js' does not provide an export named 'heading'${none}`,
    };
  return undefined;
}

/** A browser for such a project: what a page shows follows from its text. */
export function browserAt(workspace: FakeWorkspace): Browser {
  const look = (path: string) => {
    const html = workspace.text("index.html") ?? "";
    const blank = /querySelector\("#root"\)/.test(html);
    const uncaughtErrors = /startCounting\(\)/.test(html)
      ? [{ message: "startCounting is not defined" }]
      : [];
    return {
      ...GOOD_PAGE,
      path,
      rendered: !blank,
      text: blank ? "" : GOOD_PAGE.text,
      uncaughtErrors,
    };
  };
  return {
    look: async ({ path }) => look(path),
    async use({ path, steps }) {
      const report = look(path);
      const throws = /\+\+counted/.test(workspace.text("index.html") ?? "");
      const clicks = steps.findIndex(({ do: act }) => act === "click");
      const taken = throws && clicks !== -1 ? steps.slice(0, clicks + 2) : steps;
      return {
        steps: taken.map((step, index) => ({
          ok: !(throws && clicks !== -1 && index > clicks),
          said: nameOf(step),
        })),
        outline: "",
        report:
          throws && clicks !== -1
            ? { ...report, uncaughtErrors: [{ message: "counted is not defined" }] }
            : report,
      };
    },
  };
}

const nameOf = ({ do: act, on = "", text = "" }: PageStep) => [act, on, text].join(" ").trim();
