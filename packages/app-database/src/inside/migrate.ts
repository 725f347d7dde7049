import { planMigrations, type MigrationFile } from "@treadle/workspace/data-conventions";
import { readMigrations, readSeed } from "./read-migrations.ts";
import { splitSql } from "./split-sql.ts";
import { SqlFailure, type AppDatabase } from "./types.ts";

/** The result of a command, as it is printed. */
export interface Told {
  ok: boolean;
  lines: string[];
}

/**
 * Runs the pending migrations of a project, each in a transaction.
 * @param options.seed whether example rows are inserted once into an empty database
 * @param options.copy whether a copy is saved before a change
 */
export async function migrate(
  root: string,
  database: AppDatabase,
  { seed, copy }: { seed: boolean; copy: boolean },
): Promise<Told> {
  const files = readMigrations(root);
  if ("problem" in files) return { ok: false, lines: [files.problem] };
  const applied = (await database.applied()).filter(({ number }) => number >= 0);
  const plan = planMigrations(files, applied);
  if ("problem" in plan)
    return {
      ok: false,
      lines: [
        plan.problem,
        `Nothing was run on ${database.name}. Where none of it is published yet, “treadle-db reset” makes the preview's database anew; a copy of what was in it is kept.`,
      ],
    };
  const lines: string[] = [];
  const [first] = plan.pending;
  if (first && copy) {
    const copy = await database.keepCopy(first.name.replace(/\.sql$/i, ""));
    if (copy !== undefined) lines.push(`Kept a copy: ${copy}.`);
  }
  for (const file of plan.pending) {
    const problem = await apply(database, file);
    if (problem) return { ok: false, lines: [...lines, ...problem] };
    lines.push(`Ran ${file.path} on ${database.name}.`);
  }
  if (seed) {
    const seeded = await plantSeed(root, database);
    lines.push(...seeded.lines);
    if (!seeded.ok) return { ok: false, lines };
  }
  if (lines.length === 0)
    lines.push(`Nothing to run: ${applied.length} have run on ${database.name}.`);
  if (plan.note) lines.push(plan.note);
  return { ok: true, lines };
}

/** Inserts the example rows once, if the database has no rows. Returns no lines if there was nothing to insert. */
export async function plantSeed(root: string, database: AppDatabase): Promise<Told> {
  const seed = readSeed(root);
  // A file without statements is left for later, because it would not run a second time.
  if (!seed || (seed.sql !== undefined && holdsNothing(seed.sql, database)))
    return { ok: true, lines: [] };
  if ((await database.applied()).some(({ number }) => number === seed.number))
    return { ok: true, lines: [] };
  if (!(await database.isEmpty())) return { ok: true, lines: [] };
  const problem = await apply(database, seed);
  return problem
    ? { ok: false, lines: problem }
    : { ok: true, lines: [`Put the example rows of ${seed.path} into ${database.name}.`] };
}

/** Whether there is no statement: only comments, white space and semicolons. */
const holdsNothing = (sql: string, { name }: AppDatabase): boolean =>
  splitSql(sql, name === "PostgreSQL" ? "postgres" : "sqlite").length === 0;

/**
 * Finds an applied migration with this exact SQL, because models send the content of a migration a
 * second time as a query.
 * @returns its path
 */
export async function ranAs(
  root: string,
  database: AppDatabase,
  sql: string,
): Promise<string | undefined> {
  const files = readMigrations(root);
  if ("problem" in files) return undefined;
  const same = files.find((file) => file.sql?.trim() === sql.trim());
  const has = same && (await database.applied()).some(({ digest }) => digest === same.digest);
  return has ? same.path : undefined;
}

async function apply(database: AppDatabase, file: MigrationFile): Promise<string[] | undefined> {
  const { sql } = file;
  if (sql === undefined)
    return [`${file.path}:1: It is not written in UTF-8: save it so. Nothing of it was run.`];
  try {
    await database.apply({ ...file, sql });
    return undefined;
  } catch (error) {
    if (!(error instanceof SqlFailure)) throw error;
    return [
      `${file.path}:${error.line}: ${error.message}`,
      ...hint(error.message, sql, database.name),
      `Nothing of ${file.path} was kept; ${database.name} stands as it did before it.`,
    ];
  }
}

/** PostgreSQL's own syntax, and SQLite's equivalent. */
const ONLY_POSTGRES: [pattern: RegExp, instead: string][] = [
  [
    /\bgen_random_uuid\s*\(|\buuid_generate_v4\s*\(/i,
    "an id: `id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(16))))`, or INTEGER PRIMARY KEY",
  ],
  [
    /\bROW LEVEL SECURITY\b|\bCREATE POLICY\b|\bauth\.(?:uid|users)\b/i,
    "row level security and auth.uid(): who may see a row is said in the app's queries (WHERE user_id = ?)",
  ],
  [
    /\btimestamptz\b|\bnow\s*\(\s*\)/i,
    "moments: TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
  ],
  [
    /\$\$|\bplpgsql\b|^\s*DO\b/im,
    "functions and DO blocks: leave them out; CREATE TRIGGER has its statements between BEGIN and END",
  ],
  [
    /\bCREATE EXTENSION\b|\bCREATE TYPE\b/i,
    "extensions and types: leave them out; CHECK (x IN ('a', 'b')) in place of an enum",
  ],
  [
    /\bALTER TABLE\b[^;]*\bADD COLUMN IF NOT EXISTS\b/i,
    "ADD COLUMN without IF NOT EXISTS: a migration runs once",
  ],
  [/\bserial\b/i, "serial: INTEGER PRIMARY KEY counts by itself"],
];

/** Supabase's additions to PostgreSQL. */
const ONLY_SUPABASE =
  /^(?:schema "(?:auth|storage|extensions|realtime|vault)"|relation "(?:auth|storage|realtime|vault)\.\w+"|role "(?:anon|authenticated|service_role)") does not exist/;

function hint(message: string, sql: string, name: string): string[] {
  if (name === "PostgreSQL")
    return ONLY_SUPABASE.test(message)
      ? [
          "The app's database is PostgreSQL alone, without what Supabase puts beside it: no auth.users, auth.uid(), storage.buckets, no roles anon and authenticated. Keep the users in a table of the app's own, and say who may see a row in the app's queries (WHERE user_id = $1).",
        ]
      : [];
  if (/UNIQUE column|non-constant default|PRIMARY KEY column/i.test(message))
    return [
      "SQLite adds no such column: make a new table, copy the rows, drop the old one, rename.",
    ];
  const found = ONLY_POSTGRES.filter(([pattern]) => pattern.test(sql));
  if (found.length === 0) return [];
  const other = process.env.PGHOST
    ? " PostgreSQL is here too: where the app is to have it, put pg into its package.json before the migration."
    : "";
  return [
    `The app's database is SQLite, and this is PostgreSQL's. Write it for SQLite: ${found.map(([, instead]) => instead).join("; ")}.${other}`,
  ];
}
