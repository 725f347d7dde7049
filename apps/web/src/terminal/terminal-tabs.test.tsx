import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TerminalTabs } from "./terminal-tabs.tsx";
import { SERVER_TAB, type Terminals } from "./use-terminals.ts";

it("its tab list contains only tabs: the close button is beside it", () => {
  const terminals = {
    tabs: ["a", "b"],
    panes: { shown: ["a"], chosen: "a" },
    labelOf: (tab: string) => `Terminal ${tab}`,
    entryOf: () => undefined,
    isOwn: () => true,
    mayEnd: () => true,
  } satisfies Partial<Terminals> as unknown as Terminals;
  const markup = renderToStaticMarkup(
    <TerminalTabs terminals={terminals} renaming={undefined} onRenaming={() => {}} />,
  );
  const [list = "", owns = "", held] =
    /<div role="tablist"[^>]* aria-owns="([^"]*)">(.*?)<\/div>/.exec(markup) ?? [];
  expect(list).not.toBe("");
  expect(held).toBe("");
  const ids = [...markup.matchAll(/role="tab" id="([^"]*)"/g)].map(([, id]) => id);
  expect(owns.split(" ")).toEqual(ids);
  expect(ids).toEqual([SERVER_TAB, "a", "b"].map((id) => `terminal-tab-${id}`));
});
