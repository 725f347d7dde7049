import { QueryClient } from "@tanstack/react-query";
import { ApiFailure } from "./request.ts";

/** Caches the server's answers for a while. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser says that it is offline where only the network is gone and the server, on this machine, is not.
      networkMode: "always",
      staleTime: 5000,
      // Retries only if the server did not answer; its error answers are final.
      retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    },
    mutations: { networkMode: "always" },
  },
});
