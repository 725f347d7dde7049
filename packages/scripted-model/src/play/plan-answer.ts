import { isRefusal, type Fault, type Part } from "../script/types.ts";
import type { Piece, Plan, RefusedPlan } from "./types.ts";

export interface PlanOptions {
  /** Returns a unique id for each call. */
  callId: (ordinal: number) => string;
  deltaSize: number;
}

/**
 * Prepares parts for streaming: arguments as JSON, the break in its place, and the finish reason.
 */
export function planAnswer(parts: Part[], options: PlanOptions): Plan | RefusedPlan {
  const pieces: Piece[] = [];
  let broken: Fault | undefined;
  for (const part of parts) {
    if (part.type === "fault") {
      if (isRefusal(part.fault.kind)) return { refused: part.fault };
      broken = part.fault;
      // Parts after a fault would have followed: they are only needed to count `after`.
      if (part.fault.after === undefined && part.fault.afterBytes === undefined) break;
    } else {
      pieces.push(toPiece(part, pieces.length, options));
    }
  }

  const { deltaSize } = options;
  if (broken === undefined || broken.afterBytes !== undefined) {
    const reason = pieces.some((piece) => piece.type === "call") ? "tool-calls" : "stop";
    const plan: Plan = { pieces, ending: { type: "finish", reason }, open: false, deltaSize };
    if (broken?.afterBytes === undefined) return plan;
    return { ...plan, severed: { fault: broken, bytes: broken.afterBytes } };
  }
  const cut = broken.after === undefined ? { pieces, open: false } : cutAfter(pieces, broken.after);
  const { kind } = broken;
  const ending =
    kind === "length" || kind === "filter"
      ? ({ type: "finish", reason: kind } as const)
      : ({ type: "break", fault: broken } as const);
  return { ...cut, ending, deltaSize };
}

/** The text of a piece that the model itself produces. */
export function bodyOf(piece: Piece): string {
  return piece.type === "call" ? piece.json : piece.text;
}

function toPiece(
  part: Exclude<Part, { type: "fault" }>,
  ordinal: number,
  options: PlanOptions,
): Piece {
  if (part.type === "say" || part.type === "think") return part;
  const json = part.type === "raw-call" ? part.json : JSON.stringify(part.input);
  return { type: "call", id: options.callId(ordinal), tool: part.tool, json };
}

function cutAfter(pieces: Piece[], characters: number): { pieces: Piece[]; open: boolean } {
  const retained: Piece[] = [];
  let left = characters;
  for (const piece of pieces) {
    const body = bodyOf(piece);
    if (body.length <= left) {
      retained.push(piece);
      left -= body.length;
      continue;
    }
    if (left > 0) retained.push(withBody(piece, body.slice(0, left)));
    return { pieces: retained, open: left > 0 };
  }
  return { pieces: retained, open: false };
}

function withBody(piece: Piece, body: string): Piece {
  return piece.type === "call" ? { ...piece, json: body } : { ...piece, text: body };
}
