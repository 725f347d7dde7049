import type { ProjectPath } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAcceptedFiles, type AcceptedFiles } from "./accepted-files.ts";

const files = (entries: Record<string, string>) =>
  new Map(Object.entries(entries).map(([path, version]) => [toProjectPath(path), version]));
/** Simulates a restart. */
const again = (accepted: AcceptedFiles) =>
  createAcceptedFiles(JSON.parse(JSON.stringify(accepted.snapshot())) as never);

describe("approved versions", () => {
  it("include what a project came with, and nothing that its processes write (A24)", () => {
    const accepted = createAcceptedFiles();
    accepted.opened(files({ "AGENTS.md": "1" }));
    expect(accepted.isAccepted(toProjectPath("AGENTS.md"), "1")).toBe(true);
    expect(accepted.isAccepted(toProjectPath("AGENTS.md"), "2")).toBe(false);
    expect(accepted.changed(files({ "AGENTS.md": "2", ".npmrc": "n" }))).toEqual([
      { path: ".npmrc", version: "n" },
      { path: "AGENTS.md", version: "2" },
    ]);
    expect(accepted.changed(files({}))).toEqual([{ path: "AGENTS.md", version: "" }]);
  });

  it("include changes made while no process was running, and nothing else (A24)", () => {
    let accepted = createAcceptedFiles();
    accepted.opened(files({ "AGENTS.md": "1", ".cursorrules": "1" }));
    accepted.ended(files({ "AGENTS.md": "1", ".cursorrules": "evil", "CLAUDE.md": "evil" }));
    accepted = again(accepted);
    accepted.opened(files({ "AGENTS.md": "2", ".cursorrules": "evil", ".npmrc": "mine" }));
    expect(accepted.isAccepted(toProjectPath("AGENTS.md"), "2")).toBe(true);
    expect(accepted.isAccepted(toProjectPath(".npmrc"), "mine")).toBe(true);
    expect(accepted.isAccepted(toProjectPath(".cursorrules"), "evil")).toBe(false);
    expect(accepted.isAccepted(toProjectPath("CLAUDE.md"), "evil")).toBe(false);
  });

  it("include nothing if it is unknown what its processes left (A24)", () => {
    let accepted = createAcceptedFiles();
    accepted.opened(files({ "AGENTS.md": "1" }));
    // The process was killed, so nothing was recorded at its end.
    accepted = again(accepted);
    accepted.opened(files({ "AGENTS.md": "2" }));
    expect(accepted.isAccepted(toProjectPath("AGENTS.md"), "2")).toBe(false);
    accepted.ended();
    accepted = again(accepted);
    accepted.opened(files({ "AGENTS.md": "3" }));
    expect(accepted.isAccepted(toProjectPath("AGENTS.md"), "3")).toBe(false);
  });

  it("are restored with a checkpoint if approved earlier, but not if they were only in the checkpoint (A24)", () => {
    const accepted = createAcceptedFiles();
    accepted.opened(files({ "AGENTS.md": "1" }));
    accepted.accept(toProjectPath("AGENTS.md"), "2");
    accepted.restored(files({ "AGENTS.md": "1", ".npmrc": "evil" }));
    expect(accepted.isAccepted(toProjectPath("AGENTS.md"), "1")).toBe(true);
    expect(accepted.isAccepted(toProjectPath(".npmrc"), "evil")).toBe(false);
    accepted.restored(files({}));
    expect(accepted.changed(files({}))).toEqual([]);
    accepted.restored(files({ "AGENTS.md": "2" }));
    expect(accepted.isAccepted(toProjectPath("AGENTS.md"), "2")).toBe(true);
  });

  it("include the deletion of a folder with its content", () => {
    const accepted = createAcceptedFiles();
    accepted.opened(files({ ".claude/skills/a/SKILL.md": "1", ".claude/b": "2" }));
    accepted.accept(toProjectPath(".claude"), "");
    expect(accepted.changed(files({}))).toEqual([]);
  });

  it("report each change of a rule once, also after a restart, and other files only once", () => {
    let accepted = createAcceptedFiles();
    accepted.opened(files({}));
    const rule = (version: string) => [{ path: toProjectPath("AGENTS.md"), version, told: true }];
    expect(accepted.announce(rule("1"))).toEqual(rule("1"));
    expect(again(accepted).announce(rule("1"))).toEqual([]);
    expect(accepted.announce(rule("2"))).toHaveLength(1);
    accepted.accept(toProjectPath("AGENTS.md"), "2");
    accepted = again(accepted);
    expect(accepted.announce(rule("2"))).toHaveLength(1);
    const other = (version: string) => [
      { path: toProjectPath(".idea/workspace.xml"), version, told: false },
    ];
    expect(accepted.announce(other("1"))).toHaveLength(1);
    expect(accepted.announce(other("2"))).toEqual([]);
    // After an announcement without this file, it is announced again.
    expect(accepted.announce([])).toEqual([]);
    expect(accepted.announce(other("3"))).toHaveLength(1);
  });

  it("never include a version that nobody approved, whatever its processes write and when (A24)", () => {
    const path = fc.constantFrom("AGENTS.md", ".claude/skills/a/SKILL.md", "__proto__");
    const act = fc.record({
      by: fc.constantFrom("person", "model", "process", "outside", "restore", "kill", "stop"),
      path,
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        let accepted = createAcceptedFiles();
        const standing = new Map<ProjectPath, string>();
        const checkpoints: Map<ProjectPath, string>[] = [];
        const honest = new Set<string>();
        let alive = true;
        let version = 0;
        accepted.opened(standing);
        const open = () => {
          if (alive) return;
          accepted = again(accepted);
          accepted.opened(standing);
          alive = true;
        };
        for (const { by, path: at } of acts) {
          checkpoints.push(new Map(standing));
          if (by === "outside") {
            // Only changes that certainly come from nobody else count: while a process runs, it may be the author.
            standing.set(toProjectPath(at), `${++version}`);
            if (!alive) honest.add(`${version}`);
          } else if (by === "kill" || by === "stop") {
            if (alive && by === "stop") accepted.ended(standing);
            alive = false;
          } else {
            open();
            if (by === "restore") {
              const back = checkpoints[version % checkpoints.length] ?? new Map();
              standing.clear();
              for (const [name, content] of back) standing.set(name, content);
              accepted.restored(standing);
            } else {
              standing.set(toProjectPath(at), `${++version}`);
              if (by !== "process") {
                honest.add(`${version}`);
                accepted.accept(toProjectPath(at), `${version}`);
              }
            }
          }
          for (let made = 0; made <= version; made++)
            for (const name of ["AGENTS.md", ".claude/skills/a/SKILL.md", "__proto__"])
              if (accepted.isAccepted(toProjectPath(name), `${made}`))
                expect(honest).toContain(`${made}`);
        }
      }),
    );
  });
});
