import type { Accounts, Action, Authority, Holder, Principal } from "@treadle/accounts";

/** How often open connections are checked again, since sessions can also expire. In milliseconds. */
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
  { refresh, onChange }: Pick<Accounts, "refresh" | "onChange">,
  authority: Authority,
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
  const timer = setInterval(checkAll, CHECK_MS).unref();
  const unfollow = onChange(checkAll);
  return {
    watch(connection) {
      open.add(connection);
      return () => void open.delete(connection);
    },
    close() {
      clearInterval(timer);
      unfollow();
    },
  };
}
