import type { Quotas } from "@treadle/protocol";

/** Runs of all projects in one line. Nobody's many runs keep another person's one waiting. */
export interface RunLine {
  /**
   * Waits for a place. Resolves with a function that gives it back; rejects with the signal's reason.
   * @param who the person; their runs share what is theirs
   */
  enter(who: string, project: string, signal: AbortSignal): Promise<() => void>;
  /** The place of a project's waiting run, from 1; undefined if none waits. */
  positionOf(project: string): number | undefined;
  /** Admits whoever may go on after the limits have changed. */
  limitsChanged(): Promise<void>;
}

/** A person's runs. Whoever has runs is in the table of `LineState`. */
interface Person {
  active: number;
  /** When a run of theirs was admitted last: a count, not a time. */
  admitted: number;
}

export interface Waiting {
  id: number;
  who: string;
  project: string;
}

export interface LineState {
  people: ReadonlyMap<string, Person>;
  /** In the order in which they came. */
  waiting: readonly Waiting[];
  /** Runs admitted so far. */
  count: number;
}

type Limits = Pick<Quotas, "runs" | "runsPerPerson">;

/**
 * Who is next: of the people who have a run waiting, the one with the fewest active runs and, among these, the one who
 * was not admitted for longest; of their runs the first. Undefined if nobody may begin.
 */
export function nextInLine(
  { people, waiting }: LineState,
  { runs = Infinity, runsPerPerson = Infinity }: Limits,
): Waiting | undefined {
  const personOf = ({ who }: Waiting) => people.get(who) ?? { active: 0, admitted: 0 };
  const active = [...people.values()].reduce((sum, person) => sum + person.active, 0);
  if (active >= runs) return undefined;
  return waiting
    .filter((one) => personOf(one).active < runsPerPerson)
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

/** The waiting runs in the order in which they will begin, as far as that can be said now. */
export function orderOf(state: LineState): Waiting[] {
  const order: Waiting[] = [];
  let rest = state;
  for (let next = nextInLine(rest, {}); next; next = nextInLine(rest, {})) {
    order.push(next);
    rest = admit(rest, next);
  }
  return order;
}

/** @param readLimits asked each time, so that a change applies at once */
export function createRunLine(readLimits: () => Promise<Limits>): RunLine {
  let state: LineState = { people: new Map(), waiting: [], count: 0 };
  let limits: Limits = {};
  let ids = 0;
  const admitted = new Map<number, () => void>();

  function advance(): void {
    for (let next = nextInLine(state, limits); next; next = nextInLine(state, limits)) {
      state = admit(state, next);
      admitted.get(next.id)?.();
      admitted.delete(next.id);
    }
  }
  function leave(who: string): void {
    const person = state.people.get(who)!;
    const people = new Map([...state.people, [who, { ...person, active: person.active - 1 }]]);
    // Turns only matter while somebody is in the line.
    const isOver = state.waiting.length === 0 && [...people.values()].every(({ active }) => active === 0); // prettier-ignore
    state = { ...state, people: isOver ? new Map() : people };
    advance();
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
        advance();
      });
      let isGiven = true;
      return () => {
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
      advance();
    },
  };
}
