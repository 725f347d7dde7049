import type { ProjectSummary } from "@treadle/protocol";
import { pictureAddress } from "../api/projects.ts";
import { LoopMark } from "../ui/loop-mark.tsx";

/** The picture of the project's page from its latest look. */
export function ProjectPicture({ id, picture }: Pick<ProjectSummary, "id" | "picture">) {
  return (
    <span className="relative flex aspect-8/5 items-center justify-center overflow-hidden rounded border border-line bg-raised text-line group-hover:border-edge wide:mb-2">
      <span className="opacity-40">
        <LoopMark />
      </span>
      {picture !== undefined && (
        <img
          src={pictureAddress(id, picture)}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover object-top"
          onError={({ currentTarget }) => (currentTarget.hidden = true)}
        />
      )}
    </span>
  );
}
