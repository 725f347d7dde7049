import { randomBytes } from "node:crypto";

/** What a piece of work was. */
export type OperationKind = "run" | "step" | "tool" | "sandbox" | "look";

/** One finished piece of work: a span of a trace, and a value of a metric. */
export interface Operation {
  kind: OperationKind;
  /** Short and of few values, since traces are grouped by it: `run`, `step`, a tool's name. */
  name: string;
  place: SpanPlace;
  /** Milliseconds since 1970. */
  startMs: number;
  endMs: number;
  /** How it ended: `done`, `error`, `denied` and the like; of few values. */
  outcome: string;
  hasFailed: boolean;
  /** By OpenTelemetry's names where it has one; nothing that a person wrote. */
  attributes: Record<string, string | number>;
}

/** A span's ids, in the lower-case hexadecimal of the W3C's Trace Context. */
export interface SpanPlace {
  /** 32 characters. */
  trace: string;
  /** 16 characters. */
  span: string;
  /** The span that it is a part of; undefined for the root of a trace. */
  parent: string | undefined;
}

/** A new span within another one, or the root of a new trace. */
export function newPlace(parent?: SpanPlace): SpanPlace {
  return {
    trace: parent?.trace ?? randomBytes(16).toString("hex"),
    span: randomBytes(8).toString("hex"),
    parent: parent?.span,
  };
}
