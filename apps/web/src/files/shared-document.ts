import type { Author, TogetherToPage } from "@treadle/protocol";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { yCollab, yUndoManagerKeymap } from "y-codemirror.next";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { fromBase64, toBase64 } from "../ui/base64.ts";
import type { TogetherLine } from "../together/together-store.ts";

/** Marks changes that came from the server. */
const SERVER = "server";

/** Colours of other people's cursors, chosen by their id: two people may get the same. White is readable on each. */
const COLOURS = ["#a4521f", "#2f7550", "#3d5a99", "#8a3c78", "#946c00", "#2b6f7a"];

/** `saved`: the text is on the disk. `ended`: the server has another copy now, so this one is no longer connected. */
export type SharedStatus = "saved" | "edited" | "saving" | "failed" | "ended" | "gone";

/** The text of a file that this page and others edit at the same time. */
export class SharedDocument {
  readonly #doc = new Y.Doc();
  readonly #awareness = new Awareness(this.#doc);
  readonly #text = this.#doc.getText("text");
  readonly #line: TogetherLine;
  readonly #path: string;
  readonly #onStatus: (status: SharedStatus) => void;
  #copy: string | undefined;
  #unfollow = () => {};
  /** Edits sent since the file was opened over this connection. */
  #sent = 0;
  /** Number of those edits that the server has acknowledged. */
  #taken = 0;
  /** Whether there are edits that could not be sent. */
  #unsent = false;
  #joined = false;
  /** The version on the disk that the server last reported. */
  version: string | undefined;
  status: SharedStatus = "saved";
  /** Whether something typed may not be on the disk; it stays so when the document ends. */
  hasUnsaved = false;

  constructor(options: {
    line: TogetherLine;
    path: string;
    onStatus: (status: SharedStatus) => void;
  }) {
    this.#line = options.line;
    this.#path = options.path;
    this.#onStatus = options.onStatus;
    this.#doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== SERVER) this.#send(update);
    });
    this.#awareness.on("update", (_: unknown, origin: unknown) => {
      if (origin === "local") this.#sendCursor();
    });
  }

  /** Resolves with `false` if the file cannot be edited together. */
  open(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#unfollow = this.#line.follow(this.#path, {
        onOpen: () => {
          const vector = this.#copy && toBase64(Y.encodeStateVector(this.#doc));
          this.#line.send({ type: "open", path: this.#path, copy: this.#copy, vector });
        },
        onLost: () => {
          this.#joined = false;
          // Edits that the server has not acknowledged may be lost; sending them twice does no harm.
          this.#unsent ||= this.#taken < this.#sent;
        },
        onMessage: (message) => {
          if (message.type === "opened") resolve(this.#join(message));
          else if (message.type === "refused") {
            if (this.#copy) this.#setStatus("ended");
            resolve(false);
          } else this.#take(message);
        },
      });
    });
  }

  text(): string {
    return this.#text.toString();
  }

  /** The shared text itself, for an editor. */
  shared(): Y.Text {
    return this.#text;
  }

  /**
   * The extension for an editor that already shows this text. It shows the cursors of others, and its undo affects the
   * person's own changes only.
   */
  extension(): Extension {
    const undoManager = new Y.UndoManager(this.#text);
    return [
      yCollab(this.#text, this.#awareness, { undoManager }),
      keymap.of([...yUndoManagerKeymap]),
    ];
  }

  save(): void {
    this.#line.send({ type: "save", path: this.#path });
  }

  close(): void {
    this.save();
    this.#unfollow();
    this.#awareness.destroy();
    this.#doc.destroy();
  }

  #join(message: TogetherToPage & { type: "opened" }): boolean {
    if (this.#copy !== undefined && this.#copy !== message.copy) {
      this.#setStatus("ended");
      return false;
    }
    this.#copy = message.copy;
    this.#sent = 0;
    this.#taken = 0;
    this.#joined = true;
    Y.applyUpdate(this.#doc, fromBase64(message.update), SERVER);
    if (this.#unsent) {
      this.#unsent = false;
      this.#send(Y.encodeStateAsUpdate(this.#doc, fromBase64(message.vector)));
    }
    this.#sendCursor();
    return true;
  }

  #take(message: TogetherToPage): void {
    if (message.type === "edit") Y.applyUpdate(this.#doc, fromBase64(message.update), SERVER);
    else if (message.type === "cursor") this.#showCursor(message);
    else if (message.type === "state") {
      this.version = message.version;
      this.#taken = message.taken;
      if (message.state === "gone") return this.#setStatus("gone");
      const hasAll = this.#taken === this.#sent && !this.#unsent;
      if (hasAll && message.state === "synced") return this.#setStatus("saved");
      if (message.state === "failed") return this.#setStatus("failed");
      this.#setStatus(message.state === "writing" ? "saving" : "edited");
    }
  }

  #send(update: Uint8Array): void {
    this.#setStatus("edited");
    if (this.#joined && this.#line.isOpen) {
      this.#sent++;
      this.#line.send({ type: "edit", path: this.#path, update: toBase64(update) });
    } else this.#unsent = true;
  }

  #sendCursor(): void {
    if (!this.#joined) return;
    const place: unknown = this.#awareness.getLocalState()?.["cursor"];
    const cursor = place ? JSON.stringify(place) : "";
    this.#line.send({ type: "cursor", path: this.#path, client: this.#doc.clientID, cursor });
  }

  #showCursor({ client, cursor, person }: TogetherToPage & { type: "cursor" }): void {
    const { states } = this.#awareness;
    const isKnown = states.has(client);
    if (cursor === "") states.delete(client);
    else states.set(client, { user: userOf(person), cursor: JSON.parse(cursor) as unknown });
    const changed = cursor === "" ? "removed" : isKnown ? "updated" : "added";
    const change = { added: [], updated: [], removed: [], [changed]: [client] };
    this.#awareness.emit("change", [change, SERVER]);
  }

  #setStatus(status: SharedStatus): void {
    if (this.status === status) return;
    this.status = status;
    if (status !== "ended" && status !== "gone") this.hasUnsaved = status !== "saved";
    this.#onStatus(status);
  }
}

function userOf(person: Author | undefined) {
  const { id, name } = person ?? { id: "", name: "?" };
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  const color = COLOURS[sum % COLOURS.length]!;
  return { name, color, colorLight: `${color}33` };
}
