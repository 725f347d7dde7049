import type { DatabaseSync } from "node:sqlite";

export interface Bookmark {
  id: number;
  url: string;
  title: string;
  tags: string[];
  createdAt: string;
}

export type BookmarkFields = Pick<Bookmark, "url" | "title" | "tags">;

export interface Bookmarks {
  list(search: string): Bookmark[];
  get(id: number): Bookmark | undefined;
  /** Undefined where the address is kept already. */
  add(fields: BookmarkFields): Bookmark | undefined;
  change(id: number, fields: Partial<BookmarkFields>): Bookmark | "missing" | "taken";
  remove(id: number): boolean;
}

export function createBookmarks(database: DatabaseSync): Bookmarks {
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
    list(search) {
      const wanted = search.toLowerCase();
      const bookmarks = all.all().map(toBookmark);
      if (wanted === "") return bookmarks;
      return bookmarks.filter(({ url, title, tags }) =>
        [url, title, ...tags].some((text) => text.toLowerCase().includes(wanted)),
      );
    },
    add({ url, title, tags }) {
      if (byUrl.get(url) !== undefined) return undefined;
      const { lastInsertRowid } = insert.run(url, title, JSON.stringify(tags));
      return get(Number(lastInsertRowid));
    },
    change(id, fields) {
      const before = get(id);
      if (before === undefined) return "missing";
      const after = { ...before, ...fields };
      const holder = byUrl.get(after.url);
      if (holder !== undefined && holder.id !== id) return "taken";
      update.run(after.url, after.title, JSON.stringify(after.tags), id);
      return after;
    },
    remove(id) {
      return erase.run(id).changes === 1;
    },
  };
}

function toBookmark(row: Record<string, unknown>): Bookmark {
  return {
    id: Number(row.id),
    url: String(row.url),
    title: String(row.title),
    tags: JSON.parse(String(row.tags)) as string[],
    createdAt: String(row.created_at),
  };
}
