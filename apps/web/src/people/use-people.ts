import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ServerRole } from "@treadle/protocol";
import { SERVER_ROLES } from "@treadle/protocol/accounts";
import { useMe } from "../api/account.ts";
import { PEOPLE_KEY, readPeople, readTeams, TEAMS_KEY } from "../api/people.ts";

export const usePeople = () =>
  useQuery({ queryKey: PEOPLE_KEY, queryFn: ({ signal }) => readPeople(signal) });

export const useTeams = () =>
  useQuery({ queryKey: TEAMS_KEY, queryFn: ({ signal }) => readTeams(signal) });

/** Refetches people, teams and the person's own account. Call after a change of one of them. */
export function useRefreshPeople(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [PEOPLE_KEY, TEAMS_KEY, ["me"]].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
}

/** The roles that the person may give: none above their own. */
export function useGivenRoles(): readonly ServerRole[] {
  const me = useMe();
  return me ? SERVER_ROLES.slice(SERVER_ROLES.indexOf(me.role)) : [];
}
