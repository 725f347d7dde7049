import { useQuery } from "@tanstack/react-query";
import { toProjectPath } from "@treadle/protocol/project-path";
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from "react";
import { FileConflict, readFile, writeFile } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { useKnownFiles } from "../evidence/use-known-files.ts";
import { useFrameMessages } from "../live/use-frame-messages.ts";
import { useProjectId } from "../live/live-context.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { joinEdits } from "./join-edits.ts";
import { planChange, type Change, type PlannedEdit, type Sources } from "./plan-change.ts";
import { planMove } from "./plan-move.ts";
import { asWritten, type TriedWords } from "./tried-words.ts";
import { type Move, type Picked, type PickMessage, readPickMessage } from "./picked.ts";
import { reasonWords } from "./reason-words.ts";
import { applyEdit, type Reason } from "./source-element.ts";
import { usesTailwind } from "./tailwind.ts";
import { words } from "../words/words.ts";

/** A message to the page in the frame. */
export type FrameMessage =
  | { type: "pick"; on: boolean }
  | { type: "drop" }
  | { type: "move"; to: number }
  /** Moves the selected element before its previous or after its next sibling. */
  | { type: "shift"; by: -1 | 1 }
  | { type: "again"; path: Picked["path"] }
  | {
      type: "try";
      text?: string;
      classes?: string;
      property?: string;
      value?: string;
      rule?: boolean;
    }
  | { type: "try"; back: true };

type Moved = Extract<PickMessage, { type: "moved" }>;

export type Visual = ReturnType<typeof useVisual>;

/**
 * Picks an element of the page in the frame and changes it in its source.
 * @param page the path and query that the frame shows
 */
export function useVisual(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
  page: string,
) {
  const project = useProjectId();
  const known = useKnownFiles();
  const files = useMemo(() => [...known], [known]);
  const [picking, setPicking] = useState(false);
  const [picked, setPicked] = useState<Picked>();
  /** Further elements, selected with Shift. */
  const [more, setMore] = useState<Picked[]>([]);
  const [moved, setMoved] = useState<Moved>();
  const [problem, setProblem] = useState<string>();
  /** The applied changes, the newest last, each with its edits; `undoable` is their number. */
  const edits = useRef<PlannedEdit[][]>([]);
  const [undoable, setUndoable] = useState(0);
  const line = useRef(Promise.resolve());
  const tried = useRef<TriedWords>(undefined);
  const { data: tailwind = false } = useQuery({
    queryKey: ["tailwind", project],
    enabled: picked !== undefined,
    queryFn: async ({ signal }) => {
      const texts = ["package.json", "index.html"].map(async (name) => {
        const found = files.find((path) => path === name);
        return found ? ((await readFile(project, found, signal)).text ?? "") : "";
      });
      const [manifest = "", page = ""] = await Promise.all(texts);
      return usesTailwind(manifest, page);
    },
  });
  const sources: Sources = { files, tailwind, read: (path) => readFile(project, path) };

  const send = (message: FrameMessage) =>
    frame.current?.contentWindow?.postMessage(
      { ...message, type: `treadle:${message.type}` },
      origin,
    );
  useFrameMessages(
    frame,
    origin,
    useCallback((data: unknown) => {
      const message = readPickMessage(data);
      if (message?.type === "picking") setPicking(message.on);
      if (message?.type === "picked") {
        setPicked(asWritten(message.element, tried.current));
        setMore(message.more);
        if (!message.element) setProblem(undefined);
      }
      if (message?.type === "moved") setMoved(message);
    }, []),
  );

  async function write(planned: readonly PlannedEdit[]): Promise<void> {
    const written: PlannedEdit[] = [];
    try {
      for (const one of planned) {
        const after = applyEdit(one.before, one.edit);
        if (after === one.before) continue;
        await writeFile(project, one.path, after, one.version);
        written.push(one);
      }
    } finally {
      if (written.length > 0) edits.current.push(written);
      setUndoable(edits.current.length);
    }
  }

  function putBack(): void {
    tried.current = undefined;
    send({ type: "try", back: true });
  }

  /** Call once the source has the text that the page shows. */
  function settle(element: Picked, text: string): void {
    // Another text may have been entered meanwhile.
    if (tried.current?.words === text) tried.current = undefined;
    else if (tried.current) tried.current = { ...tried.current, written: text };
    setPicked((now) => (now?.text === element.text ? { ...now, text } : now));
  }

  /**
   * Plans a change and writes it to the source; plans once more if somebody else wrote first. Resolves with whether it
   * was written; otherwise `problem` says why not.
   */
  async function carryOut(
    plan: () => Promise<{ edits: PlannedEdit[] } | { refused: Reason }>,
  ): Promise<boolean> {
    setProblem(undefined);
    try {
      await saveEdits();
      for (let again = false; ; again = true) {
        const planned = await plan();
        if ("refused" in planned) {
          putBack();
          setProblem(reasonWords(planned.refused));
          return false;
        }
        try {
          await write(planned.edits);
          return true;
        } catch (error) {
          if (again || !(error instanceof FileConflict)) throw error;
        }
      }
    } catch (error) {
      putBack();
      setProblem(sentence(error));
      return false;
    }
  }

  async function changeAll(change: Change, chosen: Picked, others: Picked[]): Promise<void> {
    const isDone = await carryOut(async () => {
      const planned: PlannedEdit[] = [];
      for (const one of [asWritten(chosen, tried.current), ...others]) {
        const found = await planChange(one, changeFor(one, change), sources);
        if ("refused" in found) return found;
        planned.push(found);
      }
      return joinEdits(planned);
    });
    if (isDone && change.kind === "words") settle(asWritten(chosen, tried.current), change.words);
  }

  async function move(asked: Move, path: Picked["path"]): Promise<void> {
    const isDone = await carryOut(async () => {
      const planned = await planMove(asked, sources);
      return "refused" in planned ? planned : { edits: [planned] };
    });
    // The element is selected where it is from now on.
    if (isDone) send({ type: "again", path });
  }
  const onMoved = useEffectEvent(({ move: asked, path }: Moved) => {
    line.current = line.current.then(() => move(asked, path));
  });
  useEffect(() => {
    if (moved) onMoved(moved);
  }, [moved]);

  async function takeBack(planned: PlannedEdit): Promise<void> {
    const { path, before, edit } = planned;
    const { text = "", version } = await readFile(project, path);
    const end = edit.from + edit.insert.length;
    const around = text.slice(0, edit.from) === before.slice(0, edit.from);
    if (!around || text.slice(edit.from, end) !== edit.insert)
      throw new Error(words.visual.changedSince({ path }));
    const back = { from: edit.from, to: end, insert: before.slice(edit.from, edit.to) };
    await writeFile(project, toProjectPath(path), applyEdit(text, back), version);
  }

  /**
   * Shows text in the page at each key press; it is written to the source when the person has finished. Undefined
   * restores the original.
   */
  function tryWords(text: string | undefined): void {
    if (!picked || text?.trim() === "") return;
    const { text: written, path } = picked;
    tried.current = text === undefined ? undefined : { words: text, written, path };
    send({ type: "try", text: text ?? written });
  }

  return {
    page,
    picking,
    picked,
    more,
    problem,
    sources,
    canUndo: undoable > 0,
    send,
    tryWords,
    pick(on: boolean) {
      tried.current = undefined;
      setProblem(undefined);
      setPicking(on);
      if (on) frame.current?.focus();
      send({ type: "pick", on });
    },
    close() {
      tried.current = undefined;
      send({ type: "drop" });
      setPicked(undefined);
      setMore([]);
      setPicking(false);
      setProblem(undefined);
    },
    /** Shows a change in the page and writes it to the source, one change at a time. */
    change(change: Change, shown?: FrameMessage) {
      if (!picked) return;
      if (shown) send(shown);
      line.current = line.current.then(() => changeAll(change, picked, more));
    },
    undo() {
      setProblem(undefined);
      // The newest edit is known only after all earlier ones have been written.
      line.current = line.current.then(async () => {
        const last = edits.current.pop();
        setUndoable(edits.current.length);
        try {
          for (const one of last?.toReversed() ?? []) await takeBack(one);
        } catch (error) {
          setProblem(sentence(error));
        }
      });
    },
  };
}

/** A change of several elements, as it applies to one of them: only class names that the element has are removed. */
function changeFor({ classes }: Picked, change: Change): Change {
  if (change.kind !== "classes") return change;
  const present = new Set(classes.split(/\s+/));
  return { ...change, remove: change.remove?.filter((name) => present.has(name)) ?? [] };
}
