import { describe, expect } from "vitest";
import type { WorkspaceNotice } from "../types.ts";
import type { Contract } from "./contract.test-support.ts";
import { eventually } from "./helpers.test-support.ts";

export function describeChanges(contract: Contract): void {
  const { openNew, rule } = contract;
  describe("told changes", () => {
    rule("W27", "what is written right after the opening is told as well", async () => {
      const own = await openNew();
      const seen: string[] = [];
      own.listen((notice) => {
        if (notice.type === "files") seen.push(...notice.changes.map((change) => change.path));
      });
      await own.files.write("early/file", "x");
      await eventually(() => seen.includes("early/file"));
      await own.stop();
    });

    rule(
      "W25",
      "a change by any hand is told, with the version that a read would give",
      async () => {
        const seen: Extract<WorkspaceNotice, { type: "files" }>["changes"] = [];
        const end = contract.shared.listen((notice) => {
          if (notice.type === "files") seen.push(...notice.changes);
        });
        await eventually(async () => {
          await contract.shared.run("echo changed > w25");
          return seen.some((change) => change.path === "w25");
        });
        const { version } = await contract.shared.files.read("w25");
        expect(
          seen.find((change) => change.path === "w25" && change.version === version),
        ).toBeDefined();
        await contract.shared.files.remove("w25");
        await eventually(() =>
          seen.some((change) => change.path === "w25" && change.kind === "removed"),
        );
        end();
      },
    );
  });
}
