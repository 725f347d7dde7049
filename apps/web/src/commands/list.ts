/** A key with its modifiers (`Mod+Shift+p`), or two keys in sequence (`g h`). */
export type Keys = string;

/** The groups of commands in the list of shortcuts. */
export const GROUPS = ["go", "message", "project", "preview", "changes", "page"] as const;
export type CommandGroup = (typeof GROUPS)[number];

interface Command {
  group: CommandGroup;
  /** Alternative keys for the command. `Mod` is Cmd on Apple systems and Ctrl elsewhere. */
  keys: readonly Keys[];
  /** The part of the page (`data-keys`) with the focus, if the keys mean something else elsewhere. */
  within?: "conversation";
}

/**
 * All commands of the page, with their keys. The palette, the list of shortcuts and tooltips are generated from it.
 * None conflicts with a key of the editor, of a terminal, or one that a browser reserves.
 */
export const COMMANDS = {
  palette: { group: "go", keys: ["Mod+k", "Mod+Shift+p"] },
  file: { group: "go", keys: ["Mod+p"] },
  symbol: { group: "go", keys: ["g s"] },
  searchAll: { group: "go", keys: ["Mod+Shift+f"] },
  replaceAll: { group: "go", keys: ["Mod+Shift+h"] },
  home: { group: "go", keys: ["g h"] },
  find: { group: "go", keys: ["Mod+f"], within: "conversation" },
  say: { group: "go", keys: ["/"] },
  preview: { group: "go", keys: ["g p"] },
  code: { group: "go", keys: ["g c"] },
  changes: { group: "go", keys: ["g d"] },
  terminal: { group: "go", keys: ["Ctrl+`"] },
  history: { group: "go", keys: ["g y"] },
  context: { group: "go", keys: ["g x"] },
  checks: { group: "go", keys: ["g k"] },
  comments: { group: "go", keys: ["g m"] },

  attach: { group: "message", keys: ["m a"] },
  speak: { group: "message", keys: ["m s"] },
  model: { group: "message", keys: ["m m"] },
  plan: { group: "message", keys: ["m p"] },
  discuss: { group: "message", keys: ["m d"] },
  compare: { group: "message", keys: ["m v"] },
  parallel: { group: "message", keys: ["m r"] },
  stop: { group: "message", keys: ["Mod+."] },
  undo: { group: "message", keys: ["m u"] },
  compact: { group: "message", keys: ["m c"] },

  check: { group: "project", keys: ["d c"] },
  checkRest: { group: "project", keys: ["d t"] },
  fix: { group: "project", keys: ["d f"] },
  projectSettings: { group: "project", keys: ["d s"] },
  rename: { group: "project", keys: ["d r"] },
  download: { group: "project", keys: ["d z"] },
  publish: { group: "project", keys: ["d p"] },
  share: { group: "project", keys: ["d l"] },
  databases: { group: "project", keys: ["d d"] },
  design: { group: "project", keys: ["d e"] },
  git: { group: "project", keys: ["d g"] },
  delete: { group: "project", keys: ["d x"] },

  reload: { group: "preview", keys: ["p r"] },
  select: { group: "preview", keys: ["p e"] },
  recordCheck: { group: "preview", keys: ["p k"] },
  picture: { group: "preview", keys: ["p a"] },
  console: { group: "preview", keys: ["p c"] },
  scheme: { group: "preview", keys: ["p d"] },
  fullScreen: { group: "preview", keys: ["p f"] },
  ownTab: { group: "preview", keys: ["p t"] },

  nextChange: { group: "changes", keys: ["c n"] },
  previousChange: { group: "changes", keys: ["c p"] },
  keepChange: { group: "changes", keys: ["c k"] },
  undoChange: { group: "changes", keys: ["c u"] },
  besideChange: { group: "changes", keys: ["c s"] },

  shortcuts: { group: "page", keys: ["?"] },
  settings: { group: "page", keys: ["Mod+,"] },
  themeSystem: { group: "page", keys: ["t s"] },
  themeLight: { group: "page", keys: ["t l"] },
  themeDark: { group: "page", keys: ["t d"] },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof COMMANDS;

export const COMMAND_IDS = Object.keys(COMMANDS) as CommandId[];

/** The part of the page in which a command's keys run it; undefined for all of the page. */
export const partOf = (id: CommandId): string | undefined => {
  const command: Command = COMMANDS[id];
  return command.within;
};

export const keysOf = (id: CommandId): readonly Keys[] => COMMANDS[id].keys;
