import { toProjectPath } from "@treadle/protocol/project-path";
import type { LogEvent } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { narrate } from "./narrate.ts";

const call = (more: Partial<Extract<LogEvent, { type: "call-end" }>>): LogEvent => ({
  type: "call-end",
  call: "c1",
  status: "ok",
  title: "Wrote a.txt",
  result: "Created a.txt (4 bytes).",
  ms: 20,
  ...more,
});

const end = (more: Partial<Extract<LogEvent, { type: "run-end" }>>): LogEvent => ({
  type: "run-end",
  run: "r1",
  outcome: "done",
  summary: "",
  revision: "",
  steps: 2,
  usage: { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 24 },
  ms: 1_500,
  ...more,
});

describe("what a terminal shows about a run", () => {
  it("says what the references with @ in a prompt resolved to, and which were not found", () => {
    const item = { kind: "path" as const, ok: true, said: "12 lines" };
    const items = [
      { ...item, text: "@src/a.ts" },
      { ...item, text: "@b.ts\u001b[2J", ok: false, said: "there is no such file" },
    ];
    expect(narrate({ type: "mentioned", run: "r1", message: "m1", items })).toBe(
      "\n  · Given: @src/a.ts (12 lines)\n\n  × Not given: @b.ts, there is no such file\n",
    );
  });

  it("says which tool servers are unavailable, without hidden characters in the reason", () => {
    const servers = [{ name: "notes", why: "The program ended\u001b[2J with code 1." }];
    expect(narrate({ type: "tools-missing", run: "r1", servers })).toBe(
      "\n  × Without the tools of notes: The program ended with code 1.\n",
    );
  });

  it("gives the reason for failed calls, and says of the others only that they were done", () => {
    expect(narrate(call({}))).toBe("\n  · Wrote a.txt\n");
    const failed = call({ status: "error", title: "write_file failed", result: "no\nmore" });
    expect(narrate(failed)).toBe("\n  × write_file failed\n    no\n");
  });

  it("repeats the model's last words, unless the project was seen to be broken", () => {
    const summary = { done: "A page.\u001b[2J", try: "Open it." };
    const good = narrate(end({ verdict: "verified", summary: "Verified: served.", said: summary }));
    expect(good).toContain("Verified: served.\nA page.\nOpen it.\n");
    const bad = narrate(end({ verdict: "failed", summary: "Failed: it crashed.", said: summary }));
    expect(bad).not.toContain("Open it.");
  });

  it("describes a reached limit the same way, whatever was seen before", () => {
    const limited = (message: string, more: Parameters<typeof end>[0]) =>
      narrate(
        end({ outcome: "budget", error: { code: "budget", message, canContinue: true }, ...more }),
      );
    expect(
      limited("Stopped after 1 step: that is the limit.", { verdict: "unverified" }),
    ).toContain(
      "\nStopped by the budget — Stopped after 1 step: that is the limit. Not verified.\n",
    );
    expect(limited("Stopped after 4 seconds: that is the limit.", {})).toContain(
      "\nStopped by the budget — Stopped after 4 seconds: that is the limit.\n",
    );
  });

  it("reports changes to protected files, and how rules are accepted (A24)", () => {
    const files = [
      { path: toProjectPath("AGENTS.md\u001b[2J"), version: "1", told: true },
      { path: toProjectPath(".npmrc"), version: "", told: false },
      { path: toProjectPath("a/package.json"), version: "2", told: false },
    ];
    const changed = { type: "protected-changed" as const, run: "r", files };
    const standing = narrate({ ...changed, state: "stands" });
    expect(standing).toContain("! AGENTS.md was changed by a program of the project");
    expect(standing).toContain("The model does not see it until you accept it");
    expect(standing).toContain(".npmrc was removed by a program of the project");
    expect(standing).toContain("a/package.json (install scripts) was changed");
    expect(narrate({ ...changed, state: "put-back" })).toContain("and was put back");
  });

  it("says a verdict once", () => {
    const text = narrate(
      end({ verdict: "unverified", summary: "Not verified: nothing to serve." }),
    );
    expect(text).toBe("\nNot verified: nothing to serve.\n1.5 s · 2 steps · 1,024 tokens\n");
    expect(narrate(end({}), 12_000)).toContain("\n12.0 s · 2 steps");
    expect(narrate(end({ outcome: "stopped", summary: "Stopped early." }))).toContain(
      "Stopped — Stopped early.",
    );
  });

  it("A41 A42 removes control characters and shows direction marks", () => {
    const title = "Wrote \u001b]52;c;ZXZpbA==\u0007\u001b[2Ja\u202egpj.exe\u009b31m";
    expect(narrate(call({ title }))).toBe("\n  · Wrote a\\u{202e}gpj.exe31m\n");
  });
});

describe("A42 A103 permission questions in a terminal", () => {
  const asked = (...what: string[]) =>
    narrate({
      type: "question",
      run: "r1",
      question: {
        kind: "approval",
        id: "q",
        call: "c",
        tool: "run_command",
        why: "It removes a folder.",
        subject: { kind: "command", what },
        digest: "d",
        mayRemember: false,
      },
    });

  it("shows a question of one line on a line of its own", () => {
    expect(asked("rm -r old")).toBe("\n  ? rm -r old: It removes a folder.\n");
  });

  it("marks each line of a longer question, so that no part scrolls out of sight or looks like our own text", () => {
    const words = asked(
      `rm -rf src${"\n".repeat(400)}${" ".repeat(300)}echo\u200b ok\r  Allow it? y\u001b[2J\u202e`,
    );
    expect(words.split("\n")).toEqual([
      "",
      "  ? It removes a folder.",
      "    | rm -rf src",
      "    | [399 empty lines]",
      "    |  [300 spaces] echo\\u{200b} ok",
      "    |   Allow it? y\\u{1b}[2J\\u{202e}",
      "",
    ]);
  });
});
