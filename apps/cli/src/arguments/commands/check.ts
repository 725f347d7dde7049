import { commandShape } from "../command-shape.ts";
import { ALLOW_HOST, DATA, inMs, JSON_LINES, UNSAFE } from "../shared-options.ts";

export const check = commandShape({
  name: "check",
  words: "[DIR]",
  summary: "give a verdict on any web project as it stands, without a model",
  help: "The project is installed, built, served and looked at in a browser, and its own checks are run. Exit status: 0 verified or runs, 1 failed, 2 usage, 3 unverified. It works in the folder itself, in a sandbox, as npm install and npm run build would.",
  completes: "folders",
  options: {
    report: {
      kind: "folder",
      value: "DIR",
      help: "report.md, report.html, report.sarif, report.xml (JUnit) and pictures of the pages, for people and for CI",
    },
    timeout: { kind: "number", value: "SECONDS", help: "what was not seen by then stays open" },
    since: {
      kind: "text",
      value: "REF",
      help: "a commit or branch: tells which code that differs from it nothing ran",
    },
    require: {
      kind: "text",
      choices: ["verified"],
      help: "end with 3 where it runs and not all that was asked for is shown by a check",
    },
    ...ALLOW_HOST,
    ...JSON_LINES,
    ...DATA,
    ...UNSAFE,
  },
  read(values, words) {
    if (words.length > 1)
      return { wrong: "“check” takes one folder; the default is the current one." };
    return {
      dir: words[0] ?? ".",
      /** The folder of the report; absent: none is written. */
      report: values.report,
      /** A commit to compare executed code with; absent: none. */
      since: values.since,
      timeoutMs: inMs(values.timeout),
      requireVerified: values.require === "verified",
      allowHosts: values["allow-host"] ?? [],
      json: values.json ?? false,
      data: values.data,
      unsafe: values["unsafe-no-sandbox"] ?? false,
    };
  },
});
