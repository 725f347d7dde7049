import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { pathOf, uriOf } from "./uris.ts";

const ROOT = "file:///home/project";

it("names a project file, whatever characters it contains", () => {
  for (const written of ["src/App.tsx", "a b/ü#?.ts", "100%.css", "[id]/@x.ts"]) {
    const path = toProjectPath(written);
    expect(pathOf(ROOT, uriOf(ROOT, path))).toBe(path);
  }
});

it.each([
  "file:///home/project/../other/a.ts",
  "file:///home/project/%2e%2e/other/a.ts",
  "file:///home/project/a%2F..%2Fb.ts",
  "file:///home/projects/a.ts",
  "file:///home/project/",
  "file:///home/project",
  "file:///etc/passwd",
  "file:///home/project/%E0%A4%A",
  "https://example.com/home/project/a.ts",
  7,
  undefined,
])("A90 rejects URIs outside the project: %j", (uri) => expect(pathOf(ROOT, uri)).toBeUndefined());
