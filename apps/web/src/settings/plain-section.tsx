import type { ReactNode } from "react";

/** A section of the settings with its heading. */
export function PlainSection({
  id,
  title,
  about,
  children,
}: {
  id: string;
  title: string;
  about?: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={`settings-${id}`}>
      <h3 id={`settings-${id}`} className="font-semibold">
        {title}
      </h3>
      {about !== undefined && <p className="mt-1 text-small text-quiet">{about}</p>}
      <div className="mt-2">{children}</div>
    </section>
  );
}
