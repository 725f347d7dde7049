import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogEvent } from "@treadle/protocol";
import type { Kysely, Transaction } from "kysely";
import type { Schema } from "../schema.ts";
import type { Write } from "../shared-commit.ts";
import { createGatheredText } from "./gathered-text.ts";
import { cutText } from "./long-text.ts";
import { readPage } from "./read-page.ts";
import type { PieceEvent } from "./stream-of.ts";
import { streamOf } from "./stream-of.ts";

/** Maximum number of entries in one DELETE. */
const DELETE_ROWS = 500;

interface Stream {
  pieces: number[];
  last: PieceEvent;
  path: string | undefined;
  text: ReturnType<typeof createGatheredText>;
}

/**
 * Replaces the pieces of each long text of ended runs with one `whole` entry at the position of the last piece. Of tool
 * output the log keeps the head and the tail, and the full text is stored beside the log. After a crash the remaining
 * texts are compacted the next time. Yields regularly, however long the log is.
 */
export async function compactLog(db: Kysely<Schema>, write: Write, project: string): Promise<void> {
  const state = await db
    .selectFrom("projects")
    .select("compacted")
    .where("id", "=", project)
    .executeTakeFirst();
  if (!state) return;
  let streams = new Map<string, Stream>();
  let ends: { seq: number; event: LogEvent }[] = [];
  let position = state.compacted;
  for (;;) {
    const page = await readPage(db, project, position);
    const last = page.at(-1);
    if (!last) return;
    for (const { seq, event } of page) {
      gather(streams, seq, event);
      if (event.type === "call-end") ends.push({ seq, event });
      if (event.type !== "run-end") continue;
      for (const stream of streams.values()) await replace(write, project, stream);
      for (const end of ends)
        await write((transaction) => put(transaction, project, end.seq, end.event));
      streams = new Map();
      ends = [];
      await write((transaction) =>
        transaction
          .updateTable("projects")
          .set({ compacted: seq })
          .where("id", "=", project)
          .execute(),
      );
    }
    position = last.seq;
    await nextTurn();
  }
}

function gather(streams: Map<string, Stream>, seq: number, event: LogEvent): void {
  const key = streamOf(event);
  // A shortened text is complete, and was compacted before.
  if (key === undefined || (event as { cut?: number }).cut !== undefined) return;
  const piece = event as PieceEvent;
  let stream = streams.get(key);
  if (!stream) {
    stream = { pieces: [], last: piece, path: undefined, text: createGatheredText(piece.type) };
    streams.set(key, stream);
  }
  stream.pieces.push(seq);
  stream.last = piece;
  if (piece.type === "call-delta") stream.path = piece.path ?? stream.path;
  stream.text.add(piece.text, piece.whole === true);
}

async function replace(write: Write, project: string, stream: Stream): Promise<void> {
  const place = stream.pieces.pop();
  if (place === undefined) return;
  const path = stream.path === undefined ? {} : { path: stream.path };
  const joined: PieceEvent = { ...stream.last, ...path, text: stream.text.join(), whole: true };
  // The complete text is written first: a reader that finds pieces before it replaces them with it,
  // so they can be deleted one by one.
  await write((transaction) => put(transaction, project, place, joined, stream.pieces.length > 0));
  // Yields, because the database works on this thread.
  await nextTurn();
  for (let from = 0; from < stream.pieces.length; from += DELETE_ROWS) {
    await write((transaction) =>
      transaction
        .deleteFrom("log")
        .where("project", "=", project)
        .where("seq", "in", stream.pieces.slice(from, from + DELETE_ROWS))
        .execute(),
    );
    await nextTurn();
  }
}

/**
 * Replaces a stored event, moving its long texts beside the log.
 * @param isNew whether it differs from the stored event even if none of it is long
 */
async function put(
  transaction: Transaction<Schema>,
  project: string,
  seq: number,
  event: LogEvent,
  isNew = false,
): Promise<void> {
  const cut = cutText(event);
  if (!cut && !isNew) return;
  if (cut)
    await transaction
      .insertInto("log_bodies")
      .values({ project, seq, call: cut.call, body: cut.body })
      .execute();
  const text = JSON.stringify(cut?.event ?? event);
  await transaction
    .updateTable("log")
    .set({ event: text, bytes: text.length + (cut?.body.length ?? 0) })
    .where("project", "=", project)
    .where("seq", "=", seq)
    .execute();
}
