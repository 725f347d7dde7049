import { sentence } from "@treadle/protocol/sentences";
import type { LogEntry, LogEvent } from "@treadle/protocol";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import type { Write } from "../shared-commit.ts";
import { StoreError, type LogStore } from "../types.ts";
import { compactLog } from "./compact.ts";
import { copyLog } from "./copy-log.ts";
import { follow, type Followed, type Page } from "./follow.ts";
import { createGroupCommit } from "./group-commit.ts";
import { cutEntriesOf, readBodies } from "./read-bodies.ts";
import { readLatest } from "./read-latest.ts";
import { readPage } from "./read-page.ts";
import { streamOf } from "./stream-of.ts";

/**
 * Number of the newest entries kept in memory, so that followers that keep up do not query the database. It must exceed
 * one commit group, or every follower would fall behind at once.
 */
const TAIL_ENTRIES = 1_024;
/** Rows of one INSERT. */
const INSERT_ROWS = 200;

interface ProjectLog extends Followed {
  /** Pages that are being read, by the number that they come after: who is as far shares them. */
  reading: Map<number, Promise<Page>>;
  /** Number of the newest entry, committed or not. */
  head: number;
  /** An event was not taken since somebody last asked whether all of them are durable. */
  hasRefused: boolean;
}

interface Pending {
  project: string;
  seq: number;
  at: number;
  stream: string | null;
  json: string;
}

export interface OwnedLog extends LogStore {
  created(project: string): void;
  removed(project: string): void;
  close(): Promise<void>;
}

/** The log of every project. Numbers are given out in memory; `heads` are those that stand in the database. */
export function createLog(
  db: Kysely<Schema>,
  write: Write,
  heads: ReadonlyMap<string, number>,
  onFailure: (error: unknown) => void,
): OwnedLog {
  const projects = new Map<string, ProjectLog>();
  const start = (project: string, head: number) =>
    projects.set(project, {
      head,
      hasRefused: false,
      committed: head,
      tail: [],
      wake: new Set(),
      reading: new Map(),
    });
  for (const [project, head] of heads) start(project, head);
  const compacting = new Map<string, Promise<void>>();

  const commits = createGroupCommit<Pending>({
    onFailure,
    async commit(items) {
      const committed = await write(async (transaction) => {
        // A project may have been removed since its entries were queued.
        const standing = items.filter((item) => projects.has(item.project));
        for (let from = 0; from < standing.length; from += INSERT_ROWS) {
          const rows = standing.slice(from, from + INSERT_ROWS).map(({ json, ...row }) => ({
            ...row,
            event: json,
            bytes: json.length,
          }));
          await transaction.insertInto("log").values(rows).execute();
        }
        return standing;
      });
      show(committed);
    },
  });

  function show(items: Pending[]): void {
    const touched = new Set<ProjectLog>();
    for (const { project, seq, at, json } of items) {
      const log = projects.get(project);
      if (!log) continue;
      // Parsed from the stored text, because the caller may modify its event object after appending it.
      if (log.wake.size > 0) log.tail.push({ seq, at, event: JSON.parse(json) as LogEvent });
      else log.tail = [];
      log.committed = seq;
      touched.add(log);
    }
    for (const log of touched) {
      if (log.tail.length > TAIL_ENTRIES) log.tail = log.tail.slice(-TAIL_ENTRIES);
      for (const wake of log.wake) wake();
    }
  }

  function pageAfter(log: ProjectLog, project: string, after: number): Promise<Page> {
    const going = log.reading.get(after);
    if (going) return going;
    const { committed } = log;
    const page = readPage(db, project, after)
      .then((entries) => ({ entries, committed }))
      .finally(() => log.reading.delete(after));
    log.reading.set(after, page);
    return page;
  }

  return {
    append(project, event, at = Date.now()) {
      const log = projects.get(project);
      if (!log) return { seq: 0, at, event };
      const json = JSON.stringify(event);
      const seq = log.head + 1;
      const stream = streamOf(event) ?? null;
      const kind = stream === null ? "fact" : "piece";
      if (!commits.add({ project, seq, at, stream, json }, json.length, kind)) {
        log.hasRefused = true;
        return { seq: 0, at, event };
      }
      log.head = seq;
      return { seq, at, event };
    },
    async settled(project) {
      const log = project === undefined ? undefined : projects.get(project);
      if (log?.hasRefused) {
        log.hasRefused = false;
        throw new StoreError("full", sentence("log-not-recorded"));
      }
      await commits.settled();
    },
    async read(project, after, limit = Number.POSITIVE_INFINITY) {
      const entries: LogEntry[] = [];
      while (entries.length < limit) {
        const page = await readPage(db, project, entries.at(-1)?.seq ?? after);
        if (page.length === 0) break;
        entries.push(...page);
      }
      return entries.length > limit ? entries.slice(0, limit) : entries;
    },
    readFacts: (project, after) => readPage(db, project, after, "facts"),
    async readWhole(project, after) {
      return readBodies(db, project, await readPage(db, project, after));
    },
    readLatest: (project) => readLatest(db, project, projects.get(project)?.head ?? 0),
    cutOf: (project, call) => cutEntriesOf(db, project, call),
    follow(project, after, listener) {
      const log = projects.get(project);
      if (!log) return () => undefined;
      return follow(log, (from) => pageAfter(log, project, from), after, listener);
    },
    async copy(from, to, until, without) {
      await commits.settled();
      const other = projects.get(to);
      if (!other || other.head > 0) return;
      const head = await write((transaction) => copyLog(transaction, { from, to, until, without }));
      other.head = head;
      other.committed = head;
    },
    head: async (project) => projects.get(project)?.head ?? 0,
    async compact(project) {
      await commits.settled();
      // Two at once would both put the same text beside the log.
      const before = compacting.get(project) ?? Promise.resolve();
      const going = before.catch(() => undefined).then(() => compactLog(db, write, project));
      compacting.set(project, going);
      try {
        await going;
      } finally {
        if (compacting.get(project) === going) compacting.delete(project);
      }
    },
    created: (project) => start(project, 0),
    removed(project) {
      const log = projects.get(project);
      projects.delete(project);
      if (log) for (const wake of log.wake) wake("end");
    },
    async close() {
      for (const log of projects.values()) for (const wake of log.wake) wake("end");
      await commits.close();
    },
  };
}
