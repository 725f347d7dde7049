import { commandShape } from "../command-shape.ts";
import { ALLOW_HOST, DATA, inMs, UNSAFE } from "../shared-options.ts";

export const checks = commandShape({
  name: "checks",
  words: "[export] [DIR|PROJECT]",
  summary:
    "list a project's own checks; with --run, run them; with “export”, write them for Playwright",
  help: "Takes a folder (default: the current one), or a PROJECT on the running server, by its id or its name. With --run the exit status is 0 if all hold, 1 if one does not, 3 if one could not be run. “checks export DIR” writes them as tests of @playwright/test, which run without Treadle, into DIR/playwright or the folder inside of DIR that --dir names.",
  completes: "folders",
  options: {
    dir: { kind: "text", value: "DIR", help: "with “export”: where the tests are written" },
    run: { kind: "flag", help: "open the app and run their steps" },
    timeout: { kind: "number", value: "SECONDS", help: "what was not run by then stays open" },
    ...ALLOW_HOST,
    json: { kind: "flag", help: "one check a line" },
    ...DATA,
    ...UNSAFE,
  },
  read(values, [first = ".", ...others]) {
    const exports = first === "export";
    const [target = ".", more] = exports ? others : [first, ...others];
    if (values.dir !== undefined && !exports) return { wrong: "--dir is for “checks export”." };
    if (more !== undefined) return { wrong: "“checks” takes one folder or project." };
    return {
      target,
      exportTo: exports ? (values.dir ?? `${target}/playwright`) : undefined,
      run: values.run ?? false,
      timeoutMs: inMs(values.timeout),
      allowHosts: values["allow-host"] ?? [],
      json: values.json ?? false,
      data: values.data,
      unsafe: values["unsafe-no-sandbox"] ?? false,
    };
  },
});
