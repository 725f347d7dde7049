import { toProjectPath } from "@treadle/protocol/project-path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FileDifference } from "./file-difference.tsx";

const file = {
  path: toProjectPath("src/a.ts"),
  kind: "changed" as const,
  binary: false,
  diff: "@@ -1 +1 @@\n-const old = 1;\n+const fresh = 1;\n",
};
const drawn = (startOpen: boolean) =>
  renderToStaticMarkup(<FileDifference file={file} startOpen={startOpen} />);

it("draws the lines of a file that is open", () => {
  expect(drawn(true)).toContain("const fresh = 1;");
});

it("names a file that is closed and draws none of its lines", () => {
  expect(drawn(false)).toContain("src/a.ts");
  expect(drawn(false)).not.toContain("const fresh");
});
