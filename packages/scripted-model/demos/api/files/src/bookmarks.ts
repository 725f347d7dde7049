import type { DatabaseSync } from "node:sqlite";

export interface Fields {
  url: string;
  title: string;
  tags: string[];
}

export interface Bookmark extends Fields {
  id: number;
  createdAt: string;
}

export type Bookmarks = ReturnType<typeof createBookmarks>;

/**
 * `add` gives undefined where the address is kept already; `change` gives "missing" or "taken" where it cannot.
 */
export function createBookmarks(database: DatabaseSync) {
  const all = database.prepare("SELECT * FROM bookmarks ORDER BY id DESC");
  const one = database.prepare("SELECT * FROM bookmarks WHERE id = ?");
  const byUrl = database.prepare("SELECT id FROM bookmarks WHERE url = ?");
  const insert = database.prepare("INSERT INTO bookmarks (url, title, tags) VALUES (?, ?, ?)");
  const update = database.prepare("UPDATE bookmarks SET url = ?, title = ?, tags = ? WHERE id = ?");
  const erase = database.prepare("DELETE FROM bookmarks WHERE id = ?");

  function get(id: number): Bookmark | undefined {
    const row = one.get(id);
    return row === undefined ? undefined : toBookmark(row);
  }

  return {
    get,
    list(search: string): Bookmark[] {
      const wanted = search.toLowerCase();
      const bookmarks = all.all().map(toBookmark);
      if (wanted === "") return bookmarks;
      return bookmarks.filter(({ url, title, tags }) =>
        [url, title, ...tags].some((text) => text.toLowerCase().includes(wanted)),
      );
    },
    add({ url, title, tags }: Fields): Bookmark | undefined {
      if (byUrl.get(url) !== undefined) return undefined;
      const { lastInsertRowid } = insert.run(url, title, JSON.stringify(tags));
      return get(Number(lastInsertRowid));
    },
    change(id: number, fields: Partial<Fields>): Bookmark | "missing" | "taken" {
      const before = get(id);
      if (before === undefined) return "missing";
      const after = { ...before, ...fields };
      const holder = byUrl.get(after.url);
      if (holder !== undefined && holder.id !== id) return "taken";
      update.run(after.url, after.title, JSON.stringify(after.tags), id);
      return after;
    },
    remove(id: number): boolean {
      return erase.run(id).changes === 1;
    },
  };
}

function toBookmark(row: Record<string, unknown>): Bookmark {
  return {
    id: Number(row.id),
    url: String(row.url),
    title: String(row.title),
    tags: JSON.parse(String(row.tags)),
    createdAt: String(row.created_at),
  };
}
