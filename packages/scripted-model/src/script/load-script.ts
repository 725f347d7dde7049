import { readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ScriptError } from "./errors.ts";
import { parseScript } from "./parse-script.ts";
import type { Script } from "./types.ts";

/**
 * Loads a script and its files. `file` is the script or a folder with a `script.md`, after which
 * the script is then named. Refuses files outside the script's own folder.
 * @throws ScriptError, or the file system's error for the script itself
 */
export function loadScript(file: string): Script {
  const path = file.endsWith(".md") ? file : join(file, "script.md");
  const folder = resolve(dirname(path));
  const name = basename(path) === "script.md" ? basename(folder) : basename(path, ".md");
  return parseScript(readFileSync(path, "utf8"), {
    name,
    readFile(named) {
      const inside = relative(folder, resolve(folder, named));
      if (inside.startsWith("..") || isAbsolute(inside)) {
        throw new ScriptError("a script reads only what lies beside it");
      }
      return readFileSync(join(folder, inside), "utf8");
    },
  });
}
