import { toProjectPath } from "@treadle/protocol/project-path";
import type { WorkspaceNotice } from "@treadle/workspace";
import { expect, it } from "vitest";
import { watchChanges } from "./watch-changes.ts";

it("names the files that kept changing during the last look, without the app's data", () => {
  let notify: (notice: WorkspaceNotice) => void = () => {};
  const watch = watchChanges({
    listen(listener) {
      notify = listener;
      return () => {};
    },
    dataFiles: () => [toProjectPath("access.log")],
  });
  const change = (...paths: string[]) =>
    notify({
      type: "files",
      changes: paths.map((path) => ({
        path: toProjectPath(path),
        kind: "written" as const,
        size: 1,
      })),
    });
  expect(watch.words()).toBe("the files kept changing while they were looked at");
  change("early.ts");
  watch.again();
  change("src/routes.json", "access.log");
  expect(watch.words()).toBe("src/routes.json kept changing while the project was looked at");
  change("a", "b", "c");
  expect(watch.words()).toBe("a, b, c and 1 more kept changing while the project was looked at");
});
