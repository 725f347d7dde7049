import { diagnose } from "@treadle/server";
import type { Command } from "../arguments/read-arguments.ts";
import { dataDirectory } from "../folders/data-directory.ts";
import { plain } from "../terminal/plain.ts";
import { readPort } from "../settings/port-setting.ts";

/**
 * `treadle doctor`: one line per check, followed by the command that fixes a failed one. Status 1
 * if Treadle cannot run.
 */
export async function doctor(command: Extract<Command, { kind: "doctor" }>): Promise<number> {
  const { env } = process;
  const report = await diagnose({ dataDirectory: dataDirectory(command.data, env), env });
  const port = wrongPort(env.TREADLE_PORT);
  const ok = report.ok && port.length === 0;
  const checks = [...report.checks, ...port];
  const width = Math.max(...checks.map((check) => check.name.length));
  for (const check of checks) {
    process.stdout.write(
      `${check.ok ? "ok     " : "missing"}  ${check.name.padEnd(width)}  ${plain(check.detail)}\n`,
    );
    if (!check.ok && check.mend)
      process.stdout.write(`${" ".repeat(9)}${" ".repeat(width)}  → ${plain(check.mend)}\n`);
  }
  process.stdout.write(ok ? "\nTreadle can run here.\n" : "\nTreadle cannot run code here yet.\n");
  return ok ? 0 : 1;
}

/** A failed check for an invalid port, which prevents a start. */
function wrongPort(text: string | undefined) {
  try {
    readPort(text);
    return [];
  } catch (error) {
    return [{ name: "setting", ok: false, mend: undefined, detail: (error as Error).message }];
  }
}
