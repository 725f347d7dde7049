import type { TogetherToPage } from "@treadle/protocol";
import { expect, it } from "vitest";
import * as Y from "yjs";
import type { TogetherLine } from "../together/together-store.ts";
import { toBase64 } from "../ui/base64.ts";
import { SharedDocument } from "./shared-document.ts";

const PATH = "notes.md";

/** A document that is open, and a server that answers with a copy of the given name. */
async function openDocument() {
  let listener!: Parameters<TogetherLine["follow"]>[1];
  const line: TogetherLine = {
    send: () => {},
    isOpen: true,
    follow(_path, one) {
      listener = one;
      return () => {};
    },
  };
  const document = new SharedDocument({ line, path: PATH, onStatus: () => {} });
  const opening = document.open();
  const join = (copy: string) => {
    const server = new Y.Doc();
    server.getText("text").insert(0, "one\n");
    const update = toBase64(Y.encodeStateAsUpdate(server));
    const vector = toBase64(Y.encodeStateVector(server));
    const message: TogetherToPage = { type: "opened", path: PATH, copy, update, vector };
    listener.onMessage(message);
  };
  join("first");
  await opening;
  const report = (state: "synced" | "gone", taken: number) =>
    listener.onMessage({ type: "state", path: PATH, state, version: "v", taken });
  return { document, listener, join, report };
}

it.each([true, false])(
  "ends when the server has another copy, and says whether something typed is not there: %s",
  async (isTyped) => {
    const { document, listener, join, report } = await openDocument();
    report("synced", 0);
    if (isTyped) document.shared().insert(0, "x");
    listener.onLost();
    join("second");
    expect([document.status, document.hasUnsaved]).toEqual(["ended", isTyped]);
    expect(document.text()).toBe(isTyped ? "xone\n" : "one\n");
  },
);

it("still knows of what was typed when the file is removed", async () => {
  const { document, report } = await openDocument();
  document.shared().insert(0, "x");
  report("gone", 1);
  expect([document.status, document.hasUnsaved]).toEqual(["gone", true]);
});
