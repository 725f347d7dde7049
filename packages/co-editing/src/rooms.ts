import type { Author, ProjectPath, TogetherFromPage } from "@treadle/protocol";
import { holdsSecrets } from "@treadle/protocol/project-path";
import type { Store } from "@treadle/store";
import { checkPath, readNow, textOf, WorkspaceError, type Workspace } from "@treadle/workspace";
import { z } from "zod";
import type { Member, Room } from "./room.ts";
import type { SharedDisk } from "./shared-file.ts";

/** Maximum size of a file that is edited together, in bytes; larger ones have one editor. */
const FILE_BYTES = 1024 * 1024;
/** Maximum size of a message in bytes: a pasted text of that size, in base64. */
export const TOGETHER_MESSAGE_BYTES = 2 * FILE_BYTES;
/** A page that is this many bytes behind is disconnected; it comes back and catches up. */
const BEHIND_BYTES = 16 * 1024 * 1024;

const path = z.string().min(1).max(4_096);
const base64 = z.string().max(TOGETHER_MESSAGE_BYTES);
const fromPage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("place"),
    place: z.object({ tab: z.string().max(40).optional(), path: path.optional() }),
  }),
  z.object({
    type: z.literal("open"),
    path,
    copy: z.string().max(40).optional(),
    vector: base64.optional(),
  }),
  z.object({ type: z.literal("edit"), path, update: base64 }),
  z.object({
    type: z.literal("cursor"),
    path,
    client: z.number().int().min(0).max(0xffff_ffff),
    cursor: z.string().max(2_000),
  }),
  z.object({ type: z.literal("save"), path }),
  z.object({ type: z.literal("close"), path }),
]);

/** The methods of a WebSocket that are used here. */
interface Socket {
  readonly bufferedAmount: number;
  send(text: string): void;
  terminate(): void;
  on(event: "message", listener: (data: Buffer | ArrayBuffer | Buffer[]) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

/** What a room needs of its project. */
export interface EditedProject {
  readonly id: string;
  workspace(): Promise<Pick<Workspace, "files">>;
  /** The project's files as the person changes them. */
  personFiles(): Promise<Pick<Workspace["files"], "write">>;
}

/** The rooms of all projects; each exists while somebody is in it. */
export interface Rooms {
  join(
    socket: Socket,
    project: EditedProject,
    who: Pick<Member, "mayEdit"> & { person: Author },
  ): void;
  /** Writes all that is not on the disk yet. */
  close(): Promise<void>;
}

/** A project's room. */
interface OpenRoom {
  room: Room;
  /** Resolves once the room hears of changed files. */
  following: Promise<void>;
  unfollow(): void;
  /** Number of pages that are about to join. */
  entering: number;
}

/** Milliseconds between two searches for rooms that nobody needs any more. */
const SWEEP_MS = 60_000;

/** @param sweepMs for tests */
export function createRooms(store: Pick<Store, "log">, { sweepMs = SWEEP_MS } = {}): Rooms {
  const rooms = new Map<string, OpenRoom>();

  const sweep = setInterval(() => {
    for (const [project, { room, entering, unfollow }] of rooms)
      if (entering === 0 && room.isEmpty()) {
        unfollow();
        rooms.delete(project);
      }
  }, sweepMs).unref();

  async function follow(project: string, opened: OpenRoom): Promise<void> {
    const { room } = opened;
    const head = await store.log.head(project);
    opened.unfollow = store.log.follow(project, head, (entries) => {
      for (const { event } of entries)
        if (event.type === "restored") room.changed(undefined, undefined);
        else if (event.type === "files")
          for (const change of event.changes) room.changed(change.path, change.version);
    });
  }

  async function enter(project: EditedProject): Promise<OpenRoom> {
    // Its library takes memory, which one person alone needs not spend.
    const { createRoom } = await import("./room.ts");
    let opened = rooms.get(project.id);
    if (!opened) {
      const room = createRoom((one) => sharedDisk(project, one));
      opened = { room, following: Promise.resolve(), unfollow: () => {}, entering: 0 };
      rooms.set(project.id, opened);
      opened.following = follow(project.id, opened);
    }
    opened.entering++;
    await opened.following.finally(() => opened.entering--);
    return opened;
  }

  return {
    join(socket, project, who) {
      const early: TogetherFromPage[] = [];
      let take: (message: TogetherFromPage) => void = (message) => early.push(message);
      let isGone = false;
      let leave = () => {};
      socket.on("message", (data) => {
        const read = fromPage.safeParse(parsed(String(data)));
        if (read.success) take(read.data);
        else socket.terminate();
      });
      socket.on("close", () => {
        isGone = true;
        leave();
      });
      // It joins before a sweep can run: nothing is waited for between entering and that.
      const joining = enter(project).then(({ room }) => {
        if (isGone) return;
        const inside = room.join({
          ...who,
          send(message) {
            if (socket.bufferedAmount > BEHIND_BYTES) socket.terminate();
            else socket.send(JSON.stringify(message));
          },
        });
        leave = () => inside.leave();
        ({ take } = inside);
        for (const message of early.splice(0)) take(message);
      });
      joining.catch(() => {
        // The page comes back, and finds a new room.
        if (rooms.get(project.id)?.room.isEmpty()) rooms.delete(project.id);
        socket.terminate();
      });
    },
    async close() {
      clearInterval(sweep);
      const all = [...rooms.values()];
      rooms.clear();
      for (const { unfollow } of all) unfollow();
      await Promise.all(all.map(({ room }) => room.save()));
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sharedDisk(project: EditedProject, asked: string): SharedDisk | undefined {
  let path: ProjectPath;
  try {
    path = checkPath(asked);
  } catch {
    return undefined;
  }
  if (path !== asked || holdsSecrets(path)) return undefined;
  return {
    async read() {
      const found = await readNow(await project.workspace(), path);
      const content =
        found && found.bytes.byteLength <= FILE_BYTES ? textOf(found.bytes) : undefined;
      return found && content !== undefined ? { content, version: found.version } : undefined;
    },
    async write(content, version) {
      try {
        const files = await project.personFiles();
        return (await files.write(path, content, { ifVersion: version })).version;
      } catch (error) {
        if (error instanceof WorkspaceError && error.code === "conflict") return undefined;
        throw error;
      }
    },
  };
}
