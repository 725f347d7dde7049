import type { Dependencies } from "./dependencies.ts";
import { readWanted, type Wanted } from "./prepared-trees.ts";
import type { LocalSandbox } from "./sandbox.ts";

/**
 * `npm install` was typed inside: puts a prepared tree in place where one fits.
 * @returns what npm would have printed; empty where npm has to do it
 */
export async function answerInstall(
  sandbox: LocalSandbox,
  dependencies: Dependencies,
  whenPrepared: (wanted: Wanted) => Promise<void>,
): Promise<string> {
  const text = async (path: string) =>
    Buffer.from((await sandbox.request("read", { path })).body).toString();
  const manifest = await text("package.json");
  const lock = await text("package-lock.json").catch(() => undefined);
  const started = performance.now();
  const wanted = readWanted(manifest);
  if (wanted) await whenPrepared(wanted);
  const tree = await dependencies.satisfy(sandbox, manifest, lock);
  if (!tree) return "";
  if (lock === undefined)
    await sandbox.request("write", { path: "package-lock.json" }, Buffer.from(tree.lock));
  const ms = Math.round(performance.now() - started);
  return `\nadded ${tree.packages} packages in ${ms}ms (prepared by Treadle, versions as in package-lock.json)\n`;
}
