import { isExpectation, isSetting, type PageStep } from "@treadle/protocol/checks";
import { lookFor } from "./steps/expectation.ts";
import type { Person } from "./steps/person.ts";

/** Persons by the name that their steps have; the first has none. */
export type Persons = ReadonlyMap<string | undefined, Person>;

/**
 * Looks, before anything is done and before each action, whether the expectations hold already that are to follow. One
 * that held at both moments says nothing of the action.
 */
export function watchExpectations(persons: Persons, steps: readonly PageStep[]) {
  const atFirst = new Set<PageStep>();
  const vacuous = new Set<PageStep>();
  const holds = async (step: PageStep) => {
    const person = persons.get(step.as);
    return person !== undefined && (await isThere(person, step));
  };
  return {
    /** Called before the step is taken. */
    async before(index: number): Promise<void> {
      if (index === 0)
        for (const step of steps.filter(isExpectation)) if (await holds(step)) atFirst.add(step);
      const step = steps[index];
      if (!step || isExpectation(step) || isSetting(step)) return;
      for (let next = index + 1; next < steps.length && isExpectation(steps[next]!); next++)
        if (atFirst.has(steps[next]!) && (await holds(steps[next]!))) vacuous.add(steps[next]!);
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
