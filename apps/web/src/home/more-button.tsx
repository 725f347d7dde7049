import { Suspense, useState } from "react";
import { Ellipsis } from "../ui/icons.ts";
import { words, withWords } from "../words/words.ts";
import { MORE_BUTTON, type MoreProps } from "./more-props.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

// Loaded lazily, because most people open a project and none of its menus.
const { Part: ProjectMenu, load: loadMenu } = lazyPart(() =>
  withWords(import("./project-menu.tsx")),
);

/** Opens the actions for a project; the menu itself is loaded on demand. */
export function MoreButton(props: MoreProps) {
  const [asked, setAsked] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={words.home.moreFor({ name: props.project.name })}
      aria-haspopup="menu"
      aria-expanded={false}
      title={words.home.more}
      className={MORE_BUTTON}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => setAsked(true)}
    >
      <Ellipsis size={16} aria-hidden="true" />
    </button>
  );
  if (!asked) return button;
  return (
    <Suspense fallback={button}>
      <ProjectMenu {...props} />
    </Suspense>
  );
}
