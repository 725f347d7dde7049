import { pictureOf } from "@treadle/protocol/fold";
import { pictureAddress } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";

/** A small picture of a revision, to recognise it by; an empty frame if there is none. */
export function SeenPicture({ revision }: { revision: string }) {
  const project = useProjectId();
  const picture = useView((view) => pictureOf(view.known.get(revision)?.evidence));
  return (
    <span className="block h-10 w-16 shrink-0 overflow-hidden rounded border border-line bg-paper">
      {picture !== undefined && (
        <img
          src={pictureAddress(project, picture)}
          alt=""
          loading="lazy"
          className="size-full object-cover object-top"
          onError={({ currentTarget }) => (currentTarget.hidden = true)}
        />
      )}
    </span>
  );
}
