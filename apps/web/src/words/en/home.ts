export const home = {
  heading: "What shall we build?",
  placeholder: "A todo app that remembers what I typed…",
  sayFirst: "Say what to build first, in a sentence or more.",
  noModel:
    "There is no model to build this yet. Add a provider's key or start a local model, or watch a recorded build below. Your text stays here.",
  starting: "Starting…",
  build: "Build",
  examples: "Examples",
  recordedAbout:
    "A model's answer from a recording. The files, the install, the server and the checks are real.",
  recorded: "Recorded builds",
  recordedOnly: "No model yet: watch a recorded build",
  demos: {
    todo: {
      title: "A todo app",
      about:
        "React and Vite: tasks that can be added, ticked, edited, deleted and filtered, and are still there after a reload.",
    },
    api: {
      title: "A small API",
      about:
        "Express and SQLite: list, search, add, change and delete bookmarks, with answers that say what was wrong.",
    },
    repair: {
      title: "A page with a mistake, repaired",
      about:
        "The first version throws when it renders. What the check saw goes back to the recording, which repairs it.",
    },
  },
  tryAgain: "Try again",
  open: "Open",
  folder: "folder",
  archive: "ZIP",
  repository: "git address",
  chat: "chat export",
  chatAbout:
    "A chat that bolt.new or bolt.diy exported (JSON), or a log that Treadle did (JSON Lines)",
  taken: "Imported",
  openNamed: (name: string) => `Open ${name}`,
  gitAddress: "Address of a git repository",
  gitPlaceholder: "https://github.com/owner/name",
  gitTake: "Open it",
  gitBranch: "Branch",
  gitUser: "Name",
  gitPassword: "Password or token",
  gitLocal: "Yes, ask it",
  gitDoing: (doing: string, percent: number) => `${doing}: ${percent} %`,
  gitCut: "The connection to Treadle broke off. Nothing was kept; try again.",
  gitOpen: "Open the project",
  taking: (share: number) => `Importing: ${share} %`,
  stopTaking: "Stop",
  emptyFolder: "The folder holds no file that can be imported. Nothing was made.",
  folderTooLarge: "The folder has more than 20,000 files or 1 GB, the limit. Nothing was made.",
  yours: "Yours",
  find: "Find a project",
  findHint: "Find a project…",
  noneFound: "No project has that name.",
  moreFor: (name: string) => `More for ${name}`,
  more: "More",
  rename: "Rename",
  delete: "Delete",
  wasDeleted: (name: string) => `Deleted “${name}”.`,
  deletedFor: (name: string, minutes: number) =>
    `“${name}” was deleted. It is kept for ${minutes} more min.`,
  putBack: "Put back",
  putBackNamed: (name: string) => `Put ${name} back`,
  justDeleted: "Just deleted",
  undo: "Undo",
  archiveIt: "Archive",
  unarchive: "Take out of the archive",
  showArchived: (count: number) => `Show ${count} archived`,
  hideArchived: "Hide archived",
  example: {
    todo: {
      label: "a todo app",
      prompt:
        "Build a todo app: add, tick off, filter by open and done, and keep the list when the page is loaded again.",
    },
    landing: {
      label: "a landing page",
      prompt:
        "Build a landing page for a small bicycle workshop: opening hours, three services with prices, and a form to ask for an appointment.",
    },
    dashboard: {
      label: "a dashboard from CSV",
      prompt:
        "Build a dashboard that reads a CSV file I drop on the page and shows its columns as a table, with a bar chart of any numeric column I choose.",
    },
    api: {
      label: "a small API",
      prompt:
        "Build a small Express API for notes: list, create, change and delete, with input checks and an answer at / that lists the routes.",
    },
    game: {
      label: "a game",
      prompt:
        "Build a game of snake on a canvas: arrow keys and touch, a score, and a best score that is kept.",
    },
  },
};
