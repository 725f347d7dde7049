export const page = {
  commands: "Commands",
  skip: "Skip to the content",
  unsafe:
    "No sandbox: generated code runs with your own rights on this machine and can read your files.",
  noSandbox: "Generated code cannot run on this machine. Run “treadle doctor”.",
  nothingHere: "There is nothing at this address",
  maybeDeleted: "The project may have been deleted, or the address is incomplete.",
  stopped: "This page stopped",
  stoppedSafe: (why: string) => `${why}. Your project is safe on the server; load the page again.`,
  missing:
    "This part of Treadle could not be loaded: its server does not answer, or has a different version by now. Nothing of your project is lost.",
  tryAgain: "Try again",
  reload: "Load the page again",
};
