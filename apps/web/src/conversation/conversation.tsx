import { useEffect, useRef } from "react";
import { useCommand } from "../commands/available.ts";
import { useMay } from "../project/use-may.ts";
import { useWork } from "../project/work-store.ts";
import { ArrowDown } from "../ui/icons.ts";
import { Composer } from "./composer.tsx";
import { DoingLine } from "./doing-line.tsx";
import { useProjectId } from "../live/live-context.tsx";
import { BudgetNotice } from "../spending/budget-notice.tsx";
import { LinePlace } from "./line-place.tsx";
import { FindBar } from "./find-bar.tsx";
import { closeFind, openFind, useFind } from "./find-store.ts";
import { RefusedNotice } from "./refused-notice.tsx";
import { SpokenText } from "./spoken-text.tsx";
import { TodoCard } from "./todo-card.tsx";
import { TurnList } from "./turn-list.tsx";
import { useFollowEnd } from "./use-follow-end.ts";
import { useHandedFocus } from "../ui/use-handed-focus.ts";
import { words } from "../words/words.ts";

/** The conversation, and the message field. */
export function Conversation() {
  const { outer, inner, atEnd, toEnd, leaveEnd } = useFollowEnd();
  const field = useRef<HTMLTextAreaElement>(null);
  const container = useRef<HTMLElement>(null);
  const rests = useHandedFocus(container, field, outer);
  const project = useProjectId();
  const mayEdit = useMay("project.edit");
  const isFinding = useFind((state) => state.project === project);
  useCommand("find", () => {
    useWork.getState().showPane("chat");
    openFind(project);
  });
  // A search stays open when the page's width changes, but not when another project is opened.
  useEffect(() => {
    if (useFind.getState().project !== project) closeFind();
  }, [project]);
  return (
    <>
      {/* Outside the conversation's section, because it repeats text of the section for screen readers. */}
      <SpokenText />
      <section
        ref={container}
        data-keys="conversation"
        aria-label={words.conversation.conversation}
        className="flex h-full min-w-0 flex-col"
      >
        {isFinding && <FindBar onClose={() => field.current?.focus()} />}
        <div className="relative min-h-0 flex-1">
          <div
            ref={outer}
            className="relative h-full overflow-y-auto overscroll-contain"
            tabIndex={-1}
          >
            <div ref={inner} className="mx-auto max-w-190 space-y-6 p-4">
              <TurnList outer={outer} atEnd={atEnd} leaveEnd={leaveEnd} />
            </div>
          </div>
          {!atEnd && (
            <button
              type="button"
              onClick={toEnd}
              className="absolute bottom-2 left-1/2 inline-flex h-7 -translate-x-1/2 items-center gap-1 rounded-full border border-line bg-raised px-3 text-small shadow-float hover:bg-hover pointer-coarse:h-11"
            >
              <ArrowDown size={14} aria-hidden="true" /> {words.conversation.latest}
            </button>
          )}
        </div>
        <TodoCard />
        <RefusedNotice />
        <DoingLine />
        {mayEdit && <LinePlace />}
        {mayEdit && <BudgetNotice />}
        {mayEdit ? (
          <Composer field={field} rests={rests} onSent={toEnd} />
        ) : (
          <p className="mx-auto w-full max-w-190 border-t border-line px-4 py-3 text-quiet">
            {words.members.readOnly}
          </p>
        )}
      </section>
    </>
  );
}
