import { commandShape } from "../command-shape.ts";
import { ALLOW_HOST, DATA, inMs, UNSAFE } from "../shared-options.ts";

export const checks = commandShape({
  name: "checks",
  words: "[DIR|PROJECT]",
  summary: "a project's own checks, and with --run what comes of each",
  help: "Of a folder, this one if none is named, or of a PROJECT of the server that runs, by its id or its name. With --run the exit status is 0 where all hold, 1 where one does not, 3 where one could not be run.",
  completes: "folders",
  options: {
    run: { kind: "flag", help: "open the app and take their steps" },
    timeout: { kind: "number", value: "SECONDS", help: "what was not run by then stays open" },
    ...ALLOW_HOST,
    json: { kind: "flag", help: "one check a line" },
    ...DATA,
    ...UNSAFE,
  },
  read(values, [target = ".", more]) {
    if (more !== undefined) return { wrong: "“checks” takes one folder or project." };
    return {
      target,
      run: values.run ?? false,
      timeoutMs: inMs(values.timeout),
      allowHosts: values["allow-host"] ?? [],
      json: values.json ?? false,
      data: values.data,
      unsafe: values["unsafe-no-sandbox"] ?? false,
    };
  },
});
