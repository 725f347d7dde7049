import type { ProjectPath } from "@treadle/protocol";
import { expect, it } from "vitest";
import type { FileChangeText } from "../api/projects.ts";
import type { ProjectView } from "../fold/types.ts";
import { refreshChanges, type KnownChanges } from "./use-changes.ts";

const path = (number: number) => `src/${String(number).padStart(3, "0")}.ts` as ProjectPath;
const difference = (number: number, diff = "+1"): FileChangeText => ({
  path: path(number),
  kind: "changed",
  binary: false,
  diff,
});

/** A project whose differences are read; `asked` lists the requests, `all` being the expensive one. */
function createProject() {
  const files = new Map<ProjectPath, FileChangeText>();
  const view = {
    changes: new Map() as Map<ProjectPath, { seq: number; by: "model"; kind: "changed" }>,
    filesSeq: 0,
    restoredSeq: 0,
  };
  const asked: string[] = [];
  let known: KnownChanges | undefined;
  return {
    asked,
    view,
    write(number: number, diff?: string) {
      files.set(path(number), difference(number, diff));
      view.changes.set(path(number), { seq: ++view.filesSeq, by: "model", kind: "changed" });
    },
    putBack(number: number) {
      files.delete(path(number));
      view.changes.set(path(number), { seq: ++view.filesSeq, by: "model", kind: "changed" });
    },
    async refresh() {
      known = await refreshChanges(known, view as unknown as ProjectView, (one) => {
        asked.push(one ?? "all");
        const found = one === undefined ? [...files.values()] : [files.get(one) ?? []].flat();
        return Promise.resolve(found);
      });
      return known;
    },
  };
}

it("reads a file of a long turn once per change, and never all of them again", async () => {
  const project = createProject();
  await project.refresh();
  for (let number = 0; number < 100; number++) {
    project.write(number);
    await project.refresh();
  }
  expect(project.asked).toEqual([
    "all",
    ...Array.from({ length: 100 }, (_, number) => path(number)),
  ]);
  const { files } = await project.refresh();
  expect(files.map((file) => file.path)).toEqual(project.asked.slice(1));
});

it("replaces the diff of a changed file, and removes that of a file that is as before", async () => {
  const project = createProject();
  project.write(1);
  project.write(2);
  const before = await project.refresh();
  project.write(2, "+2");
  project.putBack(1);
  const after = await project.refresh();
  expect(before.files).toHaveLength(2);
  expect(after).toEqual({ seq: 4, files: [difference(2, "+2")] });
});

it("reads everything after a restore, and after more changes than are read one by one", async () => {
  const project = createProject();
  await project.refresh();
  project.view.restoredSeq = ++project.view.filesSeq;
  await project.refresh();
  for (let number = 0; number < 9; number++) project.write(number);
  await project.refresh();
  expect(project.asked).toEqual(["all", "all", "all"]);
});
