import type { Accounts, Action, Authority, Holder, Principal } from "@treadle/accounts";

/**
 * How often open connections are checked again at the latest, since sessions can also expire. Those of an access link
 * end at its date. In milliseconds.
 */
const CHECK_MS = 30_000;

interface Connection {
  principal: Principal;
  action: Action;
  holder: Holder | undefined;
  end(): void;
}

/** Ends open connections whose session, role or account has ended. */
export interface LiveAccess {
  /**
   * Watches a connection, and ends it once its principal may no longer do the action.
   * @returns a function that stops watching; call it when the connection has closed
   */
  watch(connection: Connection): () => void;
  close(): void;
}

export function createLiveAccess(
  { refresh, onChange, accessLinks }: Pick<Accounts, "refresh" | "onChange" | "accessLinks">,
  authority: Authority,
  now: () => number,
): LiveAccess {
  const open = new Set<Connection>();

  async function check(connection: Connection): Promise<void> {
    const { principal, action, holder } = connection;
    const current = await refresh(principal);
    if ((await authority.decide(current, action, holder)) === "allowed" || !open.has(connection))
      return;
    open.delete(connection);
    connection.end();
  }

  /** Checks all open connections, and ends those that cannot be checked. */
  const checkAll = () => {
    for (const connection of open)
      check(connection).catch(() => {
        if (open.delete(connection)) connection.end();
      });
  };
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** When the timer fires. */
  let dueAt = Infinity;
  function checkBy(at: number): void {
    if (isClosed || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => {
      dueAt = Infinity;
      checkAll();
      void schedule();
    }, at - now()).unref();
  }
  async function schedule(): Promise<void> {
    const at = now();
    checkBy(at + CHECK_MS);
    const expiry = await accessLinks.nextExpiry(at).catch(() => undefined);
    if (expiry !== undefined) checkBy(expiry);
  }
  void schedule();
  const unfollow = onChange(checkAll);
  return {
    watch(connection) {
      open.add(connection);
      // Its link may expire before any that was known.
      void schedule();
      return () => void open.delete(connection);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      unfollow();
    },
  };
}
