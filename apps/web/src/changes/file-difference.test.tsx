import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { toProjectPath } from "@treadle/protocol/project-path";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FollowProject } from "../live/live-context.tsx";
import { changeKeys } from "./change-key.ts";
import { FileDifference } from "./file-difference.tsx";

const file = {
  path: toProjectPath("src/a.ts"),
  kind: "changed" as const,
  binary: false,
  diff: "@@ -1 +1 @@\n-const old = 1;\n+const fresh = 1;\n",
};
const drawn = (startOpen: boolean, beside = false) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <FollowProject project="p">
        <FileDifference
          file={file}
          span={{ from: "c1" }}
          startOpen={startOpen}
          beside={beside}
          keys={changeKeys(file)}
          reviewed={new Set()}
        />
      </FollowProject>
    </QueryClientProvider>,
  );

it("draws the lines of an open file, with the changed words marked", () => {
  expect(drawn(true)).toMatch(/const .*<mark[^>]*>old<\/mark>.* = 1;/);
  expect(drawn(true)).toMatch(/const .*<mark[^>]*>fresh<\/mark>.* = 1;/);
});

it("draws removed and added lines in one row in the side-by-side view", () => {
  const rows = (html: string) => html.split("<tr").filter((row) => row.includes("const ")).length;
  expect([rows(drawn(true)), rows(drawn(true, true))]).toEqual([2, 1]);
});

it("names a closed file and draws none of its lines", () => {
  expect(drawn(false)).toContain("src/a.ts");
  expect(drawn(false)).not.toContain("fresh");
});
