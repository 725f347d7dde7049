import { toProjectPath } from "@treadle/protocol/project-path";
import type { FileBody } from "@treadle/protocol";
import type { Happening, World } from "@treadle/protocol/testing";
import {
  NEW_FILE_SESSION,
  transition,
  type FileEffect,
  type FileEvent,
  type FileSource,
  type FileState,
} from "./file-transitions.ts";

const PATH = toProjectPath("a.txt");

/**
 * A person, a model, other programs and a disk around one open file. Everything that the person types is a unique word; the
 * world fails if one of them is lost.
 */
export function fileWorld(): World<FileState, FileEvent, FileEffect> {
  let disk: string | undefined = "first";
  let versions = 0;
  let version = "v0";
  /** Sequence number of the newest change in the log. */
  let change = 0;
  let words = 0;
  let calls = 0;
  let call: { id: string; asked: boolean } | undefined;
  let isOpened = false;
  let isTimed = false;
  /** Words that the person typed and has not discarded. */
  const typed = new Set<string>();
  /** Words that have been on the disk at some time. */
  const saved = new Set<string>();
  let draft: { text: string; source: FileSource } | undefined;
  let isClosed = false;
  const editor = { text: "", readOnly: true };
  let reads = 0;
  let writes = 0;
  let current: FileState = NEW_FILE_SESSION;
  let newest = 0;

  const wordsOf = (text: string) => text.split(" ");

  function put(text: string | undefined): void {
    disk = text;
    version = `v${++versions}`;
    change++;
    for (const word of wordsOf(text ?? "")) saved.add(word);
  }
  const body = (): FileBody | undefined =>
    disk === undefined
      ? undefined
      : {
          path: PATH,
          version,
          size: disk.length,
          binary: disk === "binary",
          text: disk === "binary" ? undefined : disk,
        };
  const readEvent = (found: FileBody | undefined): FileEvent =>
    found ? { type: "read", body: found, text: editor.text } : { type: "missing" };

  function tryWrite(source: FileSource, text: string): FileEvent {
    const expected = disk === undefined ? undefined : version;
    if (source.version !== expected) return { type: "refused", theirs: body(), text };
    put(text);
    return { type: "written", version, base: text };
  }

  function perform(effect: FileEffect): Happening<FileEvent>[] {
    switch (effect.type) {
      case "read": {
        if (++reads > 1) throw new Error("two reads at once");
        const early = body();
        const end = (event: () => FileEvent) => () => {
          reads--;
          return event();
        };
        return [
          end(() => readEvent(body())),
          end(() => readEvent(early)),
          end(() => ({ type: "read-failed", reason: "down" })),
        ];
      }
      case "write": {
        if (++writes > 1) throw new Error("two writes at once");
        const text = effect.text ?? editor.text;
        const end = (event: () => FileEvent) => () => {
          writes--;
          return event();
        };
        const failed: FileEvent = { type: "write-failed", reason: "down" };
        // Some writes reach the disk at once and are answered later.
        if (words % 2 === 0) {
          const answer = tryWrite(effect.source, text);
          return [end(() => answer), end(() => failed)];
        }
        return [end(() => tryWrite(effect.source, text)), end(() => failed)];
      }
      case "show":
        editor.text = effect.text;
        return [];
      case "set-read-only":
        editor.readOnly = effect.value;
        return [];
      case "begin-typing":
        editor.text = "";
        return [];
      case "end-typing":
        return [];
      case "start-timer":
        isTimed = true;
        return [];
      case "stop-timer":
        isTimed = false;
        return [];
      case "keep":
        draft = { text: effect.text, source: effect.source };
        return [];
      case "forget":
        draft = undefined;
        return [];
    }
  }

  const type: Happening<FileEvent> = () => {
    const word = `w${++words}`;
    typed.add(word);
    editor.text += ` ${word}`;
    return { type: "edited" };
  };
  const pause: Happening<FileEvent> = () => {
    isTimed = false;
    return { type: "paused" };
  };
  const letGo: Happening<FileEvent> = () => {
    for (const word of wordsOf(editor.text)) typed.delete(word);
    return { type: "take-theirs" };
  };
  const merge =
    (marked: boolean): Happening<FileEvent> =>
    () => {
      const { theirs } = current as FileState & { kind: "conflict" };
      if (theirs?.text === undefined) return undefined;
      return {
        type: "merged",
        version: theirs.version,
        text: `${theirs.text} ${editor.text}`,
        marked,
      };
    };
  const log =
    (hasVersion: boolean): Happening<FileEvent> =>
    () => {
      const versionAfter = hasVersion && disk !== undefined ? version : undefined;
      return { type: "log", change, versionAfter, call };
    };
  const close: Happening<FileEvent> = () => {
    if (isClosed) return undefined;
    isClosed = true;
    return { type: "close", text: editor.text };
  };
  const open =
    (unsaved: boolean): Happening<FileEvent> =>
    () => {
      // A session that closes before it opens leaves the stored text untouched.
      if (isClosed) return undefined;
      isOpened = true;
      if (!unsaved) return { type: "open", change, call, unsaved: undefined };
      const text = `unsaved${++words}`;
      typed.add(text);
      return { type: "open", change, call, unsaved: { text, source: { version, base: disk } } };
    };

  return {
    initial: NEW_FILE_SESSION,
    transition,
    perform,
    offers(state) {
      if (!isOpened) return [open(false), open(true), close];
      const others: Happening<FileEvent>[] = [
        () => void put(`other${++words}`),
        () => void put(undefined),
        () => void put("binary"),
        () => void (disk !== undefined && put("first")),
        () => void (call = { id: `c${++calls}`, asked: calls % 2 === 0 }),
        () => void (call = undefined),
        log(true),
        log(false),
        close,
      ];
      const own: Happening<FileEvent>[] = [() => ({ type: "save" })];
      if (!editor.readOnly && !isClosed) own.push(type, type);
      if (isTimed) own.push(pause);
      if (state.kind === "conflict")
        own.push(letGo, () => ({ type: "keep-mine" }), merge(false), merge(true));
      return [...others, ...own];
    },
    check(state) {
      current = state;
      const source = Number(state.source.version?.slice(1) ?? newest);
      if (source < newest) throw new Error("an older version is shown as the file's");
      newest = source;
      const places = new Set([
        ...saved,
        ...wordsOf(draft?.text ?? ""),
        ...(isClosed ? [] : wordsOf(editor.text)),
      ]);
      for (const word of typed)
        if (!places.has(word)) throw new Error(`${word}, which the person typed, is lost`);
      if (isTimed && (state.kind === "edited") === false)
        throw new Error("a pause is waited for, though there is nothing to save");
      if (state.kind === "edited" && !isTimed) throw new Error("nothing will save what was typed");
    },
    closing: [
      () => {
        call = undefined;
        return isOpened ? log(true)() : open(false)();
      },
      () => {
        if (current.kind === "saved" && (editor.text !== disk || disk === undefined))
          throw new Error("what is shown as saved is not what is on the disk");
        return { type: "save" };
      },
      close,
    ],
    checkAtEnd(state) {
      if (state.kind !== "closed") throw new Error("the session never ends");
      const places = new Set([...saved, ...wordsOf(draft?.text ?? "")]);
      for (const word of typed)
        if (!places.has(word)) throw new Error(`${word} is lost at the end`);
    },
    anyEvents: [
      { type: "open", change: 1, call: undefined, unsaved: undefined },
      { type: "log", change: 9, versionAfter: "x", call: { id: "x", asked: false } },
      { type: "edited" },
      { type: "paused" },
      { type: "save" },
      { type: "written", version: "x", base: "x" },
      { type: "refused", theirs: undefined, text: "x" },
      { type: "write-failed", reason: "x" },
      { type: "missing" },
      { type: "read-failed", reason: "x" },
      { type: "keep-mine" },
      { type: "take-theirs" },
      { type: "merged", version: "x", text: "x", marked: true },
      { type: "close", text: "x" },
    ],
  };
}
