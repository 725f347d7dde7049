import { createLifecycle } from "@treadle/protocol/lifecycle";
import { createSharedText, type Origin, type SharedText } from "./shared-text.ts";
import {
  SYNCED,
  transition,
  type SharedFileEffect,
  type SharedFileState,
} from "./file-lifecycle.ts";

/** Milliseconds between a change and its write to the disk, and between two attempts after a failure. */
const SAVE_AFTER_MS = 400;

/** A file's text on the disk, with the version that identifies it. */
export interface DiskText {
  content: string;
  version: string;
}

/** The file on the disk. */
export interface SharedDisk {
  /** Undefined if it does not exist, or holds no text that can be edited. */
  read(): Promise<DiskText | undefined>;
  /**
   * Writes the content over exactly that version.
   * @returns the new version, or undefined if the file has another one by now
   */
  write(content: string, version: string): Promise<string | undefined>;
}

export interface SharedFile {
  readonly text: Pick<SharedText, "missing">;
  readonly state: SharedFileState["kind"];
  /** The version on the disk that the text is based on. */
  readonly version: string;
  /** Applies an editor's update. @throws if it is no update */
  edit(update: Uint8Array, origin: string): void;
  /** Call when the file may have changed on the disk. @param version the new one, if it is known */
  changed(version?: string): void;
  /** Writes what is not on the disk yet. Resolves once it is, or could not be written. */
  save(): Promise<void>;
  close(): void;
}

/** Keeps the text of one file for its editors. The disk stays the truth for everybody else. */
export function openSharedFile(
  first: DiskText,
  options: {
    disk: SharedDisk;
    onUpdate(update: Uint8Array, origin: Origin): void;
    onState(state: SharedFileState["kind"]): void;
    /** Calls back after that many milliseconds, until the returned function is called. */
    after?(ms: number, act: () => void): () => void;
  },
): SharedFile {
  const { disk, onState, after = afterTimer } = options;
  let { version } = first;
  let stopTimer = () => {};
  /** The last write whose outcome is unknown. */
  let attempt: { snapshot: Uint8Array; content: string } | undefined;
  const waiting = new Set<() => void>();
  const text = createSharedText(first.content, options.onUpdate);
  const lifecycle = createLifecycle(SYNCED, transition, perform, ({ kind }) => {
    onState(kind);
    if (kind === "writing" || kind === "reading" || kind === "edited") return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  });
  const { send } = lifecycle;

  function perform(effect: SharedFileEffect): void {
    if (effect === "start-timer") {
      stopTimer();
      stopTimer = after(SAVE_AFTER_MS, () => send({ type: "paused" }));
    } else if (effect === "write") void write();
    else if (effect === "read") void read();
    else text.close();
  }

  async function write(): Promise<void> {
    stopTimer();
    const [snapshot, content] = [text.snapshot(), text.content()];
    attempt = { snapshot, content };
    try {
      const written = await disk.write(content, version);
      if (written === undefined) return send({ type: "refused" });
      version = written;
      attempt = undefined;
      text.saved(snapshot, content);
      send({ type: "written", isCurrent: !text.isAhead() });
    } catch {
      send({ type: "failed" });
    }
  }

  async function read(): Promise<void> {
    stopTimer();
    try {
      const found = await disk.read();
      if (!found) return send({ type: "missing" });
      version = found.version;
      // A write that failed may have reached the disk all the same: what it wrote is not somebody else's.
      if (attempt?.content === found.content) text.saved(attempt.snapshot, found.content);
      else text.merge(found.content);
      attempt = undefined;
      send({ type: "read", isCurrent: !text.isAhead() });
    } catch {
      send({ type: "failed" });
    }
  }

  return {
    text,
    get state() {
      return lifecycle.state.kind;
    },
    get version() {
      return version;
    },
    edit(update, origin) {
      text.apply(update, origin);
      if (text.isAhead()) send({ type: "edited" });
    },
    changed(changedTo) {
      if (changedTo === undefined || changedTo !== version) send({ type: "changed" });
    },
    async save() {
      const { kind } = lifecycle.state;
      if (kind === "synced" || kind === "gone") return;
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        send({ type: "paused" });
      });
    },
    close() {
      stopTimer();
      send({ type: "missing" });
    },
  };
}

function afterTimer(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
