import type { ToTab } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import type { Workspace } from "../types.ts";
import { createTabFiles } from "./tab-files.ts";

const path = toProjectPath;

/** A project with some files; those in `broken` cannot be read. */
function tabOf(contents: Map<string, string>, broken = new Set<string>()) {
  const seen = new Map<string, string>();
  const failures: unknown[] = [];
  const files = {
    async list() {
      return { files: [...contents.keys()].map((one) => ({ path: path(one), kind: "file" })) };
    },
    async read(one: string) {
      if (broken.has(one)) throw new Error("the sandbox does not answer");
      const bytes = Buffer.from(contents.get(one)!);
      return { bytes, version: contents.get(one)! };
    },
  } as unknown as Workspace["files"];
  const send = (message: ToTab) => {
    if (message.type !== "files") return;
    for (const file of message.files)
      seen.set(file.path, Buffer.from(file.base64, "base64").toString());
  };
  return { seen, failures, tab: createTabFiles(files, send, (error) => failures.push(error)) };
}

it("sends the tab a file that could not be read at first, before anything runs", async () => {
  const contents = new Map([["a.txt", "1"], ["b.txt", "1"], ["c.txt", "1"]]); // prettier-ignore
  const broken = new Set<string>();
  const { seen, failures, tab } = tabOf(contents, broken);
  await tab.all();
  for (const name of contents.keys()) contents.set(name, "2");
  broken.add("b.txt");
  tab.changed(["a.txt", "b.txt", "c.txt"].map((one) => path(one)));
  await tab.settled();
  expect(failures.length).toBeGreaterThan(0);
  broken.clear();
  await tab.settled();
  expect([...seen.values()]).toEqual(["2", "2", "2"]);
});

it("sends a new container the files that could not be read at first", async () => {
  const broken = new Set(["b.txt"]);
  const { seen, tab } = tabOf(new Map([["a.txt", "1"], ["b.txt", "1"]]), broken); // prettier-ignore
  await tab.all();
  broken.clear();
  await tab.settled();
  expect([...seen.keys()]).toEqual(["a.txt", "b.txt"]);
});
