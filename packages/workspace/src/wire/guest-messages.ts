import { WORKSPACE_ERROR_CODES } from "../types.ts";
import {
  FrameError,
  list,
  matching,
  maybe,
  oneOf,
  record,
  text,
  whole,
  yesOrNo,
  type Check,
} from "./checks.ts";
import { namedPath } from "./named-path.ts";
import type { GuestMessage, InstallAsk } from "./types.ts";

/** Ids that the host gave: of processes and terminals. */
const id = matching(/^[\w-]{1,64}$/);
const MAX_PORTS = 65_536;
/** What a guest gathers in one go: a move of a large folder is many changes. */
const MAX_CHANGES = 1_000_000;
const exitCode = whole(-1_000, 1_000);
const port = whole(0, 65_535);

/** What generated code may have typed; anything may stand in the words themselves. */
export const installAsk: Check<InstallAsk> = record({
  manager: text(64) as Check<InstallAsk["manager"]>,
  args: list(text(), 10_000),
  folder: text(),
  tool: maybe(text(200)),
}) as Check<InstallAsk>;

const MESSAGES: { [Kind in Exclude<GuestMessage["kind"], "reply">]: Check<unknown> } = {
  ready: record({ pid: whole(1) }),
  output: record({ process: id }),
  piped: record({ process: id, from: oneOf("out", "err") }),
  exit: record({ process: id, code: exitCode, signal: maybe(text(32)) }),
  ports: record({ ports: list(record({ port, process: maybe(id) }), MAX_PORTS) }),
  files: record({
    changes: list(
      record({
        path: namedPath,
        kind: oneOf("written", "removed"),
        size: whole(0),
        version: maybe(text(128)),
      }),
      MAX_CHANGES,
    ),
  }),
  "terminal-data": record({ terminal: id }),
  "terminal-exit": record({ terminal: id, code: exitCode }),
  limit: record({ limit: oneOf("memory", "processes") }),
  refused: record({ host: text(), reason: matching(/^[a-z-]{1,32}$/), owner: maybe(id) }),
  install: record({ ask: whole(0), asked: installAsk }),
  repository: record({ atRoot: yesOrNo }),
  "install-gone": record({ ask: whole(0) }),
};

const kind = record({ kind: text(64) });
const reply = record({ id: whole(0), ok: (value) => value === true });
const failure = record({
  code: oneOf(...WORKSPACE_ERROR_CODES),
  message: text(Number.MAX_SAFE_INTEGER),
  version: maybe(text(128)),
});

/**
 * What a guest says, or a throw: a guest that says anything else is in the hands of generated code. Whether the result of
 * a reply is one of its method is for `guest-results.ts`.
 */
export function readGuestMessage(header: unknown): GuestMessage {
  const said = kind(header).kind;
  if (said === "reply") {
    const { id: number, ok } = reply(header);
    if (ok)
      return { kind: "reply", id: number, ok, result: (header as { result: unknown }).result };
    return { kind: "reply", id: number, ok: false, ...failure(header) } as GuestMessage;
  }
  if (!Object.hasOwn(MESSAGES, said)) throw new FrameError("a guest says no such thing");
  const message = MESSAGES[said as keyof typeof MESSAGES](header) as object;
  return { kind: said, ...message } as GuestMessage;
}
