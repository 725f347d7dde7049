import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createScriptedModel,
  loadScript,
  testScript,
  type ScriptedModel,
} from "@treadle/scripted-model";
import { afterEach, describe, expect, it } from "vitest";
import { runTreadle } from "./support/run-treadle.ts";
import { scriptNamed } from "./support/stage.ts";
import { bareEnvironment, bin, cache } from "./support/treadle.ts";

const open: { close(): Promise<void> }[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "treadle-run-"));
  folders.push(made);
  return made;
}

async function play(script: TestScript): Promise<ScriptedModel> {
  const model = await createScriptedModel({ script: loadScript(testScript(script)) });
  open.push(model);
  return model;
}

type TestScript = Parameters<typeof testScript>[0];

/** `treadle run` in a new folder, with a script played over the given wire. */
async function run(script: TestScript, prompt: string, extra: string[] = []) {
  const model = await play(script);
  const dir = folder();
  const ended = await runTreadle(
    ["run", prompt, "--dir", dir, "--json", "--data", folder(), ...extra],
    {
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: "test",
      ANTHROPIC_BASE_URL: `${model.url}/v1`,
      ANTHROPIC_API_KEY: "test",
      TREADLE_MODEL: "openai-compatible:scripted",
    },
  );
  const lines = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { ...ended, dir, lines, result: lines.at(-1), model };
}

describe("treadle run", () => {
  it("repairs a failing install, and ends verified with status 0", async () => {
    const { code, result, lines } = await run("react-doom", "Build a page");
    expect(result).toMatchObject({ type: "result", verdict: "runs" });
    expect(code).toBe(0);
    const failed = lines.filter(
      (l) => l.event?.type === "call-end" && /react-doom/.test(l.event.result),
    );
    expect(failed.length).toBeGreaterThan(0);
  });

  // Every wire with every dialect is tried in agent/src/wire/scenarios.test.ts: here both options are taken.
  const words = ["--model", "anthropic:scripted", "--dialect", "artifact"];
  let early: ReturnType<typeof run> | undefined;
  const stopsEarly = () => (early ??= run("early-done", "Build a page", words));

  it("answers a model that stops too early with the evidence", async () => {
    const { code, result, lines } = await stopsEarly();
    expect(result.verdict).toBe("runs");
    expect(code).toBe(0);
    expect(lines.some((line) => line.event?.type === "repair")).toBe(true);
  });

  it("ends failed with status 1 after limited attempts, and offers the best revision", async () => {
    const { code, result, lines } = await run("hopeless", "Build a page");
    expect(result.verdict).toBe("failed");
    expect(code).toBe(1);
    const repairs = lines.filter((line) => line.event?.type === "repair").length;
    expect(repairs).toBeGreaterThan(0);
    expect(repairs).toBeLessThanOrEqual(4);
  });

  it("verifies an API by an answered request, in a folder that then starts with plain npm run dev", async () => {
    const extra = ["--max-cost", "1"];
    const { code, result, dir, stderr } = await run("api", "Build a small API", extra);
    expect(result.verdict).toBe("runs");
    expect(stderr).toContain("price of this model is not known");
    expect(result.evidence.parts.page.state).toBe("inapplicable");
    expect(code).toBe(0);
    expect(existsSync(join(dir, "package.json"))).toBe(true);

    const child = spawn("npm", ["run", "dev"], {
      cwd: dir,
      env: {
        ...bareEnvironment(),
        PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
        PORT: "29117",
      },
      detached: true,
      stdio: "pipe",
    });
    try {
      await expect
        .poll(async () => (await fetch("http://127.0.0.1:29117/").catch(() => undefined))?.status, {
          timeout: 20_000,
        })
        .toBe(200);
    } finally {
      process.kill(-child.pid!, "SIGKILL");
    }
  });

  it("does the same over anthropic:scripted in the artifact dialect", async () => {
    const { model } = await stopsEarly();
    expect(new Set(model.requests.map(({ wire }) => wire))).toEqual(new Set(["anthropic"]));
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("<boltArtifact");
  });

  describe("with several models", () => {
    const models = ["--models", "openai-compatible:broken,openai-compatible:plain"];

    /** Two models, of which the second writes a working page. */
    async function compared(extra: string[], to: (child: ChildProcess) => void = () => {}) {
      const model = await createScriptedModel({
        script: { broken: scriptNamed("clock-broken"), plain: scriptNamed("clock-plain") },
      });
      open.push(model);
      const dir = folder();
      const child = spawn(
        process.execPath,
        [bin, "run", "Build a clock", "--dir", dir, "--data", folder(), ...extra],
        {
          env: {
            ...bareEnvironment(),
            TREADLE_CACHE: cache,
            OPENAI_BASE_URL: `${model.url}/v1`,
            OPENAI_API_KEY: "test",
          },
        },
      );
      const output = { out: "", err: "" };
      child.stdout.on("data", (data) => {
        output.out += data;
        to(child);
      });
      child.stderr.on("data", (data) => (output.err += data));
      const [code] = (await once(child, "close")) as [number | null];
      return { code, dir, ...output };
    }

    it("copies the best result into the folder, with a table of all and the exit status of a run", async () => {
      const { code, dir, out, err } = await compared([...models, "--max-steps", "1"]);
      expect(err).toContain("Its verdict is the best. Attempt 2 (openai-compatible:plain)");
      expect(out).toMatch(
        /^ {2}1 {2}openai-compatible:broken +Failed \(stopped by the budget\) +– +\? +\d+ s +1 file, \+1 −0$/m,
      );
      expect(out).toMatch(/^→ 2 {2}openai-compatible:plain +Runs/m);
      expect(readFileSync(join(dir, "index.html"), "utf8")).not.toContain("clock.draw");
      expect(code).toBe(0);
    });

    it("Ctrl-C ends all attempts, and leaves the folder unchanged", async () => {
      let stopped = false;
      const { code, dir, out, err } = await compared([...models, "--json"], (child) => {
        if (stopped) return;
        stopped = true;
        child.kill("SIGINT");
      });
      const result = JSON.parse(out.trim().split("\n").at(-1)!);
      expect(result).toMatchObject({ type: "result", winner: null, verdict: null });
      for (const { state, result: own } of result.attempts)
        expect([state, own?.outcome ?? "stopped"]).toEqual([expect.any(String), "stopped"]);
      expect(err).toContain("the folder is as it was");
      expect(readdirSync(dir)).toEqual([]);
      expect(code).toBe(3);
    });
  });

  it("several requests at once end in one folder with the changes of all", async () => {
    const model = await createScriptedModel({ script: scriptNamed("parallel") });
    open.push(model);
    const dir = folder();
    const part = (name: string) => `<hr>\n<p>${name}</p>\n`;
    writeFileSync(
      join(dir, "index.html"),
      `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Board</title>\n<h1>Board</h1>\n${["First", "Second", "Third"].map(part).join("")}</html>\n`,
    );
    const ended = await runTreadle(
      ["run", "Make the second part", "--also", "Make the third part", "--dir", dir, "--json"].concat("--data", folder()), // prettier-ignore
      {
        OPENAI_BASE_URL: `${model.url}/v1`,
        OPENAI_API_KEY: "test",
        TREADLE_MODEL: "openai-compatible:scripted",
      },
    );
    const result = JSON.parse(ended.stdout.trim().split("\n").at(-1)!);
    expect(result.requests.map(({ state }: { state: string }) => state)).toEqual(["merged", "merged"]); // prettier-ignore
    expect(readFileSync(join(dir, "index.html"), "utf8")).toMatch(
      /Two is pressed[^]*Three is pressed/,
    );
    expect(ended.code).toBe(0);
  });

  it("explains invalid input in a sentence, and starts nothing", async () => {
    const cases: [string[], Record<string, string>, RegExp][] = [
      [["run", ""], {}, /Say what to build/],
      [["run", "x"], {}, /model/i],
      [["run", "x", "--model", "nonsense:1"], {}, /nonsense/],
      [["run", "x", "--models", "nonsense:1,nonsense:2"], {}, /nonsense/],
      [["run", "x", "--models", "a:1"], {}, /2 to 8 attempts/],
      [["serve", "--data", "/proc/nowhere", "--no-open"], {}, /\/proc\/nowhere cannot be written/],
      [["serve", "--port", "70000"], {}, /--port/],
    ];
    for (const [args, env, words] of cases) {
      const where = args[0] === "run" ? ["--dir", folder(), "--data", folder()] : [];
      const { code, stdout, stderr } = await runTreadle([...args, ...where], env);
      expect(code, args.join(" ")).not.toBe(0);
      expect(stdout + stderr).toMatch(words);
      expect(stdout + stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
    }
  });
});

describe("treadle parse", () => {
  const answer = [
    'Here it is. <boltArtifact id="a" title="A">',
    '<boltAction type="file" filePath="src/a.txt">\nhello\n</boltAction>',
    '<boltAction type="file" filePath="../evil.txt">\nno\n</boltAction>',
    "</boltArtifact>",
  ].join("");

  it("writes the files of a saved answer, and says which path it refused", async () => {
    const where = folder();
    const saved = join(where, "answer.txt");
    writeFileSync(saved, answer);
    const { code, stderr } = await runTreadle(["parse", saved, "--dir", join(where, "out")], {});
    expect(readFileSync(join(where, "out/src/a.txt"), "utf8")).toBe("hello\n");
    expect(existsSync(join(where, "evil.txt"))).toBe(false);
    expect(stderr).toContain("../evil.txt");
    expect(code).toBe(1);
  });

  it("prints one event per line", async () => {
    const saved = join(folder(), "answer.txt");
    writeFileSync(saved, answer);
    const { code, stdout } = await runTreadle(["parse", saved, "--json"], {});
    const types = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(code).toBe(0);
    expect(types.at(0)).toBe("text");
    expect(types.at(-1)).toBe("artifact-close");
  });
});
