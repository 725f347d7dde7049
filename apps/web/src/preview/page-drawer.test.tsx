import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import PageDrawer from "./page-drawer.tsx";
import { EMPTY, appendMessage, type PageLog } from "./page-log.ts";
import type { PageMessage } from "./page-messages.ts";

const logOf = (...messages: PageMessage[]): PageLog => messages.reduce(appendMessage, EMPTY);
const tabs = (log: PageLog): string => {
  const none = () => {};
  const markup = renderToStaticMarkup(
    <PageDrawer log={log} onPlace={none} onClear={none} onClose={none} />,
  );
  return /role="tablist".*?<\/div>/.exec(markup)?.[0] ?? "";
};

it("counts current failures in red, and no longer those that a change has fixed", () => {
  const failed: PageMessage[] = [
    {
      type: "console",
      entries: [{ level: "error", text: "x is null", stack: "", at: 1 }],
      dropped: 0,
    },
    {
      type: "requests",
      requests: [{ url: "/x", method: "GET", kind: "fetch", status: 404, ms: 1, size: 0, at: 1 }],
    },
  ];
  expect(tabs(logOf(...failed)).match(/text-failed/g)).toHaveLength(2);
  const repaired = tabs(logOf(...failed, { type: "updated" }));
  expect(repaired).not.toContain("text-failed");
  expect(repaired.match(/>1</g)).toHaveLength(2);
});
