import { describe, expect, it } from "vitest";
import { offeredItems, type Item } from "./items.ts";

const item = (kind: Item["kind"], title: string, alias?: string): Item => ({
  id: `${kind} ${title}`,
  kind,
  title,
  alias,
  run: () => {},
});
const items = [
  item("command", "立即检查", "check"),
  item("command", "Download as ZIP", "download"),
  item("settings", "Settings: Models", "models"),
  item("project", "Tides"),
  item("file", "src/App.tsx"),
  item("file", "src/app/list.tsx"),
];
const titles = (query: string, recent: string[] = []) =>
  offeredItems(items, query, recent).flatMap((group) => group.items.map(({ title }) => title));

describe("the palette", () => {
  it("lists recent choices first, then everything by kind", () => {
    const groups = offeredItems(items, " ", ["project Tides", "command gone", "file src/App.tsx"]);
    expect(groups.map(({ name, items: list }) => [name, list.length])).toEqual([
      ["recent", 2],
      ["actions", 3],
      ["files", 1],
    ]);
    expect(groups[0]!.items.map(({ title }) => title)).toEqual(["Tides", "src/App.tsx"]);
  });

  it("finds a command by its English name in every language", () => {
    expect(titles("check")).toEqual(["立即检查"]);
    expect(titles("检查")).toEqual(["立即检查"]);
  });

  it("ranks a match of a file's own name before one of its folders", () => {
    expect(titles("app")).toEqual(["src/App.tsx", "src/app/list.tsx"]);
    expect(titles("app list")).toEqual(["src/app/list.tsx"]);
  });

  it("ranks files with shorter paths first", () => {
    const both = [item("file", "src/index.css"), item("file", "index.html")];
    expect(offeredItems(both, "inde", [])[0]?.items[0]?.title).toBe("index.html");
  });

  it("ranks a command before an equally good file, unless the file was chosen last", () => {
    const both = [item("file", "publish.ts"), item("command", "Publish")];
    const first = (recent: string[]) => offeredItems(both, "publish", recent)[0]?.items[0]?.kind;
    expect(first([])).toBe("command");
    expect(first(["file publish.ts"])).toBe("file");
  });

  it("has no entries and no empty groups if nothing matches", () => {
    expect(offeredItems(items, "zebra", [])).toEqual([]);
  });
});
