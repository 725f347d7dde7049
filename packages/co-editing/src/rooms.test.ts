import { EventEmitter } from "node:events";
import type { Store } from "@treadle/store";
import { afterEach, expect, it } from "vitest";
import { createRooms, type EditedProject, type Rooms } from "./rooms.ts";

/** A page's connection; what is sent to it is of no interest here. */
class Page extends EventEmitter {
  readonly bufferedAmount = 0;
  isTerminated = false;
  send() {}
  terminate() {
    this.isTerminated = true;
  }
}

let rooms: Rooms;
afterEach(() => rooms.close());

/** Rooms over a log that counts who follows it. */
function openRooms(head: () => Promise<number> = () => Promise.resolve(0)) {
  const following = new Set<string>();
  const log = {
    head,
    follow(project: string) {
      following.add(project);
      return () => following.delete(project);
    },
  } as unknown as Store["log"];
  rooms = createRooms({ log }, { sweepMs: 5 });
  return following;
}

function enter(project = "a"): Page {
  const page = new Page();
  const person = { id: "ada", name: "Ada" };
  rooms.join(page, { id: project } as EditedProject, { person, mayEdit: true });
  return page;
}

it("a room is forgotten once everybody has left it, and there again for the next", async () => {
  const following = openRooms();
  const pages = [enter(), enter()];
  await expect.poll(() => following.size).toBe(1);
  pages[0]!.emit("close");
  pages[1]!.emit("close");
  await expect.poll(() => following.size).toBe(0);
  enter();
  await expect.poll(() => following.size).toBe(1);
});

it("a room stays while somebody is in it, although another one has gone", async () => {
  const following = openRooms();
  const [first, second] = [enter(), enter("b")];
  await expect.poll(() => following.size).toBe(2);
  second.emit("close");
  // The sweep that forgets the one has looked at the other as well.
  await expect.poll(() => [...following]).toEqual(["a"]);
  first.emit("close");
  await expect.poll(() => following.size).toBe(0);
});

it("a page whose room cannot be opened is disconnected, so that it comes back", async () => {
  openRooms(() => Promise.reject(new Error("the database is away")));
  const page = enter();
  await expect.poll(() => page.isTerminated).toBe(true);
});
