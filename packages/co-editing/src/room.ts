import { randomBytes } from "node:crypto";
import type { Author, TogetherFromPage, TogetherToPage, Viewing } from "@treadle/protocol";
import { openSharedFile, type SharedDisk, type SharedFile } from "./shared-file.ts";

/** Maximum number of files that are shared in one project at once. */
const FILES = 64;
/**
 * How long a file's copy is kept after its last editor has left, in milliseconds: whoever comes
 * back after a lost connection goes on with the same one.
 */
const KEPT_MS = 10 * 60_000;

/** A page in a room. */
export interface Member {
  person: Author;
  mayEdit: boolean;
  send(message: TogetherToPage): void;
}

/** The people who have one project open, and the files that they edit together. */
export interface Room {
  /** @returns what takes the page's messages, until it leaves */
  join(member: Member): { take(message: TogetherFromPage): void; leave(): void };
  /** Call when files may have changed on the disk. @param path undefined: any of them */
  changed(path: string | undefined, version: string | undefined): void;
  isEmpty(): boolean;
  /** Writes all that is not on the disk yet. */
  save(): Promise<void>;
}

interface Here extends Member {
  id: string;
  place: Viewing;
  /** Numbers of edits taken, by path. */
  taken: Map<string, number>;
}

interface Opened {
  copy: string;
  file: SharedFile;
  readers: Set<Here>;
  cursors: Map<number, { from: Here; cursor: string }>;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"));

/**
 * @param diskOf undefined if a file of that path cannot be shared
 * @param after as `openSharedFile`'s
 */
export function createRoom(
  diskOf: (path: string) => SharedDisk | undefined,
  after?: (ms: number, act: () => void) => () => void,
): Room {
  const here = new Set<Here>();
  const files = new Map<string, Promise<Opened | undefined>>();

  function announcePeople(): void {
    const people = [...here].map(({ id, person, place }) => ({ id, person, place }));
    for (const { id, send } of here) send({ type: "people", you: id, people });
  }

  const announceState = (path: string, { file, readers }: Opened) => {
    const { state, version } = file;
    for (const { send, taken } of readers)
      send({ type: "state", path, state, version, taken: taken.get(path) ?? 0 });
  };

  /** Each closes a copy without editors; the oldest first. */
  const unread = new Set<() => void>();
  function makeRoom(): void {
    for (const close of unread) {
      if (files.size <= FILES) return;
      close();
    }
  }

  async function openFile(path: string): Promise<Opened | undefined> {
    const disk = files.size <= FILES ? diskOf(path) : undefined;
    const first = await disk?.read().catch(() => undefined);
    if (!disk || !first) return undefined;
    const readers = new Set<Here>();
    const opened: Opened = {
      copy: randomBytes(9).toString("base64url"),
      readers,
      cursors: new Map(),
      file: openSharedFile(first, {
        disk,
        ...(after && { after }),
        onUpdate(update, origin) {
          const message = { type: "edit", path, update: base64(update) } as const;
          for (const { id, send } of readers) if (id !== origin) send(message);
        },
        onState(state) {
          announceState(path, opened);
          if (state === "gone") files.delete(path);
        },
      }),
    };
    return opened;
  }

  async function open(who: Here, message: TogetherFromPage & { type: "open" }): Promise<void> {
    const { path, copy, vector } = message;
    let opening = files.get(path);
    if (!opening) {
      // Counted before it is opened, so that several at once keep to the limit.
      opening = Promise.resolve().then(() => openFile(path));
      files.set(path, opening);
      makeRoom();
    }
    const opened = await opening;
    if (!opened || opened.file.state === "gone") {
      if (files.get(path) === opening) files.delete(path);
      return who.send({ type: "refused", path });
    }
    if (!here.has(who)) return void closeUnread(path, opened);
    opened.readers.add(who);
    who.taken.set(path, 0);
    const known = copy === opened.copy && vector !== undefined ? bytesOf(vector) : undefined;
    const missing = opened.file.text.missing(known);
    who.send({
      type: "opened",
      path,
      copy: opened.copy,
      update: base64(missing.update),
      vector: base64(missing.vector),
    });
    for (const [client, { from, cursor }] of opened.cursors)
      who.send({ type: "cursor", path, client, cursor, person: from.person });
    announceState(path, opened);
  }

  async function closeUnread(path: string, opened: Opened): Promise<void> {
    await opened.file.save();
    const close = () => {
      unread.delete(close);
      if (opened.readers.size > 0 || opened.file.state === "gone") return;
      files.delete(path);
      opened.file.close();
    };
    unread.add(close);
    setTimeout(close, KEPT_MS).unref();
  }

  function leaveFile(who: Here, path: string, opened: Opened): void {
    if (!opened.readers.delete(who)) return;
    for (const [client, { from }] of opened.cursors)
      if (from === who) moveCursor(who, path, opened, client, "");
    if (opened.readers.size === 0) void closeUnread(path, opened);
  }

  function moveCursor(who: Here, path: string, opened: Opened, client: number, cursor: string) {
    // Nobody moves the cursor of another page.
    const before = opened.cursors.get(client);
    if (before && before.from !== who) return;
    if (cursor === "") opened.cursors.delete(client);
    else opened.cursors.set(client, { from: who, cursor });
    const message = { type: "cursor", path, client, cursor, person: who.person } as const;
    for (const reader of opened.readers) if (reader !== who) reader.send(message);
  }

  function takeForFile(who: Here, message: TogetherFromPage & { path: string }, opened: Opened) {
    const { path } = message;
    if (!opened.readers.has(who)) return;
    switch (message.type) {
      case "edit":
        if (!who.mayEdit || opened.file.state === "gone") return;
        who.taken.set(path, (who.taken.get(path) ?? 0) + 1);
        opened.file.edit(bytesOf(message.update), who.id);
        return announceState(path, opened);
      case "cursor":
        return moveCursor(who, path, opened, message.client, message.cursor);
      case "save":
        return void opened.file.save();
      case "close":
        return leaveFile(who, path, opened);
      default:
    }
  }

  return {
    join(member) {
      const who: Here = {
        ...member,
        id: randomBytes(9).toString("base64url"),
        place: {},
        taken: new Map(),
      };
      here.add(who);
      announcePeople();
      /** Messages are taken in their order, although opening a file takes a while. */
      let order = Promise.resolve();
      const takeNow = async (message: TogetherFromPage) => {
        if (!here.has(who)) return;
        if (message.type === "place") {
          who.place = message.place;
          return announcePeople();
        }
        if (message.type === "open") return open(who, message);
        const opened = await files.get(message.path);
        if (opened) takeForFile(who, message, opened);
      };
      return {
        take(message) {
          // An update that is none closes nothing: it is left out.
          order = order.then(() => takeNow(message)).catch(() => undefined);
        },
        leave() {
          if (!here.delete(who)) return;
          announcePeople();
          for (const [path, opening] of files)
            void opening.then((opened) => opened && leaveFile(who, path, opened));
        },
      };
    },
    changed(path, version) {
      for (const [one, opening] of files)
        if (path === undefined || path === one)
          void opening.then((opened) => opened?.file.changed(version));
    },
    isEmpty: () => here.size === 0 && files.size === 0,
    async save() {
      const opened = await Promise.all(files.values());
      await Promise.all(opened.map((one) => one?.file.save()));
    },
  };
}
