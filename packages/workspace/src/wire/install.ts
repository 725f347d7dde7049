/** Messages about package managers called inside the sandbox: the request to the host and its answers. */
import { isManager, type ManagerName } from "../package-managers/managers.ts";
import {
  FrameError,
  list,
  maybe,
  record,
  text,
  integer,
  type ValueCheck,
  type Checked,
} from "./checks.ts";

const manager: ValueCheck<ManagerName> = (value) => {
  if (typeof value === "string" && isManager(value)) return value;
  throw new FrameError("a frame of the guest names no package manager");
};

/** The command as typed. Generated code can send it as well, with any content. */
export const installAsk = record({
  manager,
  /** The arguments as they were typed. */
  args: list(text(), 10_000),
  /**
   * Folder of the relevant package.json, as seen by the sandbox; the guest makes it relative to the
   * project.
   */
  folder: text(),
  /**
   * Requests this version of the manager itself instead of an install (empty: the usual version).
   */
  tool: maybe(text(200)),
});
export type InstallAsk = Checked<typeof installAsk>;

/** `run`: the package manager itself has to do it, with these arguments. */
export type InstallAnswer =
  | { act: "done"; code: number }
  | { act: "run"; manager: ManagerName; args: string[] };

const done = record({ code: integer(-1_000, 1_000) });
const run = record({ manager, args: list(text(Infinity), 100_000) });

export const installAnswer: ValueCheck<InstallAnswer> = (value) => {
  const { act } = record({ act: text(16) })(value);
  if (act === "done") return { act, ...done(value) };
  if (act === "run") return { act, ...run(value) };
  throw new FrameError("a frame holds no such answer to an install");
};
