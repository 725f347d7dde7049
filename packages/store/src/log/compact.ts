import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogEvent } from "@treadle/protocol";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import type { Write } from "../shared-commit.ts";
import { createGatheredText } from "./gathered-text.ts";
import { readPage } from "./read-page.ts";
import type { PieceEvent } from "./stream-of.ts";
import { streamOf } from "./stream-of.ts";

/** Numbers in one DELETE. */
const DELETE_ROWS = 500;

interface Stream {
  pieces: number[];
  last: PieceEvent;
  path: string | undefined;
  text: ReturnType<typeof createGatheredText>;
}

/**
 * Puts each long text of the runs that have ended into one `whole` entry at the place of its last piece.
 * Each text is replaced in one transaction; a crash in between leaves some as they were, for the next time.
 */
export async function compactLog(db: Kysely<Schema>, write: Write, project: string): Promise<void> {
  const state = await db
    .selectFrom("projects")
    .select("compacted")
    .where("id", "=", project)
    .executeTakeFirst();
  if (!state) return;
  let streams = new Map<string, Stream>();
  let position = state.compacted;
  for (;;) {
    const page = await readPage(db, project, position);
    const last = page.at(-1);
    if (!last) return;
    for (const { seq, event } of page) {
      gather(streams, seq, event);
      if (event.type !== "run-end") continue;
      for (const stream of streams.values()) await replace(write, project, stream);
      streams = new Map();
      await write((transaction) =>
        transaction
          .updateTable("projects")
          .set({ compacted: seq })
          .where("id", "=", project)
          .execute(),
      );
    }
    position = last.seq;
  }
}

function gather(streams: Map<string, Stream>, seq: number, event: LogEvent): void {
  const key = streamOf(event);
  if (key === undefined) return;
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
  if (place === undefined || stream.pieces.length === 0) return;
  const path = stream.path === undefined ? {} : { path: stream.path };
  const whole: PieceEvent = { ...stream.last, ...path, text: stream.text.join(), whole: true };
  const event = JSON.stringify(whole);
  await write(async (transaction) => {
    await transaction
      .updateTable("log")
      .set({ event, bytes: event.length })
      .where("project", "=", project)
      .where("seq", "=", place)
      .execute();
    for (let from = 0; from < stream.pieces.length; from += DELETE_ROWS)
      await transaction
        .deleteFrom("log")
        .where("project", "=", project)
        .where("seq", "in", stream.pieces.slice(from, from + DELETE_ROWS))
        .execute();
  });
  // Others get their turn: the database works on this thread.
  await nextTurn();
}
