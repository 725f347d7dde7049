/** The result of a transition: the next state, and the effects to perform in order. */
export interface Step<State, Effect> {
  readonly state: State;
  readonly effects: readonly Effect[];
}

/** A pure, total function: returns a step for every event in every state, and mutates nothing. */
export type Transition<State, Event, Effect> = (state: State, event: Event) => Step<State, Effect>;

/** A running state machine: accepts events, and performs their effects. */
export interface Lifecycle<State, Event> {
  readonly state: State;
  /**
   * Applies an event. An event that is sent while another one is applied (by an effect) is applied after it, before the
   * outer call returns.
   * @throws what an effect threw, once all effects and events have been dealt with
   */
  send(event: Event): void;
}

/**
 * Runs a state machine. The machine decides, `perform` acts: it starts an effect and returns at
 * once, and the result of the effect is sent as an event. An effect that throws does not prevent
 * others.
 * @param onStep called after each event, once its effects have started
 */
export function createLifecycle<State, Event, Effect>(
  initial: State,
  transition: Transition<State, Event, Effect>,
  perform: (effect: Effect) => void,
  onStep: (state: State) => void = () => {},
): Lifecycle<State, Event> {
  let state = initial;
  let isApplying = false;
  const waiting: Event[] = [];

  return {
    get state() {
      return state;
    },
    send(event) {
      waiting.push(event);
      if (isApplying) return;
      isApplying = true;
      const errors: unknown[] = [];
      const attempt = (act: () => void) => {
        try {
          act();
        } catch (error) {
          errors.push(error);
        }
      };
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const step = transition(state, next);
        state = step.state;
        for (const effect of step.effects) attempt(() => perform(effect));
        attempt(() => onStep(state));
      }
      isApplying = false;
      if (errors.length > 0) throw errors[0];
    },
  };
}
