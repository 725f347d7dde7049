import { QueryClient } from "@tanstack/react-query";
import { ApiFailure } from "./request.ts";

/** Caches the server's answers, which are refetched after five seconds at the earliest. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a network the browser reports that it is offline, although a server on this machine still answers.
      networkMode: "always",
      staleTime: 5000,
      // Retries only if the server did not answer; its error answers are final.
      retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    },
    mutations: { networkMode: "always" },
  },
});
