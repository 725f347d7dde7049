import { sentence } from "@treadle/protocol/sentences";
import type { LogEntry, LogEvent } from "@treadle/protocol";
import type { Call, Engine, NewEntry } from "../engine.ts";
import { numbered } from "../numbered.ts";
import type { Write } from "../shared-commit.ts";
import { StoreError, type LogStore } from "../types.ts";
import { compactLog } from "./compact.ts";
import { copyLog } from "./copy-log.ts";
import { follow, type Followed, type Page } from "./follow.ts";
import { createGroupCommit } from "./group-commit.ts";
import { cutEntriesOf, readBodies } from "./read-bodies.ts";
import { readHead, readHeads } from "./read-heads.ts";
import { readLatest } from "./read-latest.ts";
import { readPage } from "./read-page.ts";
import { streamOf } from "./stream-of.ts";

/**
 * Number of the newest entries kept in memory, so that followers that keep up do not query the database. It must exceed
 * one commit group, or every follower would fall behind at once.
 */
const TAIL_ENTRIES = 1_024;

interface ProjectLog extends Followed {
  /** Pages being read, by the number before them: followers at the same position share them. */
  reading: Map<number, Promise<Page>>;
  /** Whether `committed` is known from the database or from another process. */
  isKnown: boolean;
  /** Whether an event was refused since the last call of `settled` for this project. */
  hasRefused: boolean;
}

export interface OwnedLog extends LogStore {
  created(project: string): void;
  removed(project: string): void;
  close(): Promise<void>;
}

/** The log of every project. The database assigns the numbers, as other processes may append as well. */
export function createLog(engine: Engine, onFailure: (error: unknown) => void): OwnedLog {
  const { db, write, doorbell, fences } = engine;
  const projects = new Map<string, ProjectLog>();
  const removed = new Set<string>();
  const logOf = (project: string): ProjectLog => {
    const known = projects.get(project);
    if (known) return known;
    const log: ProjectLog = {
      isKnown: false,
      hasRefused: false,
      committed: 0,
      tail: [],
      wake: new Set(),
      reading: new Map(),
    };
    projects.set(project, log);
    return log;
  };
  const compacting = new Map<string, Promise<void>>();
  const fencedWrite =
    (project: string): Write =>
    (work) =>
      write(async (transaction) => {
        await fences.check(transaction, project);
        return work(transaction);
      });

  const commits = createGroupCommit<NewEntry>({
    onFailure,
    async commit(items, group) {
      const standing = items.filter(
        ({ project, epoch }) => !removed.has(project) && (!fences.isOn() || epoch === fences.epochOf(project)), // prettier-ignore
      );
      if (standing.length === 0) return;
      const heads = await engine.appendEntries(standing, group);
      if (!heads) {
        await catchUp(standing.map(({ project }) => project));
        return;
      }
      show(numbered(standing, heads));
      // A project without a number was removed by another process, whose call may have been missed.
      for (const { project } of standing)
        if (!heads.has(project) && !fences.isLost(project)) end(project);
      doorbell.ring([...heads].map(([project, head]) => ({ type: "log", project, head })));
    },
  });

  function show(entries: readonly (NewEntry & { seq: number })[]): void {
    const touched = new Set<ProjectLog>();
    for (const { project, seq, at, json } of entries) {
      const log = logOf(project);
      // The tail has no gap: entries of other processes are read from the database.
      const isNext = log.isKnown && seq === log.committed + 1;
      log.isKnown = true;
      touched.add(log);
      if (seq <= log.committed) continue;
      if (!isNext || log.wake.size === 0) log.tail = [];
      // Parsed from the stored text, because the caller may modify its event object after appending it.
      if (log.wake.size > 0) log.tail.push({ seq, at, event: JSON.parse(json) as LogEvent });
      log.committed = seq;
    }
    for (const log of touched) {
      if (log.tail.length > TAIL_ENTRIES) log.tail = log.tail.slice(-TAIL_ENTRIES);
      for (const wake of log.wake) wake();
    }
  }

  /** Wakes followers for entries up to `head` that were not appended through this log. */
  function advance(log: ProjectLog, head: number): void {
    log.isKnown = true;
    if (head <= log.committed) return;
    log.committed = head;
    log.tail = [];
    for (const wake of log.wake) wake();
  }

  async function catchUp(ids: readonly string[]): Promise<void> {
    const heads = await readHeads(db, [...new Set(ids)]);
    for (const [project, head] of heads) {
      const log = projects.get(project);
      if (log) advance(log, head);
    }
  }

  function end(project: string): void {
    removed.add(project);
    const log = projects.get(project);
    projects.delete(project);
    if (log) for (const wake of log.wake) wake("end");
  }

  function onCall(call: Call): void {
    if (call.type === "removed") end(call.project);
    if (call.type !== "log") return;
    const log = projects.get(call.project);
    if (log) advance(log, call.head);
  }

  function onMissed(): void {
    const followed: string[] = [];
    for (const [project, log] of projects) {
      if (log.wake.size > 0) followed.push(project);
      else log.isKnown = false;
    }
    // If it fails, the next call does the same.
    if (followed.length > 0) catchUp(followed).catch(() => undefined);
  }

  doorbell.listen(onCall, onMissed);

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
      const epoch = fences.isOn() ? fences.epochOf(project) : undefined;
      const isFenced = fences.isOn() && (epoch === undefined || fences.isLost(project));
      if (removed.has(project) || isFenced) return false;
      const json = JSON.stringify(event);
      const stream = streamOf(event) ?? null;
      const kind = stream === null ? "fact" : "piece";
      const isTaken = commits.add({ project, at, stream, json, epoch }, json.length, kind);
      if (!isTaken) logOf(project).hasRefused = true;
      return isTaken;
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
    readLatest: async (project) => readLatest(db, project, await readHead(db, project)),
    cutOf: (project, call) => cutEntriesOf(db, project, call),
    follow(project, after, listener) {
      if (removed.has(project)) return () => undefined;
      const log = logOf(project);
      // If it fails, the follower is woken by what is appended next.
      if (!log.isKnown || !doorbell.isListening()) catchUp([project]).catch(() => undefined);
      return follow(log, (from) => pageAfter(log, project, from), after, listener);
    },
    async copy(from, to, until, without) {
      await commits.settled();
      const head = await write(async (transaction) => {
        await fences.check(transaction, to);
        await engine.lock(transaction, `copy ${to}`);
        if ((await readHead(transaction, to)) > 0) return undefined;
        return copyLog(transaction, { from, to, until, without });
      });
      if (head === undefined) return;
      advance(logOf(to), head);
      doorbell.ring([{ type: "log", project: to, head }]);
    },
    async head(project) {
      // Entries appended before are counted, unless they cannot be committed.
      await commits.settled().catch(() => undefined);
      return readHead(db, project);
    },
    async compact(project) {
      await commits.settled();
      // Two concurrent compactions would both move the same text beside the log.
      const before = compacting.get(project) ?? Promise.resolve();
      const going = before
        .catch(() => undefined)
        .then(() =>
          engine.exclusively(`compact ${project}`, () =>
            compactLog(db, fencedWrite(project), project),
          ),
        );
      compacting.set(project, going);
      try {
        await going;
      } finally {
        if (compacting.get(project) === going) compacting.delete(project);
      }
    },
    created: (project) => void removed.delete(project),
    removed(project) {
      end(project);
      doorbell.ring([{ type: "removed", project }]);
    },
    async close() {
      for (const log of projects.values()) for (const wake of log.wake) wake("end");
      await commits.close();
    },
  };
}
