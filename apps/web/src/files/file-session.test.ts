import { toProjectPath } from "@treadle/protocol/project-path";
import type { FileBody, LogEvent, Question } from "@treadle/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { emptyView, fold } from "../fold/fold.ts";
import { logOf, sampleRun } from "../fold/log.test-support.ts";
import { FileSession, type FileStatus, type SessionEditor } from "./file-session.ts";

import { openEditor, saveEdits } from "../project/unsaved.ts";

const PATH = "src/App.tsx";

/** A disk with one file behind the API's routes. */
class Disk {
  text: string | undefined;
  writes = 0;
  binary = false;
  constructor(text: string | undefined) {
    this.text = text;
  }
  version = () => `v:${encodeURIComponent(this.text ?? "")}`;
  answer = async (_path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (init.method !== "PUT") {
      if (this.text === undefined)
        return Response.json({ error: { code: "missing", message: "" } }, { status: 404 });
      const body: FileBody = {
        path: toProjectPath(PATH),
        version: this.version(),
        size: 1,
        text: this.binary ? undefined : this.text,
        binary: this.binary,
      };
      return Response.json(body);
    }
    const match = headers.get("if-match");
    const expected = match === null ? undefined : match.replaceAll('"', "");
    if (expected !== (this.text === undefined ? undefined : this.version()))
      return Response.json({ error: { code: "conflict", message: "" } }, { status: 409 });
    this.text = (JSON.parse(String(init.body)) as { text: string }).text;
    this.writes += 1;
    return Response.json({ version: this.version() });
  };
}

/** Holds the disk's next write until the returned function is called. */
function holdWrites(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = disk.answer;
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    if (init.method === "PUT") await promise;
    return answer(path, init);
  });
  return resolve;
}

class FakeEditor implements SessionEditor {
  value = "";
  readOnly = true;
  typed: string[] = [];
  text = () => this.value;
  show = (text: string) => void (this.value = text);
  type = (text: string) => {
    this.typed.push(text);
    this.value += text;
  };
  pace = () => 0;
  beginTyping = () => void (this.value = "");
  setReadOnly = (readOnly: boolean) => void (this.readOnly = readOnly);
  goTo = () => {};
  focus = () => {};
  showValues = () => {};
  close = () => {};
}

const viewOf = (...events: LogEvent[]) => fold(emptyView(), logOf(...events));
const changed: LogEvent = {
  type: "files",
  changes: [{ path: toProjectPath(PATH), kind: "written", by: "command", size: 1 }],
};

let disk: Disk;
let editor: FakeEditor;
let states: FileStatus[];
const now = () => states.at(-1);

function open(path = PATH): FileSession {
  return new FileSession({
    project: "p",
    path: toProjectPath(path),
    editor,
    onStatus: (status) => states.push(status),
  });
}

function typeByHand(session: FileSession, text: string): void {
  editor.value = text;
  session.edited();
}

beforeEach(() => {
  disk = new Disk("old");
  editor = new FakeEditor();
  states = [];
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => disk.answer(path, init));
});
afterEach(() => vi.unstubAllGlobals());

describe("a file being edited", () => {
  it("is saved with the version that was read", async () => {
    const session = open();
    await session.open(emptyView());
    expect([editor.value, editor.readOnly, now()?.state]).toEqual(["old", false, "saved"]);
    typeByHand(session, "mine");
    await session.save();
    expect([disk.text, now()?.state]).toEqual(["mine", "saved"]);
    session.close();
  });

  it("is saved completely before something looks at it", async () => {
    const session = open();
    await session.open(emptyView());
    const shut = openEditor(session);
    typeByHand(session, "begun");
    const first = session.save();
    typeByHand(session, "begun and ended");
    await saveEdits();
    expect([disk.text, disk.writes, now()?.state]).toEqual(["begun and ended", 2, "saved"]);
    await first;
    shut();
    session.close();
  });

  it("shows what others wrote as long as nothing was typed", async () => {
    const session = open();
    await session.open(emptyView());
    disk.text = "theirs";
    session.follow(viewOf(changed));
    await vi.waitFor(() => expect(editor.value).toBe("theirs"));
    session.close();
  });

  it("keeps both texts if someone else wrote first (F12)", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "mine");
    disk.text = "theirs";
    await session.save();
    const state = now();
    expect(state?.state === "conflict" && state.theirs?.text).toBe("theirs");
    expect([editor.value, disk.text]).toEqual(["mine", "theirs"]);
    await session.keepOwn();
    expect([disk.text, now()?.state]).toEqual(["mine", "saved"]);
    session.close();
  });

  it("can take the other text instead", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "mine");
    disk.text = "theirs";
    await session.save();
    session.takeTheirs();
    expect([editor.value, now()?.state, disk.writes]).toEqual(["theirs", "saved", 0]);
    session.close();
  });

  it("can merge both texts if they changed different lines", async () => {
    disk.text = "one\ntwo\nthree\n";
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "one\ntwo\nthree, mine\n");
    disk.text = "theirs\none\ntwo\nthree\n";
    await session.save();
    await session.merge();
    expect(disk.text).toBe("theirs\none\ntwo\nthree, mine\n");
    expect([editor.value, now()?.state]).toEqual([disk.text, "saved"]);
    session.close();
  });

  it("contains both texts between conflict markers if they changed the same line, and is written once the user confirms", async () => {
    disk.text = "one\ntwo\n";
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "one\nmine\n");
    disk.text = "one\ntheirs\n";
    await session.save();
    await session.merge();
    expect(now()).toMatchObject({ state: "conflict", marked: true });
    expect(editor.value).toBe("one\n<<<<<<< mine\nmine\n=======\ntheirs\n>>>>>>> on disk\n");
    expect(disk.text).toBe("one\ntheirs\n");
    typeByHand(session, "one\nmine and theirs\n");
    await session.save();
    expect(disk.text).toBe("one\ntheirs\n");
    await session.keepOwn();
    expect([disk.text, now()?.state]).toEqual(["one\nmine and theirs\n", "saved"]);
    session.close();
  });

  it("has no conflict if both wrote the same text", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "same");
    disk.text = "same";
    await session.save();
    expect(now()?.state).toBe("saved");
    session.close();
  });

  it("is written again if it was deleted meanwhile and the user keeps it", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "mine");
    disk.text = undefined;
    await session.save();
    expect(now()?.state).toBe("conflict");
    await session.keepOwn();
    expect(disk.text).toBe("mine");
    session.close();
  });

  it("restores its unsaved text after being closed during a conflict", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "mine");
    disk.text = "theirs";
    await session.save();
    session.close();
    editor = new FakeEditor();
    const again = open();
    await again.open(emptyView());
    expect(editor.value).toBe("mine");
    expect(now()?.state).toBe("conflict");
    again.takeTheirs();
    again.close();
  });

  it("is saved when it is closed", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "last words");
    session.close();
    await vi.waitFor(() => expect(disk.text).toBe("last words"));
  });

  it("is saved completely if it is closed during a save", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "begun");
    const goOn = holdWrites();
    void session.save();
    typeByHand(session, "begun and ended");
    session.close();
    editor.value = "";
    goOn();
    await vi.waitFor(() => expect(disk.text).toBe("begun and ended"));
  });

  it("contains the latest typed text if it is opened again during a save", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "begun");
    const goOn = holdWrites();
    void session.save();
    typeByHand(session, "begun and ended");
    session.close();
    editor = new FakeEditor();
    const again = open();
    const opened = again.open(emptyView());
    goOn();
    await opened;
    expect([editor.value, now()?.state]).toEqual(["begun and ended", "saved"]);
    again.close();
  });

  it("keeps the latest typed text if it is closed during a failing save", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "begun");
    const { promise, reject } = Promise.withResolvers<Response>();
    vi.stubGlobal("fetch", () => promise);
    void session.save();
    typeByHand(session, "begun and ended");
    session.close();
    reject(new TypeError("down"));
    vi.stubGlobal("fetch", (path: string, init?: RequestInit) => disk.answer(path, init));
    editor = new FakeEditor();
    const again = open();
    await again.open(emptyView());
    expect([editor.value, disk.text]).toEqual(["begun and ended", "begun and ended"]);
    again.close();
  });

  it("keeps the file's byte-order mark and line endings", async () => {
    disk.text = "\ufeffone\r\ntwo\nthree\r\n";
    const session = open();
    await session.open(emptyView());
    expect(editor.value).toBe("one\ntwo\nthree\n");
    typeByHand(session, "one, mine\ntwo\nthree\n");
    await session.save();
    expect(disk.text).toBe("\ufeffone, mine\r\ntwo\nthree\r\n");
    session.close();
  });

  it("keeps them when merging the two texts of a conflict", async () => {
    disk.text = "\ufeffone\r\ntwo\r\nthree\r\n";
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "one\ntwo\nthree, mine\n");
    disk.text = "\ufefftheirs\r\none\r\ntwo\r\nthree\r\n";
    await session.save();
    await session.merge();
    expect(disk.text).toBe("\ufefftheirs\r\none\r\ntwo\r\nthree, mine\r\n");
    session.close();
  });

  it("shows that the file is no longer text, and does not overwrite it", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "mine");
    disk.binary = true;
    disk.text = "\0";
    await session.save();
    expect(now()?.state).toBe("conflict");
    session.takeTheirs();
    expect(now()?.state).toBe("shown");
    await session.save();
    expect(disk.writes).toBe(0);
    session.close();
  });

  it("keeps showing the text if it cannot be read again", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "mine");
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("down")));
    session.follow(viewOf(changed));
    await session.save();
    expect([now()?.state, editor.value]).toEqual(["problem", "mine"]);
    session.close();
  });

  it("shows the last written text if an older one arrives late", async () => {
    const session = open();
    await session.open(emptyView());
    const late = await disk.answer(PATH);
    const { promise, resolve } = Promise.withResolvers<Response>();
    vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) =>
      init.method === "PUT" ? disk.answer(path, init) : promise,
    );
    session.follow(viewOf(changed));
    typeByHand(session, "mine");
    await session.save();
    vi.stubGlobal("fetch", (path: string, init?: RequestInit) => disk.answer(path, init));
    resolve(late);
    await vi.waitFor(() => expect([editor.value, now()?.state]).toEqual(["mine", "saved"]));
    typeByHand(session, "mine, more");
    await session.save();
    expect([disk.text, now()?.state]).toEqual(["mine, more", "saved"]);
    session.close();
  });

  it("keeps the text and reports it if the server does not answer", async () => {
    const session = open();
    await session.open(emptyView());
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("down")));
    typeByHand(session, "mine");
    await session.save();
    expect(now()?.state).toBe("problem");
    expect(editor.value).toBe("mine");
    vi.stubGlobal("fetch", (path: string, init?: RequestInit) => disk.answer(path, init));
    await session.save();
    expect(disk.text).toBe("mine");
    session.close();
  });
});

const ASKED: Question = {
  kind: "approval",
  id: "q",
  call: "r1-w",
  tool: "write_file",
  subject: { kind: "write", what: [PATH] },
  why: "",
  digest: "d",
  mayRemember: false,
};

describe("a file that the model writes", () => {
  const entries = sampleRun();
  const upTo = (count: number) => viewOf(...entries.slice(0, count));

  it("is extended while the model writes, then read from disk", async () => {
    const session = open();
    await session.open(upTo(9));
    expect([editor.value, editor.readOnly, now()?.state]).toEqual([
      "export const",
      true,
      "written",
    ]);
    session.follow({ ...upTo(10), question: { run: "r1", question: ASKED } });
    expect(now()).toEqual({ state: "written", asked: true });
    session.follow(upTo(10));
    expect(now()).toEqual({ state: "written" });
    expect(editor.typed).toEqual(["export const", " a = 1;\n"]);
    disk.text = "export const a = 1;\n";
    session.follow(upTo(13));
    await vi.waitFor(() => expect(now()?.state).toBe("saved"));
    expect([editor.value, editor.readOnly]).toEqual(["export const a = 1;\n", false]);
    session.close();
  });

  it("shows the old content again if writing was cut off (F1)", async () => {
    const session = open();
    await session.open(upTo(10));
    session.follow(
      viewOf(...entries.slice(0, 10), {
        type: "call-end",
        call: "r1-w",
        status: "interrupted",
        title: "Did not write src/App.tsx",
        result: "",
        ms: 1,
      }),
    );
    await vi.waitFor(() => expect(editor.value).toBe("old"));
    session.close();
  });

  it("does not touch the user's unsaved text, and both texts are kept (F13)", async () => {
    const session = open();
    await session.open(emptyView());
    typeByHand(session, "mine");
    session.follow(upTo(10));
    expect(editor.value).toBe("mine");
    disk.text = "the model's";
    await session.save();
    const state = now();
    expect(state?.state === "conflict" && state.theirs?.text).toBe("the model's");
    expect(editor.value).toBe("mine");
    session.takeTheirs();
    session.close();
  });
});
