import { isRunning } from "@treadle/protocol/fold";
import type { TodoItem } from "@treadle/protocol";
import { useState } from "react";
import { changeTodo } from "../api/todo.ts";
import { isTodoFinished } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { IconButton } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { useNarrow } from "../ui/use-narrow.ts";
import { visible } from "@treadle/protocol/safe-text";
import { ChevronRight, X } from "../ui/icons.ts";
import { add, reword, removeItem, toggleDone, type Change } from "./todo-changes.ts";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";

/** The to-do list: the model maintains it, and the person may edit it at any time. Draws nothing if the list is empty. */
export function TodoCard() {
  const items = useView((view) => view.todo);
  const isOver = useView(isTodoFinished);
  return items && items.length > 0 && !isOver ? <Card items={items} /> : null;
}

function Card({ items: loggedItems }: { items: readonly TodoItem[] }) {
  const project = useProjectId();
  const narrow = useNarrow();
  const working = useView(isRunning);
  const { act, problem } = useAct();
  const [chosen, setChosen] = useState<boolean>();
  // The person's edits show at once; the log then replaces them.
  const [made, setMade] = useState<{ base: readonly TodoItem[]; items: TodoItem[] }>();
  const items = made?.base === loggedItems ? made.items : loggedItems;
  const doneCount = items.filter(({ status }) => status === "done").length;
  const open = chosen ?? (!narrow && doneCount < items.length);
  const doing = items.find(({ status }) => status === "doing");
  const change = (how: Change) => {
    setMade({ base: loggedItems, items: how(items) });
    void act(() =>
      changeTodo(project, loggedItems, how).catch((error: unknown) => {
        setMade(undefined);
        throw error;
      }),
    );
  };
  return (
    <section
      aria-label={words.conversation.todo}
      className="mx-auto w-full max-w-190 shrink-0 px-3 pb-2"
    >
      <div className="rounded border border-line bg-raised px-3 py-1">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setChosen(!open)}
          className="-mx-1 flex w-[calc(100%+8px)] min-w-0 items-center gap-1.5 rounded px-1 py-0.5 text-left hover:bg-hover pointer-coarse:min-h-11"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={`shrink-0 text-quiet transition-transform duration-(--appear) ${open ? "rotate-90" : ""}`}
          />
          <span className="font-semibold">{words.conversation.todo}</span>
          {!open && doing && (
            <span dir="auto" className="min-w-0 truncate text-quiet">
              {visible(doing.text)}
            </span>
          )}
          <span className="numbers ml-auto shrink-0 pl-2 text-small text-quiet">
            {words.conversation.done({ done: doneCount, all: items.length })}
          </span>
        </button>
        {open && (
          <>
            <ul className="max-h-[30vh] overflow-y-auto">
              {items.map((item, index) => (
                <Item
                  key={`${index} ${item.text}`}
                  item={item}
                  now={working && item.status === "doing"}
                  onTick={() => change(toggleDone(item))}
                  onReword={(typed) => change(reword(item, typed))}
                  onTakeOff={() => change(removeItem(item))}
                />
              ))}
            </ul>
            <Add onAdd={(typed) => change(add(typed))} />
          </>
        )}
        {problem && (
          <p role="alert" className="py-1 text-small text-failed">
            {problem}
          </p>
        )}
      </div>
    </section>
  );
}

function Item(props: {
  item: TodoItem;
  /** Whether the model is working on the item now. */
  now: boolean;
  onTick: () => void;
  onReword: (typed: string) => void;
  onTakeOff: () => void;
}) {
  const { item, now, onTick, onReword, onTakeOff } = props;
  const [typed, setTyped] = useState<string>();
  const { status } = item;
  const text = visible(item.text);
  const settle = () => {
    if (typed !== undefined && typed.trim() !== item.text) onReword(typed);
    setTyped(undefined);
  };
  return (
    <li
      dir="auto"
      aria-current={now ? "step" : undefined}
      className="flex items-center gap-2 pointer-coarse:min-h-11"
    >
      <input
        type="checkbox"
        aria-label={text}
        checked={status === "done"}
        onChange={onTick}
        className="size-4 shrink-0 accent-(--accent) pointer-coarse:size-5"
      />
      {typed === undefined ? (
        <button
          type="button"
          title={words.conversation.changeWords}
          onClick={() => setTyped(item.text)}
          className={`min-w-0 flex-1 rounded px-1 py-0.5 text-start break-words hover:bg-hover ${
            status === "done" ? "text-quiet line-through" : now ? "text-accent" : ""
          }`}
        >
          {text}
          {now && <span className="text-small">{words.conversation.now}</span>}
        </button>
      ) : (
        <input
          dir="auto"
          aria-label={words.conversation.theWords}
          autoFocus
          value={typed}
          maxLength={500}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={settle}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent)) return;
            if (event.key === "Enter") settle();
            if (event.key === "Escape") setTyped(undefined);
          }}
          className="h-7 min-w-0 flex-1 rounded border border-edge bg-paper px-1"
        />
      )}
      <IconButton name={words.conversation.takeOff({ text })} onClick={onTakeOff}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </li>
  );
}

function Add({ onAdd }: { onAdd: (typed: string) => void }) {
  const [typed, setTyped] = useState("");
  return (
    <form
      className="py-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === "") return;
        onAdd(typed);
        setTyped("");
      }}
    >
      <input
        dir="auto"
        aria-label={words.conversation.add}
        placeholder={words.conversation.addHint}
        value={typed}
        maxLength={500}
        onChange={(event) => setTyped(event.target.value)}
        className="h-7 w-full rounded border border-transparent bg-transparent px-1 text-small hover:border-edge focus:border-edge focus:bg-paper pointer-coarse:h-11"
      />
    </form>
  );
}
