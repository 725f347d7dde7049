/**
 * Messages that a guest sends on its own, and its replies, all on one control connection; byte streams have a connection
 * each. Each row of the table is the type of a message and its validation.
 */
import { asSentence, sentence, type CodedText, type Sentence } from "@treadle/protocol/sentences";
import { WORKSPACE_ERROR_CODES, type WorkspaceErrorCode } from "../types.ts";
import { REFUSAL_REASONS } from "@treadle/egress/refused-header";
import {
  byName,
  FrameError,
  list,
  matching,
  maybe,
  oneOf,
  record,
  text,
  textOrNumber,
  integer,
  yesOrNo,
  type Checked,
} from "./checks.ts";
import { installAsk } from "./install.ts";
import { namedPath } from "./named-path.ts";

/** Ids assigned by the host, of processes and terminals. */
export const id = matching(/^[\w-]{1,64}$/);
const MAX_PORTS = 65_536;
/** Maximum number of changes in one message: moving a large folder causes many. */
const MAX_CHANGES = 1_000_000;
const exitCode = integer(-1_000, 1_000);

/** `process`: the spawned process (its id here) that it belongs to; absent for a terminal's. */
const listeningPort = record({ port: integer(0, 65_535), process: maybe(id) });
export type ListeningPort = Checked<typeof listeningPort>;

const fileChange = record({
  path: namedPath,
  kind: oneOf("written", "removed"),
  size: integer(0),
  version: maybe(text(128)),
});
export type GuestFileChange = Checked<typeof fileChange>;

const MESSAGES = {
  /**
   * The guest accepts requests from now on. `version`: its `WIRE_VERSION`; absent in guests that are older than version
   * numbers.
   */
  ready: record({ pid: integer(1), version: maybe(integer(0)) }),
  output: record({ process: id }),
  /** Output of a piped program. An `exit` follows at its end. */
  piped: record({ process: id, from: oneOf("out", "err") }),
  exit: record({ process: id, code: exitCode, signal: maybe(text(32)) }),
  ports: record({ ports: list(listeningPort, MAX_PORTS) }),
  files: record({ changes: list(fileChange, MAX_CHANGES) }),
  "terminal-data": record({ terminal: id }),
  "terminal-exit": record({ terminal: id, code: exitCode }),
  /** A program in the sandbox reached a resource limit; only sent if `GuestConfig.controlGroups` is set. */
  limit: record({ limit: oneOf("memory", "processes") }),
  /** A program of this command or terminal was refused a host, if its owner can be determined. */
  refused: record({ host: text(), reason: oneOf(...REFUSAL_REASONS), owner: maybe(id) }),
  /**
   * A package manager was called in the sandbox: the host may know a faster way. Answered by any number of
   * `install-say` and one `install-answer`.
   */
  install: record({ ask: integer(0), asked: installAsk }),
  /** The program that asked has exited; no answer is expected any more. */
  "install-gone": record({ ask: integer(0) }),
  /** A new repository may have appeared. */
  repository: record({ atRoot: yesOrNo }),
};

type Kind = keyof typeof MESSAGES;

/** Messages from the guest to the host that are not responses. */
export type GuestMessage = {
  [K in Kind]: { kind: K } & Checked<(typeof MESSAGES)[K]>;
}[Kind];

/** A failed response. */
export interface GuestFailure {
  kind: "reply";
  id: number;
  ok: false;
  code: WorkspaceErrorCode;
  message: string;
  /** The meaning of `message`; its values are text and numbers. */
  coded?: CodedText | undefined;
  version?: string | undefined;
}

/** Responses from the guest to the host, exactly one per request. */
export type GuestReply = { kind: "reply"; id: number; ok: true; result: unknown } | GuestFailure;

const kind = record({ kind: text(64) });
const reply = record({ id: integer(0), ok: yesOrNo });
const failure = record({
  code: oneOf(...WORKSPACE_ERROR_CODES),
  message: text(Number.MAX_SAFE_INTEGER),
  coded: maybe(record({ code: text(64), values: maybe(byName(textOrNumber)) })),
  version: maybe(text(128)),
});

const isKind = (kind: string): kind is Kind => Object.hasOwn(MESSAGES, kind);

/** Validates a message by its kind, with the row of the table that defines its type. */
const messageOf = <K extends Kind>(kind: K, header: unknown): GuestMessage =>
  ({ kind, ...MESSAGES[kind](header) }) as GuestMessage;

/**
 * Parses a guest's message. Throws for anything else: a guest that sends it is controlled by generated code.
 * `readResult` validates the result of a reply for its method.
 */
export function readGuestMessage(header: unknown): GuestMessage | GuestReply {
  const name = kind(header).kind;
  if (name === "reply") {
    const { id: number, ok } = reply(header);
    if (!ok) return { kind: "reply", id: number, ok, ...failure(header) };
    return { kind: "reply", id: number, ok, result: (header as { result: unknown }).result };
  }
  if (!isKind(name)) throw new FrameError("a guest says no such thing");
  return messageOf(name, header);
}

/**
 * The sentence of a failed reply. Its code is accepted only if the sentence with that code and those values is the message
 * itself, because generated code may have sent any.
 */
export function sentenceOf({ message, coded }: GuestFailure): Sentence {
  if (!coded) return asSentence(message);
  try {
    const known = sentence(coded.code as "path-missing", coded.values as { path: string });
    return known.text === message ? known : asSentence(message);
  } catch {
    return asSentence(message);
  }
}
