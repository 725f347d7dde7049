import { describe, expect, it } from "vitest";
import { planSync } from "./plan-sync.ts";

const withVersion = (version?: string) =>
  new Map(version === undefined ? [] : [["a.txt", version]]);
const plan = (base?: string, folder?: string, project?: string) =>
  planSync(withVersion(base), { folder: withVersion(folder), project: withVersion(project) })[0];

describe("what is done with one file", () => {
  it("is nothing where both have it as it was", () => {
    expect(plan("1", "1", "1")).toBeUndefined();
    expect(plan()).toBeUndefined();
  });
  it("goes to the side that did not change it", () => {
    expect(plan("1", "2", "1")).toEqual({ kind: "write", to: "project", path: "a.txt", version: "2", expected: "1" }); // prettier-ignore
    expect(plan("1", "1", "2")).toEqual({ kind: "write", to: "folder", path: "a.txt", version: "2", expected: "1" }); // prettier-ignore
    expect(plan(undefined, "1")).toMatchObject({ kind: "write", to: "project", version: "1" });
    expect(plan(undefined, undefined, "1")).toMatchObject({ kind: "write", to: "folder" });
  });
  it("is a removal where one side removed what the other left alone", () => {
    expect(plan("1", undefined, "1")).toEqual({ kind: "remove", from: "project", path: "a.txt", expected: "1" }); // prettier-ignore
    expect(plan("1", "1")).toEqual({
      kind: "remove",
      from: "folder",
      path: "a.txt",
      expected: "1",
    });
  });
  it("keeps what was changed from what was removed", () => {
    expect(plan("1", undefined, "2")).toEqual({ kind: "write", to: "folder", path: "a.txt", version: "2", expected: undefined }); // prettier-ignore
    expect(plan("1", "2")).toEqual({ kind: "write", to: "project", path: "a.txt", version: "2", expected: undefined }); // prettier-ignore
  });
  it("is a conflict where both changed it, and nothing where both changed it to the same", () => {
    expect(plan("1", "2", "3")).toEqual({ kind: "conflict", path: "a.txt", folder: "2", project: "3" }); // prettier-ignore
    expect(plan(undefined, "2", "3")).toMatchObject({ kind: "conflict" });
    expect(plan("1", "2", "2")).toEqual({ kind: "agree", path: "a.txt", version: "2" });
    expect(plan("1")).toEqual({ kind: "agree", path: "a.txt", version: undefined });
  });
  it("removes first: a folder may stand where a file was", () => {
    const steps = planSync(new Map([["a", "1"]]), { folder: new Map([["a/b", "2"]]), project: new Map([["a", "1"]]) }); // prettier-ignore
    expect(steps.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["remove a", "write a/b"]);
  });
});
