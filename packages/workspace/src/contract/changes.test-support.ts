import { toProjectPath } from "@treadle/protocol/project-path";
import { describe, expect } from "vitest";
import type { WorkspaceNotice } from "../types.ts";
import type { Contract } from "./contract.test-support.ts";
import { eventually } from "./helpers.test-support.ts";

export function describeChanges(contract: Contract): void {
  const { openNew, rule } = contract;
  describe("reported changes", () => {
    rule("W27", "reports a file written right after the watch was opened", async () => {
      const own = await openNew();
      const seen: string[] = [];
      own.listen((notice) => {
        if (notice.type === "files") seen.push(...notice.changes.map((change) => change.path));
      });
      await own.files.write(toProjectPath("early/file"), "x");
      await eventually(() => seen.includes("early/file"));
      await own.stop();
    });

    rule(
      "W28",
      "F25 finds changes after the kernel dropped events by looking again, without node_modules",
      async () => {
        const own = await openNew();
        const seen = new Map<string, string>();
        own.listen((notice) => {
          if (notice.type === "files")
            for (const { path, kind } of notice.changes) seen.set(path, kind);
        });
        await own.run("mkdir -p many late; echo 0 > late/changed; echo 0 > late/removed");
        await eventually(() => seen.has("late/changed") && seen.has("late/removed"));
        seen.clear();
        // A stopped guest reads no events; twice as many files as the queue holds are created
        // before the relevant ones.
        await own.run(
          `kill -STOP $PPID; node -e 'const fs=require("fs");const most=+fs.readFileSync("/proc/sys/fs/inotify/max_queued_events","utf8");for(let i=0;i<most;i++)fs.writeFileSync("many/"+i,"")'; echo 1 > late/new; echo 1 > late/changed; rm late/removed; mkdir -p late/deep/er node_modules/x; echo 1 > late/deep/er/file; echo 1 > node_modules/x/file; kill -CONT $PPID`,
        );
        const expected = {
          "late/new": "written",
          "late/changed": "written",
          "late/removed": "removed",
          "late/deep/er/file": "written",
        };
        for (const [path, kind] of Object.entries(expected))
          await eventually(() => seen.get(path) === kind);
        expect([...seen.keys()].filter((path) => path.startsWith("node_modules"))).toEqual([]);
        // Files found by this look are watched afterwards.
        seen.clear();
        await own.files.write(toProjectPath("late/deep/er/later"), "x");
        await eventually(() => seen.has("late/deep/er/later"));
        await own.stop();
      },
    );

    rule(
      "W25",
      "reports a change by any program, with the version that a read would return",
      async () => {
        const seen: Extract<WorkspaceNotice, { type: "files" }>["changes"] = [];
        const end = contract.shared.listen((notice) => {
          if (notice.type === "files") seen.push(...notice.changes);
        });
        await eventually(async () => {
          await contract.shared.run("echo changed > w25");
          return seen.some((change) => change.path === "w25");
        });
        const { version } = await contract.shared.files.read(toProjectPath("w25"));
        // The file was empty between opening and writing, which may be reported as well.
        await eventually(() =>
          seen.some((change) => change.path === "w25" && change.version === version),
        );
        await contract.shared.files.remove(toProjectPath("w25"));
        await eventually(() =>
          seen.some((change) => change.path === "w25" && change.kind === "removed"),
        );
        end();
      },
    );
  });
}
