import type { ManagerName } from "./managers.ts";

/** A parsed package manager command, as far as it matters for a faster install. */
export type ManagerCommand =
  /** Installs all requirements of package.json. `frozen`: only what the lock file contains. */
  | { kind: "install"; frozen: boolean }
  /** Packages by name, in addition to those of package.json. `dev`: added as devDependencies. */
  | { kind: "add"; names: string[]; dev: boolean }
  | { kind: "remove"; names: string[] }
  /** Anything else that changes node_modules. */
  | { kind: "change" }
  | { kind: "script"; name: string; rest: string[] }
  | { kind: "other" };

/** Options that do not affect which dependencies are installed where. */
const HARMLESS =
  /^--(?:(?:no-)?(?:audit|fund|progress|update-notifier|color)|loglevel=\w+|silent|quiet|verbose|prefer-offline|reporter=[\w-]+|(?:prefer|no)-frozen-lockfile|ignore-engines|non-interactive)$|^-(?:s|q|d|dd)$/;
const FROZEN = /^--(?:frozen-lockfile|immutable|ci)$/;
const DEV = /^(?:-D|-d|--save-dev|--dev)$/;
const SAVE = /^(?:-S|-P|--save|--save-prod)$/;

const VERBS: Record<
  ManagerName,
  { install: string[]; clean: string[]; add: string[]; remove: string[]; change: string[] }
> = {
  npm: {
    install: ["install", "i", "in", "ins", "isntall"],
    clean: ["ci", "clean-install", "ic"],
    add: ["install", "i", "add"],
    remove: ["uninstall", "un", "rm", "r", "remove", "unlink"],
    change: [
      "update",
      "up",
      "upgrade",
      "dedupe",
      "ddp",
      "prune",
      "link",
      "ln",
      "rebuild",
      "rb",
      "audit",
    ],
  },
  pnpm: {
    install: ["install", "i"],
    clean: [],
    add: ["add"],
    remove: ["remove", "rm", "uninstall", "un"],
    change: [
      "install",
      "i",
      "update",
      "up",
      "upgrade",
      "dedupe",
      "prune",
      "link",
      "ln",
      "rebuild",
      "rb",
      "import",
    ],
  },
  yarn: {
    install: ["install"],
    clean: [],
    add: ["add"],
    remove: ["remove"],
    change: ["install", "upgrade", "up", "upgrade-interactive", "dedupe", "link", "unlink"],
  },
  bun: {
    install: ["install", "i"],
    clean: ["ci"],
    add: ["add", "a"],
    remove: ["remove", "rm", "uninstall"],
    change: ["install", "i", "update", "link", "unlink", "pm"],
  },
};

/** Parses the words after a package manager's name. */
export function readManagerCommand(manager: ManagerName, args: readonly string[]): ManagerCommand {
  const verbs = VERBS[manager];
  // `yarn` without arguments, and `yarn --frozen-lockfile`, install.
  const bare = manager === "yarn" && args.every((word) => HARMLESS.test(word) || FROZEN.test(word));
  const [verb = "", ...words] = bare ? ["install", ...args] : args;
  if (verbs.clean.includes(verb) && words.every((word) => HARMLESS.test(word)))
    return { kind: "install", frozen: true };
  if (
    verbs.install.includes(verb) &&
    words.every((word) => HARMLESS.test(word) || FROZEN.test(word))
  )
    return { kind: "install", frozen: words.some((word) => FROZEN.test(word)) };
  const names = words.filter((word) => !word.startsWith("-"));
  const options = words.filter((word) => word.startsWith("-"));
  const plain = options.every((word) => HARMLESS.test(word) || SAVE.test(word) || DEV.test(word));
  if (verbs.add.includes(verb) && names.length > 0)
    return plain
      ? { kind: "add", names, dev: options.some((word) => DEV.test(word)) }
      : { kind: "change" };
  if (verbs.remove.includes(verb) && names.length > 0)
    return options.every((word) => HARMLESS.test(word))
      ? { kind: "remove", names }
      : { kind: "change" };
  if (
    [...verbs.install, ...verbs.clean, ...verbs.add, ...verbs.remove, ...verbs.change].includes(
      verb,
    )
  )
    return { kind: "change" };
  return readScript(manager, verb, words);
}

/** Commands of the tool itself, whatever scripts package.json has. */
const BUILT_IN: Record<ManagerName, string> = {
  npm: "",
  pnpm: "exec dlx create init publish pack config store env why list ls outdated audit licenses patch deploy fetch setup root bin",
  yarn: "exec dlx create init publish pack config cache why list info outdated audit licenses import bin node global workspace workspaces",
  bun: "test build x exec repl init create publish outdated why info audit patch upgrade",
};

function readScript(manager: ManagerName, verb: string, words: string[]): ManagerCommand {
  const own = verb === "run" || verb === "run-script";
  const [name, ...others] = own ? words : [verb, ...words];
  if (!name || name.startsWith("-")) return { kind: "other" };
  if (!own && BUILT_IN[manager].split(" ").includes(name)) return { kind: "other" };
  // Only npm requires `run` before an unknown name, and takes options before `--` for itself.
  if (manager === "npm") {
    if (!own && !["start", "test", "t"].includes(name)) return { kind: "other" };
    if (others.length > 0 && others[0] !== "--") return { kind: "other" };
  }
  const rest = others[0] === "--" && manager !== "pnpm" ? others.slice(1) : others;
  return { kind: "script", name: name === "t" && manager === "npm" ? "test" : name, rest };
}
