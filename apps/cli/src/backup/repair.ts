import { cacheDirectory } from "@treadle/common/cache-directory";
import { examineData } from "@treadle/server";
import type { Command } from "../arguments/read-arguments.ts";
import { dataDirectory } from "../folders/data-directory.ts";
import { EXIT } from "../terminal/exit-status.ts";
import { plain } from "../terminal/plain.ts";

/** `treadle doctor --repair`: checks and repairs the stored data. Status 1 if a problem remains that cannot be repaired. */
export async function repair(command: Extract<Command, { kind: "doctor" }>): Promise<number> {
  const data = dataDirectory(command.data, process.env);
  const found = await examineData({
    dataDirectory: data,
    cacheDirectory: cacheDirectory({ dataDirectory: data, env: process.env }),
    database: process.env.DATABASE_URL,
    repair: true,
  });
  for (const { where, problem, mended: repair } of found) {
    const line = `${repair === undefined ? "left" : "mended"}  ${where}: ${problem}`;
    process.stdout.write(`${plain(repair === undefined ? line : `${line} → ${repair}`)}\n`);
  }
  const left = found.filter(({ mended: repair }) => repair === undefined).length;
  process.stdout.write(
    found.length === 0
      ? `Everything in ${data} holds together.\n`
      : `${found.length - left} mended, ${left} left.\n`,
  );
  return left === 0 ? 0 : EXIT.failed;
}
