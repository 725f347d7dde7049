/** Commands controlled by other programs through standard input and output. */
import { commandShape, noWords } from "../command-shape.ts";
import { DATA, UNSAFE } from "../shared-options.ts";

export const mcp = commandShape({
  name: "mcp",
  summary: "Treadle as a tool server (MCP) for other agents, on standard input and output",
  help: "Uses the server that runs with this data folder, or starts one if none does. The same over HTTP: the server’s /mcp, with its token as Authorization: Bearer.",
  options: { ...DATA, ...UNSAFE },
  read: (values, words) =>
    noWords("mcp", words) ?? { data: values.data, unsafe: values["unsafe-no-sandbox"] ?? false },
});

export const acp = commandShape({
  name: "acp",
  summary: "Treadle as an agent in editors that speak ACP, on standard input and output",
  help: "It works in the folder that the editor has open, as treadle run does.",
  options: { ...DATA, ...UNSAFE },
  read: (values, words) =>
    noWords("acp", words) ?? { data: values.data, unsafe: values["unsafe-no-sandbox"] ?? false },
});
