import {
  createContext,
  lazy,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ComponentType,
} from "react";
import { registerMissing } from "./missing-parts.ts";
import { reloadPage } from "./reload-page.ts";

/** Milliseconds before each further attempt to load a part that failed to load; after the last it is reported. */
const AGAIN_MS = [500, 1500];

/** Loads something of the page, with two further tries. Rejects as the last one does. */
export const withFurtherTries = <Loaded,>(load: () => Promise<Loaded>): Promise<Loaded> =>
  AGAIN_MS.reduce(
    (loading, ms) =>
      loading.catch(async () => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return load();
      }),
    load(),
  );

const Asking = createContext({ again: () => Promise.resolve(), reload: () => {} });

/** Shown in place of a part that failed to load; the rest of the page continues to work. */
function Missing({ onClose }: { onClose?: () => void }) {
  const { again, reload } = useContext(Asking);
  useEffect(() => {
    const takeBack = registerMissing({ again, close: onClose });
    return () => {
      takeBack();
      // The next time that the part is mounted, it is loaded again.
      reload();
    };
  }, [again, reload, onClose]);
  return null;
}

/**
 * A part of the page that is loaded when first shown, and drawn at once if it was loaded before. React's `lazy`
 * suspends even then, and its fallback stays for 300 ms; and if loading failed, because the server is away or has
 * another version, the whole page would stay broken.
 * @returns the component, and a function that preloads it and never rejects
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
  /**
   * Loads the part, with further tries: whenever a network interface of the machine changes, as when a container starts,
   * a browser fails the requests that wait for a free connection, even those to this machine.
   */
  const loadInTime = () => withFurtherTries(load);
  // React caches the outcome, including a failure.
  const begin = () =>
    lazy(() =>
      loadInTime().catch(() => ({ default: Missing as ComponentType<Props> })),
    ) as ComponentType<Props>;
  let Later = begin();
  const reload = () => {
    Later = begin();
  };
  function Part(props: Props) {
    // Keeps the component that it started with, because switching would remount it.
    const [Shown, setShown] = useState(() => there ?? Later);
    const asking = useMemo(() => {
      const again = async () => {
        const part = await load().catch(() => undefined);
        // Chromium before 156 caches a failed import, or the server has another version: only a new page helps.
        if (!part) await reloadPage();
        setShown(() => there ?? Later);
      };
      return { again, reload };
    }, []);
    return (
      <Asking value={asking}>
        <Shown {...props} />
      </Asking>
    );
  }
  return { Part, load: () => load().catch(() => undefined) };
}
