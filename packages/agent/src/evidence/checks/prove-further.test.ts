import type { ServerResponse } from "node:http";
import type { PageReport } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import type { Browser, PageStep } from "../../ports/browser.ts";
import type { DataCopies } from "../../ports/data-copies.ts";
import { createFakeClock } from "../../testing/fake-clock.test-support.ts";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { GOOD_PAGE } from "../../testing/try-run.test-support.ts";
import { gatherEvidence } from "../gather-evidence.ts";

const FILES = {
  "package.json": '{"scripts":{"dev":"node server.js"}}',
  "server.js": "",
  ".treadle/checks.md": `## Adds
- type "Coffee" in textbox "Name"
- click button "Add"
- expect listitem "Coffee"
`,
};

/** An app that shows typed text, configurable by the test. */
function createApp(options: {
  /** What it shows after a text was added; undefined: nothing. */
  adds?: (text: string) => string | undefined;
  /** Where added text is stored. */
  keeps?: "page" | "server" | "database";
  hasDatabase?: boolean;
  /** The server's answer to the page's request, and whether the page reads the same address. */
  answers?: string;
  isReadBack?: boolean;
  /** Which text its server rejects, in a step that expects success. */
  refuses?: (text: string) => boolean;
  files?: Record<string, string>;
}) {
  const { adds = (text) => text, keeps = "database", files = FILES, refuses } = options;
  const page = () => (_request: unknown, response: ServerResponse) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>");
  const all = options.hasDatabase ? { ...files, "app.db": "" } : files;
  const own = createFakeWorkspace({ files: all, serve: page });
  const typed: string[] = [];

  /** A copy with its own added data. */
  function createPlace() {
    let stored = new Set<string>();
    let writes = 0;
    const workspace = createFakeWorkspace({
      files: all,
      serve: () => {
        if (keeps !== "database") stored = new Set();
        return page();
      },
    });
    const use = async ({ path, steps, stays = [] }: Parameters<NonNullable<Browser["use"]>>[0]) => {
      const shown = new Set(stored);
      let text = "";
      const taken: { ok: boolean; said: string }[] = [];
      const outline = () =>
        [`- textbox "Name": ${text}`, ...[...shown].map((one) => `- listitem: ${one}`)].join("\n");
      const outlineBefore = outline();
      const holds = ({ on = "" }: PageStep) => [...shown].some((one) => on.includes(one));
      for (const step of steps) {
        if (step.do === "type") typed.push((text = step.text ?? ""));
        if (step.do === "request" && step.body) typed.push((text = JSON.parse(step.body).name));
        const isSent = step.do === "click" || (step.do === "request" && step.body !== undefined);
        const added = isSent ? adds(text) : undefined;
        if (added !== undefined) {
          shown.add(added);
          if (keeps !== "page") stored.add(added);
          if (keeps === "database") writes++;
        }
        const isTold = [...shown].some((one) => step.text?.includes(one));
        const ok =
          step.do === "expect"
            ? holds(step)
            : step.do === "expect_body"
              ? isTold
              : step.do !== "expect_status" || !refuses?.(text);
        taken.push({ ok, said: `${step.do} ${step.on}` });
        if (!ok) break;
      }
      const isThere = (index: number) => stored.has(/"(.*)"/.exec(steps[index]!.on!)![1]!);
      return {
        steps: taken,
        outline: outline(),
        outlineBefore,
        address: path,
        changed:
          options.answers === undefined
            ? undefined
            : { answers: options.answers, isReadBack: options.isReadBack ?? false },
        stayed: stays.filter(isThere),
        gone: stays.filter((index) => !isThere(index)),
        report: { ...GOOD_PAGE, path } as PageReport,
      };
    };
    Object.assign(workspace, { dataDigest: async () => String(writes) });
    const look = async ({ path }: { path: string }) => ({ ...GOOD_PAGE, path }) as PageReport;
    const isTouched = async () => stored.size > 0;
    return { workspace, browser: { look, use }, isTouched, close: async () => {} };
  }

  const copies: DataCopies = { open: async () => createPlace() };
  const gather = () =>
    gatherEvidence({
      workspace: own,
      browser: createPlace().browser,
      copies,
      clock: createFakeClock(),
      onEvidence: () => {},
      signal: new AbortController().signal,
    });
  return { gather, typed };
}

const codesOf = ({ findings = [] }: Awaited<ReturnType<typeof gatherEvidence>>) =>
  findings.map(({ code, subject, check }) => [code, subject, check]);

describe("a check with another value", () => {
  it("counts if the other value is shown as well", async () => {
    const { gather, typed } = createApp({});
    const { checks } = await gather();
    expect(checks?.[0]).toMatchObject({ state: "held" });
    expect(checks![0]!.provesNothing).toBeUndefined();
    expect(new Set(typed).size).toBe(2);
  });

  it.each([
    ["shows its own answer whatever is typed", () => "Coffee"],
    ["does nothing", (text: string) => (text === "Coffee" ? text : undefined)],
  ])("proves nothing where the page %s", async (_, adds) => {
    const { checks } = await createApp({ adds }).gather();
    expect(checks?.[0]).toMatchObject({
      state: "held",
      provesNothing: "one-value",
      holdsOnlyFor: "Coffee",
    });
  });

  it("counts if the page says that the other value is invalid", async () => {
    const adds = (text: string) => (text === "Coffee" ? text : "There is none such");
    const { checks } = await createApp({ adds }).gather();
    expect(checks![0]!.provesNothing).toBeUndefined();
  });
});

describe("a check of requests with another value", () => {
  const files = {
    ...FILES,
    ".treadle/checks.md": `## Adds
- request POST /api/things {"name":"Coffee"}
- expect status 201
- request GET /api/things
- expect body "Coffee"
`,
  };

  it("counts if the server returns the other value as well", async () => {
    const { checks } = await createApp({ files }).gather();
    expect(checks?.[0]).toMatchObject({ state: "held" });
    expect(checks![0]!.provesNothing).toBeUndefined();
  });

  it("proves nothing if the server accepts it and returns its own", async () => {
    const { checks } = await createApp({ files, adds: () => "Coffee" }).gather();
    expect(checks?.[0]).toMatchObject({ provesNothing: "one-value", holdsOnlyFor: "Coffee" });
  });

  it("counts if the server rejects the other value", async () => {
    const { checks } = await createApp({
      files,
      adds: (text) => (text === "Coffee" ? text : undefined),
      refuses: (text) => text !== "Coffee",
    }).gather();
    expect(checks![0]!.provesNothing).toBeUndefined();
  });
});

describe("data that a check added", () => {
  it("is no finding if it survives a reload and a restart of the server", async () => {
    expect(codesOf(await createApp({ hasDatabase: true }).gather())).toEqual([]);
  });

  it("is a finding if a reload loses it", async () => {
    const evidence = await createApp({ keeps: "page" }).gather();
    expect(codesOf(evidence)).toEqual([["gone-after-reload", "Coffee", "Adds"]]);
    expect(evidence.checks?.[0]).toMatchObject({ state: "held" });
  });

  it("is a finding if the app's database was not written", async () => {
    const evidence = await createApp({ keeps: "page", hasDatabase: true }).gather();
    expect(codesOf(evidence).map(([code]) => code)).toEqual(["gone-after-reload", "never-written"]);
  });

  it("proves nothing if the page sent it to its server, and the database was not written", async () => {
    const app = { keeps: "page", hasDatabase: true } as const;
    const { checks } = await createApp({ ...app, answers: "Coffee" }).gather();
    expect(checks).toMatchObject([{ state: "held", provesNothing: "not-kept" }]);
    const { checks: shown } = await createApp(app).gather();
    expect(shown![0]!.provesNothing).toBeUndefined();
    const { checks: written } = await createApp({ hasDatabase: true, answers: "" }).gather();
    expect(written![0]!.provesNothing).toBeUndefined();
  });

  it("proves nothing if a server without a database received it and neither stores nor returns it", async () => {
    const app = { keeps: "page" } as const;
    const { checks } = await createApp({ ...app, answers: "[]" }).gather();
    expect(checks).toMatchObject([{ state: "held", provesNothing: "not-kept" }]);
    const echo = { ...app, answers: '{"text":"Coffee"}', isReadBack: true };
    const { checks: echoed } = await createApp(echo).gather();
    expect(echoed).toMatchObject([{ state: "held", provesNothing: "not-kept" }]);
    const { checks: computed } = await createApp({ ...app, answers: "Hello Coffee" }).gather();
    expect(computed![0]!.provesNothing).toBeUndefined();
    const { checks: inMemory } = await createApp({ keeps: "server", answers: "[]" }).gather();
    expect(inMemory![0]!.provesNothing).toBeUndefined();
  });

  it("is a finding if a restart of the server loses it", async () => {
    const evidence = await createApp({ keeps: "server" }).gather();
    expect(codesOf(evidence)).toEqual([["gone-after-restart", "Coffee", "Adds"]]);
  });
});
