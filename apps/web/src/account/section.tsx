import { useId, type ReactNode } from "react";
import { sentence } from "../api/request.ts";

/** A section of a page about people, with its title and the last error of its actions. */
export function Section({
  title,
  about,
  problem,
  children,
}: {
  title: string;
  about?: string;
  problem?: Error | string | null | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {about !== undefined && <p className="mt-0.5 text-small text-quiet">{about}</p>}
      <div className="mt-2 space-y-2">{children}</div>
      {problem && (
        <p role="alert" className="mt-2 text-small text-failed">
          {sentence(problem)}
        </p>
      )}
    </section>
  );
}

/** A bordered list of rows. */
export function Rows({ name, children }: { name: string; children: ReactNode }) {
  return (
    <ul aria-label={name} className="rounded border border-line empty:hidden">
      {children}
    </ul>
  );
}

/** One row: a name, a line about it, and its controls, which are below the text on a narrow page. */
export function Row({
  name,
  about,
  children,
}: {
  name: ReactNode;
  about?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 last:border-0">
      <div className="min-w-40 flex-1">
        <p dir="auto" className="font-medium break-words">
          {name}
        </p>
        {about !== undefined && about !== "" && (
          <p className="numbers text-small break-words text-quiet">{about}</p>
        )}
      </div>
      {children && <div className="flex flex-wrap items-center gap-1">{children}</div>}
    </li>
  );
}
