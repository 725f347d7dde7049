import type { FromTab, TabAnswer, ToTab } from "@treadle/protocol";
import { createTabs } from "@treadle/workspace";
import { expect, it } from "vitest";
import { lookInTab } from "./look-in-tab.ts";

const { signal } = new AbortController();

/** A tab that gives this answer to each look. */
function tabThat(answers: TabAnswer | "leaves") {
  const link = createTabs().get("p");
  const ends = link.attach({
    close() {},
    send(message: ToTab) {
      if (message.type !== "ask") return;
      if (answers === "leaves") ends.left();
      else ends.receive({ type: "answer", id: message.id, answer: answers });
    },
  });
  for (const report of [
    { type: "ready" },
    { type: "ports", ports: [{ port: 5173, url: "https://x.example/" }] },
  ] satisfies FromTab[])
    ends.receive(report);
  return lookInTab(link);
}

const report = {
  path: "/",
  status: 200,
  contentType: "text/html",
  title: "Counter",
  rendered: true,
  text: "0",
  uncaughtErrors: [],
  consoleErrors: [],
  failedRequests: [],
  ms: 5,
};

it("is the report of the tab's own page, and is marked as such", async () => {
  const seen = await tabThat({ kind: "look", report }).look({ path: "/", signal });
  expect(seen).toMatchObject({ ...report, source: "tab", port: 5173 });
  expect(seen.unsettled).toBeUndefined();
});

it.each([
  ["tells nothing of itself", { kind: "look" } as const],
  ["tells what is no report", { kind: "look", report: { path: "/", rendered: "yes" } } as const],
  ["is open in no tab any more", "leaves" as const],
])("a page that %s was not seen", async (_how, answer) => {
  const seen = await tabThat(answer).look({ path: "/", signal });
  expect(seen).toMatchObject({ source: "tab", rendered: false, unsettled: expect.any(String) });
});

it("pages there can be looked at, but not operated", () => {
  expect(tabThat("leaves").use).toBeUndefined();
});
