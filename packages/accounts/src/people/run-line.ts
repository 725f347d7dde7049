import type { Quotas } from "@treadle/protocol";

/** Milliseconds until room for a sandbox is looked for again. */
const AGAIN_MS = 1_000;

/**
 * The line in which runs of all projects wait for a place. Many runs of one person do not hold up another person's
 * run.
 */
export interface RunLine {
  /**
   * Waits for a place. Resolves with a function that gives it back; rejects with the signal's reason.
   * @param who the person; all their runs share one limit and one turn
   */
  enter(who: string, project: string, signal: AbortSignal): Promise<() => void>;
  /** The place of a project's waiting run, from 1; undefined if none waits. */
  positionOf(project: string): number | undefined;
  /** Reads the limits again, and admits the runs that they now allow. */
  limitsChanged(): Promise<void>;
}

/** A person who had a run since the line was last empty. */
interface Person {
  active: number;
  /** The number of the person's last admitted run, counted over all people: the smaller, the longer ago. */
  admitted: number;
}

export interface Waiting {
  id: number;
  who: string;
  project: string;
}

export interface LineState {
  people: ReadonlyMap<string, Person>;
  /** In order of arrival. */
  waiting: readonly Waiting[];
  /** Runs admitted so far. */
  count: number;
}

type Limits = Pick<Quotas, "runs" | "runsPerPerson">;

/**
 * The run that is admitted next: of the people who have a run waiting, the one with the fewest active runs and,
 * among these, the one whose last admission is longest ago; of that person's runs the first. Undefined if none may
 * begin.
 * @param blocked ids of runs that are passed over
 */
export function nextInLine(
  { people, waiting }: LineState,
  { runs = Infinity, runsPerPerson = Infinity }: Limits,
  blocked: ReadonlySet<number> = new Set(),
): Waiting | undefined {
  const personOf = ({ who }: Waiting) => people.get(who) ?? { active: 0, admitted: 0 };
  const active = [...people.values()].reduce((sum, person) => sum + person.active, 0);
  if (active >= runs) return undefined;
  return waiting
    .filter((one) => personOf(one).active < runsPerPerson && !blocked.has(one.id))
    .toSorted((a, b) => {
      const [first, second] = [personOf(a), personOf(b)];
      return first.active - second.active || first.admitted - second.admitted || a.id - b.id;
    })[0];
}

/** The line after a run was admitted. */
export function admit({ people, waiting, count }: LineState, { id, who }: Waiting): LineState {
  const { active = 0 } = people.get(who) ?? {};
  return {
    people: new Map([...people, [who, { active: active + 1, admitted: count + 1 }]]),
    waiting: waiting.filter((one) => one.id !== id),
    count: count + 1,
  };
}

/**
 * The waiting runs in the order in which they would begin as things are; runs that are added or end meanwhile may
 * change it.
 */
export function orderOf(state: LineState): Waiting[] {
  const order: Waiting[] = [];
  let rest = state;
  for (let next = nextInLine(rest, {}); next; next = nextInLine(rest, {})) {
    order.push(next);
    rest = admit(rest, next);
  }
  return order;
}

/**
 * Creates an empty line.
 * @param readLimits called for each run, so that a change applies at once
 * @param hasRoom whether a project's sandbox could be open as well now, beside those of the projects `active`, which
 * have a run; a run that has no room is passed over. Absent: always
 */
export function createRunLine(
  readLimits: () => Promise<Limits>,
  hasRoom: (project: string, active: string[]) => Promise<boolean> = async () => true,
): RunLine {
  let state: LineState = { people: new Map(), waiting: [], count: 0 };
  let limits: Limits = {};
  let ids = 0;
  const admitted = new Map<number, () => void>();
  /** Projects of the runs that have a place, by run. */
  const active = new Map<number, string>();
  let passes: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Admits all runs that may begin. Sandboxes close without notice, so it looks again while any run waits. */
  function advance(): Promise<void> {
    passes = passes.then(pass).catch(() => undefined);
    return passes;
  }
  async function pass(): Promise<void> {
    const blocked = new Set<number>();
    for (let next = nextInLine(state, limits); next; next = nextInLine(state, limits, blocked)) {
      const { id, project } = next;
      const isFree = await hasRoom(project, [...active.values()]);
      // It may have left the line meanwhile.
      if (!isFree || !admitted.has(id)) {
        blocked.add(id);
        continue;
      }
      state = admit(state, next);
      active.set(id, project);
      admitted.get(id)!();
      admitted.delete(id);
    }
    clearTimeout(timer);
    timer = blocked.size > 0 ? setTimeout(() => void advance(), AGAIN_MS).unref() : undefined;
  }
  function leave(who: string): void {
    const person = state.people.get(who)!;
    const people = new Map([...state.people, [who, { ...person, active: person.active - 1 }]]);
    // The order of people only matters while somebody has a run.
    const isOver = state.waiting.length === 0 && [...people.values()].every(({ active }) => active === 0); // prettier-ignore
    state = { ...state, people: isOver ? new Map() : people };
    void advance();
  }

  return {
    async enter(who, project, signal) {
      limits = await readLimits();
      signal.throwIfAborted();
      const id = ++ids;
      await new Promise<void>((resolve, reject) => {
        const withdraw = () => {
          state = { ...state, waiting: state.waiting.filter((one) => one.id !== id) };
          admitted.delete(id);
          reject(signal.reason as Error);
        };
        admitted.set(id, () => {
          signal.removeEventListener("abort", withdraw);
          resolve();
        });
        signal.addEventListener("abort", withdraw, { once: true });
        state = { ...state, waiting: [...state.waiting, { id, who, project }] };
        void advance();
      });
      let isGiven = true;
      return () => {
        active.delete(id);
        if (isGiven) leave(who);
        isGiven = false;
      };
    },
    positionOf(project) {
      const at = orderOf(state).findIndex((one) => one.project === project);
      return at < 0 ? undefined : at + 1;
    },
    async limitsChanged() {
      limits = await readLimits();
      await advance();
    },
  };
}
