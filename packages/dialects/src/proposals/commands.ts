/** A package manager's command that installs, or that starts a script of package.json. */
export type ProjectCommand =
  | { type: "install"; command: string; manager: string; /** None: all that package.json names. */ packages: string[] }
  | { type: "start"; command: string; manager: string; script: string }; // prettier-ignore

const MANAGER = /^(npm|pnpm|yarn|bun)\s+(.+)$/;
const INSTALLS = new Set(["install", "i", "ci", "add"]);
const STARTS = new Set(["start", "dev", "serve"]);
/** Flags of an install inside the project, as opposed to a global one. */
const FLAG = /^--?(?!g$|global$|location|prefix|C$)[\w-]+(?:=[\w.-]+)?$/;
const PACKAGE = /^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~<>=*-]+)?$/;

/**
 * The commands of an answer if they consist only of installs of one package manager and at most one
 * start, in that order, so that no choice is needed. Undefined if there is any other command, or
 * none.
 * @param blocks the shell code of the answer, one text for each block
 */
export function loneCommands(blocks: readonly string[]): ProjectCommand[] | undefined {
  const lines = blocks.flatMap((block) => block.split(/\n|&&/)).map((line) => line.trim());
  const found: ProjectCommand[] = [];
  for (const line of lines) {
    if (line === "" || line.startsWith("#")) continue;
    const command = readProjectCommand(line);
    const last = found.at(-1);
    if (!command || last?.type === "start") return undefined;
    if (last && last.manager !== command.manager) return undefined;
    found.push(command);
  }
  return found.length > 0 ? found : undefined;
}

/** Parses an install or a start. @returns undefined for any other command, and for one that does more */
export function readProjectCommand(command: string): ProjectCommand | undefined {
  const [, manager, rest = ""] = MANAGER.exec(command.replace(/[ \t]+#[^"'`]*$/, "").trim()) ?? [];
  if (manager === undefined) return undefined;
  const [verb = "", ...words] = rest.split(/\s+/);
  if (INSTALLS.has(verb)) {
    const packages = words.filter((word) => !word.startsWith("-"));
    const isPlain = words.every((word) => (word.startsWith("-") ? FLAG : PACKAGE).test(word));
    if (!isPlain || (verb === "add" && packages.length === 0)) return undefined;
    return { type: "install", command, manager, packages: packages.map(nameOf) };
  }
  const [script, ...more] = verb === "run" ? words : [verb, ...words];
  // npm accepts one script name without `run`.
  const isScript = verb === "run" || verb === "start" || manager !== "npm";
  if (!isScript || script === undefined || more.length > 0 || !STARTS.has(script)) return undefined;
  return { type: "start", command, manager, script };
}

/** A package's name without its version. */
const nameOf = (written: string) => written.replace(/(?<=.)@[^/]*$/, "");

/** Whether a source imports a package. */
export function imports(source: string, name: string): boolean {
  const quoted = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?:\bfrom|\bimport|\brequire)\s{0,9}\(?\s{0,9}["']${quoted}(?:/[^"'\n]*)?["']`).test(source); // prettier-ignore
}
