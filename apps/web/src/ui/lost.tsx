import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LoopMark } from "./loop-mark.tsx";
import { buttonClass } from "./button.tsx";
import { ReloadButton } from "./reload-button.tsx";
import { words } from "../words/words.ts";

/** A full page with a single message and a way back. */
export function Lost({
  title,
  reloads = false,
  children,
}: {
  title: string;
  /** Whether to offer reloading the page. */
  reloads?: boolean;
  children: ReactNode;
}) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="outline-none mx-auto flex min-h-full max-w-110 flex-col justify-center gap-3 p-6"
    >
      <LoopMark size={28} />
      <h1 className="text-title font-semibold">{title}</h1>
      <p className="text-quiet">{children}</p>
      <div className="flex flex-wrap gap-2">
        {reloads && <ReloadButton kind="primary" size="medium" />}
        <Link to="/" className={buttonClass("plain", "medium")}>
          {words.ui.allProjects}
        </Link>
      </div>
    </main>
  );
}
