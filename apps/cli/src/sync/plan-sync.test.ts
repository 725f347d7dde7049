import { describe, expect, it } from "vitest";
import { planSync } from "./plan-sync.ts";

const withVersion = (version?: string) =>
  new Map(version === undefined ? [] : [["a.txt", version]]);
const plan = (base?: string, folder?: string, project?: string) =>
  planSync(withVersion(base), { folder: withVersion(folder), project: withVersion(project) })[0];

describe("planning one file", () => {
  it("does nothing if neither side changed it", () => {
    expect(plan("1", "1", "1")).toBeUndefined();
    expect(plan()).toBeUndefined();
  });
  it("copies a change to the other side", () => {
    expect(plan("1", "2", "1")).toEqual({ kind: "write", to: "project", path: "a.txt", version: "2", expected: "1" }); // prettier-ignore
    expect(plan("1", "1", "2")).toEqual({ kind: "write", to: "folder", path: "a.txt", version: "2", expected: "1" }); // prettier-ignore
    expect(plan(undefined, "1")).toMatchObject({ kind: "write", to: "project", version: "1" });
    expect(plan(undefined, undefined, "1")).toMatchObject({ kind: "write", to: "folder" });
  });
  it("removes a file if one side removed it and the other did not change it", () => {
    expect(plan("1", undefined, "1")).toEqual({ kind: "remove", from: "project", path: "a.txt", expected: "1" }); // prettier-ignore
    expect(plan("1", "1")).toEqual({
      kind: "remove",
      from: "folder",
      path: "a.txt",
      expected: "1",
    });
  });
  it("keeps a changed file that the other side removed", () => {
    expect(plan("1", undefined, "2")).toEqual({ kind: "write", to: "folder", path: "a.txt", version: "2", expected: undefined }); // prettier-ignore
    expect(plan("1", "2")).toEqual({ kind: "write", to: "project", path: "a.txt", version: "2", expected: undefined }); // prettier-ignore
  });
  it("reports a conflict if both changed it differently, and nothing if both changed it equally", () => {
    expect(plan("1", "2", "3")).toEqual({ kind: "conflict", path: "a.txt", folder: "2", project: "3" }); // prettier-ignore
    expect(plan(undefined, "2", "3")).toMatchObject({ kind: "conflict" });
    expect(plan("1", "2", "2")).toEqual({ kind: "agree", path: "a.txt", version: "2" });
    expect(plan("1")).toEqual({ kind: "agree", path: "a.txt", version: undefined });
  });
  it("plans removals first, because a folder may take the place of a file", () => {
    const steps = planSync(new Map([["a", "1"]]), { folder: new Map([["a/b", "2"]]), project: new Map([["a", "1"]]) }); // prettier-ignore
    expect(steps.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["remove a", "write a/b"]);
  });
});
