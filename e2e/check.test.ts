/** `treadle check`: the verdict on a folder as it is, without a model. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runTreadle } from "./support/run-treadle.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(files: Record<string, string> = {}): string {
  const made = mkdtempSync(join(tmpdir(), "treadle-check-"));
  folders.push(made);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, path)), { recursive: true });
    writeFileSync(join(made, path), text);
  }
  return made;
}

const page = (script = "") =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><h1>Our shop</h1>${script}`;

async function check(files: Record<string, string>, ...extra: string[]) {
  const dir = folder(files);
  const ended = await runTreadle(["check", dir, "--data", folder(), ...extra]);
  return { ...ended, dir };
}

describe("treadle check", () => {
  it("verifies a working page, reports each part, and exits with 0", async () => {
    const { code, stdout } = await check({ "index.html": page() });
    expect(stdout).toMatch(
      /✓ serve .*\n[^]*✓ page .*\n[^]*\nRuns: served, page rendered, no errors; what was asked for was not tried\n$/,
    );
    expect(code).toBe(0);
  });

  it("fails a page that throws with 1, and reports the position, for people and for code scanning", async () => {
    const report = folder();
    const files = {
      "index.html": page("<script src=app.js></script>"),
      "app.js": "let a;\nfoo();\n",
    };
    const { code, stdout, stderr } = await check(files, "--report", report);
    expect(stdout).toContain("Failed: uncaught: ReferenceError: foo is not defined (app.js:2:1)");
    expect(code).toBe(1);
    expect(stderr).toContain(join(report, "report.md"));
    const shown = readFileSync(join(report, "report.md"), "utf8");
    expect(shown).toContain("- **console** `app.js:2` ReferenceError: foo is not defined");
    const picture = /!\[How \/ looked\]\((page-1\.jpg)\)/.exec(shown)?.[1];
    expect([...readFileSync(join(report, picture!)).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    const sarif = JSON.parse(readFileSync(join(report, "report.sarif"), "utf8"));
    expect(sarif.runs[0].results).toMatchObject([
      {
        ruleId: "treadle/console",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "app.js" },
              region: { startLine: 2 },
            },
          },
        ],
      },
    ]);
  });

  it("finds controls without effect and code changed since a commit that never ran, each once, in every report", async () => {
    const dir = folder({
      "index.html": page(
        '<button id="add">Add</button><button>Export</button><ul id="list"></ul><script type="module" src="app.js"></script>',
      ),
      "app.js": "add.onclick = () => list.append('x');\n",
    });
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { cwd: dir });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "first");
    const more = "export function exportCsv() {\n  return list.textContent;\n}\n";
    writeFileSync(join(dir, "app.js"), `add.onclick = () => list.append('y');\n${more}`);
    const report = folder();
    const words = ["check", dir, "--data", folder(), "--since", "main", "--report", report];
    const { code, stdout } = await runTreadle(words);
    expect(code).toBe(0);
    expect(stdout.split("\n").filter((line) => line.startsWith("  ! "))).toEqual([
      '  ! button "Export" does nothing (on /)',
      "  ! exportCsv never ran (app.js:2)",
    ]);
    const shown = readFileSync(join(report, "report.md"), "utf8");
    const picture = /\((found-1\.jpg)\)/.exec(shown)?.[1];
    expect([...readFileSync(join(report, picture!)).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    const sarif = JSON.parse(readFileSync(join(report, "report.sarif"), "utf8"));
    expect(sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual([
      "treadle/dead-control",
      "treadle/never-ran",
    ]);
    expect(readFileSync(join(report, "report.xml"), "utf8")).toContain("never-ran: exportCsv");
  });

  it("installs, builds and runs the project's own checks, with one JSON line per event and the result last", async () => {
    const { code, stdout } = await check(
      {
        "package.json": JSON.stringify({
          name: "shop",
          type: "module",
          scripts: { build: "node build.js", dev: "node server.js" },
          dependencies: { "is-odd": "3.0.1" },
        }),
        "build.js": `import isOdd from "is-odd";
          import { writeFileSync } from "node:fs";
          if (isOdd(3)) writeFileSync("built.txt", "yes");`,
        "server.js": `import { createServer } from "node:http";
          createServer((_, res) => res.setHeader("content-type", "text/html").end(${JSON.stringify(page())}))
            .listen(process.env.PORT ?? 3000);`,
        ".treadle/checks.md":
          "## Greets\n\n- open /\n- expect Our shop\n\n## Sells\n\n- open /\n- expect Basket\n",
      },
      "--json",
    );
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({
      type: "result",
      verdict: "failed",
      reason: expect.stringContaining("the check “Sells” failed"),
      evidence: { parts: { install: { state: "held" }, build: { state: "held" } } },
    });
    expect(lines.slice(0, -1).every(({ seq, event }) => seq > 0 && event)).toBe(true);
    expect(code).toBe(1);
  });

  it("reports what was not seen when its time is over, with 3", async () => {
    const never = { scripts: { build: "node -e 'setInterval(() => console.log(1), 100)'" } };
    const files = { "index.html": page(), "package.json": JSON.stringify(never) };
    const { code, stdout } = await check(files, "--timeout", "3");
    expect(stdout).toMatch(/\nNot verified: .*; 3 seconds were over\n$/);
    expect(code).toBe(3);
  });

  it("distinguishes a missing folder from one without anything to serve", async () => {
    const missing = await runTreadle(["check", join(folder(), "none")]);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining("There is no folder"),
    ]);
    const { code, stdout } = await check({ "notes.txt": "nothing" });
    expect(stdout).toContain("Not verified: ");
    expect(code).toBe(3);
  });
});
