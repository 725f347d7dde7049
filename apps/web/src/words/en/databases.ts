import { counted } from "./counted.ts";

export const databases = {
  title: "Data of the app",
  open: "Show what is in it",
  reading: "Reading what the app has written…",
  none: "The app has no database yet. SQLite files such as data/app.db are shown here, and its PostgreSQL database.",
  database: "Database",
  of: { preview: "Preview", published: "Published" },
  table: "Table",
  language: "SQL",
  asFile: "Download the database",
  asCsv: "Download as CSV",
  given: (name: string) => `File for ${name}`,
  putFile: "Replace it with a file…",
  putCsv: "Add rows from CSV…",
  putAsk: (name: string) => `Replace ${name} with this file?`,
  putAbout:
    "Everything in the database is replaced. A copy of its current state is kept in .data/copies.",
  putAction: "Replace it",
  back: (name: string) => `Restore ${name} from this copy…`,
  backAsk: (name: string) => `Restore ${name} from this copy?`,
  backAbout:
    "Everything in the database is replaced by what this copy holds. A copy of its current state is kept in .data/copies. Later migrations run again before the server starts.",
  backAction: "Restore it",
  filter: "Find in the rows",
  rows: (amount: number, more = false) =>
    more
      ? counted(amount, { one: "the first row", other: "the first # rows" })
      : counted(amount, { one: "# row", other: "# rows" }),
  edit: (column: string) => `Edit ${column}`,
  addRow: "Add a row",
  removeRow: "Remove the row",
  removeAsk: "Remove this row?",
  removeAbout: "It is removed from the database at once and cannot be restored.",
  cancel: "Cancel",
  before: "Rows before",
  next: "Next rows",
  sql: "SQL to run",
  run: "Run",
  changed: (amount: number) => counted(amount, { one: "# row changed", other: "# rows changed" }),
  result: "Result",
};
