import { counted } from "./counted.ts";

export const git = {
  title: "Git repository",
  about:
    "Push the project to your repository, one commit for each turn with its verdict, and pull what others push there.",
  existing: "An existing repository",
  branch: "Branch",
  choose: "Use it",
  create: "A new repository",
  forge: "Where",
  server: "Address of the server",
  ownServer: "Address of your own server (optional)",
  serverPlaceholder: "https://git.example.com",
  name: "Name of the repository",
  owner: "Organisation or group (optional)",
  token: "Token",
  tokenNote:
    "It must be allowed to create repositories. It is kept on Treadle’s server for that host, and given to no sandbox.",
  private: "Private",
  createAndPush: "Create and push",
  login: "Login",
  kept: "Kept on Treadle’s server for that host, and given to no sandbox.",
  signIn: "Use this login",
  sshKey: "Treadle’s own key: add it to your account there, if the server does not know yours.",
  copyKey: "Copy the key",
  knownAs: (user: string) => `The login of ${user} is kept for it.`,
  forgetLogin: "Forget the login",
  onBranch: (branch: string) => `Branch ${branch}`,
  push: "Push",
  pull: "Pull",
  squash: "Push one commit for all turns",
  doing: { push: "Pushing…", pull: "Pulling…", forget: "Disconnecting…", create: "Creating it…" },
  pushed: (amount: number) =>
    amount === 0
      ? "Everything was already there."
      : counted(amount, { one: "Pushed # commit.", other: "Pushed # commits." }),
  current: "There was nothing to pull.",
  pulled: (amount: number) =>
    amount === 0
      ? "Pulled. No file changed."
      : counted(amount, { one: "Pulled: # file changed.", other: "Pulled: # files changed." }),
  changedAgain: "One side was changed meanwhile. Nothing was pulled; look again.",
  conflicts: "Files that both sides changed",
  conflictsAbout: "Both sides changed these files. Nothing has been changed yet: choose for each.",
  ours: "Mine",
  theirs: "Theirs",
  takeOurs: "Take mine",
  takeTheirs: "Take theirs",
  takeBoth: "Edit both",
  bothOf: (name: string) => `Both texts of ${name}`,
  marks: "It still has marks (<<<<<<<, >>>>>>>). Merge both texts, and remove the marks.",
  notThere: "(not there)",
  settle: "Pull with these",
  stillOpen: (amount: number) =>
    counted(amount, { one: "# file has no answer yet.", other: "# files have no answer yet." }),
  forget: "Disconnect",
  forgetAbout: "Treadle forgets the repository. Nothing is changed there.",
  folder: "A folder on your disk",
  folderAbout:
    "While this runs in a terminal, changes in the folder come here, and changes here go there. If both change a file, both texts are kept.",
  copyCommand: "Copy the command",
};
