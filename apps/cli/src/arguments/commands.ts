import type { CommandOf, CommandShape } from "./command-shape.ts";
import { backup, restore } from "./commands/backup.ts";
import { bench } from "./commands/bench.ts";
import { check } from "./commands/check.ts";
import { checks } from "./commands/checks.ts";
import { completion } from "./commands/completion.ts";
import { checkpoints, exportProject, importProject } from "./commands/doors.ts";
import { doctor } from "./commands/doctor.ts";
import { migrateStore } from "./commands/migrate-store.ts";
import { parse } from "./commands/parse.ts";
import {
  caddyfile,
  link,
  login,
  logout,
  logs,
  open,
  projects,
  publish,
  share,
  sync,
} from "./commands/running.ts";
import { replay } from "./commands/replay.ts";
import { run } from "./commands/run.ts";
import { acp, mcp } from "./commands/spoken-to.ts";
import { serve } from "./commands/serve.ts";

const ALL = [
  serve,
  run,
  check,
  checks,
  bench,
  projects,
  logs,
  open,
  link,
  login,
  logout,
  exportProject,
  importProject,
  checkpoints,
  sync,
  publish,
  share,
  caddyfile,
  parse,
  replay,
  backup,
  restore,
  migrateStore,
  doctor,
  mcp,
  acp,
  completion,
] as const;

/**
 * All commands, in the order of the help. A new one needs a file beside these, a line here and one
 * in `main.ts`.
 */
export const COMMANDS = ALL as readonly unknown[] as readonly CommandShape[];

/** The validated command line. */
export type CommandLine = CommandOf<(typeof ALL)[number]>;
