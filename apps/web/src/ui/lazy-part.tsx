import { lazy, useState, type ComponentType } from "react";

/**
 * A part of the page that is loaded when it is first shown, and drawn at once where it was loaded before. React's own `lazy`
 * waits once more even then, and what stood in its place for a moment stays for 300 ms.
 * @returns the part, and what loads it ahead
 */
export function lazyPart<Props extends object>(
  from: () => Promise<{ default: ComponentType<Props> }>,
): { Part: ComponentType<Props>; load: () => Promise<unknown> } {
  let there: ComponentType<Props> | undefined;
  const load = async () => {
    const part = await from();
    there = part.default;
    return part;
  };
  const Later = lazy(load) as ComponentType<Props>;
  function Part(props: Props) {
    // What was begun with stays: the other one would begin anew.
    const [Shown] = useState(() => there ?? Later);
    return <Shown {...props} />;
  }
  return { Part, load };
}
