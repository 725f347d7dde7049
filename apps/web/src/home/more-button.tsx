import { Ellipsis } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { words, withWords } from "../words/words.ts";
import { MORE_BUTTON, type MoreProps } from "./more-props.ts";

// Most people open a project, and none of its menus.
const loadMenu = () => withWords(import("./project-menu.tsx"));
const ProjectMenu = lazy(loadMenu);

/** Opens what can be done with a project; the menu itself comes when it is asked for. */
export function MoreButton(props: MoreProps) {
  const [asked, setAsked] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={words.home.moreFor(props.project.name)}
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
