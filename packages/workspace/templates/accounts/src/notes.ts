import { db } from "./db.ts";
import type { User } from "./session.ts";

export interface Note {
  id: number;
  text: string;
  createdAt: string;
}

const COLUMNS = "id, text, created_at AS createdAt";
const list = db.prepare(`SELECT ${COLUMNS} FROM notes WHERE user_id = ? ORDER BY id DESC LIMIT 200`);
const one = db.prepare(`SELECT ${COLUMNS} FROM notes WHERE id = ? AND user_id = ?`);
const insert = db.prepare(`INSERT INTO notes (user_id, text) VALUES (?, ?) RETURNING ${COLUMNS}`);
const update = db.prepare(`UPDATE notes SET text = ? WHERE id = ? AND user_id = ? RETURNING ${COLUMNS}`);
const remove = db.prepare("DELETE FROM notes WHERE id = ? AND user_id = ?");

/** Each of these is told whose: a row of somebody else is as one that is not there. */
export const notesOf = ({ id: user }: User) => ({
  all: () => list.all(user) as unknown as Note[],
  get: (id: number) => one.get(id, user) as unknown as Note | undefined,
  add: (text: string) => insert.get(user, text) as unknown as Note,
  change: (id: number, text: string) => update.get(text, id, user) as unknown as Note | undefined,
  remove: (id: number) => remove.run(id, user).changes > 0,
});
