import { counted } from "./counted.ts";

export const prompt = {
  brokeOff: "The model stopped in the middle. Your own text is back.",
  improving: "Improving… stop",
  improveAbout: "Let the model say it more clearly, before anything is built",
  improve: "Improve",
  undoAbout: "Go back to your own words",
  undo: "Undo",
  planAbout: "Read, ask and plan; change nothing",
  plan: "Plan",
  commands: "Commands",
  commandsOffered: (amount: number) =>
    counted(amount, {
      one: "# command. Arrows choose, Enter takes, Escape closes.",
      other: "# commands. Arrows choose, Enter takes, Escape closes.",
    }),
  discuss: "Discuss",
  discussAbout: "Read, look and answer; change nothing",
  speak: "Speak",
  stopListening: "Stop listening",
  mayNotListen: "This browser does not let the page listen.",
  noMicrophone: "No microphone was found.",
  speechOffline: "The browser’s speech recognition cannot be reached.",
  pointAt: "Point at",
  thingsOffered: (amount: number) =>
    counted(amount, { other: "# to point at. Arrows choose, Enter takes, Escape closes." }),
  tooLong: (length: string, most: string) =>
    `This has ${length} characters; at most ${most} can be sent. Nothing was cut.`,
  about: {
    problems: "what is broken now",
    terminal: "last lines of the terminal",
    preview: "what the page shows",
    diff: "what changed last",
    checkpoint: "what changed since a checkpoint",
  },
  aboutLink: "a web page",
  thingsGiven: (amount: number) =>
    counted(amount, { one: "# thing attached", other: "# things attached" }),
  notFound: "Not found",
  notGiven: (why: string) => `was not given: ${why}`,
  openFile: (path: string) => `Open ${path}`,
};
