import {
  createContext,
  lazy,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ComponentType,
} from "react";
import { tellMissing } from "./missing-parts.ts";

const Asking = createContext({ again: () => {}, anew: () => {} });

/** In the place of a part that did not come: the rest of the page goes on, and says so. */
function Missing({ onClose }: { onClose?: () => void }) {
  const { again, anew } = useContext(Asking);
  useEffect(() => {
    const takeBack = tellMissing({ again, close: onClose });
    return () => {
      takeBack();
      // Whoever shows it the next time asks for it anew.
      anew();
    };
  }, [again, anew, onClose]);
  return null;
}

/**
 * A part of the page that is loaded when it is first shown, and drawn at once where it was loaded before. React's own `lazy`
 * waits once more even then, and what stood in its place for a moment stays for 300 ms; and where it could not be loaded, since
 * the server is away or another version, the whole page would be gone with it, for good.
 * @returns the part, and what loads it ahead, which never rejects
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
  // React keeps what came of it, a failure too.
  const begin = () =>
    lazy(() =>
      load().catch(() => ({ default: Missing as ComponentType<Props> })),
    ) as ComponentType<Props>;
  let Later = begin();
  const anew = () => {
    Later = begin();
  };
  function Part(props: Props) {
    // What was begun with stays: the other one would begin anew.
    const [Shown, setShown] = useState(() => there ?? Later);
    const asking = useMemo(() => {
      const again = () => {
        anew();
        setShown(() => there ?? Later);
      };
      return { again, anew };
    }, []);
    return (
      <Asking value={asking}>
        <Shown {...props} />
      </Asking>
    );
  }
  return { Part, load: () => load().catch(() => undefined) };
}
