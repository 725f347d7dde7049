import { isDemand, isSetting, type PageStep } from "@treadle/protocol/checks";
import { lookFor } from "./steps/expectation.ts";
import type { Person } from "./steps/person.ts";

/** People by the name in their steps; the first has none. */
export type Persons = ReadonlyMap<string | undefined, Person>;

/**
 * Checks before the first action, and before each one, whether the following expectations already
 * hold. One that held both times proves nothing about the action.
 */
export function watchExpectations(persons: Persons, steps: readonly PageStep[]) {
  const atFirst = new Set<PageStep>();
  const vacuous = new Set<PageStep>();
  const holdsFor = async (person: Person | undefined, step: PageStep) =>
    person !== undefined && (await isThere(person, step));
  return {
    /** Call before the step is taken. */
    async before(index: number): Promise<void> {
      if (index === 0)
        // A person who has not opened the app yet would see the same as the first, as both are new.
        for (const step of steps.filter(isDemand))
          if (await holdsFor(persons.get(step.as) ?? persons.get(undefined), step))
            atFirst.add(step);
      const step = steps[index];
      if (!step || isDemand(step) || isSetting(step)) return;
      for (let next = index + 1; next < steps.length && isDemand(steps[next]!); next++)
        if (
          atFirst.has(steps[next]!) &&
          (await holdsFor(persons.get(steps[next]!.as), steps[next]!))
        )
          vacuous.add(steps[next]!);
    },
    alreadyHeld: (index: number) => vacuous.has(steps[index]!),
  };
}

/** Whether an expectation holds now. Never rejects. */
export const isThere = (person: Person, step: PageStep): Promise<boolean> =>
  lookFor(person, step).then(
    (seen) => seen === undefined,
    () => false,
  );
