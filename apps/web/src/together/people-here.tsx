import type { Present } from "@treadle/protocol";
import { useEffect, useEffectEvent } from "react";
import { readProjectPath } from "@treadle/protocol/project-path";
import { useMay } from "../project/use-may.ts";
import { useWork } from "../project/work-store.ts";
import { useProjectId } from "../live/live-context.tsx";
import { initials } from "../ui/initials.ts";
import { words } from "../words/words.ts";
import { connectTogether } from "./together-line.ts";
import { useTogether } from "./together-store.ts";

/** Maximum number of people shown; the others are counted. */
const SHOWN = { wide: 5, narrow: 2 };

/**
 * The other people who have the project open, and the files that they look at. Connects to them while it is mounted.
 */
export default function PeopleHere({ narrow }: { narrow: boolean }) {
  useConnection();
  const people = useTogether((state) => state.people);
  const you = useTogether((state) => state.you);
  const ownId = people.find(({ id }) => id === you)?.person.id;
  const others = new Map<string, Present>();
  for (const one of people) if (one.person.id !== ownId) others.set(one.person.id, one);
  if (others.size === 0) return null;
  const shown = [...others.values()].slice(0, SHOWN[narrow ? "narrow" : "wide"]);
  const more = others.size - shown.length;
  return (
    <ul aria-label={words.together.here} className="mx-1 flex shrink-0 items-center gap-1">
      {shown.map((one) => (
        <li key={one.person.id} className="flex">
          <Avatar present={one} />
        </li>
      ))}
      {more > 0 && <li className="text-small text-quiet">{words.together.more({ more })}</li>}
    </ul>
  );
}

const AVATAR =
  "inline-flex size-6.5 items-center justify-center rounded-full border border-line bg-raised text-small font-semibold text-ink before:content-[attr(data-initials)]";

/** A person's initials, which open the file that they look at. */
function Avatar({ present: { person, place } }: { present: Present }) {
  const openFile = useWork((state) => state.openFile);
  const read = readProjectPath(place.path ?? "");
  const path = read.ok ? read.path : undefined;
  const { name } = person;
  const label = path ? words.together.inFile({ name, path }) : name;
  if (!path)
    return (
      <span
        role="img"
        aria-label={label}
        title={label}
        data-initials={initials(name)}
        className={AVATAR}
      />
    );
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      data-initials={initials(name)}
      className={`${AVATAR} hover:border-accent pointer-coarse:size-9`}
      onClick={() => openFile(path)}
    />
  );
}

function useConnection(): void {
  const project = useProjectId();
  // The server decides when it connects, so a changed role needs another connection.
  const mayEdit = useMay("project.edit");
  const tab = useWork((state) => state.tab);
  const path = useWork((state) => (state.tab === "code" ? state.path : undefined));
  const place = useEffectEvent(() => ({ type: "place" as const, place: { tab, path } }));
  useEffect(() => connectTogether(project, () => place()), [project, mayEdit]);
  useEffect(
    () => useTogether.getState().line?.send({ type: "place", place: { tab, path } }),
    [tab, path],
  );
}
