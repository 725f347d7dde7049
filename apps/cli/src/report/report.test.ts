import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Evidence, PageReport } from "@treadle/protocol";
import { EVIDENCE_PARTS, untriedEvidence, type EvidencePart } from "@treadle/protocol/evidence";
import { afterEach, describe, expect, it } from "vitest";
import { findingsOf } from "./findings.ts";
import { htmlOf } from "./html.ts";
import { junitOf } from "./junit.ts";
import { markdownOf } from "./markdown.ts";
import { sarifOf, type SarifLog } from "./sarif.ts";
import { writeReport } from "./write-report.ts";

const files = new Set<string>(["src/App.tsx", "package.json", ".treadle/checks.md", "a b/ü.ts"]);

function evidenceWith(parts: Partial<Record<EvidencePart, Partial<Evidence["parts"]["page"]>>>) {
  const evidence = untriedEvidence("r1");
  for (const part of EVIDENCE_PARTS)
    evidence.parts[part] = { state: "held", summary: `${part} held`, ...parts[part] };
  return evidence;
}

const page = (more: Partial<PageReport>): PageReport => ({
  source: "headless",
  path: "/",
  status: 200,
  contentType: "text/html",
  title: "",
  rendered: true,
  text: "",
  uncaughtErrors: [],
  consoleErrors: [],
  failedRequests: [],
  ms: 1,
  ...more,
});

describe("the report as a page", () => {
  it("shows each finding and failed check with its picture, and escapes the project's texts", () => {
    const evidence = evidenceWith({ page: { summary: "<img src=x onerror=alert(1)>" } });
    evidence.findings = [
      {
        code: "dead-control",
        subject: 'button "Save"',
        path: "/",
        picture: { hash: "f1", mediaType: "image/jpeg" },
      },
    ];
    evidence.checks = [
      {
        name: "Adds <b>",
        state: "failed",
        steps: [{ ok: false, said: "click" }],
        picture: { hash: "c1", mediaType: "image/jpeg" },
      },
    ];
    const found = new Map([
      ["f1", "found-1.jpg"],
      ["c1", "found-2.jpg"],
    ]);
    const pictures = [{ file: "page-1.jpg", path: "/" }];
    const shown = htmlOf(evidence, findingsOf(evidence, files), { name: "todo", pictures, found });
    for (const file of ["found-1.jpg", "found-2.jpg", "page-1.jpg"])
      expect(shown).toContain(`<img src="${file}"`);
    expect(shown).not.toMatch(/<b>|<img src=x|<script/);
    expect(shown).toContain("Adds &lt;b&gt;");
  });
});

describe("findings of a check", () => {
  it("are empty for a project in which everything passed", () => {
    expect(findingsOf(evidenceWith({}), files)).toEqual([]);
  });

  it("include each line of a build's output that names a place in the project's own files, once", () => {
    const line = "src/App.tsx(3,5): error TS2304: Cannot find name 'x'.";
    const detail = `${line}\n${line}\nnode_modules/y/index.js:1:1: boom\nsrc/App.tsx:9:1: error`;
    const build = { state: "failed" as const, summary: "npm run build ended with 2", detail };
    expect(findingsOf(evidenceWith({ build }), files)).toEqual([
      {
        rule: "build",
        level: "error",
        message: line,
        place: { path: "src/App.tsx", line: 3, column: 5 },
      },
      {
        rule: "build",
        level: "error",
        message: "src/App.tsx:9:1: error",
        place: { path: "src/App.tsx", line: 9, column: 1 },
      },
    ]);
  });

  it("include the part itself if no place is known", () => {
    const serve = { state: "failed" as const, summary: "port 3000 answered 500" };
    expect(findingsOf(evidenceWith({ serve }), files)).toEqual([
      { rule: "serve", level: "error", message: "port 3000 answered 500" },
    ]);
  });

  it("include errors of the page, with their location", () => {
    const evidence = evidenceWith({ console: { state: "failed", summary: "uncaught: boom" } });
    const thrown = { message: "ReferenceError: foo\n at x", source: "src/App.tsx:7:3" };
    evidence.pages = [page({ uncaughtErrors: [thrown] })];
    expect(findingsOf(evidence, files)).toEqual([
      {
        rule: "console",
        level: "error",
        message: "ReferenceError: foo",
        place: { path: "src/App.tsx", line: 7, column: 3 },
      },
    ]);
  });

  it("distinguish failures, what could not be observed, and unreachable hosts", () => {
    const evidence = evidenceWith({ page: { state: "untried", summary: "no browser" } });
    evidence.checks = [
      { name: "Add", state: "failed", steps: [{ ok: false, said: "expect Milk" }] },
    ];
    evidence.wanted = [{ host: "api.example.com", why: "not-allowed" }];
    expect(findingsOf(evidence, files).map(({ rule, level }) => `${rule} ${level}`)).toEqual([
      "page warning",
      "check error",
      "host note",
    ]);
  });
});

describe("findings besides the parts", () => {
  const seen = () => {
    const evidence = evidenceWith({});
    evidence.checks = [{ name: "Adds", state: "held", steps: [], provesNothing: "already-held" }];
    evidence.findings = [
      { code: "never-ran", subject: "exportCsv", place: "src/App.tsx:12" },
      {
        code: "dead-control",
        subject: 'button "Export <all>"',
        path: "/",
        picture: { hash: "ab", mediaType: "image/jpeg" },
      },
    ];
    return evidence;
  };

  it("have their place and picture, and a check that proves nothing has its reason", () => {
    expect(findingsOf(seen(), files)).toMatchObject([
      { rule: "check", level: "warning" },
      { rule: "never-ran", level: "warning", place: { path: "src/App.tsx", line: 12 } },
      { rule: "dead-control", level: "warning", picture: "ab" },
    ]);
  });

  it("are shown with their pictures on the page, have rules in SARIF, and are text in JUnit", () => {
    const evidence = seen();
    const findings = findingsOf(evidence, files);
    const found = new Map([["ab", "found-1.jpg"]]);
    expect(markdownOf(evidence, findings, { name: "a", pictures: [], found })).toContain(
      "](found-1.jpg)",
    );
    const { results, tool } = sarifOf(evidence, findings, { version: "1", fallback: "a" }).runs[0]!;
    for (const { ruleId, ruleIndex } of results)
      expect(tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
    const xml = junitOf(evidence, findings, "a");
    expect(xml).toContain('tests="6" failures="0" skipped="0"');
    expect(xml).toContain("Export &lt;all&gt;");
  });

  it("fail in JUnit if they are failures, and are skipped if not observed", () => {
    const evidence = evidenceWith({
      serve: { state: "failed", summary: 'answered "500"', detail: "<b>\u0000" },
      page: { state: "untried", summary: "no" },
    });
    const xml = junitOf(evidence, [], "a");
    expect(xml).toContain('<failure message="answered &quot;500&quot;">&lt;b&gt;</failure>');
    expect(xml).toContain('<skipped message="no"/>');
  });
});

const options = { version: "1.0.0", fallback: "package.json" };

describe("a SARIF log of a check", () => {
  const resultsOf = (log: SarifLog) => log.runs[0]!.results;

  it("gives every result a rule and a place, by default the project's", () => {
    const evidence = evidenceWith({ serve: { state: "failed", summary: "nothing answered" } });
    const log = sarifOf(evidence, findingsOf(evidence, files), options);
    const [result] = resultsOf(log);
    expect(log.runs[0]!.tool.driver.rules[result!.ruleIndex]!.id).toBe(result!.ruleId);
    expect(result).toMatchObject({
      ruleId: "treadle/serve",
      level: "error",
      locations: [{ physicalLocation: { artifactLocation: { uri: "package.json" } } }],
    });
    expect(log.runs[0]!.properties).toMatchObject({ verdict: "failed", revision: "r1" });
  });

  it("names files as URIs, and lines from 1", () => {
    const place = { path: "a b/ü.ts", line: 0, column: 0 } as never;
    const finding = { rule: "build" as const, level: "error" as const, message: "x", place };
    expect(resultsOf(sarifOf(evidenceWith({}), [finding], options))[0]!.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: "a%20b/%C3%BC.ts", uriBaseId: "%SRCROOT%" },
          region: { startLine: 1, startColumn: 1 },
        },
      },
    ]);
  });
});

describe("texts of a project in a SARIF log", () => {
  it("contain no links and no escape sequences (A84)", () => {
    const message = "[Sign in](https://evil.example) \u001b]0;t\u0007\u202e";
    const finding = { rule: "console" as const, level: "error" as const, message };
    const log = sarifOf(evidenceWith({}), [finding], options);
    const { text } = log.runs[0]!.results[0]!.message;
    expect(text).toContain("\\[Sign in\\](https://evil.example)");
    for (const hidden of ["\u001b", "\u0007", "\u202e"]) expect(text).not.toContain(hidden);
  });
});

describe("the Markdown page of a check", () => {
  it("shows the verdict, each part, and the findings with their places", () => {
    const build = {
      state: "failed" as const,
      summary: "tsc ended with 2",
      detail: "src/App.tsx(3,5): no",
    };
    const evidence = evidenceWith({ build });
    const shown = markdownOf(evidence, findingsOf(evidence, files), { name: "todo", pictures: [] });
    expect(shown).toContain("# todo: Failed\n\ntsc ended with 2\n");
    expect(shown).toContain("| build | × failed | tsc ended with 2 |");
    expect(shown).toContain("- **build** `src/App.tsx:3` src/App.tsx(3,5): no");
    expect(shown).toContain("### What build printed\n\n```text\nsrc/App.tsx(3,5): no\n```");
  });

  it("escapes the project's texts: no HTML, links, pictures, escape sequences or code fences of their own", () => {
    const hostile =
      "<img src=x onerror=alert(1)> [a](https://evil.example) ![b](c) | @everyone \u001b]0;t\u0007";
    const build = { state: "failed" as const, summary: hostile, detail: "```\n# not a heading" };
    const evidence = evidenceWith({ build });
    const shown = markdownOf(evidence, findingsOf(evidence, files), {
      name: hostile,
      pictures: [],
    });
    expect(shown).not.toMatch(/(?<!\\)<img|(?<!\\)\[a(?<!\\)\]|(?<!\\)\| @|(?<!\\)@everyone/);
    expect(shown).not.toContain("\u001b");
    expect(shown).not.toContain("@everyone");
    expect(shown).toContain("````text\n```\n# not a heading\n````");
  });
});

describe("a report", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "treadle-report-"));
    folders.push(made);
    return made;
  };

  it("is not written through anything that the project put in its way (A84)", async () => {
    const [directory, outside] = [folder(), folder()];
    const evidence = evidenceWith({});
    const write = (to: string) =>
      writeReport({ folder: to, directory, evidence, picture: async () => undefined });
    writeFileSync(join(outside, "mine"), "mine");
    // A link that leads out, at the end of the path and above it.
    symlinkSync(outside, join(directory, "report"));
    for (const to of ["report", "report/below"])
      await expect(write(join(directory, to))).rejects.toThrow("report is a link");
    // A link in place of a file, and a pipe that would block.
    mkdirSync(join(directory, "out"));
    symlinkSync(join(outside, "mine"), join(directory, "out/report.md"));
    await expect(write(join(directory, "out"))).rejects.toThrow("report.md is a link");
    rmSync(join(directory, "out/report.md"));
    execFileSync("mkfifo", [join(directory, "out/report.sarif")]);
    await expect(write(join(directory, "out"))).rejects.toThrow("not a plain file");
    // Another path to the same folder.
    const alias = join(folder(), "alias");
    symlinkSync(directory, alias);
    await expect(
      writeReport({
        folder: join(directory, "report"),
        directory: alias,
        evidence,
        picture: async () => undefined,
      }),
    ).rejects.toThrow("report is a link");
    expect(readdirSync(outside)).toEqual(["mine"]);
    expect(readFileSync(join(outside, "mine"), "utf8")).toBe("mine");
  });

  const placesIn = async (directory: string, place?: { line: string }) => {
    const out = join(folder(), "made");
    const detail = place?.line ?? "";
    const evidence = evidenceWith({
      build: { state: "failed", summary: "it ended with 2", detail },
    });
    await writeReport({ folder: out, directory, evidence, picture: async () => undefined });
    const log = JSON.parse(readFileSync(join(out, "report.sarif"), "utf8")) as SarifLog;
    return log.runs[0]!.results.flatMap(({ locations }) =>
      locations.map(({ physicalLocation }) => physicalLocation.artifactLocation.uri),
    );
  };

  it("names files relative to the root of the folder's repository, as code scanning expects", async () => {
    const root = folder();
    mkdirSync(join(root, ".git"));
    const directory = join(root, "apps/my shop");
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "index.js"), "");
    expect(await placesIn(directory, { line: "index.js:1:1: no" })).toEqual([
      "apps/my%20shop/index.js",
    ]);
    // A nested repository, such as a submodule's `.git` file.
    writeFileSync(join(directory, ".git"), "gitdir: ../../.git/modules/shop");
    expect(await placesIn(directory, { line: "index.js:1:1: no" })).toEqual(["index.js"]);
  });

  it("gives each finding a file, even without a place: code scanning requires one", async () => {
    expect(await placesIn(folder())).toEqual(["package.json"]);
    const page = folder();
    writeFileSync(join(page, "index.html"), "");
    expect(await placesIn(page)).toEqual(["index.html"]);
  });

  it("consists of a page, a SARIF log and the pictures, each once", async () => {
    const [out, directory] = [join(folder(), "made"), folder()];
    writeFileSync(join(directory, "package.json"), "{}");
    const evidence = evidenceWith({ page: { state: "failed", summary: "the page / is blank" } });
    const picture = { hash: "ab", mediaType: "image/jpeg" };
    evidence.pages = [
      page({ picture }),
      page({ picture }),
      page({ path: "/gone", picture: { ...picture, hash: "cd" } }),
    ];
    const bytes = new Uint8Array([1, 2]);
    const read = async (hash: string) =>
      hash === "ab" ? { bytes, type: "image/jpeg" } : undefined;
    expect(await writeReport({ folder: out, directory, evidence, picture: read })).toBe(
      join(out, "report.md"),
    );
    expect(readFileSync(join(out, "report.md"), "utf8")).toContain(
      "`/`\n\n![How / looked](page-1.jpg)",
    );
    expect([...readFileSync(join(out, "page-1.jpg"))]).toEqual([1, 2]);
    expect(JSON.parse(readFileSync(join(out, "report.sarif"), "utf8"))).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [{ ruleId: "treadle/page" }] }],
    });
  });
});
