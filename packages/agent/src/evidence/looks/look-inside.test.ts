import type { PageReport } from "@treadle/protocol";
import { expect, it } from "vitest";
import type { Browser } from "../../ports/browser.ts";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { GOOD_PAGE } from "../../testing/try-run.test-support.ts";
import { lookInside } from "./look-inside.ts";

const SIGN_IN = `## Before each
- type "ada" in textbox "Name"
- click button "Sign in"
## Sees notes
- expect "Notes"
`;

const UP = { state: "up" as const, command: "npm run dev", ports: [7], restarts: 0 };

function looking(
  checks: string,
  { fails = false, reports = {} as Record<string, Partial<PageReport>> } = {},
) {
  const seen: string[] = [];
  const names: (string | undefined)[] = [];
  const use: Browser["use"] = async ({ path, steps }) => {
    const last = steps.at(-1)!;
    names.push(steps[0]!.text);
    const at = last.do === "open" ? last.text! : `${path} inside`;
    seen.push(at);
    const report = { ...GOOD_PAGE, path: at, links: ["/notes", "/logo.svg"], ...reports[at] };
    return { steps: steps.map(() => ({ ok: !fails, said: "" })), outline: "", report };
  };
  const workspace = createFakeWorkspace({ files: { ".treadle/checks.md": checks } });
  const { signal } = new AbortController();
  const givenBack: (boolean | undefined)[] = [];
  const lend = async () => ({
    workspace: Object.assign(workspace, { server: UP }),
    browser: { look: () => Promise.reject(new Error("not asked for")), use },
    isTouched: async () => true,
    restart: async () => UP,
    giveBack: async (isSpent?: boolean) => void givenBack.push(isSpent),
    close: async () => {},
  });
  const start = { port: 1, path: "/" };
  const look = (asked = false) =>
    lookInside({ lend }, start, ["/settings"], { workspace, signal }, { asked });
  return { seen, names, look, givenBack };
}

it("observes pages behind a sign-in after the steps before each check", async () => {
  const reports = { "/notes": { contentType: "text/csv" } };
  const { seen, look, givenBack } = looking(SIGN_IN, { reports });
  expect((await look()).map(({ path }) => path)).toEqual(["/ inside", "/settings"]);
  expect(seen).toEqual(["/ inside", "/settings", "/notes"]);
  // Nothing else sees the effects of the steps there.
  expect(givenBack).toEqual([true]);
});

it("makes a separate account for each visit if the steps register a new one", async () => {
  const { names, look } = looking(SIGN_IN.replace("ada", "ada-{new}"));
  await look();
  expect(names).toEqual(names.map(() => expect.stringMatching(/^ada-[a-z][a-z0-9]{7}$/)));
  expect(new Set(names).size).toBe(3);
});

it.each([
  ["nothing is done before each check", '## Sees\n- expect "Notes"\n', {}, 0],
  ["the sign-in does not work", SIGN_IN, { fails: true }, 1],
  ["the checks are for running by hand", `run: by hand\n${SIGN_IN}`, {}, 0],
])("nothing is seen so where %s", async (_, checks, how, tries) => {
  const { seen, look } = looking(checks, how);
  expect(await look()).toEqual([]);
  expect(seen).toHaveLength(tries);
});
