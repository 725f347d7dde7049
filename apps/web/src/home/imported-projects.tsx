import { Link } from "@tanstack/react-router";
import { visible } from "@treadle/protocol/safe-text";
import type { ImportedProject } from "../api/upload.ts";
import { buttonClass } from "../ui/button.tsx";
import { codedWords } from "../words/coded-words.ts";
import { words } from "../words/words.ts";

/** The imported projects, if there are several to choose from or notes to read before opening one. */
export function ImportedProjects({ projects }: { projects: readonly ImportedProject[] }) {
  return (
    <ul role="status" aria-label={words.home.taken} className="space-y-2 px-2 pt-1">
      {projects.map(({ id, name, notes }) => (
        <li key={id} className="flex flex-col items-start gap-1">
          {notes.map(({ text, coded }) => (
            <p key={text}>{visible(codedWords(text, coded))}</p>
          ))}
          <Link to="/p/$project" params={{ project: id }} className={buttonClass()}>
            {projects.length === 1
              ? words.home.gitOpen
              : words.home.openNamed({ name: visible(name) })}
          </Link>
        </li>
      ))}
    </ul>
  );
}
