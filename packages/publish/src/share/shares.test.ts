import type { Store } from "@treadle/store";
import { expect, it } from "vitest";
import { openShareList } from "./stored-share.ts";
import { createShares } from "./shares.ts";

/** Links of one project, on a disk that can be full. */
function place() {
  const stored = new Map<string, string>();
  const disk = { isFull: false };
  const store = {
    lists: {
      all: async () => [...stored.values()].map((text) => JSON.parse(text) as unknown),
      async put(_list: string, name: string, value: unknown) {
        if (disk.isFull) throw new Error("the disk is full");
        stored.set(name, JSON.stringify(value));
      },
      async remove(_list: string, name: string) {
        if (disk.isFull) throw new Error("the disk is full");
        stored.delete(name);
      },
    },
    projects: { get: async () => ({ id: "p" }) },
    signer: { sign: (parts: string[]) => parts.join("-").padEnd(26, "x") },
  } as unknown as Store;
  const open = async () =>
    createShares({
      store,
      list: await openShareList(store),
      releasesOf: () => undefined,
      appOrigin: () => "http://localhost:4173",
      appsDomain: undefined,
      now: () => 1,
      onNotice() {},
    });
  return { disk, open };
}

it("closes a link whose removal cannot be written, reports that, and can revoke it again", async () => {
  const { disk, open } = place();
  const shares = await open();
  const { id } = await shares.make("p", { kind: "preview" });
  const other = await shares.make("p", { kind: "preview" });
  disk.isFull = true;
  await expect(shares.remove("p", id)).rejects.toMatchObject({ status: 507, code: "not-recorded" });
  expect([shares.find(id), shares.list("p").shares.map((share) => share.id)]).toEqual([
    undefined,
    [id, other.id].toReversed(),
  ]);
  disk.isFull = false;
  await shares.remove("p", id);
  const restarted = await open();
  expect([restarted.find(id), restarted.find(other.id)?.id]).toEqual([undefined, other.id]);
});

it("does not create a link that cannot be written", async () => {
  const { disk, open } = place();
  const shares = await open();
  disk.isFull = true;
  await expect(shares.make("p", { kind: "preview" })).rejects.toThrow("full");
  expect(shares.list("p").shares).toEqual([]);
});
