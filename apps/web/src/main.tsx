import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiFailure } from "./api/request.ts";
import { router } from "./router.tsx";
import "./styles.css";
import { startBeat } from "./ui/beat.ts";
import { restoreTheme } from "./ui/theme.ts";
import { keptLanguage } from "./ui/language.ts";
import { startWords } from "./words/words.ts";

restoreTheme();
startBeat();
const spoken = startWords(keptLanguage(), navigator.languages);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // Only silence is worth asking again; what the server said stays said.
      retry: (failures, error) => failures < 3 && error instanceof ApiFailure && error.status === 0,
    },
  },
});

const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");
const whole = createRoot(element);
const show = () =>
  whole.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
spoken.then(show, () => {
  // In no language: none has come.
  element.textContent = "Treadle could not load this page. Load it again.";
});
