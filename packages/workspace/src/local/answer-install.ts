import type { Dependencies } from "./dependencies.ts";
import { readManagerCommand } from "../guest/manager-command.ts";
import type { InstallCall } from "../guest-workspace/sandbox-host.ts";
import type { InstallAnswer, InstallAsk } from "../wire/types.ts";
import { readWanted, type Wanted } from "./prepared-trees.ts";
import type { LocalSandbox } from "./sandbox.ts";

/** A package manager was typed inside: puts a prepared tree in place where one fits. */
export async function answerInstall(
  sandbox: LocalSandbox,
  asked: InstallAsk,
  { say }: InstallCall,
  dependencies: Dependencies,
  whenPrepared: (wanted: Wanted) => Promise<void>,
): Promise<InstallAnswer> {
  const itself: InstallAnswer = { act: "run", manager: asked.manager, args: asked.args };
  if (asked.manager !== "npm" || asked.folder !== "") return itself;
  if (readManagerCommand(asked.manager, asked.args).kind !== "install") return itself;
  const text = async (path: string) =>
    Buffer.from((await sandbox.request("read", { path })).body).toString();
  const manifest = await text("package.json");
  const lock = await text("package-lock.json").catch(() => undefined);
  const started = performance.now();
  const wanted = readWanted(manifest);
  if (wanted) await whenPrepared(wanted);
  const tree = await dependencies.satisfy(sandbox, manifest, lock);
  if (!tree) return itself;
  if (lock === undefined)
    await sandbox.request("write", { path: "package-lock.json" }, Buffer.from(tree.lock));
  const ms = Math.round(performance.now() - started);
  say(
    `\nadded ${tree.packages} packages in ${ms}ms (prepared by Treadle, versions as in package-lock.json)\n`,
  );
  return { act: "done", code: 0 };
}
