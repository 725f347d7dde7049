import { counted } from "./counted.ts";

export const databases = {
  title: "Data of the app",
  open: "Show what is in it",
  reading: "Reading what the app has written…",
  none: "The app has no database yet: SQLite files such as data/app.db are shown here, and what it has in PostgreSQL.",
  database: "Database",
  of: { preview: "Preview", published: "Published" },
  table: "Table",
  language: "SQL",
  asFile: "Download the database",
  asCsv: "Download as CSV",
  given: (name: string) => `File for ${name}`,
  putFile: "Put a database in its place…",
  putCsv: "Add rows from CSV…",
  putAsk: (name: string) => `Put the file in the place of ${name}?`,
  putAbout:
    "Everything in the database is replaced. A copy of it as it is now is kept in .data/copies.",
  putAction: "Replace it",
  back: (name: string) => `Put this copy back in the place of ${name}…`,
  backAsk: (name: string) => `Put this copy in the place of ${name}?`,
  backAbout:
    "Everything in the database is replaced by what it held then. A copy of it as it is now is kept in .data/copies. Migrations that came later run again before the server starts.",
  backAction: "Put it back",
  filter: "Find in the rows",
  rows: (amount: number, more = false) =>
    more
      ? counted(amount, { one: "the first row", other: "the first # rows" })
      : counted(amount, { one: "# row", other: "# rows" }),
  edit: (column: string) => `Edit ${column}`,
  addRow: "Add a row",
  removeRow: "Remove the row",
  removeAsk: "Remove this row?",
  removeAbout: "It is gone from the database at once, and cannot be had back.",
  cancel: "Cancel",
  before: "Rows before",
  next: "Next rows",
  sql: "SQL to run",
  run: "Run",
  changed: (amount: number) => counted(amount, { one: "# row changed", other: "# rows changed" }),
  result: "What it answered",
};
