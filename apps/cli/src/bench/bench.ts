import type { Command } from "../arguments/read-arguments.ts";

/** `treadle bench`: each of its subcommands is a module that is loaded on demand. */
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
