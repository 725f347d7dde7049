import type { Command } from "../arguments/read-arguments.ts";

/** `treadle bench`: each of what it does is a file of its own, loaded when it is asked for. */
export async function bench(command: Extract<Command, { kind: "bench" }>): Promise<number> {
  switch (command.of) {
    case "webgen":
      return (await import("./webgen.ts")).webgen(command);
    case "fullstack":
      return (await import("./fullstack/fullstack.ts")).fullstack(command);
    case "score":
      return (await import("./score.ts")).score(command);
    case "hand-over":
      return (await import("./hand-over.ts")).handOver(command);
  }
}
